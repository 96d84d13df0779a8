/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of correlations with values and shears: means over pairs, less those around random
 * objects. */
#include <math.h>

#include "core/catalogues/correlation-columns.h"
#include "core/tables/table.h"

static int
n_functions (const ArmillaFieldCounts *counts)
{
  return counts->b == ARMILLA_CARRIES_SHEAR ? 2 : 1;
}

/* Returns the mean of function @f over the pairs of a bin. */
static double
mean (const ArmillaFieldCounts *counts, const ArmillaCounted *sums, const ArmillaCounted *pairs,
      int f, gint64 bin, int without)
{
  const double weight = armilla_counted_pairs (pairs, bin, without);
  const gboolean shears = counts->b == ARMILLA_CARRIES_SHEAR;
  const ArmillaHistogramSum sum = !shears ? ARMILLA_SUM_WEIGHT
                                  : f == 0 ? ARMILLA_SUM_XI_PLUS
                                           : ARMILLA_SUM_XI_MINUS;

  return weight > 0 ? (shears ? counts->sign : 1)
                        * armilla_counted_sum (sums, sum, bin, without) / weight
                    : NAN;
}

/* #ArmillaCountedSample: the first function in every bin, then the second one */
static double
field_sample (gconstpointer user, gint64 entry, int without)
{
  const ArmillaFieldCounts *counts = user;
  const gint64 n = counts->pairs.shape.n_bins;
  const int f = (int) (entry / n);
  const double data = mean (counts, &counts->sums, &counts->pairs, f, entry % n, without);

  return counts->random_pairs.words == NULL
           ? data
           : data
               - mean (counts, &counts->random_sums, &counts->random_pairs, f, entry % n, without);
}

/* Returns the mean over objects of w^2 times the variance of what they carry; of a shear, of one
 * component. */
static double
object_variance (const ArmillaTotals *totals, ArmillaCarries carries)
{
  const double sum = carries == ARMILLA_CARRIES_NUMBER  ? totals->weight2[0]
                     : carries == ARMILLA_CARRIES_VALUE ? totals->value
                                                        : totals->shear[0] / 2;

  return sum / (double) totals->n[0];
}

/* Returns the variance of a mean over the pairs of a bin if only what objects carry varies,
 * independently: the sum over n pairs has n times the variance of a term. */
static double
noise (const ArmillaFieldCounts *counts, const ArmillaCounted *pairs, gint64 bin)
{
  const double n = (double) armilla_histogram_count (&pairs->shape, pairs->words, 0, bin);
  const ArmillaTotals *b = pairs->b != NULL ? pairs->b : pairs->a;

  return n > 0 ? n * object_variance (pairs->a, counts->a) * object_variance (b, counts->b)
                   / pow (armilla_counted_pairs (pairs, bin, -1), 2)
               : NAN;
}

static void
noise_matrix (const ArmillaFieldCounts *counts, int n, double *covariance)
{
  const int n_values = n * n_functions (counts);

  for (int i = 0; i < n_values; i++)
    covariance[i * n_values + i]
      = noise (counts, &counts->pairs, i % n)
        + (counts->random_pairs.words != NULL ? noise (counts, &counts->random_pairs, i % n) : 0);
}

/* Names of the functions, then of their errors. */
static const char *const *
names_of (const ArmillaFieldCounts *counts)
{
  static const char *const scalar[] = { "xi", "error" };
  static const char *const lensing[] = { "gamma_t", "gamma_x", "error_t", "error_x" };
  static const char *const shear[] = { "xi_t", "xi_x", "error_t", "error_x" };

  return counts->b != ARMILLA_CARRIES_SHEAR      ? scalar
         : counts->a == ARMILLA_CARRIES_NUMBER ? lensing
                                               : shear;
}

static const char *
blurb_of (const ArmillaFieldCounts *counts, int f)
{
  static const char *const shear[] = { "weighted mean of the tangential shear",
                                       "weighted mean of the cross shear" };
  static const char *const product[] = { "weighted mean of value times tangential shear",
                                         "weighted mean of value times cross shear" };

  if (counts->b == ARMILLA_CARRIES_SHEAR)
    return counts->a == ARMILLA_CARRIES_NUMBER ? shear[f] : product[f];
  return counts->a == ARMILLA_CARRIES_NUMBER ? "weighted mean of the values"
                                             : "weighted mean of the products of values";
}

static void
add_functions (ArmillaTable *table, const ArmillaFieldCounts *counts, const double *matrix)
{
  const char *const *names = names_of (counts);
  const int n = (int) table->n_rows, n_values = n * n_functions (counts);

  for (int error = 0; error < 2; error++)
    for (int f = 0; f < n_functions (counts); f++)
      {
        ArmillaColumn *column
          = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE,
                               names[error * n_functions (counts) + f], counts->unit,
                               error ? "standard error" : blurb_of (counts, f));

        for (int k = 0; k < n; k++)
          {
            const int at = f * n + k;

            column->doubles[k] = error ? sqrt (matrix[at * n_values + at])
                                       : field_sample (counts, at, -1);
          }
      }
}

/* Makes a table of a correlation with values or shears; its first kind has edges, mean separation,
 * the functions, their errors, the number of pairs and the sum of their weights. Errors are those
 * of the jackknife or, with fewer than two patches, of the scatter of what the objects carry. */
ArmillaTable *
armilla_field_table (const ArmillaBins *bins, const ArmillaFieldCounts *counts,
                     ArmillaCorrelationTable which)
{
  const ArmillaTotals *a = counts->pairs.a, *b = counts->pairs.b, *cut = b != NULL ? b : a;
  const int n_values = bins->n * n_functions (counts);
  g_autofree double *matrix = g_new0 (double, (gsize) n_values * n_values);
  const char *method = "jackknife";
  ArmillaTable *table;

  if (which == ARMILLA_CORRELATION_SAMPLES)
    return armilla_samples_table (bins, names_of (counts), n_functions (counts), cut,
                                  &counts->pairs, field_sample, counts);
  if (!armilla_counted_jackknife (cut, n_values, field_sample, counts, matrix))
    {
      method = "noise";
      noise_matrix (counts, bins->n, matrix);
    }
  if (which == ARMILLA_CORRELATION_COVARIANCE)
    return armilla_covariance_table (bins, names_of (counts), n_functions (counts), matrix, method);
  table = armilla_table_new ("FIELD-CORRELATION", bins->n);
  armilla_table_add_edges (table, bins, "theta", 1);
  armilla_table_add_separation (table, &counts->pairs);
  add_functions (table, counts, matrix);
  armilla_table_add_pairs (table, "pairs", &counts->pairs);
  armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  armilla_table_set_integer (table, "NPATCH", a->n_patches, "number of patches of the jackknife");
  armilla_table_set_integer (table, "NDATA", a->n[0], "objects");
  if (b != NULL)
    armilla_table_set_integer (table, "NDATA2", b->n[0], "objects of the other catalogue");
  if (counts->random_pairs.words != NULL)
    armilla_table_set_integer (table, "NRANDOM", counts->random_pairs.a->n[0], "random objects");
  return table;
}
