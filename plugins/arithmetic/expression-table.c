/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of tables computed by formulas, row by row. */
#include <math.h>

#include <armilla/memory.h>

#include "plugins/arithmetic/expression.h"
#include "plugins/base/stage-util.h"

/* Lists the names of numeric columns. */
static ArmillaNames *
name_columns (const ArmillaExpressionStage *self, const ArmillaTable *const *tables)
{
  ArmillaNames *names = armilla_names_new ();
  g_autoptr (GPtrArray) own = g_ptr_array_new (), units = g_ptr_array_new ();
  ArmillaNamesInput inputs[ARMILLA_EXPRESSION_INPUTS];
  guint first[ARMILLA_EXPRESSION_INPUTS];

  for (int i = 0; i < self->n_inputs; i++)
    {
      first[i] = own->len;
      for (int c = 0; c < tables[i]->n_columns; c++)
        if (tables[i]->columns[c].type != ARMILLA_COLUMN_STRING)
          {
            g_ptr_array_add (own, tables[i]->columns[c].name);
            g_ptr_array_add (units, tables[i]->columns[c].unit);
          }
      inputs[i] = (ArmillaNamesInput) { .port = self->port[i], .n = (int) (own->len - first[i]) };
      armilla_names_add_table (names, self->port[i]);
    }
  for (int i = 0; i < self->n_inputs; i++)
    {
      inputs[i].names = (const char *const *) own->pdata + first[i];
      inputs[i].units = (const char *const *) units->pdata + first[i];
    }
  armilla_names_add_inputs (names, inputs, self->n_inputs, armilla_names_call);
  armilla_names_call (names, armilla_names_add (names, "row", ""), NULL, "row");
  return names;
}

/* Returns the values of variables, in the order of name_columns (), and of the numbers of
 * @formulas. */
static ArmillaValues *
find_values (const ArmillaExpressionStage *self, const ArmillaTable *const *tables,
             const ArmillaFormulas *formulas, double *numbers, GError **error)
{
  g_autoptr (ArmillaValues) values = armilla_values_new (formulas->n_variables);
  double *rows = armilla_try_new (double, tables[0]->n_rows, "the numbers of the rows", error);
  int variable = 0;

  if (rows == NULL)
    return NULL;
  g_ptr_array_add (values->made, rows);
  for (int i = 0; i < self->n_inputs; i++)
    for (int c = 0; c < tables[i]->n_columns; c++)
      if (tables[i]->columns[c].type != ARMILLA_COLUMN_STRING
          && !armilla_values_set_column (values, variable++, &tables[i]->columns[c],
                                         tables[i]->n_rows, error))
        return NULL;
  for (gint64 row = 0; row < tables[0]->n_rows; row++)
    rows[row] = (double) row;
  armilla_values_set (values, variable, rows, tables[0]->n_rows);
  for (guint k = 0; k < formulas->numbers->len; k++)
    armilla_values_set (values, g_array_index (formulas->numbers, ArmillaNumber, k).variable,
                        &numbers[k], 1);
  return g_steal_pointer (&values);
}

static gboolean
add_made (ArmillaTable *out, const ArmillaFormulas *formulas, int i, const ArmillaValues *values,
          GError **error)
{
  gint64 n_rows = out->n_rows;
  g_autofree double *found
    = armilla_values_evaluate (values, formulas->expression[i], &n_rows, error);
  ArmillaColumn *column;

  if (found == NULL)
    {
      g_prefix_error (error, "expression = %s: ", formulas->texts[i]);
      return FALSE;
    }
  column = armilla_table_try_add (out, ARMILLA_COLUMN_DOUBLE, formulas->names[i],
                                  formulas->units[i], formulas->texts[i], error);
  if (column == NULL)
    return FALSE;
  for (gint64 row = 0; row < out->n_rows; row++)
    column->doubles[row] = isfinite (found[row]) ? found[row] : NAN;
  return TRUE;
}

static gboolean
find_numbers (const ArmillaExpressionStage *self, const ArmillaTable *const *tables,
              const ArmillaFormulas *formulas, const ArmillaValues *values, double *numbers,
              GError **error)
{
  ArmillaNamedTable named[ARMILLA_EXPRESSION_INPUTS];

  for (int i = 0; i < self->n_inputs; i++)
    named[i] = (ArmillaNamedTable) { self->port[i], tables[i] };
  for (guint k = 0; k < formulas->numbers->len; k++)
    if (!armilla_formulas_number (formulas, (int) k, named, self->n_inputs, values, numbers,
                                  error))
      {
        g_prefix_error (error, "expression: ");
        return FALSE;
      }
  return TRUE;
}

static ArmillaTable *
compute (const ArmillaExpressionStage *self, const ArmillaTable *const *tables,
         const ArmillaFormulas *formulas, const ArmillaValues *values, GError **error)
{
  g_autofree gboolean *made = g_new0 (gboolean, formulas->n);
  g_autoptr (ArmillaTable) out = NULL;

  out = armilla_table_new (tables[0]->name, tables[0]->n_rows);
  armilla_table_copy_keys (out, tables[0]);
  for (int c = 0; self->keep && c < tables[0]->n_columns; c++)
    {
      const int i = armilla_formulas_find (formulas, tables[0]->columns[c].name);

      if (i < 0)
        armilla_table_add_copy (out, &tables[0]->columns[c], NULL);
      else if (!made[i] && !add_made (out, formulas, i, values, error))
        return NULL;
      if (i >= 0)
        made[i] = TRUE;
    }
  for (int i = 0; i < formulas->n; i++)
    if (!made[i] && !add_made (out, formulas, i, values, error))
      return NULL;
  return g_steal_pointer (&out);
}

static gboolean
convert (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const ArmillaExpressionStage *self = user;
  const ArmillaTable *tables[ARMILLA_EXPRESSION_INPUTS];
  g_autoptr (ArmillaNames) names = NULL;
  g_autoptr (ArmillaFormulas) formulas = NULL;
  g_autoptr (ArmillaValues) values = NULL;
  g_autofree double *numbers = NULL;

  for (int i = 0; i < self->n_inputs; i++)
    tables[i] = in[i].table;
  names = name_columns (self, tables);
  formulas = armilla_formulas_new (&self->texts, names, error);
  if (formulas == NULL)
    return FALSE;
  numbers = g_new (double, MAX (formulas->numbers->len, 1));
  values = find_values (self, tables, formulas, numbers, error);
  if (values != NULL && find_numbers (self, tables, formulas, values, numbers, error))
    out->table = compute (self, tables, formulas, values, error);
  return out->table != NULL;
}

gboolean
armilla_expression_build_table (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                ArmillaTableData *const *inputs, ArmillaTableData *out,
                                GError **error)
{
  return armilla_graph_make (graph, (ArmillaData *const *) inputs, self->n_inputs,
                             ARMILLA_DATA (out), convert, g_object_ref (self), g_object_unref,
                             error);
}
