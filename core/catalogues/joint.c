/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A joint table has a row for each bin of each function of each statistic, in the order in which
 * they were added: the columns of the data vector, then one column for each patch, the value
 * without it. */
#include "core/catalogues/joint.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/catalogues/estimator.h"
#include "core/tables/table.h"

/* Columns of the data vector; those of the patches follow. */
enum { STATISTIC, FUNCTION, BIN, THETA_MIN, THETA_MAX, THETA, VALUE, N_COLUMNS };

/* Key of a joint table: a letter for each patch, 1 if it has objects in one of the statistics. */
#define USED "USED"

static const struct {
  const char *name, *unit, *blurb;
  ArmillaColumnType type;
} columns[N_COLUMNS] = {
  [STATISTIC] = { "statistic", "", "name of the statistic", ARMILLA_COLUMN_STRING },
  [FUNCTION] = { "function", "", "name of the function", ARMILLA_COLUMN_STRING },
  [BIN] = { "bin", "", "number of the bin, from 0", ARMILLA_COLUMN_INT64 },
  [THETA_MIN] = { "theta_min", "deg", "lower edge of the bin, included", ARMILLA_COLUMN_DOUBLE },
  [THETA_MAX] = { "theta_max", "deg", "upper edge of the bin, excluded", ARMILLA_COLUMN_DOUBLE },
  [THETA] = { "theta", "deg", "mean separation of the pairs, or sqrt (theta_min theta_max) if it "
                              "was not computed", ARMILLA_COLUMN_DOUBLE },
  [VALUE] = { "value", "", "value of the function", ARMILLA_COLUMN_DOUBLE },
};

/* maximum number of patches in a table, which may come from a file */
#define MAX_PATCHES 100000

/* Key of a table of samples: "cut" if its patches were cut from a catalogue of the statistic. */
#define PATCHES "PATCHES"

/* A table of samples, see armilla_samples_table(). */
typedef struct {
  const ArmillaTable *table;
  const gint64 *patch;      /* of each row */
  int n_bins, n_samples;    /* n_samples includes the one with all patches */
  int n_patches;
} Samples;

static gboolean
is_numbers (const ArmillaTable *table, const char *name)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  return column != NULL && column->type == ARMILLA_COLUMN_DOUBLE;
}

/* Checks a table, which may come from a file, and finds its shape. */
static gboolean
read_samples (const ArmillaTable *table, const char *label, Samples *out, GError **error)
{
  const ArmillaColumn *patch = armilla_table_find (table, "patch");
  const ArmillaColumn *patches = armilla_table_find (table, "patches");
  gint64 row = 0;

  if (patch == NULL || patch->type != ARMILLA_COLUMN_INT64 || patches == NULL
      || patches->type != ARMILLA_COLUMN_INT64 || table->n_rows == 0
      || patches->integers[0] < 0 || patches->integers[0] > MAX_PATCHES
      || !is_numbers (table, "theta_min") || !is_numbers (table, "theta_max")
      || (armilla_table_find (table, "theta") != NULL && !is_numbers (table, "theta")))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s: not a table of samples; connect the output samples of a correlation",
                         label);
  while (row < table->n_rows && patch->integers[row] == -1)
    row++;
  *out = (Samples) { .table = table, .patch = patch->integers, .n_bins = (int) row,
                     .n_patches = (int) patches->integers[0] };
  if (row == 0 || table->n_rows % row != 0)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s: the table of samples is incomplete", label);
  out->n_samples = (int) (table->n_rows / row);
  if (out->n_samples < 3)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: was counted without patches; a joint covariance needs at least two: "
                         "set patches of the correlation, or use assign-patches", label);
  for (row = 0; row < table->n_rows; row++)
    if (patch->integers[row] != patch->integers[row / out->n_bins * out->n_bins]
        || patch->integers[row] >= out->n_patches
        || patch->integers[row] < (row < out->n_bins ? -1 : 0))
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s: the table of samples has rows in another order", label);
  return TRUE;
}

/* Returns whether a column is a function that enters the data vector. @functions: the chosen ones;
 * empty: all except cross shears, which are 0 without systematic errors */
static gboolean
is_chosen (const ArmillaColumn *column, char *const *functions)
{
  static const char *const others[] = { "patch", "theta_min", "theta_max", "theta", NULL };

  if (column->type != ARMILLA_COLUMN_DOUBLE || g_strv_contains (others, column->name))
    return FALSE;
  return *functions != NULL ? g_strv_contains ((const char *const *) functions, column->name)
                            : !g_str_has_suffix (column->name, "_x");
}

