/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of all correlation functions have in common. */
#include "core/catalogues/correlation-columns.h"

#include <math.h>

#include "core/tables/table.h"

/* Returns the angle in degrees; degrees that were converted to radian convert back to the same
 * number. */
double
armilla_bins_degrees (double angle)
{
  return angle / G_PI * 180;
}

/* Returns whether the histogram has the sum. */
gboolean
armilla_counted_has (const ArmillaCounted *c, ArmillaHistogramSum sum)
{
  return (c->shape.sums >> sum) & 1;
}

/* Returns a sum over the pairs without the patch @without (-1: all). */
double
armilla_counted_sum (const ArmillaCounted *c, ArmillaHistogramSum sum, gint64 entry, int without)
{
  const double all = armilla_histogram_sum (&c->shape, c->words, 0, sum, entry);
  double touched, within;

  if (without < 0)
    return all;
  touched = armilla_histogram_sum (&c->shape, c->words, 1 + without, sum, entry);
  if (c->across == 0)
    return all - touched;
  within
    = armilla_histogram_sum (&c->shape, c->words, 1 + c->shape.n_patches + without, sum, entry);
  return all - (touched - c->across * (touched - within));
}

/* Returns the number of pairs, or sum of their weights, without the patch @without (-1: all). */
double
armilla_counted_pairs (const ArmillaCounted *c, gint64 entry, int without)
{
  gint64 n, touched;

  if (armilla_counted_has (c, ARMILLA_SUM_WEIGHT))
    return armilla_counted_sum (c, ARMILLA_SUM_WEIGHT, entry, without);
  n = armilla_histogram_count (&c->shape, c->words, 0, entry);
  if (without < 0)
    return (double) n;
  touched = armilla_histogram_count (&c->shape, c->words, 1 + without, entry);
  if (c->across == 0)
    return (double) (n - touched);
  return (double) (n - touched)
         + c->across
             * (double) (touched
                         - armilla_histogram_count (&c->shape, c->words,
                                                    1 + c->shape.n_patches + without, entry));
}

/* Returns the pairs of an entry as a share of all pairs, without the patch @without (-1: all). */
double
armilla_counted_share (const ArmillaCounted *c, gint64 entry, int without)
{
  const double kept
    = without >= 0 && c->across > 0 ? c->across * armilla_totals_across (c->a, c->b, without) : 0;

  return armilla_counted_pairs (c, entry, without)
         / (armilla_totals_pairs (c->a, c->b, without) + kept);
}

/* Returns whether a patch has objects: leaving out an empty one would not be a sample. */
static gboolean
is_populated (const ArmillaTotals *totals, int patch)
{
  return totals->n[1 + patch] > 0;
}

/* Computes the covariance of n values by leaving out one patch at a time. Returns FALSE if fewer
 * than two patches have objects. */
gboolean
armilla_counted_jackknife (const ArmillaTotals *totals, int n, ArmillaCountedSample sample,
                           gconstpointer user, double *covariance)
{
  g_autofree double *values = g_new (double, (gsize) n * MAX (totals->n_patches, 1));
  int used = 0;

  for (int p = 0; p < totals->n_patches; p++)
    if (is_populated (totals, p))
      {
        for (int i = 0; i < n; i++)
          values[used * n + i] = sample (user, i, p);
        used++;
      }
  if (used < 2)
    return FALSE;
  armilla_jackknife (values, used, n, covariance);
  return TRUE;
}

/* Adds columns NAME_min and NAME_max: edges of the bins, angles in degrees, @each rows per bin. */
void
armilla_table_add_edges (ArmillaTable *table, const ArmillaBins *bins, const char *name, int each)
{
  const gboolean angles = bins->separation == ARMILLA_SEPARATION_ANGLE;
  const char *unit = angles ? "deg" : "";
  g_autofree char *low_name = g_strconcat (name, "_min", NULL);
  g_autofree char *high_name = g_strconcat (name, "_max", NULL);
  ArmillaColumn *low, *high;

  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, low_name, unit,
                     "lower edge of the bin, included");
  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, high_name, unit,
                     "upper edge of the bin, excluded");
  low = armilla_table_find (table, low_name);
  high = armilla_table_find (table, high_name);
  for (gint64 k = 0; k < table->n_rows; k++)
    {
      const int bin = (int) (k / each % bins->n);

      low->doubles[k] = angles ? armilla_bins_degrees (bins->edge[bin]) : bins->edge[bin];
      high->doubles[k]
        = angles ? armilla_bins_degrees (bins->edge[bin + 1]) : bins->edge[bin + 1];
    }
}

/* Adds the column theta if the separations were summed. Row k is bin k modulo the number of
 * bins. */
