/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates formulas on the host: formulas of columns and spectra, and numbers that are the same
 * for all elements. Sums are added in the order of the elements. */
#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "plugins/arithmetic/formulas.h"

ArmillaValues *
armilla_values_new (int n_variables)
{
  ArmillaValues *self = g_new0 (ArmillaValues, 1);

  self->values = g_ptr_array_new ();
  self->rows = g_array_new (FALSE, TRUE, sizeof (gint64));
  self->made = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->values, n_variables);
  g_array_set_size (self->rows, (guint) n_variables);
  return self;
}

void
armilla_values_free (ArmillaValues *self)
{
  g_ptr_array_unref (self->values);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->made);
  g_free (self);
}

/* @values: (transfer none) */
void
armilla_values_set (ArmillaValues *self, int variable, const double *values, gint64 n_rows)
{
  g_ptr_array_index (self->values, variable) = (gpointer) values;
  g_array_index (self->rows, gint64, variable) = n_rows;
}

/* Sets the values of a numeric column, which must live as long as @self. */
gboolean
armilla_values_set_column (ArmillaValues *self, int variable, const ArmillaColumn *column,
                           gint64 n_rows, GError **error)
{
  double *numbers = NULL;

  if (column->type != ARMILLA_COLUMN_DOUBLE)
    {
      numbers = armilla_try_new (double, n_rows, "a column", error);
      if (numbers == NULL)
        return FALSE;
      for (gint64 row = 0; row < n_rows; row++)
        numbers[row] = column->type == ARMILLA_COLUMN_INT64 ? (double) column->integers[row]
                                                            : (double) column->wide[row];
      g_ptr_array_add (self->made, numbers);
    }
  armilla_values_set (self, variable, numbers != NULL ? numbers : column->doubles, n_rows);
  return TRUE;
}

/* Finds the number of rows of the variables that the expression reads. Variables with one row are
 * repeated. */
static gboolean
find_rows (const ArmillaValues *self, const ArmillaExpression *expression, gint64 *n_rows,
           GError **error)
{
  for (guint v = 0; v < self->values->len; v++)
    {
      const gint64 rows = g_array_index (self->rows, gint64, v);

      if (!armilla_expression_reads (expression, (int) v) || rows == 1 || rows == *n_rows)
        continue;
      if (*n_rows >= 0)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "columns of %" G_GINT64_FORMAT " and of %" G_GINT64_FORMAT " rows "
                             "have no value together; name one row, as in table2.0.NAME, or a "
                             "reduction, as in mean(table2.NAME)", *n_rows, rows);
      *n_rows = rows;
    }
  if (*n_rows < 0)
    *n_rows = 1;
  return TRUE;
}

/* Evaluates an expression row by row. @n_rows: number of rows; if negative, set to that of the
 * variables. */
double *
armilla_values_evaluate (const ArmillaValues *self, ArmillaExpression *expression, gint64 *n_rows,
                         GError **error)
{
  g_autoptr (GPtrArray) spread = g_ptr_array_new_with_free_func (g_free);
  g_autofree const double **values = g_new (const double *, MAX (self->values->len, 1));
  g_autofree double *out = NULL;

  if (!find_rows (self, expression, n_rows, error))
    return NULL;
  for (guint v = 0; v < self->values->len; v++)
    {
      values[v] = g_ptr_array_index (self->values, v);
      if (armilla_expression_reads (expression, (int) v) && *n_rows != 1
          && g_array_index (self->rows, gint64, v) == 1)
        {
          double *same = armilla_try_new (double, *n_rows, "a column", error);

          if (same == NULL)
            return NULL;
          for (gint64 row = 0; row < *n_rows; row++)
            same[row] = values[v][0];
          g_ptr_array_add (spread, same);
          values[v] = same;
        }
    }
  out = armilla_try_new (double, *n_rows, "a column", error);
  return out != NULL && armilla_expression_evaluate (expression, values, *n_rows, out, error)
           ? g_steal_pointer (&out) : NULL;
}

/* Returns the mean (sum, variance, ...) of the finite values; NaN if there are too few. */
double
armilla_reduce (ArmillaReduce how, const double *values, gint64 n)
{
  double sum = 0, squares = 0, min = INFINITY, max = -INFINITY, mean;
  gint64 count = 0;

  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        sum += values[i];
        min = MIN (min, values[i]);
        max = MAX (max, values[i]);
        count++;
      }
  mean = sum / (double) count;
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i]))
      squares += (values[i] - mean) * (values[i] - mean);
  switch (how)
    {
    case ARMILLA_REDUCE_SUM: return sum;
    case ARMILLA_REDUCE_MEAN: return count > 0 ? mean : NAN;
    case ARMILLA_REDUCE_VAR: return count > 1 ? squares / (double) (count - 1) : NAN;
    case ARMILLA_REDUCE_MIN: return count > 0 ? min : NAN;
    default: return count > 0 ? max : NAN;
    }
}

static const ArmillaNamedTable *
find_table (const ArmillaNamedTable *tables, int n_tables, const char *name)
{
  const gsize length = strcspn (name, ".");

  for (int t = 0; t < n_tables; t++)
    if (strlen (tables[t].port) == length && strncmp (tables[t].port, name, length) == 0)
      return &tables[t];
  return NULL;
}

static const ArmillaColumn *
find_column (const ArmillaTable *table, const char *name)
{
  for (int c = 0; c < table->n_columns; c++)
    {
      g_autofree char *word = armilla_names_word (table->columns[c].name);

      if (strcmp (word, name) == 0)
        return &table->columns[c];
    }
  return NULL;
}

/* Returns the index of a row, given by its number or by its text in the first text column; -1 if
 * there is none. */