static ArmillaTable *
new_joint (gint64 n_rows, int n_patches)
{
  ArmillaTable *out = armilla_table_new ("JOINT", n_rows);

  for (int c = 0; c < N_COLUMNS; c++)
    armilla_table_add (out, columns[c].type, columns[c].name, columns[c].unit, columns[c].blurb);
  for (int p = 0; p < n_patches; p++)
    {
      g_autofree char *name = g_strdup_printf ("without_%d", p);

      armilla_table_add (out, ARMILLA_COLUMN_DOUBLE, name, "", "value without a patch");
    }
  return out;
}

static void
copy_before (ArmillaTable *out, const ArmillaTable *before)
{
  for (int c = 0; c < before->n_columns; c++)
    for (gint64 k = 0; k < before->n_rows; k++)
      if (before->columns[c].type == ARMILLA_COLUMN_STRING)
        out->columns[c].strings[k] = g_strdup (before->columns[c].strings[k]);
      else if (before->columns[c].type == ARMILLA_COLUMN_INT64)
        out->columns[c].integers[k] = before->columns[c].integers[k];
      else
        out->columns[c].doubles[k] = before->columns[c].doubles[k];
}

/* Sets the rows of a function, from @first on. Without objects in a patch, a function has the value
 * with all patches. */
static void
set_rows (ArmillaTable *out, gint64 first, const Samples *samples, const char *label,
          const ArmillaColumn *function)
{
  const ArmillaColumn *low = armilla_table_find (samples->table, "theta_min");
  const ArmillaColumn *high = armilla_table_find (samples->table, "theta_max");
  const ArmillaColumn *theta = armilla_table_find (samples->table, "theta");

  for (int k = 0; k < samples->n_bins; k++)
    {
      const gint64 row = first + k;

      out->columns[STATISTIC].strings[row] = g_strdup (label);
      out->columns[FUNCTION].strings[row] = g_strdup (function->name);
      out->columns[BIN].integers[row] = k;
      out->columns[THETA_MIN].doubles[row] = low->doubles[k];
      out->columns[THETA_MAX].doubles[row] = high->doubles[k];
      out->columns[THETA].doubles[row]
        = theta != NULL ? theta->doubles[k] : sqrt (low->doubles[k] * high->doubles[k]);
      out->columns[VALUE].doubles[row] = function->doubles[k];
      for (int p = 0; p < samples->n_patches; p++)
        out->columns[N_COLUMNS + p].doubles[row] = function->doubles[k];
      for (int s = 1; s < samples->n_samples; s++)
        out->columns[N_COLUMNS + samples->patch[s * samples->n_bins]].doubles[row]
          = function->doubles[s * samples->n_bins + k];
    }
}

static gboolean
is_cut (const ArmillaTable *table)
{
  const ArmillaTableKey *key = armilla_table_key (table, PATCHES);

  return key != NULL && g_strcmp0 (key->text, "cut") == 0;
}

static void
set_used (ArmillaTable *out, const ArmillaTable *before, const Samples *samples)
{
  g_autofree char *used = before != NULL
                            ? g_strdup (armilla_table_key (before, USED)->text)
                            : g_strnfill ((gsize) samples->n_patches, '0');

  for (int s = 1; s < samples->n_samples; s++)
    used[samples->patch[s * samples->n_bins]] = '1';
  armilla_table_set_text (out, USED, used, "patches with objects");
}

/* Adds the functions of a statistic to a joint table. Returns the new table; NULL with
 * ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE if the table has no samples, or other patches.
 * @before: (nullable): the joint table so far; @samples: see armilla_samples_table(); @label: name
 * of the statistic; @functions: names of the functions to add; empty: all but those whose name ends
 * in _x */
