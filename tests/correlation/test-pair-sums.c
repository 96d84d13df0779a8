/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over pairs, and numbers of pairs that are known in closed form or in extended precision. */
#include <float.h>

#include "tests/correlation/pair-helpers.h"
#include "tests/lib/runtime-helpers.h"

typedef _Float128 Quad;

typedef struct {
  long double sum, size;
} Sum;

/* Great-circle geometry by spherical trigonometry, which has nothing in common with the kernels:
 * distance, and the direction at object i towards j from north over east. */
static long double
bearing (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j,
         long double *distance)
{
  const long double lon_a = atan2l (a->y[i], a->x[i]), lon_b = atan2l (b->y[j], b->x[j]);
  const long double lat_a = atan2l (a->z[i], hypotl (a->x[i], a->y[i]));
  const long double lat_b = atan2l (b->z[j], hypotl (b->x[j], b->y[j]));
  /* Differences of coordinates, so that near pairs lose no digits. */
  const long double half_lat = sinl ((lat_b - lat_a) / 2), half_lon = sinl ((lon_b - lon_a) / 2);
  const long double east = cosl (lat_b) * sinl (lon_b - lon_a);
  const long double north
    = sinl (lat_b - lat_a) + 2 * sinl (lat_a) * cosl (lat_b) * half_lon * half_lon;
  const long double s2 = half_lat * half_lat + cosl (lat_a) * cosl (lat_b) * half_lon * half_lon;

  *distance = 2 * atan2l (sqrtl (s2), sqrtl (fmaxl (0, 1 - s2)));
  return atan2l (east, north);
}

/* The shear of an object, tangential and cross to a direction, times the weight. */
static void
turn (const ArmillaCatalogue *c, gint64 i, long double angle, long double *t, long double *x)
{
  const long double w = c->weight[i], cosine = cosl (2 * angle), sine = sinl (2 * angle);

  *t = -w * (c->g1[i] * cosine + c->g2[i] * sine);
  *x = w * (c->g1[i] * sine - c->g2[i] * cosine);
}

static int
bin_of (const ArmillaBins *bins, const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b,
        gint64 j)
{
  const double dx = a->x[i] - b->x[j], dy = a->y[i] - b->y[j], dz = a->z[i] - b->z[j];
  const double xx = dx * dx, yy = dy * dy, zz = dz * dz, s2 = (xx + yy) + zz;

  for (int k = 0; k < bins->n; k++)
    if (bins->s2[k] <= s2 && s2 < bins->s2[k + 1])
      return k;
  return -1;
}

static void
add (Sum *sum, long double term, long double size)
{
  sum->sum += term;
  sum->size += fabsl (size);
}

static Sum *
brute_sums (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins)
{
  Sum *sums = g_new0 (Sum, ARMILLA_N_SUMS * bins->n);
  const ArmillaCatalogue *other = b ? b : a;

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b ? 0 : i + 1; j < other->n; j++)
      {
        const int k = bin_of (bins, a, i, other, j);
        long double distance, ta, xa, tb, xb, w, size;

        if (k < 0)
          continue;
        turn (a, i, bearing (a, i, other, j, &distance), &ta, &xa);
        turn (other, j, bearing (other, j, a, i, &distance), &tb, &xb);
        w = (long double) a->weight[i] * other->weight[j];
        size = hypotl (ta, xa) * hypotl (tb, xb);
        add (&sums[ARMILLA_SUM_WEIGHT * bins->n + k], w, w);
        add (&sums[ARMILLA_SUM_SEPARATION * bins->n + k], w * distance, w * distance);
        add (&sums[ARMILLA_SUM_XI_PLUS * bins->n + k], ta * tb + xa * xb, size);
        add (&sums[ARMILLA_SUM_XI_MINUS * bins->n + k], ta * tb - xa * xb, size);
      }
  return sums;
}

/* Sums of weights: see test-pairs.c. Terms of shears and arcs have a few roundings, and that to a
 * multiple of the unit, half of which each may be off; that of shears is far below 1e-12. */
