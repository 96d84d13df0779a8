/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimators against exact fractions, and tables against counting again without each patch. */
#include "core/catalogues/catalogue.h"
#include "core/catalogues/estimator.h"
#include "core/catalogues/random-catalogue.h"
#include "core/tables/table.h"

#include <math.h>
#include <string.h>

#define EXPONENT (-60)

/* python3 -c "from fractions import Fraction as F": with DD, DR, RD, RR = 5/7, 2/3, 3/5, 1/2 */
static void
test_pairs (void)
{
  const double counts[] = { 5.0 / 7, 2.0 / 3, 3.0 / 5, 1.0 / 2 };
  const double none[] = { 1, 0, 0, 0 };
  /* (5/7 - 2/3 - 3/5 + 1/2) / (1/2) = -11/105; (5/7)(1/2)/((2/3)(3/5)) - 1 = -3/28; 15/14 - 1;
   * 10/7 - 1 */
  const double expected[] = { -11.0 / 105, -3.0 / 28, 1.0 / 14, 3.0 / 7 };

  for (int e = ARMILLA_ESTIMATOR_LANDY_SZALAY; e <= ARMILLA_ESTIMATOR_NATURAL; e++)
    {
      /* a few roundings of numbers below 1, divided by 2/5 at least */
      g_assert_cmpfloat (fabs (armilla_estimate_pairs (e, counts) - expected[e]), <, 2e-15);
      g_assert_true (isnan (armilla_estimate_pairs (e, none)));
    }
  g_assert_cmpint (armilla_estimator_needs (ARMILLA_ESTIMATOR_LANDY_SZALAY, FALSE), ==, 1 | 2 | 8);
  g_assert_cmpint (armilla_estimator_needs (ARMILLA_ESTIMATOR_HAMILTON, TRUE), ==, 15);
  g_assert_cmpint (armilla_estimator_needs (ARMILLA_ESTIMATOR_DAVIS_PEEBLES, TRUE), ==, 3);
  g_assert_cmpint (armilla_estimator_needs (ARMILLA_ESTIMATOR_NATURAL, TRUE), ==, 9);
}

static void
test_triangles (void)
{
  /* (1/2 - 3/3 + 3/4 - 1/5) / (1/5) = 1/4 */
  g_assert_cmpfloat (fabs (armilla_estimate_triangles (0.5, 1.0 / 3, 0.25, 0.2) - 0.25), <, 2e-15);
  g_assert_true (isnan (armilla_estimate_triangles (0.5, 1.0 / 3, 0.25, 0)));
  /* random data have no correlation */
  g_assert_true (armilla_estimate_triangles (0.25, 0.25, 0.25, 0.25) == 0);
}

/* Values whose covariance is a matter of whole numbers. */
static void
test_jackknife (void)
{
  const double values[] = { 1, 10, 2, 14, 3, 6, 6, 2 }; /* 4 samples of 2 */
  const double bad[] = { 1, 1, NAN, 2, 3, 4 };
  double c[4];

  armilla_jackknife (values, 4, 2, c);
  /* means 3 and 8: sums of squares 14 and 80, of products -28; times 3/4 */
  g_assert_cmpfloat (c[0], ==, 10.5);
  g_assert_cmpfloat (c[3], ==, 60);
  g_assert_cmpfloat (c[1], ==, -21);
  g_assert_cmpfloat (c[2], ==, -21);
  armilla_jackknife (bad, 3, 2, c);
  g_assert_true (isnan (c[0]) && isnan (c[1]) && isnan (c[2]) && c[3] > 0);
}

/* n objects near each other, with weights in eighths, shears and patches. */
static ArmillaCatalogue *
make (gint64 n, guint64 seed, int n_patches)
{
  ArmillaRandomSky sky = { .n = n, .seed = seed, .longitude = { 0, 0.4 }, .latitude = { 0, 0.4 },
                           .coordsys = 'C' };
  g_autoptr (ArmillaCatalogue) bare = armilla_random_catalogue (&sky, 1, NULL);
  ArmillaCatalogue *out
    = armilla_catalogue_new (n, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH
                                  | ARMILLA_CATALOGUE_SHEAR, NULL);

  out->n_patches = n_patches;
  memcpy (out->x, bare->x, n * sizeof (double));
  memcpy (out->y, bare->y, n * sizeof (double));
  memcpy (out->z, bare->z, n * sizeof (double));
  for (gint64 i = 0; i < n; i++)
    {
      out->weight[i] = (double) (1 + (i * 5) % 8) / 8;
      /* the last patch is empty */
      out->patch[i] = (gint32) (i % (n_patches - 1));
      out->g1[i] = 0.25 * cos (i);
      out->g2[i] = 0.25 * sin (i);
    }
  return out;
}

