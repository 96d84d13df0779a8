/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results: numbers in memory of their own, and their names and units. */
#include "config.h"

#include "core/fits/fields.h"
#include "workflows/arrays/result.h"

#include <armilla/armilla.h>
#include <stdlib.h>
#include <string.h>

#include "core/tables/table.h"
#include "tasks/data/objects.h"
#include "workflows/arrays/columns.h"

G_STATIC_ASSERT ((int) ARMILLA_COLUMN_KIND_TEXT == (int) ARMILLA_COLUMN_STRING);
G_STATIC_ASSERT ((int) ARMILLA_GEOMETRY_RINGS == (int) ARMILLA_GRID_RINGS);

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

/* Allocates zeroed memory for the fields. */
static gboolean
allocate (ArmillaResult *self, int n_fields, gint64 n, gint64 size, GError **error)
{
  ArmillaArray *array = &self->array;

  *array = (ArmillaArray) { .type = ARMILLA_FLOAT64,
                            .shape = { 1, n_fields, n },
                            .strides = { size * n * n_fields, size * n, size } };
  array->data = calloc ((size_t) n_fields * (size_t) n, (size_t) size);
  if (array->data)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "%s: out of memory: cannot allocate an array of %d times %"
                       G_GINT64_FORMAT " numbers", self->name, n_fields, n);
}

static const char *const *
repeat_text (const char *text, int n)
{
  char **list = g_new0 (char *, (gsize) n + 1);

  for (int i = 0; i < n; i++)
    list[i] = g_strdup (text ? text : "");
  return (const char *const *) list;
}

static const char *const *
copy_names (const char *const *names, int n)
{
  char **list;

  if (!names)
    return repeat_text ("", n);
  list = g_new0 (char *, (gsize) n + 1);
  for (int i = 0; i < n; i++)
    list[i] = g_strdup (names[i] ? names[i] : "");
  return (const char *const *) list;
}

static gboolean
describe_map (ArmillaResult *self, ArmillaMap *map, GError **error)
{
  const ArmillaMapHeader *header = armilla_map_header (map);
  const ArmillaGrid *grid = header->grid;
  const int n = header->fields.n;

  self->kind = ARMILLA_FLOW_MAP;
  self->geometry = (ArmillaGeometry) grid->kind;
  self->nside = grid->nside;
  self->n_theta = grid->n_rings;
  self->n_phi = grid->n_rings > 0 ? grid->rings[0].n_phi : 0;
  self->spins = g_memdup2 (armilla_map_spins (map), sizeof (int) * (gsize) n);
  self->names = copy_names ((const char *const *) header->fields.names, n);
  self->units = copy_names ((const char *const *) header->fields.units, n);
  self->coordinates = g_strdup (header->fields.coordsys);
  if (!allocate (self, n, grid->n_pixels, sizeof (double), error))
    return FALSE;
  for (gint64 i = 0; grid->n_covered < grid->n_pixels && i < n * grid->n_pixels; i++)
    ((double *) self->array.data)[i] = ARMILLA_UNSEEN;
  return TRUE;
}

static gboolean
describe_alm (ArmillaResult *self, ArmillaAlm *alm, GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  const ArmillaFields *fields = armilla_data_fields (ARMILLA_DATA (alm));
  const int n = fields->n;

  self->kind = ARMILLA_FLOW_ALM;
  self->lmax = layout.lmax;
  self->mmax = layout.mmax;
  self->spins = g_memdup2 (armilla_alm_spins (alm), sizeof (int) * (gsize) n);
  self->names = copy_names (armilla_fields_known_names (fields), n);
  self->units = repeat_text (armilla_alm_unit (alm), n);
  self->coordinates = g_strdup (armilla_alm_coordsys (alm));
  return allocate (self, n, armilla_alm_count (layout), 2 * sizeof (double), error);
}

static gboolean
describe_cl (ArmillaResult *self, ArmillaCl *cl, GError **error)
{
  const int n = armilla_cl_n_fields (cl);

  self->kind = ARMILLA_FLOW_CL;
  self->lmax = armilla_cl_lmax (cl);
  self->names = copy_names (armilla_cl_names (cl), n);
  self->units = repeat_text (armilla_cl_unit (cl), n);
  self->coordinates = g_strdup (armilla_cl_coordsys (cl));
  return allocate (self, n, self->lmax + 1, sizeof (double), error);
}

static void
describe_axis (ArmillaFlowAxis *to, const ArmillaMatrixAxis *from)
{
  *to = (ArmillaFlowAxis) { g_strdup (from->label), g_strdup (from->unit), from->n,
                            g_memdup2 (from->values, sizeof (double) * (gsize) from->n) };
}

