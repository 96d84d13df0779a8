/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts correlation functions to tables. */

#include "core/catalogues/estimator.h"
#include "core/tables/table.h"

#include <math.h>

/* Returns the angle in degrees; degrees that were converted to radian convert back to the same
 * number. */
static double
in_degrees (double angle)
{
  return angle / G_PI * 180;
}

static const char *const count_names[ARMILLA_N_COUNTS] = { "DD", "DR", "RD", "RR" };

static gboolean
has_sum (const ArmillaCounted *c, ArmillaHistogramSum sum)
{
  return (c->shape.sums >> sum) & 1;
}

/* Returns the share of the weight that pairs across the border of a patch keep when that patch is
 * omitted. */
static double
kept_sum (const ArmillaCounted *c, ArmillaHistogramSum sum, gint64 entry, int without)
{
  return c->across == 0 ? 0
         : c->across
             * (armilla_histogram_sum (&c->shape, c->words, 1 + without, sum, entry)
                - armilla_histogram_sum (&c->shape, c->words, 1 + c->shape.n_patches + without, sum,
                                         entry));
}

static double
kept_count (const ArmillaCounted *c, gint64 entry, int without)
{
  return c->across == 0 ? 0
         : c->across
             * (double) (armilla_histogram_count (&c->shape, c->words, 1 + without, entry)
                         - armilla_histogram_count (&c->shape, c->words,
                                                    1 + c->shape.n_patches + without, entry));
}

/* Returns the number of pairs, or sum of their weights, without the patch @without (-1: all). */
static double
pairs_of (const ArmillaCounted *c, gint64 entry, int without)
{
  if (!has_sum (c, ARMILLA_SUM_WEIGHT))
    {
      gint64 n = armilla_histogram_count (&c->shape, c->words, 0, entry);

      if (without >= 0)
        n -= armilla_histogram_count (&c->shape, c->words, 1 + without, entry);
      return (double) n + (without >= 0 ? kept_count (c, entry, without) : 0);
    }
  return armilla_histogram_sum (&c->shape, c->words, 0, ARMILLA_SUM_WEIGHT, entry)
         - (without >= 0 ? armilla_histogram_sum (&c->shape, c->words, 1 + without,
                                                  ARMILLA_SUM_WEIGHT, entry)
                             - kept_sum (c, ARMILLA_SUM_WEIGHT, entry, without)
                         : 0);
}

static double
normalised (const ArmillaCounted *c, gint64 entry, int without)
{
  const double kept
    = without >= 0 && c->across > 0 ? c->across * armilla_totals_across (c->a, c->b, without) : 0;

  return pairs_of (c, entry, without) / (armilla_totals_pairs (c->a, c->b, without) + kept);
}

static double
estimate (ArmillaEstimator estimator, const ArmillaCounted *counted, gint64 entry, int without)
{
  double counts[ARMILLA_N_COUNTS] = { 0 };

  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    if (counted[c].words != NULL)
      counts[c] = normalised (&counted[c], entry, without);
  /* within one catalogue */
  if (counted[ARMILLA_COUNT_RD].words == NULL)
    counts[ARMILLA_COUNT_RD] = counts[ARMILLA_COUNT_DR];
  return armilla_estimate_pairs (estimator, counts);
}

/* Returns whether a patch has objects: leaving out an empty one would not be a sample. */
static gboolean
is_populated (const ArmillaTotals *totals, int patch)
{
  return totals->n[1 + patch] > 0;
}

typedef double (*Sample) (gconstpointer user, gint64 entry, int without);

/* Computes the covariance of n values by leaving out one patch at a time. Returns FALSE if fewer
 * than two patches have objects. */
static gboolean
jackknife (const ArmillaTotals *totals, int n, Sample sample, gconstpointer user,
           double *covariance)
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

/* Adds columns NAME_min and NAME_max: edges of the bins, @each rows per bin. */
static void
add_edges (ArmillaTable *table, const ArmillaBins *bins, const char *name, int each)
{
  g_autofree char *low_name = g_strconcat (name, "_min", NULL);
  g_autofree char *high_name = g_strconcat (name, "_max", NULL);
  ArmillaColumn *low, *high;

  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, low_name, "deg",
                     "lower edge of the bin, included");
  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, high_name, "deg",
                     "upper edge of the bin, excluded");
  low = armilla_table_find (table, low_name);
  high = armilla_table_find (table, high_name);
  for (gint64 k = 0; k < table->n_rows; k++)
    {
      const int bin = (int) (k / each % bins->n);

      low->doubles[k] = in_degrees (bins->angle[bin]);
      high->doubles[k] = in_degrees (bins->angle[bin + 1]);
    }
}