void
armilla_table_add_separation (ArmillaTable *table, const ArmillaCounted *c)
{
  const gint64 n_entries = armilla_histogram_entries (&c->shape);
  ArmillaColumn *column;

  if (!armilla_counted_has (c, ARMILLA_SUM_SEPARATION))
    return;
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "theta", "deg",
                              "weighted mean separation of the pairs; NaN without any");
  for (gint64 k = 0; k < table->n_rows; k++)
    {
      const gint64 entry = k % n_entries;
      const double pairs = armilla_counted_pairs (c, entry, -1);

      column->doubles[k]
        = pairs > 0 ? armilla_histogram_sum (&c->shape, c->words, 0, ARMILLA_SUM_SEPARATION, entry)
                        / pairs * 180 / G_PI
                    : NAN;
    }
}

/* Adds the column @name, and NAME_weight if the weights were summed. */
void
armilla_table_add_pairs (ArmillaTable *table, const char *name, const ArmillaCounted *c)
{
  g_autofree char *weighted = g_strconcat (name, "_weight", NULL);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, name, "",
                                             "number of pairs, each counted once");

  for (gint64 k = 0; k < table->n_rows; k++)
    column->integers[k] = armilla_histogram_count (&c->shape, c->words, 0, k);
  if (!armilla_counted_has (c, ARMILLA_SUM_WEIGHT))
    return;
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, weighted, "",
                              "sum of the products of their weights");
  for (gint64 k = 0; k < table->n_rows; k++)
    column->doubles[k] = armilla_counted_pairs (c, k, -1);
}

/* Makes a table of the covariance of functions of a bin, double,
 * [n_functions][bin][n_functions][bin]: a column for each function with itself. */
ArmillaTable *
armilla_covariance_table (const ArmillaBins *bins, const char *const *names, int n_functions,
                  const double *covariance, const char *method)
{
  static const char *const both[][2] = { [ARMILLA_SEPARATION_ANGLE] = { "theta1", "theta2" },
                                         [ARMILLA_SEPARATION_S] = { "s1", "s2" },
                                         [ARMILLA_SEPARATION_S_MU] = { "s1", "s2" },
                                         [ARMILLA_SEPARATION_RP_PI] = { "rp1", "rp2" } };
  int n = bins->n;
  ArmillaTable *table = armilla_table_new ("COVARIANCE", (gint64) n * n);
  ArmillaColumn *first, *second;

  armilla_table_add (table, ARMILLA_COLUMN_INT64, "bin1", "", "number of a bin, from 0");
  armilla_table_add (table, ARMILLA_COLUMN_INT64, "bin2", "", "number of another");
  first = armilla_table_find (table, "bin1");
  second = armilla_table_find (table, "bin2");
  for (int i = 0; i < n * n; i++)
    {
      first->integers[i] = i / n;
      second->integers[i] = i % n;
    }
  armilla_table_add_edges (table, bins, both[bins->separation][0], n);
  armilla_table_add_edges (table, bins, both[bins->separation][1], 1);
  for (int f = 0; f < n_functions; f++)
    {
      ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[f], "",
                                                 "covariance of the function in the two bins");

      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          column->doubles[i * n + j]
            = covariance[(f * n + i) * n_functions * n + f * n + j];
    }
  armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  return table;
}

/* Makes a table of the functions without one patch of the sky at a time: @sample gives the value of
 * each function in every bin, then of the next one. There is a row for each bin with all patches,
 * whose number is -1, then for each bin without the first patch that has objects, and so on.
 * @counted: pairs with the mean separation */
ArmillaTable *
armilla_samples_table (const ArmillaBins *bins, const char *const *names, int n_functions,
                       const ArmillaTotals *totals, const ArmillaCounted *counted,
                       ArmillaCountedSample sample, gconstpointer user)
{
  g_autofree int *left_out = g_new (int, (gsize) totals->n_patches + 1);
  ArmillaTable *table;
  ArmillaColumn *column;
  int n = 0;

  left_out[n++] = -1;
  for (int p = 0; p < totals->n_patches; p++)
    if (is_populated (totals, p))
      left_out[n++] = p;
  table = armilla_table_new ("SAMPLES", (gint64) n * bins->n);
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "patch", "",
                              "number of the patch that is left out; -1: none");
  for (gint64 k = 0; k < table->n_rows; k++)
    column->integers[k] = left_out[k / bins->n];
  column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "patches", "", "number of patches");
  for (gint64 k = 0; k < table->n_rows; k++)
    column->integers[k] = totals->n_patches;
  armilla_table_add_edges (table, bins, "theta", 1);
  armilla_table_add_separation (table, counted);
  for (int f = 0; f < n_functions; f++)
    {
      column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[f], "",
                                  "value of the function without the patch");
      for (gint64 k = 0; k < table->n_rows; k++)
        column->doubles[k] = sample (user, f * bins->n + k % bins->n, left_out[k / bins->n]);
    }
  return table;
}
