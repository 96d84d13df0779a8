/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results: numbers in memory of their own, and their names and units. */
#include "config.h"

#include "workflows/arrays/result.h"

#include <armilla/armilla.h>
#include <stdlib.h>
#include <string.h>

#include "core/tables/table.h"
#include "workflows/arrays/columns.h"

void
armilla_result_free (ArmillaResult *result)
{
  if (!result)
    return;
  armilla_table_free (((ArmillaFlowResult *) result)->table);
  g_clear_pointer (&((ArmillaFlowResult *) result)->rows, armilla_array_rows_free);
  free (result->array.data);
  g_free ((gpointer) result->name);
  g_free ((gpointer) result->spins);
  g_strfreev ((char **) result->names);
  g_strfreev ((char **) result->units);
  g_free ((gpointer) result->coordinates);
  g_free ((gpointer) result->car);
  g_free ((gpointer) result->columns);
  g_strfreev ((char **) result->swept_keys);
  g_strfreev ((char **) result->swept_values);
  for (int i = 0; i < 2; i++)
    {
      g_free ((gpointer) result->axes[i].label);
      g_free ((gpointer) result->axes[i].unit);
      g_free ((gpointer) result->axes[i].values);
    }
  g_free (result);
}

/* Allocates memory for the fields, which the run writes; ARMILLA_ERROR_MEMORY if that fails. */
gboolean
armilla_result_allocate (ArmillaResult *self, int n_fields, gint64 n, gint64 size, GError **error)
{
  ArmillaArray *array = &self->array;
  gsize bytes;

  *array = (ArmillaArray) { .type = ARMILLA_FLOAT64,
                            .shape = { 1, n_fields, n },
                            .strides = { size * n * n_fields, size * n, size } };
  if (g_size_checked_mul (&bytes, (gsize) (n_fields * size), (gsize) n))
    array->data = malloc (bytes);
  if (array->data)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "%s: out of memory: cannot allocate an array of %d times %"
                       G_GINT64_FORMAT " numbers", self->name, n_fields, n);
}

/* Makes the table the result, which then owns it. */
void
armilla_result_take_table (ArmillaResult *self, ArmillaTable *table)
{
  ArmillaResultColumn *columns = g_new0 (ArmillaResultColumn, (gsize) table->n_columns + 1);
  const ArmillaTableKey *system = armilla_table_key (table, "COORDSYS");

  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];

      columns[i] = (ArmillaResultColumn) { column->name, column->unit,
                                           column->type,
                                           armilla_columns_values (column) };
    }
  if (self->kind == ARMILLA_FLOW_CATALOGUE && system)
    self->coordinates = g_strdup (system->text);
  ((ArmillaFlowResult *) self)->table = table;
  self->n_rows = table->n_rows;
  self->n_columns = table->n_columns;
  self->columns = columns;
}

/* Returns the fields of the result, for tasks. Must be called once. */
ArmillaArrayRows *
armilla_result_rows (ArmillaResult *self)
{
  const int n = (int) self->array.shape[1];
  g_autofree int *copy = g_new0 (int, n), *component = g_new (int, n);
  ArmillaArrayRows *rows;

  for (int i = 0; i < n; i++)
    component[i] = i;
  rows = armilla_array_rows_new (&self->array, self->kind == ARMILLA_FLOW_ALM, n,
                                 ((ArmillaFlowResult *) self)->first, copy, component);
  ((ArmillaFlowResult *) self)->rows = rows;
  return rows;
}