static void
add_separation (ArmillaTable *table, const ArmillaCounted *c)
{
  ArmillaColumn *column;

  if (!has_sum (c, ARMILLA_SUM_SEPARATION))
    return;
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "theta", "deg",
                              "weighted mean separation of the pairs; NaN without any");
  for (gint64 k = 0; k < table->n_rows; k++)
    {
      double pairs = pairs_of (c, k, -1);

      column->doubles[k]
        = pairs > 0 ? armilla_histogram_sum (&c->shape, c->words, 0, ARMILLA_SUM_SEPARATION, k)
                        / pairs * 180 / G_PI
                    : NAN;
    }
}

static void
add_counts (ArmillaTable *table, const char *name, const ArmillaCounted *c)
{
  g_autofree char *weighted = g_strconcat (name, "_weight", NULL);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, name, "",
                                             "number of pairs, each counted once");

  for (gint64 k = 0; k < table->n_rows; k++)
    column->integers[k] = armilla_histogram_count (&c->shape, c->words, 0, k);
  if (!has_sum (c, ARMILLA_SUM_WEIGHT))
    return;
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, weighted, "",
                              "sum of the products of their weights");
  for (gint64 k = 0; k < table->n_rows; k++)
    column->doubles[k] = pairs_of (c, k, -1);
}

/* Sets the errors of a column, and makes a table of the covariance. */
static ArmillaTable *
covariance_table (const ArmillaBins *bins, const char *const *names, int n_functions,
                  const double *covariance, const char *method)
{
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
  add_edges (table, bins, "theta1", n);
  add_edges (table, bins, "theta2", 1);
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

typedef struct {
  ArmillaEstimator estimator;
  const ArmillaCounted *counted;
} PairSample;

static double
pair_sample (gconstpointer user, gint64 entry, int without)
{
  const PairSample *s = user;

  return estimate (s->estimator, s->counted, entry, without);
}

/* Sets Poisson errors of counts, (1 + w) / sqrt (DD) in each bin, for catalogues without
 * patches. */
static void
poisson (const ArmillaCounted *dd, const ArmillaColumn *value, int n, double *covariance)
{
  for (int k = 0; k < n; k++)
    {
      double pairs = (double) armilla_histogram_count (&dd->shape, dd->words, 0, k);

      covariance[k * n + k] = pairs > 0 ? pow (1 + value->doubles[k], 2) / pairs : NAN;
    }
}

static void
add_pair_keys (ArmillaTable *table, ArmillaEstimator estimator, const ArmillaCounted *counted,
               const char *method)
{
  static const char *const names[] = { "landy-szalay", "hamilton", "davis-peebles", "natural" };
  const ArmillaCounted *rr = &counted[ARMILLA_COUNT_RR], *dr = &counted[ARMILLA_COUNT_DR];
  const ArmillaCounted *dd = &counted[ARMILLA_COUNT_DD];

  armilla_table_set_text (table, "ESTIMATR", names[estimator], "estimator");
  armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  armilla_table_set_integer (table, "NPATCH", dd->a->n_patches, "number of patches of the "
                                    "jackknife");
  armilla_table_set_integer (table, "NDATA", dd->a->n[0], "objects");
  if (dd->b != NULL)
    armilla_table_set_integer (table, "NDATA2", dd->b->n[0], "objects of the other catalogue");
  if (rr->words != NULL)
    armilla_table_set_integer (table, "NRANDOM", rr->a->n[0], "random objects");
  else
    armilla_table_set_integer (table, "NRANDOM", dr->b->n[0], "random objects");
}

/* Makes the table of the two-point function: edges, mean separation, function, error, and the
 * counts. The error is that of the jackknife over the patches with data; with fewer than two it is
 * (1 + w) / sqrt (DD). Returns the table, with one row per bin. @counted: counts, at least those of
 * armilla_estimator_needs(); the table has the mean separation if DD has. */
ArmillaTable *
armilla_pair_table (ArmillaEstimator estimator, const ArmillaBins *bins,
                    const ArmillaCounted counted[ARMILLA_N_COUNTS], ArmillaTable **covariance)
{
  static const char *const names[] = { "w" };
  ArmillaTable *table = armilla_table_new ("PAIR-CORRELATION", bins->n);
  const ArmillaCounted *dd = &counted[ARMILLA_COUNT_DD];
  g_autofree double *matrix = g_new0 (double, (gsize) bins->n * bins->n);
  const PairSample sample = { estimator, counted };
  const char *method = "jackknife";
  ArmillaColumn *column;

  add_edges (table, bins, "theta", 1);
  add_separation (table, dd);
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "w", "",
                              "two-point correlation function");
  for (int k = 0; k < bins->n; k++)
    column->doubles[k] = estimate (estimator, counted, k, -1);
  if (!jackknife (dd->a, bins->n, pair_sample, &sample, matrix))
    {
      method = "poisson";
      poisson (dd, column, bins->n, matrix);
    }
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "error", "", "standard error of w");
  for (int k = 0; k < bins->n; k++)
    column->doubles[k] = sqrt (matrix[k * bins->n + k]);
  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    if (counted[c].words != NULL)
      add_counts (table, count_names[c], &counted[c]);
  add_pair_keys (table, estimator, counted, method);
  *covariance = covariance_table (bins, names, 1, matrix, method);
  return table;
}

