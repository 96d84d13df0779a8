/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins the tables of all points of a sweep. */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/data/collect.h"
#include "tasks/data/data.h"

struct _ArmillaSweepTable {
  ArmillaStage parent_instance;
  ArmillaCollected *collected; /* tables of the points; NULL until all are complete */
  /* values of the swept keys of each point; NULL until all points are complete */
  ArmillaTable *points;
};

ARMILLA_DEFINE_STAGE (ArmillaSweepTable, armilla_sweep_table, ARMILLA, SWEEP_TABLE)

static const ArmillaPort ports[] = {
  { "input", armilla_data_get_type, ARMILLA_PORT_IN, "a table or spectra of each point" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one column per swept key, called node.key, with its value; then the columns of the input, or "
    "l and the spectra" },
  { NULL, NULL, 0, NULL },
};

static gboolean
sweep_table_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                     ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSweepTable *self = ARMILLA_SWEEP_TABLE (stage);

  g_autoptr (ArmillaTable) columns = armilla_data_new_table (inputs[0]);

  if (!columns && !ARMILLA_IS_TABLE_DATA (inputs[0]))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "input: must be a table or spectra; map-statistics computes a table of a "
                         "map");
  if (!armilla_data_check_columns (inputs[0], error))
    return FALSE;
  if (context->collected != NULL)
    self->collected = armilla_collected_ref (context->collected);
  if (context->points != NULL)
    self->points = armilla_table_ref ((ArmillaTable *) context->points);
  armilla_stage_new_tables (outputs, 1, inputs, 1);
  return TRUE;
}

static gboolean
sweep_table_gather (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                    ArmillaLot *lot, GError **error)
{
  (void) stage;
  return armilla_graph_collect (graph, inputs[0], lot, ARMILLA_COLLECT_WHOLE, error);
}

static char *
describe_point (const ArmillaTable *points, gint64 point)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int k = 0; k < points->n_columns; k++)
    {
      const ArmillaColumn *column = &points->columns[k];

      g_string_append_printf (text, "%s%s = ", k > 0 ? ", " : "", column->name);
      if (column->type == ARMILLA_COLUMN_STRING)
        g_string_append (text, column->strings[point]);
      else if (column->type == ARMILLA_COLUMN_INT64)
        g_string_append_printf (text, "%" G_GINT64_FORMAT, column->integers[point]);
      else
        g_string_append_printf (text, "%.10g", column->doubles[point]);
      if (*column->unit != '\0')
        g_string_append_printf (text, " %s", column->unit);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
check_alike (const ArmillaTable *points, gint64 point, const ArmillaTable *first,
             const ArmillaTable *table, GError **error)
{
  g_autofree char *where = NULL;
  gboolean alike = table->n_columns == first->n_columns;

  for (int c = 0; alike && c < first->n_columns; c++)
    alike = table->columns[c].type == first->columns[c].type
            && strcmp (table->columns[c].name, first->columns[c].name) == 0
            && strcmp (table->columns[c].unit, first->columns[c].unit) == 0;
  if (alike)
    return TRUE;
  where = describe_point (points, point);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "input: at %s the table has other columns, types or units than at the first "
                       "point; they must be equal at all points (the numbers of rows may differ)",
                       where);
}

/* Reads the tables of all points. (element-type ArmillaTable) */
static GPtrArray *
read_tables (const ArmillaSweepTable *self, GError **error)
{
  g_autoptr (GPtrArray) tables
    = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_table_free);

  for (gint64 point = 0; point < self->points->n_rows; point++)
    {
      ArmillaTable *table = armilla_collected_table (self->collected, point, error);

      if (table == NULL)
        return NULL;
      g_ptr_array_add (tables, table);
      if (!check_alike (self->points, point, tables->pdata[0], table, error))
        return NULL;
    }
  return g_steal_pointer (&tables);
}

static void
copy_rows (const ArmillaColumn *to, gint64 row, const ArmillaColumn *from, gint64 n_rows)
{
  const gsize n = (gsize) n_rows;

  switch (from->type)
    {
    case ARMILLA_COLUMN_INT64: memcpy (to->integers + row, from->integers, n * 8); break;
    case ARMILLA_COLUMN_INT128: memcpy (to->wide + row, from->wide, n * 16); break;
    case ARMILLA_COLUMN_DOUBLE: memcpy (to->doubles + row, from->doubles, n * 8); break;
    default:
      for (gsize r = 0; r < n; r++)
        to->strings[row + (gint64) r] = g_strdup (from->strings[r]);
    }
}