static gint64
find_row (const ArmillaTable *table, const char *row)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (row, 10, 0, G_MAXINT64, &number, NULL))
    return (gint64) number < table->n_rows ? (gint64) number : -1;
  for (int c = 0; c < table->n_columns; c++)
    for (gint64 r = 0; table->columns[c].type == ARMILLA_COLUMN_STRING; r++)
      {
        g_autofree char *word
          = r < table->n_rows ? armilla_names_word (table->columns[c].strings[r]) : NULL;

        if (word == NULL)
          return -1;
        if (strcmp (word, row) == 0)
          return r;
      }
  return -1;
}

/* Reads a value of a table: PORT.COLUMN of a table with one row, or PORT.ROW.COLUMN. */
static gboolean
read_value (const char *name, const ArmillaNamedTable *tables, int n_tables, double *value,
            GError **error)
{
  const ArmillaNamedTable *of = find_table (tables, n_tables, name);
  g_auto (GStrv) words = g_strsplit (name, ".", -1);
  const guint n = g_strv_length (words);
  const ArmillaColumn *column = find_column (of->table, words[n - 1]);
  const gint64 row = n == 2 ? 0 : find_row (of->table, words[1]);

  if (n > 3 || column == NULL || column->type == ARMILLA_COLUMN_STRING)
    return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                         "%s: %s has no column \"%s\" of numbers", name, of->port,
                         n > 3 ? strchr (strchr (name, '.') + 1, '.') + 1 : words[n - 1]);
  if (n == 2 && of->table->n_rows != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s: %s has %" G_GINT64_FORMAT " rows; name one by its number, "
                         "%s.0.%s, or a reduction, mean(%s)", name, of->port, of->table->n_rows,
                         of->port, words[1], name);
  if (row < 0)
    return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                         "%s: %s has %" G_GINT64_FORMAT " rows, from 0, and none is called \"%s\"",
                         name, of->port, of->table->n_rows, words[1]);
  *value = column->type == ARMILLA_COLUMN_DOUBLE ? column->doubles[row]
           : column->type == ARMILLA_COLUMN_INT64 ? (double) column->integers[row]
                                                  : (double) column->wide[row];
  return TRUE;
}

/* Returns the columns of all tables and the first @before numbers as variables for the argument of
 * a reduction. */
static ArmillaValues *
name_rows (const ArmillaFormulas *self, int before, const ArmillaNamedTable *tables, int n_tables,
           const double *numbers, ArmillaNames *names, GError **error)
{
  g_autoptr (ArmillaValues) values = armilla_values_new (0);

  for (int t = 0; t < n_tables; t++)
    for (int c = 0; c < tables[t].table->n_columns; c++)
      {
        const ArmillaColumn *column = &tables[t].table->columns[c];
        int variable;

        if (column->type == ARMILLA_COLUMN_STRING)
          continue;
        variable = armilla_names_add (names, column->name, "");
        armilla_names_call (names, variable, tables[t].port, column->name);
        g_ptr_array_set_size (values->values, variable + 1);
        g_array_set_size (values->rows, (guint) variable + 1);
        if (!armilla_values_set_column (values, variable, column, tables[t].table->n_rows, error))
          return NULL;
      }
  for (int k = 0; k < before; k++)
    {
      const ArmillaNumber *number = &g_array_index (self->numbers, ArmillaNumber, k);
      ArmillaExpressionName entry
        = { g_strdup (number->name), armilla_names_add (names, NULL, "") };

      g_array_append_val (names->names, entry);
      g_ptr_array_set_size (values->values, entry.variable + 1);
      g_array_set_size (values->rows, (guint) entry.variable + 1);
      armilla_values_set (values, entry.variable, &numbers[k], 1);
    }
  return g_steal_pointer (&values);
}

static gboolean
reduce_rows (const ArmillaFormulas *self, int k, const ArmillaNamedTable *tables, int n_tables,
             double *numbers, GError **error)
{
  const ArmillaNumber *number = &g_array_index (self->numbers, ArmillaNumber, k);
  g_autoptr (ArmillaNames) names = armilla_names_new ();
  g_autoptr (ArmillaValues) values = name_rows (self, k, tables, n_tables, numbers, names,
                                                error);
  g_autoptr (ArmillaExpression) argument = NULL;
  g_autofree double *found = NULL;
  gint64 n = -1;

  if (values == NULL)
    return FALSE;
  argument = armilla_expression_new (
    number->text, (const ArmillaExpressionName *) (gconstpointer) names->names->data,
    (int) names->names->len, NULL, (int) names->own->len, error);
  if (argument == NULL || !(found = armilla_values_evaluate (values, argument, &n, error)))
    return FALSE;
  numbers[k] = armilla_reduce (number->how, found, n);
  return TRUE;
}

/* Computes number @k; all preceding ones must be known. @values: variables for the arguments of
 * reductions over elements (may be NULL if there are none); @numbers: results */
gboolean
armilla_formulas_number (const ArmillaFormulas *self, int k, const ArmillaNamedTable *tables,
                         int n_tables, const ArmillaValues *values, double *numbers,
                         GError **error)
{
  const ArmillaNumber *number = &g_array_index (self->numbers, ArmillaNumber, k);
  g_autofree double *found = NULL;
  gint64 n = -1;

  numbers[k] = NAN;
  if (number->kind == ARMILLA_NUMBER_ROWS)
    return reduce_rows (self, k, tables, n_tables, numbers, error);
  if (number->kind == ARMILLA_NUMBER_COLUMN)
    return !number->needed || read_value (number->name, tables, n_tables, &numbers[k], error);
  found = armilla_values_evaluate (values, number->argument, &n, error);
  if (found == NULL)
    return FALSE;
  numbers[k] = armilla_reduce (number->how, found, n);
  return TRUE;
}
