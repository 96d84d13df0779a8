/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors by jackknife where pairs across the border of a patch keep a part of their weight: each
 * sample summed again pair by pair, straight from the definition. */
#include <complex.h>
#include <string.h>

#include "core/catalogues/estimator.h"
#include "core/catalogues/random-catalogue.h"
#include "tests/correlation/pair-helpers.h"
#include "tests/lib/runtime-helpers.h"

#define BINS 4
#define PATCHES 5 /* the last one is empty */

/* Objects of a field of 20 degrees, with patches that are mixed up. */
static ArmillaCatalogue *
make (gint64 n, guint64 seed, ArmillaCatalogueParts parts)
{
  ArmillaRandomSky sky = { .n = n, .seed = seed, .longitude = { 0, 0.35 },
                           .latitude = { 0.4, 0.75 }, .coordsys = 'C' };
  g_autoptr (ArmillaCatalogue) bare = armilla_random_catalogue (&sky, 1, NULL);
  ArmillaCatalogue *out = armilla_catalogue_new (n, parts | ARMILLA_CATALOGUE_PATCH, NULL);

  out->n_patches = PATCHES;
  memcpy (out->x, bare->x, (gsize) n * sizeof (double));
  memcpy (out->y, bare->y, (gsize) n * sizeof (double));
  memcpy (out->z, bare->z, (gsize) n * sizeof (double));
  for (gint64 i = 0; i < n; i++)
    {
      out->patch[i] = (gint32) ((7 * i + i / 3) % (PATCHES - 1));
      if (out->weight != NULL)
        out->weight[i] = (double) (1 + (i * 5) % 8) / 8;
      if (out->g1 != NULL)
        {
          out->g1[i] = 0.25 * cos ((double) i);
          out->g2[i] = 0.25 * sin ((double) (3 * i));
        }
    }
  return out;
}

/* Bearing of @b as seen from @a, from north to east: spherical trigonometry. */
static double
bearing (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j)
{
  const double turn = atan2 (b->y[j], b->x[j]) - atan2 (a->y[i], a->x[i]);
  const double from = asin (a->z[i]), to = asin (b->z[j]);

  return atan2 (sin (turn) * cos (to), cos (from) * sin (to) - sin (from) * cos (to) * cos (turn));
}

static double
weight_of (const ArmillaCatalogue *c, gint64 i)
{
  return c->weight != NULL ? c->weight[i] : 1;
}

/* What a pair counts for when @without is left out (-1: nothing is): 1 - alpha across the border,
 * alpha of Mohammad and Percival (2022), eq. 27, with the four patches that have objects. */
static double
share (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j, int without)
{
  const double alpha = 4 / (2 + sqrt (2) * 3);
  const int touched = (a->patch[i] == without) + (b->patch[j] == without);

  return touched == 0 ? 1 : touched == 1 ? 1 - alpha : 0;
}

/* Sums over pairs by bin: of weights, of these times xi+ and xi-; and of all weights. */
typedef struct {
  double weight[BINS], plus[BINS], minus[BINS], all;
} Sums;

static Sums
add_up (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins, int without)
{
  const ArmillaCatalogue *other = b != NULL ? b : a;
  Sums sums = { .all = 0 };

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b != NULL ? 0 : i + 1; j < other->n; j++)
      {
        const double w = weight_of (a, i) * weight_of (other, j) * share (a, i, other, j, without);
        const double x = a->x[i] - other->x[j], y = a->y[i] - other->y[j];
        const double z = a->z[i] - other->z[j];
        const double angle = 2 * asin (sqrt (x * x + y * y + z * z) / 2);
        double complex ga, gb;
        int k = 0;

        sums.all += w;
        while (k < BINS && !(angle >= bins->edge[k] && angle < bins->edge[k + 1]))
          k++;
        if (k == BINS)
          continue;
        sums.weight[k] += w;
        if (a->g1 == NULL)
          continue;
        ga = (a->g1[i] + I * a->g2[i]) * cexp (-2 * I * bearing (a, i, other, j));
        gb = (other->g1[j] + I * other->g2[j]) * cexp (-2 * I * bearing (other, j, a, i));
        sums.plus[k] += w * creal (ga * conj (gb));
        sums.minus[k] += w * creal (ga * gb);
      }
  return sums;
}