static double
separation (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j)
{
  double x = a->x[i] - b->x[j], y = a->y[i] - b->y[j], z = a->z[i] - b->z[j];

  return 2 * asin (sqrt (x * x + y * y + z * z) / 2);
}

/* What a pair adds to each sum; of shears anything that depends on both will do here. */
static void
terms (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j, double t[4])
{
  double w = a->weight[i] * b->weight[j];

  t[ARMILLA_SUM_WEIGHT] = w;
  t[ARMILLA_SUM_SEPARATION] = w * separation (a, i, b, j);
  t[ARMILLA_SUM_XI_PLUS] = w * (a->g1[i] * b->g1[j] + a->g2[i] * b->g2[j]);
  t[ARMILLA_SUM_XI_MINUS] = w * (a->g1[i] * b->g1[j] - a->g2[i] * b->g2[j]);
}

static int
bin_of (const ArmillaBins *bins, double angle)
{
  for (int k = 0; k < bins->n; k++)
    if (angle >= bins->edge[k] && angle < bins->edge[k + 1])
      return k;
  return -1;
}

/* Sums of pairs in a bin without the objects of a patch (-1: with all): [bin][sum], and counts. */
static void
brute (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins, int without,
       gint64 *counts, double (*sums)[4])
{
  const ArmillaCatalogue *other = b != NULL ? b : a;

  memset (counts, 0, bins->n * sizeof *counts);
  memset (sums, 0, bins->n * sizeof *sums);
  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b != NULL ? 0 : i + 1; j < other->n; j++)
      {
        int k = bin_of (bins, separation (a, i, other, j));
        double t[4];

        if (k < 0 || a->patch[i] == without || other->patch[j] == without)
          continue;
        terms (a, i, other, j, t);
        counts[k]++;
        for (int s = 0; s < 4; s++)
          sums[k][s] += t[s];
      }
}

/* The words of a histogram with all sums, in units of 2^EXPONENT. */
static gint64 *
histogram (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
           ArmillaHistogramShape *shape)
{
  gint64 total[8], part[8], *words;
  double all[8][4], left[8][4];

  *shape = (ArmillaHistogramShape) { ARMILLA_HISTOGRAM_PAIRS, bins->n, a->n_patches, 15, 0, 0 };
  words = g_new0 (gint64, armilla_histogram_words (shape));
  for (int s = 0; s < 4; s++)
    words[s] = EXPONENT;
  brute (a, b, bins, -1, total, all);
  for (int row = 0; row <= a->n_patches; row++)
    {
      gint64 *at = words + ARMILLA_HISTOGRAM_HEADER + row * bins->n * 13;

      brute (a, b, bins, row - 1, part, left);
      for (int k = 0; k < bins->n; k++)
        {
          at[k] = row == 0 ? total[k] : total[k] - part[k];
          for (int s = 0; s < 4; s++)
            {
              double value = row == 0 ? all[k][s] : all[k][s] - left[k][s];
              __extension__ __int128 wide = (__int128) ldexp (value, -EXPONENT);
              gint64 *word = at + bins->n + 3 * (s * bins->n + k);

              word[0] = (gint64) wide;
              word[1] = (gint64) (wide >> 64);
              word[2] = wide < 0 ? -1 : 0;
            }
        }
    }
  return words;
}

static double
weights (const ArmillaCatalogue *a, const ArmillaCatalogue *b, int without)
{
  double sum = 0;

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b != NULL ? 0 : i + 1; j < (b != NULL ? b : a)->n; j++)
      if (a->patch[i] != without && (b != NULL ? b : a)->patch[j] != without)
        sum += a->weight[i] * (b != NULL ? b : a)->weight[j];
  return sum;
}

/* Landy and Szalay of what is left without a patch, all counted again. */
static double
landy_szalay (const ArmillaCatalogue *d, const ArmillaCatalogue *r, const ArmillaBins *bins,
              int without, int k)
{
  gint64 counts[8];
  double dd[8][4], dr[8][4], rr[8][4];

  brute (d, NULL, bins, without, counts, dd);
  brute (d, r, bins, without, counts, dr);
  brute (r, NULL, bins, without, counts, rr);
  return (dd[k][0] / weights (d, NULL, without) - 2 * dr[k][0] / weights (d, r, without))
           / (rr[k][0] / weights (r, NULL, without)) + 1;
}

