/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of tables, row by row, by formulas. */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/arithmetic/formulas.h"
#include "plugins/base/stage-util.h"

#define MOST 8

struct _ArmillaExpressionTable {
  ArmillaStage parent_instance;
  ArmillaFormulaTexts texts;
  gboolean keep;
  int n_inputs; /* that are connected, and their names */
  const char *port[MOST];
};

ARMILLA_DEFINE_STAGE (ArmillaExpressionTable, armilla_expression_table, ARMILLA, EXPRESSION_TABLE)

#define MORE(name) \
  { name, armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, \
    "one more, of as many rows" }

static const ArmillaPort ports[] = {
  { "table", armilla_table_data_get_type, ARMILLA_PORT_IN, "a table" },
  MORE ("table2"),
  MORE ("table3"),
  MORE ("table4"),
  MORE ("table5"),
  MORE ("table6"),
  MORE ("table7"),
  MORE ("table8"),
  { "out", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "the columns of table, and one for each expression" },
  { NULL, NULL, 0, NULL },
};

/* Columns of numbers; those that are no doubles are made such. */
typedef struct {
  ArmillaNames *names;
  GPtrArray *values; /* of each variable */
  GPtrArray *made;
} Columns;

static const double *
numbers_of (Columns *columns, const ArmillaColumn *column, gint64 n_rows)
{
  double *numbers;

  if (column->type == ARMILLA_COLUMN_DOUBLE)
    return column->doubles;
  numbers = g_new (double, MAX (n_rows, 1));
  for (gint64 row = 0; row < n_rows; row++)
    numbers[row] = column->type == ARMILLA_COLUMN_INT64 ? (double) column->integers[row]
                                                        : (double) column->wide[row];
  g_ptr_array_add (columns->made, numbers);
  return numbers;
}

/* Names without the table first. */
static void
name_columns (Columns *columns, const ArmillaExpressionTable *self,
              const ArmillaTable *const *tables)
{
  g_autofree double *rows = g_new (double, MAX (tables[0]->n_rows, 1));
  int variable = 0;

  for (int i = 0; i < self->n_inputs; i++)
    for (int c = 0; c < tables[i]->n_columns; c++)
      {
        const ArmillaColumn *column = &tables[i]->columns[c];

        if (column->type == ARMILLA_COLUMN_STRING)
          continue;
        variable = armilla_names_add (columns->names, column->name, column->unit);
        g_ptr_array_add (columns->values,
                         (double *) numbers_of (columns, column, tables[i]->n_rows));
        armilla_names_call (columns->names, variable, NULL, column->name);
      }
  variable = 0;
  for (int i = 0; i < self->n_inputs; i++)
    for (int c = 0; c < tables[i]->n_columns; c++)
      if (tables[i]->columns[c].type != ARMILLA_COLUMN_STRING)
        armilla_names_call (columns->names, variable++, self->port[i],
                            tables[i]->columns[c].name);
  for (gint64 row = 0; row < tables[0]->n_rows; row++)
    rows[row] = (double) row;
  variable = armilla_names_add (columns->names, "row", "");
  armilla_names_call (columns->names, variable, NULL, "row");
  g_ptr_array_add (columns->values, rows);
  g_ptr_array_add (columns->made, g_steal_pointer (&rows));
}

static gboolean
check_rows (const ArmillaExpressionTable *self, const ArmillaTable *const *tables, GError **error)
{
  for (int i = 1; i < self->n_inputs; i++)
    if (tables[i]->n_rows != tables[0]->n_rows)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has %" G_GINT64_FORMAT " rows, but table %" G_GINT64_FORMAT
                           "; they must have as many", self->port[i], tables[i]->n_rows,
                           tables[0]->n_rows);
  return TRUE;
}