/* Returns value @entry of a sample: xi+ of every bin, then xi- of every bin. */
static double
shear_sample (gconstpointer user, gint64 entry, int without)
{
  const ArmillaCounted *c = user;
  gint64 n = c->shape.n_bins;
  ArmillaHistogramSum sum = entry < n ? ARMILLA_SUM_XI_PLUS : ARMILLA_SUM_XI_MINUS;
  double value = armilla_histogram_sum (&c->shape, c->words, 0, sum, entry % n);
  double pairs = pairs_of (c, entry % n, without);

  if (without >= 0)
    value -= armilla_histogram_sum (&c->shape, c->words, 1 + without, sum, entry % n)
             - kept_sum (c, sum, entry % n, without);
  return pairs > 0 ? value / pairs : NAN;
}

/* Returns the variance of one component of the shear times the mean squared weight: sum of w^2
 * |g|^2 / 2 n */
static double
component_variance (const ArmillaTotals *totals)
{
  return totals->shear[0] / 2 / (double) totals->n[0];
}

/* Sets errors of shape noise alone: for n pairs of independent shears, sum of w w' (g1 g1' + g2
 * g2') has variance sum (w w')^2 2 s^2 s'^2, s being the standard deviation of a component. */
static void
shape_noise (const ArmillaCounted *c, int n, double *covariance)
{
  double variance = 2 * component_variance (c->a) * component_variance (c->b != NULL ? c->b : c->a);

  for (int i = 0; i < 2 * n; i++)
    {
      double pairs = (double) armilla_histogram_count (&c->shape, c->words, 0, i % n);

      covariance[i * 2 * n + i]
        = pairs > 0 ? variance * pairs / pow (pairs_of (c, i % n, -1), 2) : NAN;
    }
}

/* Adds the columns of xi+ and xi-, without errors if @matrix is NULL. */
static void
add_shear_columns (ArmillaTable *table, const ArmillaCounted *c, const double *matrix)
{
  static const char *const names[] = { "xi_plus", "xi_minus", "error_plus", "error_minus" };
  static const char *const blurbs[] = {
    "weighted mean of gt gt' + gx gx'", "weighted mean of gt gt' - gx gx'",
    "standard error of xi_plus", "standard error of xi_minus" };
  gint64 n = table->n_rows;

  for (int i = 0; i < (matrix != NULL ? 4 : 2); i++)
    {
      ArmillaColumn *column
        = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[i], "", blurbs[i]);

      for (gint64 k = 0; k < n; k++)
        {
          gint64 at = (i % 2) * n + k;

          column->doubles[k]
            = i < 2 ? shear_sample (c, at, -1) : sqrt (matrix[at * 2 * n + at]);
        }
    }
}

/* Makes the table of the two-point functions of shears: edges, mean separation, xi+, xi-, their
 * errors, the number of pairs and the sum of their weights. Errors are those of the jackknife or,
 * with fewer than two patches, of shape noise alone. Returns one row per bin. */
ArmillaTable *
armilla_shear_table (const ArmillaBins *bins, const ArmillaCounted *counted,
                     ArmillaTable **covariance)
{
  static const char *const names[] = { "xi_plus", "xi_minus" };
  ArmillaTable *table = armilla_table_new ("SHEAR-CORRELATION", bins->n);
  g_autofree double *matrix = g_new0 (double, 4 * (gsize) bins->n * bins->n);
  const char *method = "jackknife";

  add_edges (table, bins, "theta", 1);
  add_separation (table, counted);
  if (!jackknife (counted->a, 2 * bins->n, shear_sample, counted, matrix))
    {
      method = "shapes";
      shape_noise (counted, bins->n, matrix);
    }
  add_shear_columns (table, counted, matrix);
  add_counts (table, "pairs", counted);
  armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  armilla_table_set_integer (table, "NPATCH", counted->a->n_patches, "number of patches of the "
                                    "jackknife");
  armilla_table_set_integer (table, "NDATA", counted->a->n[0], "objects");
  if (counted->b != NULL)
    armilla_table_set_integer (table, "NDATA2", counted->b->n[0],
                               "objects of the other catalogue");
  *covariance = covariance_table (bins, names, 2, matrix, method);
  return table;
}