static void
assert_sums (const Counted *c, const Sum *brute, const ArmillaBins *bins)
{
  for (int s = 0; s < ARMILLA_N_SUMS; s++)
    for (int k = 0; k < bins->n; k++)
      {
        const Sum *expected = &brute[s * bins->n + k];
        const double sum = armilla_histogram_sum (&c->shape, c->words, 0, s, k);
        const double n = (double) armilla_histogram_count (&c->shape, c->words, 0, k);
        const long double bound
          = s == ARMILLA_SUM_WEIGHT       ? 1e-14L * expected->size
            : s == ARMILLA_SUM_SEPARATION ? 1e-14L * expected->size
                                              + n * ldexp (0.5, (int) c->words[s])
                                          : 1e-12L * expected->size;

        if (!(fabsl (sum - expected->sum) <= bound))
          g_error ("sum %d of bin %d is %.17g, not %.17Lg (of %Lg)", s, k, sum, expected->sum,
                   expected->size);
      }
}

static void
test_sums (void)
{
  static const Sky skies[] = { SKY_UNIFORM, SKY_CLUSTERED, SKY_POLAR };
  const int all = (1 << ARMILLA_N_SUMS) - 1;

  for (gsize i = 0; i < G_N_ELEMENTS (skies); i++)
    for (int cross = 0; cross < 2; cross++)
      {
        const ArmillaCatalogueParts parts = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR;
        g_autoptr (ArmillaBins) bins
          = armilla_bins_new_logarithmic (0.05 * DEGREE, 170 * DEGREE, 11, NULL);
        g_autoptr (ArmillaCatalogue) a = sky_new (skies[i], 250, 21, parts);
        g_autoptr (ArmillaCatalogue) b = sky_new (skies[i], 143, 22, parts);
        g_autofree Sum *brute = brute_sums (a, cross ? b : NULL, bins);
        g_auto (Counted) counted = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a,
                                              cross ? b : NULL, bins, 0, all, NULL);

        assert_sums (&counted, brute, bins);
      }
}

/* Around lenses, whose weights have both signs: shears along and across the great circle, and
 * products of weights. */
static void
test_lenses (void)
{
  static const Sky skies[] = { SKY_UNIFORM, SKY_CLUSTERED, SKY_POLAR };
  const ArmillaCountOptions options = { .lens = TRUE };

  for (gsize i = 0; i < G_N_ELEMENTS (skies); i++)
    {
      g_autoptr (ArmillaBins) bins
        = armilla_bins_new_logarithmic (0.05 * DEGREE, 170 * DEGREE, 11, NULL);
      g_autoptr (ArmillaCatalogue) a = sky_lenses (skies[i], 250, 31);
      g_autoptr (ArmillaCatalogue) b
        = sky_new (skies[i], 143, 32, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR);
      g_autofree Sum *brute = g_new0 (Sum, ARMILLA_N_SUMS * bins->n);
      g_auto (Counted) counted = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, b, bins, 0,
                                            (1 << ARMILLA_N_SUMS) - 1, &options);

      for (gint64 k = 0; k < a->n; k++)
        for (gint64 j = 0; j < b->n; j++)
          {
            const int bin = bin_of (bins, a, k, b, j);
            const long double w = (long double) a->weight[k] * b->weight[j];
            long double distance, t, x, size;

            if (bin < 0)
              continue;
            turn (b, j, bearing (b, j, a, k, &distance), &t, &x);
            size = fabs (a->weight[k]) * hypotl (t, x);
            add (&brute[ARMILLA_SUM_WEIGHT * bins->n + bin], w, w);
            add (&brute[ARMILLA_SUM_SEPARATION * bins->n + bin], w * distance, w * distance);
            add (&brute[ARMILLA_SUM_XI_PLUS * bins->n + bin], -a->weight[k] * t, size);
            add (&brute[ARMILLA_SUM_XI_MINUS * bins->n + bin], -a->weight[k] * x, size);
          }
      assert_sums (&counted, brute, bins);
    }
}

/* Weights over six decades; the greatest is a power of 2, which is the worst for their rounding.
 * 200 objects are faint and have only such as them within a hundredth of a degree, in other
 * catalogues, too. */
static ArmillaCatalogue *
spread_new (guint32 seed, gint64 n, double greatest)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  ArmillaCatalogue *c = sky_new (SKY_UNIFORM, n, seed, ARMILLA_CATALOGUE_WEIGHT);

  for (gint64 i = 0; i < n; i++)
    if (i < 200)
      {
        g_autoptr (GRand) places = g_rand_new_with_seed (500 + (guint32) (i % 100));
        const double step = pow (10, g_rand_double_range (rand, -5.5, -4));
        double at[3], off[3];

        sky_direction (places, at);
        sky_direction (rand, off);
        sky_put (c, i, at[0], at[1], at[2]);
        sky_put (c, i, c->x[i] + step * off[0], c->y[i] + step * off[1], c->z[i] + step * off[2]);
        c->weight[i] = greatest * g_rand_double_range (rand, 1e-6, 2e-6);
      }
    else
      c->weight[i] = i == 200 ? greatest : greatest * pow (10, g_rand_double_range (rand, -6, 0));
  return c;
}

