/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broadcasts tables and matrices, which only rank 0 receives, to the other ranks of a session. */
#include "config.h"

#include "workflows/arrays/result.h"

#include <armilla/armilla.h>
#include <string.h>

#include "tasks/arrays/ranks.h"
#include "tasks/runtime/share.h"
#include "workflows/arrays/columns.h"

static void
put_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) (text ? text : ""),
                       (guint) strlen (text ? text : "") + 1);
}

static gsize
size_of (ArmillaColumnType type)
{
  return type == ARMILLA_COLUMN_INT128 ? 16 : 8;
}

/* Writes a table without its numbers: its size, and type, name, unit and strings of each column. */
static void
put_table (GByteArray *bytes, const ArmillaTable *table)
{
  const gint64 shape[2] = { table->n_rows, table->n_columns };

  g_byte_array_append (bytes, (const guint8 *) shape, sizeof shape);
  put_text (bytes, table->name);
  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];
      const guint8 type = (guint8) column->type;

      g_byte_array_append (bytes, &type, 1);
      put_text (bytes, column->name);
      put_text (bytes, column->unit);
      for (gint64 k = 0; column->type == ARMILLA_COLUMN_STRING && k < table->n_rows; k++)
        put_text (bytes, column->strings[k]);
    }
}

static const char *
take_text (const guint8 **at)
{
  const char *text = (const char *) *at;

  *at += strlen (text) + 1;
  return text;
}

/* Reads what put_table() has written on rank 0. */
static ArmillaTable *
take_table (const guint8 *at)
{
  ArmillaTable *table;
  gint64 shape[2];

  memcpy (shape, at, sizeof shape);
  at += sizeof shape;
  table = armilla_table_new (take_text (&at), shape[0]);
  for (gint64 i = 0; i < shape[1]; i++)
    {
      const ArmillaColumnType type = (ArmillaColumnType) *at++;
      const char *name = take_text (&at), *unit = take_text (&at);
      ArmillaColumn *column = armilla_table_add (table, type, name, unit, "");

      for (gint64 k = 0; type == ARMILLA_COLUMN_STRING && k < shape[0]; k++)
        column->strings[k] = g_strdup (take_text (&at));
    }
  return table;
}

static gboolean
broadcast_table (ArmillaRuntime *runtime, ArmillaResult *result, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  ArmillaTable *table = ((ArmillaFlowResult *) result)->table;
  gboolean good = TRUE;

  if (armilla_runtime_rank (runtime) == 0)
    put_table (bytes, table);
  if (!armilla_runtime_share (runtime, bytes, error))
    return FALSE;
  if (armilla_runtime_rank (runtime) > 0)
    table = take_table (bytes->data);
  for (int i = 0; i < table->n_columns && good; i++)
    {
      const ArmillaColumn *column = &table->columns[i];

      if (column->type != ARMILLA_COLUMN_STRING)
        good = armilla_ranks_broadcast (runtime, 0, (gpointer) armilla_columns_values (column),
                                        size_of (column->type) * (gsize) table->n_rows, error);
    }
  if (armilla_runtime_rank (runtime) > 0)
    armilla_result_take_table (result, table);
  return good;
}

/* Broadcasts the results (ArmillaResult, the same on all ranks) that only rank 0 has.
 * Collective. */
gboolean
armilla_results_broadcast (GPtrArray *results, ArmillaRuntime *runtime, GError **error)
{
  for (guint i = 0; armilla_runtime_n_ranks (runtime) > 1 && i < results->len; i++)
    {
      ArmillaResult *result = g_ptr_array_index (results, i);
      const int64_t *shape = result->array.shape;

      if (result->kind == ARMILLA_FLOW_TABLE && !broadcast_table (runtime, result, error))
        return FALSE;
      if (result->kind == ARMILLA_FLOW_MATRIX
          && !armilla_ranks_broadcast (runtime, 0, result->array.data,
                                       8 * (gsize) (shape[0] * shape[1] * shape[2]), error))
        return FALSE;
    }
  return TRUE;
}