static void
add_sides (ArmillaTable *table, const ArmillaBins *bins, gboolean equal)
{
  gint64 row = 0;

  for (int side = 0; side < 3; side++)
    for (int high = 0; high < 2; high++)
      {
        g_autofree char *name = g_strdup_printf ("side%d_%s", side + 1, high ? "max" : "min");

        armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, "deg",
                           high ? "upper edge of the bin of a side" : "its lower edge");
      }
  for (int k1 = 0; k1 < bins->n; k1++)
    for (int k2 = k1; k2 < (equal ? k1 + 1 : bins->n); k2++)
      for (int k3 = k2; k3 < (equal ? k1 + 1 : bins->n); k3++, row++)
        {
          const int sides[3] = { k1, k2, k3 };

          for (int i = 0; i < 6; i++)
            table->columns[i].doubles[row] = in_degrees (bins->angle[sides[i / 2] + i % 2]);
        }
}

/* Adds the column of the three-point function. Entries are in the order of the rows: k1 <= k2 <=
 * k3, the last one fastest. */
static void
add_zeta (ArmillaTable *table, const ArmillaCounted counted[4])
{
  ArmillaColumn *zeta, *error;

  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "zeta", "",
                     "three-point correlation function, including its two-point parts");
  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "error", "",
                     "sqrt (DDD), the Poisson error, over RRR, both divided by all triangles");
  zeta = armilla_table_find (table, "zeta");
  error = armilla_table_find (table, "error");
  for (gint64 k = 0; k < table->n_rows; k++)
    {
      double n[4], ddd;

      for (int c = 0; c < 4; c++)
        n[c] = (double) armilla_histogram_count (&counted[c].shape, counted[c].words, 0, k)
               / armilla_totals_triangles (counted[c].a, counted[c].b);
      ddd = (double) armilla_histogram_count (&counted[0].shape, counted[0].words, 0, k);
      zeta->doubles[k] = armilla_estimate_triangles (n[0], n[1], n[2], n[3]);
      error->doubles[k] = ddd > 0 && n[3] > 0 ? n[0] / n[3] / sqrt (ddd) : NAN;
    }
}

/* Makes the table of the three-point function of Szapudi and Szalay: edges of the sides, function,
 * error, counts. Returns one row per three bins in ascending order, or per bin if all sides are in
 * one. */
ArmillaTable *
armilla_triangle_table (const ArmillaBins *bins, const ArmillaCounted counted[4])
{
  static const char *const names[] = { "DDD", "DDR", "DRR", "RRR" };
  ArmillaTable *table
    = armilla_table_new ("TRIPLE-CORRELATION", armilla_histogram_entries (&counted[0].shape));

  add_sides (table, bins, counted[0].shape.kind == ARMILLA_HISTOGRAM_EQUAL_SIDES);
  add_zeta (table, counted);
  for (int c = 0; c < 4; c++)
    {
      ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, names[c], "",
                                                 "number of triangles, each counted once");

      for (gint64 k = 0; k < table->n_rows; k++)
        column->integers[k]
          = armilla_histogram_count (&counted[c].shape, counted[c].words, 0, k);
    }
  armilla_table_set_text (table, "ESTIMATR", "szapudi-szalay", "estimator");
  armilla_table_set_text (table, "ERRORS", "poisson", "method of the error estimate");
  armilla_table_set_integer (table, "NDATA", counted[0].a->n[0], "objects");
  armilla_table_set_integer (table, "NRANDOM", counted[3].a->n[0], "random objects");
  return table;
}

/* Returns the table of the counts, without estimates: a row for each bin, or for each three
 * bins. */
ArmillaTable *
armilla_count_table (const ArmillaBins *bins, const ArmillaCounted *counted)
{
  const gboolean pairs = counted->shape.kind == ARMILLA_HISTOGRAM_PAIRS;
  ArmillaTable *table = armilla_table_new ("COUNTS", armilla_histogram_entries (&counted->shape));

  if (pairs)
    add_edges (table, bins, "theta", 1);
  else
    add_sides (table, bins, FALSE);
  add_separation (table, counted);
  if (has_sum (counted, ARMILLA_SUM_XI_PLUS))
    add_shear_columns (table, counted, NULL);
  add_counts (table, "count", counted);
  return table;
}