static gboolean
add_made (ArmillaTable *out, const ArmillaFormulas *formulas, int i, const Columns *columns,
          GError **error)
{
  ArmillaColumn *column = armilla_table_add (out, ARMILLA_COLUMN_DOUBLE, formulas->names[i],
                                             formulas->units[i], formulas->texts[i]);

  if (!armilla_expression_evaluate (formulas->expression[i],
                                    (const double *const *) columns->values->pdata, out->n_rows,
                                    column->doubles, error))
    return FALSE;
  for (gint64 row = 0; row < out->n_rows; row++)
    if (!isfinite (column->doubles[row]))
      column->doubles[row] = NAN;
  return TRUE;
}

static ArmillaTable *
compute (const ArmillaExpressionTable *self, const ArmillaTable *const *tables,
         const Columns *columns, GError **error)
{
  g_autoptr (ArmillaFormulas) formulas = armilla_formulas_new (&self->texts, columns->names, error);
  g_autofree gboolean *made = NULL;
  g_autoptr (ArmillaTable) out = NULL;

  if (formulas == NULL)
    return NULL;
  made = g_new0 (gboolean, formulas->n);
  out = armilla_table_new (tables[0]->name, tables[0]->n_rows);
  armilla_table_copy_keys (out, tables[0]);
  for (int c = 0; self->keep && c < tables[0]->n_columns; c++)
    {
      const int i = armilla_formulas_find (formulas, tables[0]->columns[c].name);

      if (i < 0)
        armilla_table_add_copy (out, &tables[0]->columns[c], NULL);
      else if (!made[i] && !add_made (out, formulas, i, columns, error))
        return NULL;
      if (i >= 0)
        made[i] = TRUE;
    }
  for (int i = 0; i < formulas->n; i++)
    if (!made[i] && !add_made (out, formulas, i, columns, error))
      return NULL;
  return g_steal_pointer (&out);
}

static ArmillaTable *
convert (gpointer user, const ArmillaTable *const *tables, GError **error)
{
  const ArmillaExpressionTable *self = user;
  Columns columns = { armilla_names_new (), g_ptr_array_new (),
                      g_ptr_array_new_with_free_func (g_free) };
  ArmillaTable *out = NULL;

  if (check_rows (self, tables, error))
    {
      name_columns (&columns, self, tables);
      out = compute (self, tables, &columns, error);
    }
  armilla_names_free (columns.names);
  g_ptr_array_unref (columns.values);
  g_ptr_array_unref (columns.made);
  return out;
}

static gboolean
expression_table_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                          ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) context;
  if (!armilla_formulas_check (&ARMILLA_EXPRESSION_TABLE (stage)->texts, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      armilla_stage_inherit (outputs[0], inputs[i]);
  return TRUE;
}

static gboolean
expression_table_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                        ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionTable *self = ARMILLA_EXPRESSION_TABLE (stage);
  ArmillaTableData *found[MOST];

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        self->port[self->n_inputs] = ports[i].name;
        found[self->n_inputs++] = ARMILLA_TABLE_DATA (inputs[i]);
      }
  return armilla_graph_convert_table (graph, found, self->n_inputs, convert, g_object_ref (self),
                                      g_object_unref, ARMILLA_TABLE_DATA (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "keep", ARMILLA_BOOLEAN (ArmillaExpressionTable, keep, TRUE),
    "whether the columns of table come along; one of the name of an expression is replaced" },
};

static void
armilla_expression_table_class_init (ArmillaExpressionTableClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "expression-table";
  stage->summary = "Compute columns of a table by formulas, row by row";
  stage->description =
    "Columns of numbers go by their names, in which what is not a letter or digit becomes _; "
    "table2.z is that of the second input. row counts rows, from 0. Where a column that an "
    "expression names has no value (NaN), what comes out has none, but for branches of where() "
    "that are not taken and what isunseen() asks. doc/expressions.md has all that expressions "
    "may say.";
  stage->ports = ports;
  stage->prepare = expression_table_prepare;
  stage->build = expression_table_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionTable, texts));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