/* (P - 1) / P sum of (x - mean) (y - mean), P = 4 */
static double
covariance (double (*samples)[BINS], int i, int j)
{
  double mean_i = 0, mean_j = 0, sum = 0;

  for (int p = 0; p < 4; p++)
    {
      mean_i += samples[p][i] / 4;
      mean_j += samples[p][j] / 4;
    }
  for (int p = 0; p < 4; p++)
    sum += (samples[p][i] - mean_i) * (samples[p][j] - mean_j);
  return sum * 3 / 4;
}

/* Weights and terms in fixed point of 2^-50, sums of some thousand of them, differences of order 1;
 * the samples differ by some percent. */
static void
check (const ArmillaTable *table, const char *name, gint64 row, double expected)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  g_assert_nonnull (column);
  g_assert_cmpfloat (fabs (column->doubles[row] - expected), <=, 1e-9 * fabs (expected) + 1e-13);
}

static Counted
count (ArmillaCatalogue *a, ArmillaCatalogue *b, ArmillaBins *bins, int sums)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaObjects) objects_a = sky_objects (a), objects_b = b ? sky_objects (b) : NULL;
  g_autoptr (ArmillaHistogram) out
    = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, PATCHES, sums, &error);
  const ArmillaCountOptions options = { .tasks = 7 };
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);
  Counted counted = { 0 };

  g_assert_no_error (error);
  g_assert_true (armilla_histogram_keep_within (out, &error));
  counted.shape = *armilla_histogram_shape (out);
  armilla_graph_count_pairs (graph, objects_a, objects_b, &options, out, &error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), counted_take, NULL, &counted, NULL, &error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  armilla_graph_free (graph);
  return counted;
}

static double
landy_szalay (ArmillaCatalogue *const *d, ArmillaCatalogue *const *r, const ArmillaBins *bins,
              int without, int k)
{
  const Sums dd = add_up (d[0], d[1], bins, without), rr = add_up (r[0], r[1], bins, without);
  const Sums dr = add_up (d[0], r[1] != NULL ? r[1] : r[0], bins, without);
  const Sums rd = d[1] != NULL ? add_up (r[0], d[1], bins, without) : dr;

  return (dd.weight[k] / dd.all - dr.weight[k] / dr.all - rd.weight[k] / rd.all
          + rr.weight[k] / rr.all) / (rr.weight[k] / rr.all);
}

/* Of one catalogue and of two, with weights and without. */
static void
test_pairs (gconstpointer user)
{
  const int which = GPOINTER_TO_INT (user);
  const gboolean cross = which & 1;
  const ArmillaCatalogueParts parts = which & 2 ? ARMILLA_CATALOGUE_WEIGHT : 0;
  const int sums = which & 2 ? 1 << ARMILLA_SUM_WEIGHT : 0;
  g_autoptr (ArmillaCatalogue) d1 = make (150, 1, parts), r1 = make (230, 2, parts);
  g_autoptr (ArmillaCatalogue) d2 = cross ? make (90, 3, parts) : NULL;
  g_autoptr (ArmillaCatalogue) r2 = cross ? make (170, 4, parts) : NULL;
  ArmillaCatalogue *const d[] = { d1, d2 }, *const r[] = { r1, r2 };
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0.02, 0.42, BINS, NULL);
  g_autoptr (ArmillaTotals) td1 = armilla_totals_new (d1), tr1 = armilla_totals_new (r1);
  g_autoptr (ArmillaTotals) td2 = cross ? armilla_totals_new (d2) : NULL;
  g_autoptr (ArmillaTotals) tr2 = cross ? armilla_totals_new (r2) : NULL;
  g_auto (Counted) dd = count (d1, d2, bins, sums), rr = count (r1, r2, bins, sums);
  g_auto (Counted) dr = count (d1, cross ? r2 : r1, bins, sums);
  g_auto (Counted) rd = count (r1, cross ? d2 : d1, bins, sums);
  const double across = armilla_totals_match (td1);
  const ArmillaCounted counted[ARMILLA_N_COUNTS]
    = { { dd.shape, dd.words, td1, td2, across },
        { dr.shape, dr.words, td1, cross ? tr2 : tr1, across },
        { rd.shape, cross ? rd.words : NULL, tr1, td2, across },
        { rr.shape, rr.words, tr1, tr2, across } };
  const ArmillaEstimator estimator = ARMILLA_ESTIMATOR_LANDY_SZALAY;
  g_autoptr (ArmillaTable) table
    = armilla_pair_table (estimator, bins, counted, ARMILLA_CORRELATION_TABLE);
  g_autoptr (ArmillaTable) matrix
    = armilla_pair_table (estimator, bins, counted, ARMILLA_CORRELATION_COVARIANCE);
  g_autoptr (ArmillaTable) left_out
    = armilla_pair_table (estimator, bins, counted, ARMILLA_CORRELATION_SAMPLES);
  double samples[4][BINS];

  for (int p = 0; p < 4; p++)
    for (int k = 0; k < BINS; k++)
      samples[p][k] = landy_szalay (d, r, bins, p, k);
  for (int k = 0; k < BINS; k++)
    {
      check (table, "w", k, landy_szalay (d, r, bins, -1, k));
      /* w is a small difference of numbers around 1 */
      for (int p = -1; p < 4; p++)
        g_assert_cmpfloat_with_epsilon (
            armilla_table_find (left_out, "w")->doubles[(1 + p) * BINS + k],
            landy_szalay (d, r, bins, p, k), 1e-11);
      check (table, "error", k, sqrt (covariance (samples, k, k)));
      for (int j = 0; j < BINS; j++)
        check (matrix, "w", k * BINS + j, covariance (samples, k, j));
    }
}