static void
stack_column (ArmillaTable *out, const GPtrArray *tables, int c)
{
  const ArmillaColumn *first = &((const ArmillaTable *) tables->pdata[0])->columns[c];
  const ArmillaColumn *to
    = armilla_table_add (out, first->type, first->name, first->unit, first->blurb);
  gint64 row = 0;

  for (guint i = 0; i < tables->len; i++)
    {
      const ArmillaTable *table = tables->pdata[i];

      copy_rows (to, row, &table->columns[c], table->n_rows);
      row += table->n_rows;
    }
}

static gboolean
same_key (const ArmillaTable *table, const ArmillaTableKey *key)
{
  const ArmillaTableKey *other = armilla_table_key (table, key->keyword);

  return other != NULL && g_strcmp0 (other->text, key->text) == 0
         && other->integer == key->integer;
}

static void
copy_keys (ArmillaTable *out, const GPtrArray *tables)
{
  const ArmillaTable *first = tables->pdata[0];

  for (int k = 0; k < first->n_keys; k++)
    {
      const ArmillaTableKey *key = &first->keys[k];
      gboolean same = TRUE;

      for (guint i = 1; same && i < tables->len; i++)
        same = same_key (tables->pdata[i], key);
      if (same && key->text != NULL)
        armilla_table_set_text (out, key->keyword, key->text, key->blurb);
      else if (same)
        armilla_table_set_integer (out, key->keyword, key->integer, key->blurb);
    }
}

static gboolean
fill_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaSweepTable *self = user;
  g_autoptr (GPtrArray) tables = read_tables (self, error);
  g_autoptr (GArray) point_of = g_array_new (FALSE, FALSE, sizeof (gint64));
  const ArmillaTable *first;
  ArmillaTable *out;

  if (tables == NULL)
    return FALSE;
  first = tables->pdata[0];
  for (int k = 0; k < self->points->n_columns; k++)
    if (armilla_table_find (first, self->points->columns[k].name) != NULL)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                                "input: the table has a column %s, which is also the name of a "
                                "swept key; rename one of them",
                                self->points->columns[k].name);
  for (gint64 point = 0; point < self->points->n_rows; point++)
    for (gint64 row = 0; row < ((const ArmillaTable *) tables->pdata[point])->n_rows; row++)
      g_array_append_val (point_of, point);
  out = armilla_table_new (first->name, point_of->len);
  copy_keys (out, tables);
  for (int k = 0; k < self->points->n_columns; k++)
    armilla_table_add_copy (out, &self->points->columns[k],
                            (const gint64 *) (gconstpointer) point_of->data);
  for (int c = 0; c < first->n_columns; c++)
    stack_column (out, tables, c);
  piece->table = out;
  return TRUE;
}

static gboolean
sweep_table_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                   ArmillaData *const *outputs, GError **error)
{
  (void) inputs;
  return armilla_graph_fill (graph, outputs[0], fill_table, g_object_ref (stage), g_object_unref,
                             error);
}

static void
armilla_sweep_table_class_init (ArmillaSweepTableClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "sweep-table";
  armilla_stage_set_example (stage, "input = table");
  stage->summary = "Join the tables of all points of a sweep, with the swept values as columns";
  stage->description =
    "Reads a table or spectra of each point of the sweep, and concatenates their rows, in the "
    "order of the points. Nodes that depend on its output run once, after the last point, and "
    "their file names need not contain the swept keys. With repeat, connect an output of collect. "
    "Swept values that are whole numbers become integers; other numbers and quantities are in the "
    "unit of the first value; all others, such as expressions, become text. Columns must be the "
    "same at all points; the number of rows may differ. Keywords of the tables (NREAL) are kept "
    "if they are equal at all points.";
  stage->ports = ports;
  stage->prepare = sweep_table_prepare;
  stage->build = sweep_table_build;
  stage->gather = sweep_table_gather;
  stage->joins = TRUE;
  ARMILLA_STAGE_OWNS (stage, ArmillaSweepTable, collected, armilla_collected_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaSweepTable, points, armilla_table_free);
}