/* Each weight is off by at most 2^-57 of the greatest. So a sum is within 1e-14 where bright
 * objects are among its pairs, and of faint ones alone as doc/correlation.md says: many bins of few
 * pairs, so that errors do not cancel. */
static void
test_spread_weights (void)
{
  enum { FAINT = 100, N = FAINT + 3 };
  double edges[N + 1] = { [FAINT + 1] = DEGREE, [FAINT + 2] = 30 * DEGREE, [N] = G_PI };
  const double max_weight[2] = { 1, 0.125 };
  g_autoptr (ArmillaBins) bins = NULL;
  g_autoptr (ArmillaCatalogue) a = spread_new (41, 1100, max_weight[0]);
  g_autoptr (ArmillaCatalogue) b = spread_new (42, 900, max_weight[1]);

  for (int k = 0; k <= FAINT; k++)
    edges[k] = pow (10, -4 + 2.0 * k / FAINT) * DEGREE;
  bins = armilla_bins_new (edges, N, NULL);
  for (int cross = 0; cross < 2; cross++)
    {
      const ArmillaCatalogue *other = cross ? b : a;
      Quad sum[N] = { 0 }, reach[N] = { 0 };
      int inexact = 0;
      g_auto (Counted) counted
        = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, cross ? b : NULL, bins, 0,
                     1 << ARMILLA_SUM_WEIGHT, NULL);

      for (gint64 i = 0; i < a->n; i++)
        for (gint64 j = cross ? 0 : i + 1; j < other->n; j++)
          {
            const int k = bin_of (bins, a, i, other, j);

            if (k < 0)
              continue;
            g_assert_true (k >= FAINT || (i < 200 && j < 200));
            sum[k] += (Quad) a->weight[i] * other->weight[j];
            reach[k] += (Quad) a->weight[i] * max_weight[cross]
                        + (Quad) other->weight[j] * max_weight[0];
          }
      for (int k = 0; k < N; k++)
        {
          const Quad got = armilla_histogram_sum (&counted.shape, counted.words, 0,
                                                  ARMILLA_SUM_WEIGHT, k);
          const Quad off = got > sum[k] ? got - sum[k] : sum[k] - got;

          /* the product of two roundings is 1e-11 of one; the sum is rounded to a double */
          g_assert_true (off <= reach[k] * (1 + 1e-10) * 0x1p-57 + sum[k] * 0x1p-53);
          g_assert_true (k < FAINT || off <= 1e-14 * sum[k]);
          inexact += off > 1e-14 * sum[k];
        }
      /* the exception is one */
      g_assert_cmpint (inexact, >, FAINT / 4);
    }
}

/* Pairs at distance 0 and opposite points have no direction: they give no shear, and no NaN. */
static void
test_no_direction (void)
{
  const double edges[3] = { 0, 90 * DEGREE, G_PI };
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 2, NULL);
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, 4, 1, ARMILLA_CATALOGUE_SHEAR);
  const int sums = 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS
                   | 1 << ARMILLA_SUM_SEPARATION;
  g_auto (Counted) counted = { 0 };

  for (gint64 i = 0; i < 4; i++)
    {
      a->x[i] = a->y[i] = 0;
      a->z[i] = i < 2 ? 1 : -1;
    }
  counted = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0, sums, NULL);
  for (int k = 0; k < 2; k++)
    {
      g_assert_cmpint (armilla_histogram_count (&counted.shape, counted.words, 0, k), ==,
                       k == 0 ? 2 : 4);
      for (int s = ARMILLA_SUM_XI_PLUS; s <= ARMILLA_SUM_XI_MINUS; s++)
        g_assert_cmpfloat (armilla_histogram_sum (&counted.shape, counted.words, 0, s, k), ==, 0);
    }
  g_assert_cmpfloat (
    armilla_histogram_sum (&counted.shape, counted.words, 0, ARMILLA_SUM_SEPARATION, 0), ==, 0);
  /* Each of the four terms is rounded to a multiple of 2^-48. */
  g_assert_cmpfloat (fabs (armilla_histogram_sum (&counted.shape, counted.words, 0,
                                                  ARMILLA_SUM_SEPARATION, 1)
                           - 4 * G_PI),
                     <, 4 * 0x1p-48);
}

