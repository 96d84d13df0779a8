/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts correlation functions to tables. */

#include "core/catalogues/correlation-columns.h"
#include "core/tables/table.h"

#include <math.h>

static const char *const count_names[ARMILLA_N_COUNTS] = { "DD", "DR", "RD", "RR" };

static double
estimate (ArmillaEstimator estimator, const ArmillaCounted *counted, gint64 entry, int without)
{
  double counts[ARMILLA_N_COUNTS] = { 0 };

  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    if (counted[c].words != NULL)
      counts[c] = armilla_counted_share (&counted[c], entry, without);
  /* within one catalogue */
  if (counted[ARMILLA_COUNT_RD].words == NULL)
    counts[ARMILLA_COUNT_RD] = counts[ARMILLA_COUNT_DR];
  return armilla_estimate_pairs (estimator, counts);
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
poisson (const ArmillaCounted *dd, const PairSample *sample, int n, double *covariance)
{
  for (int k = 0; k < n; k++)
    {
      double pairs = (double) armilla_histogram_count (&dd->shape, dd->words, 0, k);

      covariance[k * n + k] = pairs > 0 ? pow (1 + pair_sample (sample, k, -1), 2) / pairs : NAN;
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

/* Makes a table of the two-point function; its first kind has edges, mean separation, function,
 * error, and the counts. The error is that of the jackknife over the patches with data; with fewer
 * than two it is (1 + w) / sqrt (DD). @counted: counts, at least those of
 * armilla_estimator_needs(); the table has the mean separation if DD has. */
ArmillaTable *
armilla_pair_table (ArmillaEstimator estimator, const ArmillaBins *bins,
                    const ArmillaCounted counted[ARMILLA_N_COUNTS],
                    ArmillaCorrelationTable which)
{
  static const char *const names[] = { "w" };
  const ArmillaCounted *dd = &counted[ARMILLA_COUNT_DD];
  const PairSample sample = { estimator, counted };
  g_autofree double *matrix = g_new0 (double, (gsize) bins->n * bins->n);
  const char *method = "jackknife";
  ArmillaTable *table;
  ArmillaColumn *column;

  if (which == ARMILLA_CORRELATION_SAMPLES)
    return armilla_samples_table (bins, names, 1, dd->a, dd, pair_sample, &sample);
  if (!armilla_counted_jackknife (dd->a, bins->n, pair_sample, &sample, matrix))
    {
      method = "poisson";
      poisson (dd, &sample, bins->n, matrix);
    }
  if (which == ARMILLA_CORRELATION_COVARIANCE)
    return armilla_covariance_table (bins, names, 1, matrix, method);
  table = armilla_table_new ("PAIR-CORRELATION", bins->n);
  armilla_table_add_edges (table, bins, "theta", 1);
  armilla_table_add_separation (table, dd);
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "w", "",
                              "two-point correlation function");
  for (int k = 0; k < bins->n; k++)
    column->doubles[k] = estimate (estimator, counted, k, -1);
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "error", "", "standard error of w");
  for (int k = 0; k < bins->n; k++)
    column->doubles[k] = sqrt (matrix[k * bins->n + k]);
  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    if (counted[c].words != NULL)
      armilla_table_add_pairs (table, count_names[c], &counted[c]);
  add_pair_keys (table, estimator, counted, method);
  return table;
}

/* Returns value @entry of a sample: xi+ of every bin, then xi- of every bin. */
static double
shear_sample (gconstpointer user, gint64 entry, int without)
{
  const ArmillaCounted *c = user;
  gint64 n = c->shape.n_bins;
  ArmillaHistogramSum sum = entry < n ? ARMILLA_SUM_XI_PLUS : ARMILLA_SUM_XI_MINUS;
  double value = armilla_counted_sum (c, sum, entry % n, without);
  double pairs = armilla_counted_pairs (c, entry % n, without);

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
        = pairs > 0 ? variance * pairs / pow (armilla_counted_pairs (c, i % n, -1), 2) : NAN;
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

/* Makes a table of the two-point functions of shears; its first kind has edges, mean separation,
 * xi+, xi-, their errors, the number of pairs and the sum of their weights. Errors are those of the
 * jackknife or, with fewer than two patches, of shape noise alone. */
ArmillaTable *
armilla_shear_table (const ArmillaBins *bins, const ArmillaCounted *counted,
                     ArmillaCorrelationTable which)
{
  static const char *const names[] = { "xi_plus", "xi_minus" };
  g_autofree double *matrix = g_new0 (double, 4 * (gsize) bins->n * bins->n);
  const char *method = "jackknife";
  ArmillaTable *table;

  if (which == ARMILLA_CORRELATION_SAMPLES)
    return armilla_samples_table (bins, names, 2, counted->a, counted, shear_sample, counted);
  if (!armilla_counted_jackknife (counted->a, 2 * bins->n, shear_sample, counted, matrix))
    {
      method = "shapes";
      shape_noise (counted, bins->n, matrix);
    }
  if (which == ARMILLA_CORRELATION_COVARIANCE)
    return armilla_covariance_table (bins, names, 2, matrix, method);
  table = armilla_table_new ("SHEAR-CORRELATION", bins->n);
  armilla_table_add_edges (table, bins, "theta", 1);
  armilla_table_add_separation (table, counted);
  add_shear_columns (table, counted, matrix);
  armilla_table_add_pairs (table, "pairs", counted);
  armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  armilla_table_set_integer (table, "NPATCH", counted->a->n_patches, "number of patches of the "
                                    "jackknife");
  armilla_table_set_integer (table, "NDATA", counted->a->n[0], "objects");
  if (counted->b != NULL)
    armilla_table_set_integer (table, "NDATA2", counted->b->n[0],
                               "objects of the other catalogue");
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
                           high ? "upper edge of the bin of this side"
                                : "lower edge of the bin of this side");
      }
  for (int k1 = 0; k1 < bins->n; k1++)
    for (int k2 = k1; k2 < (equal ? k1 + 1 : bins->n); k2++)
      for (int k3 = k2; k3 < (equal ? k1 + 1 : bins->n); k3++, row++)
        {
          const int sides[3] = { k1, k2, k3 };

          for (int i = 0; i < 6; i++)
            table->columns[i].doubles[row]
              = armilla_bins_degrees (bins->edge[sides[i / 2] + i % 2]);
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
    armilla_table_add_edges (table, bins, "theta", 1);
  else
    add_sides (table, bins, FALSE);
  armilla_table_add_separation (table, counted);
  if (armilla_counted_has (counted, ARMILLA_SUM_XI_PLUS))
    add_shear_columns (table, counted, NULL);
  armilla_table_add_pairs (table, "count", counted);
  return table;
}