static void
check_column (const ArmillaTable *table, const char *name, gint64 row, double expected)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  g_assert_nonnull (column);
  /* sums of some thousand terms, differences of order 1 */
  g_assert_cmpfloat (fabs (column->doubles[row] - expected), <=, 1e-10 * (1 + fabs (expected)));
}

/* The mean over 4 patches, and their covariance, straight from the definition. */
static double
covariance (double (*values)[4], int i, int j)
{
  double mean_i = 0, mean_j = 0, sum = 0;

  for (int p = 0; p < 4; p++)
    {
      mean_i += values[p][i] / 4;
      mean_j += values[p][j] / 4;
    }
  for (int p = 0; p < 4; p++)
    sum += (values[p][i] - mean_i) * (values[p][j] - mean_j);
  return sum * 3 / 4;
}

static void
test_pair_table (void)
{
  g_autoptr (ArmillaCatalogue) d = make (60, 1, 5);
  g_autoptr (ArmillaCatalogue) r = make (90, 2, 5);
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0.02, 0.42, 4, NULL);
  g_autoptr (ArmillaTotals) td = armilla_totals_new (d);
  g_autoptr (ArmillaTotals) tr = armilla_totals_new (r);
  g_autoptr (ArmillaTable) table = NULL;
  g_autoptr (ArmillaTable) matrix = NULL;
  ArmillaCounted counted[ARMILLA_N_COUNTS] = { { .a = td }, { .a = td, .b = tr }, { .a = tr },
                                               { .a = tr } };
  g_autofree gint64 *dd = histogram (d, NULL, bins, &counted[0].shape);
  g_autofree gint64 *dr = histogram (d, r, bins, &counted[1].shape);
  g_autofree gint64 *rr = histogram (r, NULL, bins, &counted[3].shape);
  double left[4][4], sums[8][4];
  gint64 counts[8];

  counted[0].words = dd;
  counted[1].words = dr;
  counted[3].words = rr;
  table = armilla_pair_table (ARMILLA_ESTIMATOR_LANDY_SZALAY, bins, counted,
                              ARMILLA_CORRELATION_TABLE);
  matrix = armilla_pair_table (ARMILLA_ESTIMATOR_LANDY_SZALAY, bins, counted,
                               ARMILLA_CORRELATION_COVARIANCE);
  g_assert_cmpint (table->n_rows, ==, 4);
  for (int p = 0; p < 4; p++)
    for (int k = 0; k < 4; k++)
      left[p][k] = landy_szalay (d, r, bins, p, k);
  brute (d, NULL, bins, -1, counts, sums);
  for (int k = 0; k < 4; k++)
    {
      check_column (table, "theta_min", k, bins->edge[k] * 180 / G_PI);
      check_column (table, "theta_max", k, bins->edge[k + 1] * 180 / G_PI);
      check_column (table, "theta", k, sums[k][1] / sums[k][0] * 180 / G_PI);
      check_column (table, "w", k, landy_szalay (d, r, bins, -1, k));
      check_column (table, "error", k, sqrt (covariance (left, k, k)));
      check_column (table, "DD_weight", k, sums[k][0]);
      g_assert_cmpint (armilla_table_find (table, "DD")->integers[k], ==, counts[k]);
      for (int j = 0; j < 4; j++)
        check_column (matrix, "w", k * 4 + j, covariance (left, k, j));
    }
  g_assert_null (armilla_table_find (table, "RD"));
  g_assert_cmpstr (armilla_table_key (table, "ERRORS")->text, ==, "jackknife");
  g_assert_cmpstr (armilla_table_key (table, "ESTIMATR")->text, ==, "landy-szalay");
  g_assert_cmpint (armilla_table_key (table, "NRANDOM")->integer, ==, 90);
}