/* As in Cardenas-Montes et al. (2014), section 4: counts beyond what 32 bits and a float can hold,
 * known beforehand. A million objects at one place, a million at another. */
static void
test_closed_form (void)
{
  const gint64 n = 1000000;
  const double edges[4] = { 0, 10 * DEGREE, 20 * DEGREE, G_PI };
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 3, NULL);
  g_autoptr (ArmillaCatalogue) a = armilla_catalogue_new (n, ARMILLA_CATALOGUE_WEIGHT, NULL);
  g_autoptr (ArmillaCatalogue) b = armilla_catalogue_new (n, ARMILLA_CATALOGUE_WEIGHT, NULL);
  const int sums = 1 << ARMILLA_SUM_WEIGHT;
  g_auto (Counted) within = { 0 }, across = { 0 };

  for (gint64 i = 0; i < n; i++)
    {
      sky_put (a, i, 1, 0, 0);
      /* One in ten a quarter of a turn away */
      sky_put (b, i, cos (15 * DEGREE), i % 10 == 0 ? 0 : sin (15 * DEGREE),
               i % 10 == 0 ? 1e3 : 0);
      a->weight[i] = i % 2 ? 1 : 3;
      b->weight[i] = 5;
    }
  within = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0, sums, NULL);
  across = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, b, bins, 0, sums, NULL);
  g_assert_cmpint (armilla_histogram_count (&within.shape, within.words, 0, 0), ==,
                   n * (n - 1) / 2);
  g_assert_cmpint (armilla_histogram_count (&within.shape, within.words, 0, 1), ==, 0);
  /* ((sum of w)^2 - sum of w^2) / 2, n / 2 weights of 1 and of 3 */
  g_assert_cmpfloat (armilla_histogram_sum (&within.shape, within.words, 0, ARMILLA_SUM_WEIGHT, 0),
                     ==, ((2.0 * (double) n) * (2.0 * (double) n) - 5.0 * (double) n) / 2);
  g_assert_cmpint (armilla_histogram_count (&across.shape, across.words, 0, 0), ==, 0);
  g_assert_cmpint (armilla_histogram_count (&across.shape, across.words, 0, 1), ==,
                   n * (n / 10 * 9));
  g_assert_cmpint (armilla_histogram_count (&across.shape, across.words, 0, 2), ==, n * (n / 10));
  g_assert_cmpfloat (armilla_histogram_sum (&across.shape, across.words, 0, ARMILLA_SUM_WEIGHT, 1),
                     ==, 2.0 * (double) n * 5 * (double) (n / 10 * 9));
}

/* The whole sky in one bin: a count of 1e12 and more without a pair being looked at. */
static void
test_whole_sky (void)
{
  const gint64 n = 2000000;
  const double edges[2] = { 0, G_PI };
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 1, NULL);
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, n, 4, 0);
  g_auto (Counted) counted
    = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0, 0, NULL);

  g_assert_cmpint (armilla_histogram_count (&counted.shape, counted.words, 0, 0), ==,
                   n * (n - 1) / 2);
}

/* Against the exact chords of the rounded vectors and the exact edges: where no pair is within 8
 * units in the last place of an edge the roundings of the rule cannot matter. */
static void
test_extended (void)
{
  const int n_bins = 20;
  g_autoptr (ArmillaBins) bins
    = armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, n_bins, NULL);
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_CLUSTERED, 800, 31, 0);
  g_auto (Counted) counted
    = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0, 0, NULL);
  g_autofree gint64 *expected = g_new0 (gint64, n_bins);
  g_autofree Quad *edge = g_new (Quad, n_bins + 1);

  for (int k = 0; k <= n_bins; k++)
    {
      const long double half = sinl (bins->edge[k] / 2.0L);

      edge[k] = 4 * (Quad) half * half;
      g_assert_cmpfloat (bins->s2[k], ==, (double) edge[k]);
    }
  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = i + 1; j < a->n; j++)
      {
        const Quad dx = (Quad) a->x[i] - a->x[j], dy = (Quad) a->y[i] - a->y[j];
        const Quad dz = (Quad) a->z[i] - a->z[j], s2 = dx * dx + dy * dy + dz * dz;

        for (int k = 0; k <= n_bins; k++)
          {
            const Quad off = s2 < edge[k] ? edge[k] - s2 : s2 - edge[k];

            g_assert_true (off > 8 * (Quad) DBL_EPSILON * edge[k]);
            if (k < n_bins && edge[k] <= s2 && s2 < edge[k + 1])
              expected[k]++;
          }
      }
  for (int k = 0; k < n_bins; k++)
    g_assert_cmpint (armilla_histogram_count (&counted.shape, counted.words, 0, k), ==,
                     expected[k]);
}