static void
test_shears (void)
{
  const ArmillaCatalogueParts parts = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR;
  const int sums = 1 << ARMILLA_SUM_WEIGHT | 1 << ARMILLA_SUM_SEPARATION
                   | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS;
  g_autoptr (ArmillaCatalogue) a = make (160, 5, parts);
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0.02, 0.42, BINS, NULL);
  g_autoptr (ArmillaTotals) totals = armilla_totals_new (a);
  g_auto (Counted) pairs = count (a, NULL, bins, sums);
  const ArmillaCounted counted
    = { pairs.shape, pairs.words, totals, NULL, armilla_totals_match (totals) };
  g_autoptr (ArmillaTable) table
    = armilla_shear_table (bins, &counted, ARMILLA_CORRELATION_TABLE);
  g_autoptr (ArmillaTable) matrix
    = armilla_shear_table (bins, &counted, ARMILLA_CORRELATION_COVARIANCE);
  double plus[4][BINS], minus[4][BINS];

  for (int p = 0; p < 4; p++)
    {
      const Sums left = add_up (a, NULL, bins, p);

      for (int k = 0; k < BINS; k++)
        {
          plus[p][k] = left.plus[k] / left.weight[k];
          minus[p][k] = left.minus[k] / left.weight[k];
        }
    }
  for (int k = 0; k < BINS; k++)
    {
      check (table, "error_plus", k, sqrt (covariance (plus, k, k)));
      check (table, "error_minus", k, sqrt (covariance (minus, k, k)));
      for (int j = 0; j < BINS; j++)
        check (matrix, "xi_minus", k * BINS + j, covariance (minus, k, j));
    }
}

/* The weight that TreeCorr 5.1 has, and that two halves of the sky have: 1 - 2 / (2 + sqrt 2). */
static void
test_weight (void)
{
  g_autoptr (ArmillaCatalogue) c = make (50, 6, 0);
  g_autoptr (ArmillaTotals) four = armilla_totals_new (c);
  g_autoptr (ArmillaTotals) two = NULL;
  g_autoptr (ArmillaTotals) one = NULL;

  g_assert_cmpfloat (fabs (armilla_totals_match (four) - 0.3592455179659185), <, 1e-15);
  for (gint64 i = 0; i < c->n; i++)
    c->patch[i] %= 2;
  two = armilla_totals_new (c);
  g_assert_cmpfloat (fabs (armilla_totals_match (two) - 0.4142135623730951), <, 1e-15);
  memset (c->patch, 0, (gsize) c->n * sizeof *c->patch);
  one = armilla_totals_new (c);
  g_assert_true (armilla_totals_match (one) == 0);
}

int
main (int argc, char **argv)
{
  start_tests (&argc, &argv);
  g_test_add_data_func ("/jackknife/one", GINT_TO_POINTER (0), test_pairs);
  g_test_add_data_func ("/jackknife/two", GINT_TO_POINTER (1), test_pairs);
  g_test_add_data_func ("/jackknife/one-weighted", GINT_TO_POINTER (2), test_pairs);
  g_test_add_data_func ("/jackknife/two-weighted", GINT_TO_POINTER (3), test_pairs);
  g_test_add_func ("/jackknife/shears", test_shears);
  g_test_add_func ("/jackknife/weight", test_weight);
  return run_tests ();
}