/* Without patches: (1 + w) / sqrt (DD). */
static void
test_poisson (void)
{
  g_autoptr (ArmillaCatalogue) d = make (60, 1, 5);
  g_autoptr (ArmillaCatalogue) r = make (90, 2, 5);
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0.02, 0.42, 4, NULL);
  g_autoptr (ArmillaTotals) td = NULL;
  g_autoptr (ArmillaTotals) tr = NULL;
  g_autoptr (ArmillaTable) table = NULL;
  g_autoptr (ArmillaTable) matrix = NULL;
  ArmillaCounted counted[ARMILLA_N_COUNTS] = { { .words = NULL } };
  g_autofree gint64 *dd = NULL, *rr = NULL;

  d->n_patches = r->n_patches = 0;
  g_clear_pointer (&d->patch, g_free);
  g_clear_pointer (&r->patch, g_free);
  td = armilla_totals_new (d);
  tr = armilla_totals_new (r);
  d->patch = g_new0 (gint32, d->n);
  r->patch = g_new0 (gint32, r->n);
  dd = histogram (d, NULL, bins, &counted[0].shape);
  rr = histogram (r, NULL, bins, &counted[3].shape);
  counted[0] = (ArmillaCounted) { counted[0].shape, dd, td, NULL, 0 };
  counted[3] = (ArmillaCounted) { counted[3].shape, rr, tr, NULL, 0 };
  table
    = armilla_pair_table (ARMILLA_ESTIMATOR_NATURAL, bins, counted, ARMILLA_CORRELATION_TABLE);
  matrix = armilla_pair_table (ARMILLA_ESTIMATOR_NATURAL, bins, counted,
                               ARMILLA_CORRELATION_COVARIANCE);
  for (int k = 0; k < 4; k++)
    {
      double w = armilla_table_find (table, "w")->doubles[k];

      check_column (table, "error", k,
                    (1 + w) / sqrt (armilla_table_find (table, "DD")->integers[k]));
      g_assert_true (armilla_table_find (matrix, "w")->doubles[4 * k + (k + 1) % 4] == 0);
    }
  g_assert_cmpstr (armilla_table_key (table, "ERRORS")->text, ==, "poisson");
}

static void
test_shear_table (void)
{
  g_autoptr (ArmillaCatalogue) d = make (80, 3, 5);
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0.02, 0.42, 4, NULL);
  g_autoptr (ArmillaTotals) totals = armilla_totals_new (d);
  g_autoptr (ArmillaTable) table = NULL;
  g_autoptr (ArmillaTable) matrix = NULL;
  ArmillaCounted counted = { .a = totals };
  g_autofree gint64 *words = histogram (d, NULL, bins, &counted.shape);
  double plus[4][4], minus[4][4], sums[8][4];
  gint64 counts[8];

  counted.words = words;
  table = armilla_shear_table (bins, &counted, ARMILLA_CORRELATION_TABLE);
  matrix = armilla_shear_table (bins, &counted, ARMILLA_CORRELATION_COVARIANCE);
  for (int p = 0; p < 4; p++)
    {
      brute (d, NULL, bins, p, counts, sums);
      for (int k = 0; k < 4; k++)
        {
          plus[p][k] = sums[k][2] / sums[k][0];
          minus[p][k] = sums[k][3] / sums[k][0];
        }
    }
  brute (d, NULL, bins, -1, counts, sums);
  for (int k = 0; k < 4; k++)
    {
      check_column (table, "xi_plus", k, sums[k][2] / sums[k][0]);
      check_column (table, "xi_minus", k, sums[k][3] / sums[k][0]);
      check_column (table, "error_plus", k, sqrt (covariance (plus, k, k)));
      check_column (table, "error_minus", k, sqrt (covariance (minus, k, k)));
      check_column (table, "pairs_weight", k, sums[k][0]);
      for (int j = 0; j < 4; j++)
        check_column (matrix, "xi_minus", k * 4 + j, covariance (minus, k, j));
    }
}