static void
test_bins (void)
{
  g_autoptr (ArmillaBins) linear = armilla_bins_new_linear (0, G_PI, 3, NULL);
  g_autoptr (ArmillaBins) logarithmic
    = armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, 3, NULL);
  static const struct {
    double first, last;
    int n;
  } wrong[] = { { 0, 4, 2 }, { -1, 1, 2 }, { 1, 1, 1 }, { 2, 1, 4 }, { 0, 1, 0 }, { 0, 1, 5000 },
                { NAN, 1, 2 }, { 0, 1e-200, 3 } };

  g_assert_cmpfloat (linear->s2[0], ==, 0);
  g_assert_true (isinf (linear->s2[3]));
  /* 4 sin^2 (30 deg) = 1 */
  g_assert_cmpfloat (fabs (linear->s2[1] - 1), <=, DBL_EPSILON);
  for (int k = 0; k < 4; k++)
    g_assert_cmpfloat (fabs (logarithmic->edge[k] / (pow (10, k - 2) * DEGREE) - 1), <,
                       4 * DBL_EPSILON);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (armilla_bins_new_linear (wrong[i].first, wrong[i].last, wrong[i].n, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
    }
  g_assert_null (armilla_bins_new_logarithmic (0, 1, 3, NULL));
}

/* What cannot be counted reports it. */
static void
test_errors (void)
{
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0, 1, 3, NULL);
  g_autoptr (ArmillaCatalogue) catalogue = sky_new (SKY_UNIFORM, 10, 1, 0);
  g_autoptr (ArmillaObjects) objects = sky_objects (catalogue);
  g_autoptr (ArmillaObjects) none = armilla_objects_new (0);
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, NULL);
  const struct {
    ArmillaHistogramKind kind;
    int n_patches, sums;
  } wrong[] = { { ARMILLA_HISTOGRAM_TRIANGLES, 0, 0 },
                { ARMILLA_HISTOGRAM_PAIRS, 3, 0 },
                { ARMILLA_HISTOGRAM_PAIRS, 0, 1 << ARMILLA_SUM_XI_PLUS } };
  g_autoptr (ArmillaHistogram) out
    = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, 0, 0, NULL);
  g_autoptr (GError) lacking = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (ArmillaHistogram) unfit = armilla_histogram_new (
        wrong[i].kind, bins, wrong[i].n_patches, wrong[i].sums, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_graph_count_pairs (graph, objects, NULL, NULL, unfit, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
    }
  g_assert_false (armilla_graph_count_triangles (graph, objects, NULL, NULL, out, NULL));
  g_assert_null (armilla_histogram_new (ARMILLA_HISTOGRAM_TRIANGLES, bins, 2, 0, NULL));
  g_assert_null (armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, -1, 0, NULL));
  g_assert_null (armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, 0, 1 << 9, NULL));
  /* Nothing has made the objects when they are needed. */
  g_assert_true (armilla_graph_count_pairs (graph, none, NULL, NULL, out, NULL));
  g_assert_false (armilla_graph_wait (graph, &lacking));
  g_assert_error (lacking, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  armilla_graph_free (graph);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/pair-sums/sums", test_sums);
  g_test_add_func ("/pair-sums/lenses", test_lenses);
  g_test_add_func ("/pair-sums/spread-weights", test_spread_weights);
  g_test_add_func ("/pair-sums/no-direction", test_no_direction);
  g_test_add_func ("/pair-sums/closed-form", test_closed_form);
  g_test_add_func ("/pair-sums/whole-sky", test_whole_sky);
  g_test_add_func ("/pair-sums/extended", test_extended);
  g_test_add_func ("/pair-sums/bins", test_bins);
  g_test_add_func ("/pair-sums/errors", test_errors);
  return run_tests ();
}