static gboolean
describe_matrix (ArmillaResult *self, ArmillaMatrix *matrix, GError **error)
{
  const ArmillaMatrixHeader *header = armilla_matrix_header (matrix);
  const gint64 n_rows = header->rows.n, n_columns = header->columns.n;
  const int n = header->n_fields;

  self->kind = ARMILLA_FLOW_MATRIX;
  self->names = copy_names ((const char *const *) header->names, n);
  self->units = repeat_text (header->unit, n);
  describe_axis (&self->axes[0], &header->rows);
  describe_axis (&self->axes[1], &header->columns);
  if (!allocate (self, n, n_rows * n_columns, sizeof (double), error))
    return FALSE;
  self->array.shape[0] = n;
  self->array.shape[1] = n_rows;
  self->array.shape[2] = n_columns;
  self->array.strides[0] = 8 * n_rows * n_columns;
  self->array.strides[1] = 8 * n_columns;
  return TRUE;
}

/* Returns whether data of this kind can be results. */
gboolean
armilla_result_can_hold (ArmillaData *data)
{
  return ARMILLA_IS_MAP (data) || ARMILLA_IS_ALM (data) || ARMILLA_IS_CL (data)
         || ARMILLA_IS_TABLE_DATA (data) || ARMILLA_IS_OBJECTS (data) || ARMILLA_IS_MATRIX (data);
}

/* Returns the bytes of a result: 0 for a table, which is small; for a catalogue those of the
 * expected objects. */
double
armilla_result_bytes (ArmillaData *data)
{
  if (ARMILLA_IS_MAP (data))
    return 8.0 * (double) armilla_map_grid (ARMILLA_MAP (data))->n_pixels
           * armilla_map_n_fields (ARMILLA_MAP (data));
  if (ARMILLA_IS_OBJECTS (data))
    {
      const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (data));

      return 8.0 * (double) armilla_objects_expected (ARMILLA_OBJECTS (data))
             * (3 + (like->weight != NULL) + 2 * (like->g1 != NULL) + (like->patch != NULL)
                + like->n_values);
    }
  if (ARMILLA_IS_MATRIX (data))
    {
      const ArmillaMatrixHeader *header = armilla_matrix_header (ARMILLA_MATRIX (data));

      return 8.0 * (double) header->rows.n * (double) header->columns.n * header->n_fields;
    }
  return ARMILLA_IS_TABLE_DATA (data) ? 0 : armilla_data_bytes (data);
}

/* Allocates a result; ARMILLA_ERROR_MEMORY if that fails. */
ArmillaResult *
armilla_result_new (const char *name, gint64 realisation, ArmillaData *data, GError **error)
{
  ArmillaResult *self = (ArmillaResult *) g_new0 (ArmillaFlowResult, 1);
  gboolean good = TRUE;

  self->name = g_strdup (name);
  self->realisation = realisation;
  if (ARMILLA_IS_MAP (data))
    good = describe_map (self, ARMILLA_MAP (data), error);
  else if (ARMILLA_IS_ALM (data))
    good = describe_alm (self, ARMILLA_ALM (data), error);
  else if (ARMILLA_IS_CL (data))
    good = describe_cl (self, ARMILLA_CL (data), error);
  else if (ARMILLA_IS_MATRIX (data))
    good = describe_matrix (self, ARMILLA_MATRIX (data), error);
  else
    self->kind = ARMILLA_IS_OBJECTS (data) ? ARMILLA_FLOW_CATALOGUE : ARMILLA_FLOW_TABLE;
  if (good)
    return self;
  armilla_result_free (self);
  return NULL;
}

/* Takes table as the result. */
void
armilla_result_take_table (ArmillaResult *self, ArmillaTable *table)
{
  ArmillaResultColumn *columns = g_new0 (ArmillaResultColumn, (gsize) table->n_columns + 1);
  const ArmillaTableKey *system = armilla_table_key (table, "COORDSYS");

  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];

      columns[i] = (ArmillaResultColumn) { column->name, column->unit,
                                           (ArmillaColumnKind) column->type,
                                           armilla_columns_values (column) };
    }
  if (self->kind == ARMILLA_FLOW_CATALOGUE && system)
    self->coordinates = g_strdup (system->text);
  ((ArmillaFlowResult *) self)->table = table;
  self->n_rows = table->n_rows;
  self->n_columns = table->n_columns;
  self->columns = columns;
}

/* Returns the array of the result for tasks. Must be called once. */
ArmillaArrayRows *
armilla_result_rows (ArmillaResult *self)
{
  const int n = (int) self->array.shape[1];
  g_autofree int *copy = g_new0 (int, n), *component = g_new (int, n);
  ArmillaArrayRows *rows;

  for (int i = 0; i < n; i++)
    component[i] = i;
  rows = armilla_array_rows_new (&self->array, self->kind == ARMILLA_FLOW_ALM, n, copy, component);
  ((ArmillaFlowResult *) self)->rows = rows;
  return rows;
}