/* 3 bins: the rows are 000, 001, 002, 011, 012, 022, 111, ... as the histogram has them. */
static void
test_triangle_table (void)
{
  g_autoptr (ArmillaCatalogue) d = make (12, 3, 5);
  g_autoptr (ArmillaCatalogue) r = make (20, 4, 5);
  g_autoptr (ArmillaBins) bins = armilla_bins_new_linear (0, 0.3, 3, NULL);
  g_autoptr (ArmillaTotals) td = armilla_totals_new (d);
  g_autoptr (ArmillaTotals) tr = armilla_totals_new (r);
  g_autoptr (ArmillaTable) table = NULL;
  const ArmillaHistogramShape shape = { ARMILLA_HISTOGRAM_TRIANGLES, 3, 0, 0, 0, 0 };
  gint64 words[4][ARMILLA_HISTOGRAM_HEADER + 10] = { { 0 } };
  ArmillaCounted counted[4];
  /* 12 and 20 objects: C(12,3), C(12,2) 20, C(20,2) 12, C(20,3) */
  const double all[4] = { 220, 1320, 2280, 1140 };

  for (int c = 0; c < 4; c++)
    {
      for (int k = 0; k < 10; k++)
        words[c][ARMILLA_HISTOGRAM_HEADER + k] = 100 * (c + 1) + k;
      counted[c] = (ArmillaCounted) { shape, words[c], c < 2 ? td : tr,
                                      c == 1 ? tr : c == 2 ? td : NULL, 0 };
    }
  table = armilla_triangle_table (bins, counted);
  g_assert_cmpint (table->n_rows, ==, 10);
  for (int k = 0; k < 10; k++)
    {
      double n[4];

      for (int c = 0; c < 4; c++)
        n[c] = (100 * (c + 1) + k) / all[c];
      check_column (table, "zeta", k, (n[0] - 3 * n[1] + 3 * n[2] - n[3]) / n[3]);
      check_column (table, "error", k, n[0] / n[3] / sqrt (100 + k));
      g_assert_cmpint (armilla_table_find (table, "DRR")->integers[k], ==, 300 + k);
    }
  for (int k1 = 0, row = 0; k1 < 3; k1++)
    for (int k2 = k1; k2 < 3; k2++)
      for (int k3 = k2; k3 < 3; k3++, row++)
        {
          check_column (table, "side1_min", row, bins->edge[k1] * 180 / G_PI);
          check_column (table, "side2_max", row, bins->edge[k2 + 1] * 180 / G_PI);
          check_column (table, "side3_max", row, bins->edge[k3 + 1] * 180 / G_PI);
        }
}

/* Equal numbers of objects, each patch in one piece, others' objects where they belong. */
static void
test_patches (void)
{
  ArmillaRandomSky sky = { .n = 30000, .seed = 3, .longitude = { 0, 2 * G_PI },
                           .latitude = { -G_PI_2, G_PI_2 }, .coordsys = 'C' };
  g_autoptr (ArmillaCatalogue) r = armilla_random_catalogue (&sky, 1, NULL);

  for (int n = 2; n <= 37; n += 5)
    {
      g_autoptr (ArmillaPatches) patches = armilla_patches_new (r, n, NULL);
      g_autoptr (ArmillaCatalogue) cut = armilla_patches_apply (patches, r, NULL);
      g_autoptr (ArmillaTotals) totals = armilla_totals_new (cut);
      gint64 sum = 0;

      g_assert_cmpint (cut->n_patches, ==, n);
      g_assert_true (armilla_catalogue_check (cut, NULL));
      for (int p = 0; p < n; p++)
        {
          sum += totals->n[1 + p];
          /* each cut rounds to a whole number: at most one a level, of 6 */
          g_assert_cmpint (ABS (totals->n[1 + p] - 30000 / n), <=, 7);
        }
      g_assert_cmpint (sum, ==, 30000);
      g_assert_true (memcmp (cut->x, r->x, 30000 * sizeof (double)) == 0);
    }
}

static void
test_few (void)
{
  g_autoptr (ArmillaCatalogue) same = armilla_catalogue_new (40, 0, NULL);
  g_autoptr (ArmillaPatches) patches = NULL;
  g_autoptr (ArmillaPatches) none = NULL;
  g_autoptr (ArmillaCatalogue) cut = NULL;
  g_autoptr (GError) error = NULL;

  /* all in one place: all in one patch */
  for (int i = 0; i < 40; i++)
    same->z[i] = 1;
  patches = armilla_patches_new (same, 20, &error);
  g_assert_no_error (error);
  cut = armilla_patches_apply (patches, same, NULL);
  for (int i = 1; i < 40; i++)
    g_assert_cmpint (cut->patch[i], ==, cut->patch[0]);
  none = armilla_patches_new (same, 21, &error);
  g_assert_null (none);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "40 objects cannot be divided into 21 patches"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/estimator/pairs", test_pairs);
  g_test_add_func ("/estimator/triangles", test_triangles);
  g_test_add_func ("/estimator/jackknife", test_jackknife);
  g_test_add_func ("/estimator/pair-table", test_pair_table);
  g_test_add_func ("/estimator/poisson", test_poisson);
  g_test_add_func ("/estimator/shear-table", test_shear_table);
  g_test_add_func ("/estimator/triangle-table", test_triangle_table);
  g_test_add_func ("/estimator/patches", test_patches);
  g_test_add_func ("/estimator/few", test_few);
  return g_test_run ();
}