ArmillaTable *
armilla_joint_add (const ArmillaTable *before, const ArmillaTable *samples, const char *label,
                   char *const *functions, GError **error)
{
  gint64 row = before != NULL ? before->n_rows : 0;
  g_autoptr (ArmillaTable) out = NULL;
  Samples shape;
  int n = 0;

  if (!read_samples (samples, label, &shape, error))
    return NULL;
  if (before != NULL && before->n_columns != N_COLUMNS + shape.n_patches)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%s: has %d patches, the statistics before it %d; all must be "
                              "counted with the same patches (assign-patches)", label,
                              shape.n_patches, before->n_columns - N_COLUMNS);
  if (before != NULL && (is_cut (before) || is_cut (samples)))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s: patches that each statistic cuts for itself differ; assign them "
                              "to all catalogues with assign-patches, and leave out patches of the "
                              "correlations", label);
  for (int c = 0; c < samples->n_columns; c++)
    n += is_chosen (&samples->columns[c], functions);
  out = new_joint (row + (gint64) n * shape.n_bins, shape.n_patches);
  if (before != NULL)
    copy_before (out, before);
  for (int c = 0; c < samples->n_columns; c++)
    if (is_chosen (&samples->columns[c], functions))
      {
        set_rows (out, row, &shape, label, &samples->columns[c]);
        row += shape.n_bins;
      }
  set_used (out, before, &shape);
  if (is_cut (samples))
    armilla_table_set_text (out, PATCHES, "cut", "origin of the patches");
  return g_steal_pointer (&out);
}

/* Returns the covariance of all rows, double, [row][row], of the jackknife; NULL on error. */
static double *
find_covariance (const ArmillaTable *joint, GError **error)
{
  const char *used = armilla_table_key (joint, USED)->text;
  const gsize n = (gsize) joint->n_rows;
  g_autofree double *values = NULL;
  double *covariance;
  gsize at = 0;

  if (n == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "functions: no statistic has one of them");
  values = armilla_try_new (double, (gint64) (n * strlen (used)), "the samples", error);
  covariance = values != NULL
                 ? armilla_try_new (double, (gint64) (n * n), "the covariance", error)
                 : NULL;
  if (covariance == NULL)
    return NULL;
  for (int p = 0; used[p] != 0; p++)
    for (gsize k = 0; used[p] == '1' && k < n; k++)
      values[at++] = joint->columns[N_COLUMNS + p].doubles[k];
  armilla_jackknife (values, (int) (at / n), (int) n, covariance);
  return covariance;
}

/* Returns the data vector of a joint table: its first columns, and the standard error. NULL with
 * ARMILLA_ERROR_VALUE if it is empty. */
ArmillaTable *
armilla_joint_vector (const ArmillaTable *joint, GError **error)
{
  g_autofree double *covariance = find_covariance (joint, error);
  ArmillaTable *out;
  ArmillaColumn *column;

  if (covariance == NULL)
    return NULL;
  out = armilla_table_new ("VECTOR", joint->n_rows);
  for (int c = 0; c < N_COLUMNS; c++)
    armilla_table_add_copy (out, &joint->columns[c], NULL);
  column = armilla_table_add (out, ARMILLA_COLUMN_DOUBLE, "error", "", "standard error of value");
  for (gint64 k = 0; k < joint->n_rows; k++)
    column->doubles[k] = sqrt (covariance[k * joint->n_rows + k]);
  armilla_table_set_text (out, "ERRORS", "jackknife", "method of the error estimate");
  armilla_table_set_integer (out, "NPATCH", joint->n_columns - N_COLUMNS, "number of patches");
  return out;
}

/* Returns the covariance of the data vector, one row for each pair of its rows; NULL with
 * ARMILLA_ERROR_VALUE if it is empty. */
ArmillaTable *
armilla_joint_covariance (const ArmillaTable *joint, GError **error)
{
  g_autofree double *covariance = find_covariance (joint, error);
  const gint64 n = joint->n_rows;
  ArmillaTable *out;
  ArmillaColumn *first, *second, *column;

  if (covariance == NULL)
    return NULL;
  out = armilla_table_new ("COVARIANCE", n * n);
  armilla_table_add (out, ARMILLA_COLUMN_INT64, "bin1", "", "row of the data vector, from 0");
  armilla_table_add (out, ARMILLA_COLUMN_INT64, "bin2", "", "another row of the data vector");
  column = armilla_table_add (out, ARMILLA_COLUMN_DOUBLE, "covariance", "",
                              "covariance of the values of the two rows");
  first = armilla_table_find (out, "bin1");
  second = armilla_table_find (out, "bin2");
  for (gint64 i = 0; i < n * n; i++)
    {
      first->integers[i] = i / n;
      second->integers[i] = i % n;
    }
  memcpy (column->doubles, covariance, (gsize) (n * n) * sizeof (double));
  armilla_table_set_text (out, "ERRORS", "jackknife", "method of the error estimate");
  return out;
}
