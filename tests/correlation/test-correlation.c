/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting and estimating through the graph: counts beyond 32 bits and of 1e12 a bin, known in
 * closed form, and shears of a Gaussian field of known spectra. */
#include "core/catalogues/estimator.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"
#include "tests/lib/random-helpers.h"

#include <armilla/alm.h>
#include <math.h>

static ArmillaObjects *
objects_of (ArmillaCatalogue *catalogue)
{
  ArmillaObjects *objects
    = armilla_objects_new ((catalogue->weight ? ARMILLA_CATALOGUE_WEIGHT : 0)
                           | (catalogue->g1 ? ARMILLA_CATALOGUE_SHEAR : 0));

  armilla_objects_set_catalogue (objects, catalogue);
  return objects;
}

typedef struct {
  ArmillaHistogramShape shape;
  gint64 *words;
} Counts;

static gboolean
take_words (gpointer user, ArmillaPiece *piece, GError **error)
{
  Counts *counts = user;

  (void) error;
  counts->words =
      g_memdup2 (piece->words, armilla_histogram_words (&counts->shape) * sizeof (gint64));
  return TRUE;
}

static Counts
count (ArmillaCatalogue *a, ArmillaCatalogue *b, ArmillaBins *bins, int sums)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaObjects) first = objects_of (a);
  g_autoptr (ArmillaObjects) second = b ? objects_of (b) : NULL;
  g_autoptr (ArmillaHistogram) histogram
    = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, 0, sums, &error);
  Counts counts = { *armilla_histogram_shape (histogram), NULL };

  g_assert_true (armilla_graph_count_pairs (graph, first, second, NULL, histogram, &error));
  g_assert_true (armilla_graph_drain (graph, ARMILLA_DATA (histogram), take_words, NULL, &counts,
                                      NULL, &error));
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  g_assert_nonnull (counts.words);
  return counts;
}

/* n objects at each of three places: 10 deg apart on a meridian, and opposite the first. */
static ArmillaCatalogue *
places (const gint64 n[3], double weight)
{
  const double ra[3] = { 30, 30, 210 }, dec[3] = { 40, 50, -40 };
  ArmillaCatalogue *out = armilla_catalogue_new (n[0] + n[1] + n[2],
                                                 weight != 1 ? ARMILLA_CATALOGUE_WEIGHT : 0, NULL);

  for (gint64 i = 0; i < out->n; i++)
    {
      /* interleaved, so that sorting has something to do */
      int place = i < 3 * n[2] ? (int) (i % 3) : i < n[2] + 2 * n[1] ? (int) (i % 2) : 0;

      g_assert_true (armilla_catalogue_set_angles (out, i, 1, &ra[place], ARMILLA_ANGLE_DEG,
                                                   &dec[place], ARMILLA_ANGLE_DEG, NULL));
      if (out->weight)
        out->weight[i] = weight;
    }
  return out;
}

/* Cardenas-Montes et al. (2014), section 4: counts that float, and 32 bits, cannot hold. */
static void
test_many (void)
{
  const gint64 n[3] = { 1500000, 200000, 100000 };
  const double edges[] = { 0, 5 * G_PI / 180, 20 * G_PI / 180, G_PI };
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 3, NULL);
  g_autoptr (ArmillaCatalogue) catalogue = places (n, 1);
  Counts counts = count (catalogue, NULL, bins, 0);
  const gint64 expected[3] = { (n[0] * (n[0] - 1) + n[1] * (n[1] - 1) + n[2] * (n[2] - 1)) / 2,
                               n[0] * n[1], (n[0] + n[1]) * n[2] };

  g_assert_cmpint (expected[0], >, 1000000000000);
  g_assert_cmpint (expected[2], >, G_GINT64_CONSTANT (1) << 32);
  for (int k = 0; k < 3; k++)
    g_assert_cmpint (armilla_histogram_count (&counts.shape, counts.words, 0, k), ==, expected[k]);
  g_free (counts.words);
}

/* Sums of weights beyond 2^53, and beyond 2^63, rounded only when they are read. */
static void
test_weights (void)
{
  const gint64 n[3] = { 20000, 5000, 3001 };
  const double edges[] = { 0, 5 * G_PI / 180, 20 * G_PI / 180, G_PI }, weight = 0x1p+40 + 0x1p+4;
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 3, NULL);
  g_autoptr (ArmillaCatalogue) a = places (n, weight);
  g_autoptr (ArmillaCatalogue) b = places (n, 3);
  Counts counts = count (a, b, bins, 1 << ARMILLA_SUM_WEIGHT);
  const gint64 expected[3] = { n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 2 * n[0] * n[1],
                               2 * (n[0] + n[1]) * n[2] };

  for (int k = 0; k < 3; k++)
    {
      g_assert_cmpint (armilla_histogram_count (&counts.shape, counts.words, 0, k), ==,
                       expected[k]);
      /* whole numbers below 2^120: exact in long double's 64 bits except for their last bits, then
       * rounded to 53 */
      g_assert_cmpfloat (fabsl (armilla_histogram_sum (&counts.shape, counts.words, 0,
                                                       ARMILLA_SUM_WEIGHT, k)
                                  / (3 * (long double) weight * expected[k]) - 1), <, 1.2e-16L);
    }
  g_free (counts.words);
}

/* --- Shears of a Gaussian field */

enum { LMAX = 12, NSIDE = 8, PIXELS = 12 * NSIDE * NSIDE, BINS = 6, SKIES = 40 };

/* E and B of different size, so that xi+ and xi- differ, in sign too. */
static double
spectrum (int field, int l)
{
  return l < 2 ? 0 : field == 0 ? 1.0 / (l * (l + 1)) : 0.3 / (l * (l + 1));
}

/* Jacobi's polynomial P_n^(a, b) by its recurrence in n. */
static double
jacobi (int n, double a, double b, double x)
{
  double before = 1, p = (a - b) / 2 + (a + b + 2) / 2 * x;

  for (int k = 2; k <= n; k++)
    {
      double c = 2 * k + a + b;
      double next = ((c - 1) * (c * (c - 2) * x + a * a - b * b) * p
                     - 2 * (k + a - 1) * (k + b - 1) * c * before)
                    / (2 * k * (k + a + b) * (c - 2));

      before = p;
      p = next;
    }
  return n == 0 ? 1 : p;
}

/* xi+- = sum (2 l + 1) / (4 pi) (C^EE +- C^BB) d^l_{2,+-2}, with d^l_{2,2} = ((1 + x) / 2)^2
 * P_{l-2}^(0,4) and d^l_{2,-2} = ((1 - x) / 2)^2 P_{l-2}^(4,0) */
static double
theory (int sign, double x)
{
  double sum = 0, half = (1 + sign * x) / 2;

  for (int l = 2; l <= LMAX; l++)
    sum += (2 * l + 1) / (4 * G_PI) * (spectrum (0, l) + sign * spectrum (1, l))
           * half * half * jacobi (l - 2, sign > 0 ? 0 : 4, sign > 0 ? 4 : 0, x);
  return sum;
}

/* Q and U of a sky at the centres of the pixels as shears. COSMO counts psi from south to east. */
static ArmillaCatalogue *
sky (guint64 realisation)
{
  static const int spins[] = { 0, 2, 2 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (NSIDE, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 3);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 3);
  ArmillaCatalogue *out = armilla_catalogue_new (PIXELS, ARMILLA_CATALOGUE_SHEAR, NULL);
  gint64 n = armilla_alm_count (layout);
  g_autofree double *values = g_new0 (double, 6 * n), *pixels = g_new (double, 3 * PIXELS);
  WholeAlm in = { values, layout };
  WholeMap result = { pixels, PIXELS };
  double cl[LMAX + 1];

  armilla_alm_set_spins (alm, spins);
  armilla_map_set_spins (map, spins);
  for (int f = 0; f < 2; f++)
    {
      for (int l = 0; l <= LMAX; l++)
        cl[l] = spectrum (f, l);
      draw_field (cl, LMAX, LMAX, 0, LMAX, 2026, realisation, f, values + 2 * (f + 1) * n);
    }
  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &in, NULL, &error));
  g_assert_true (armilla_graph_synthesis (graph, alm, map, &error));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &result, NULL, &error));
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  for (int i = 0; i < PIXELS; i++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, i, v);
      out->x[i] = v[0];
      out->y[i] = v[1];
      out->z[i] = v[2];
      out->g1[i] = pixels[PIXELS + i];
      out->g2[i] = -pixels[2 * PIXELS + i];
    }
  return out;
}

/* The mean of theory over the pairs of each bin: what the estimate is on average, exactly. */
static void
mean_theory (const ArmillaCatalogue *cat, const ArmillaBins *bins, double mean[2 * BINS])
{
  double pairs[BINS] = { 0 };

  for (int i = 0; i < 2 * BINS; i++)
    mean[i] = 0;
  for (int i = 0; i < PIXELS; i++)
    for (int j = i + 1; j < PIXELS; j++)
      {
        double x = cat->x[i] * cat->x[j] + cat->y[i] * cat->y[j] + cat->z[i] * cat->z[j];
        int k = 0;

        while (k < BINS && 2 - 2 * x >= bins->s2[k + 1])
          k++;
        if (k == BINS || 2 - 2 * x < bins->s2[0])
          continue;
        pairs[k]++;
        mean[k] += theory (1, x);
        mean[BINS + k] += theory (-1, x);
      }
  for (int i = 0; i < 2 * BINS; i++)
    mean[i] /= pairs[i % BINS];
}

static void
measure (ArmillaCatalogue *cat, ArmillaBins *bins, double values[2 * BINS])
{
  Counts counts = count (cat, NULL, bins, 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS
                                            | 1 << ARMILLA_SUM_SEPARATION);
  g_autoptr (ArmillaTotals) totals = armilla_totals_new (cat);
  const ArmillaCounted counted = { counts.shape, counts.words, totals, NULL, 0 };
  g_autoptr (ArmillaTable) table
    = armilla_shear_table (bins, &counted, ARMILLA_CORRELATION_TABLE);

  for (int k = 0; k < BINS; k++)
    {
      values[k] = armilla_table_find (table, "xi_plus")->doubles[k];
      values[BINS + k] = armilla_table_find (table, "xi_minus")->doubles[k];
    }
  g_free (counts.words);
}

static void
test_shears (void)
{
  /* no pair of pixel centres lies at an edge */
  g_autoptr (ArmillaBins) bins
    = armilla_bins_new_linear (3.3 * G_PI / 180, 176.4 * G_PI / 180, BINS, NULL);
  double sum[2 * BINS] = { 0 }, squares[2 * BINS] = { 0 }, expected[2 * BINS], values[2 * BINS];

  for (int s = 0; s < SKIES; s++)
    {
      g_autoptr (ArmillaCatalogue) cat = sky (s);

      if (s == 0)
        mean_theory (cat, bins, expected);
      measure (cat, bins, values);
      for (int i = 0; i < 2 * BINS; i++)
        {
          sum[i] += values[i];
          squares[i] += values[i] * values[i];
        }
    }
  for (int i = 0; i < 2 * BINS; i++)
    {
      double mean = sum[i] / SKIES;
      double error = sqrt ((squares[i] / SKIES - mean * mean) / (SKIES - 1));

      g_test_message ("xi%c bin %d: %g, theory %g, error %g", i < BINS ? '+' : '-', i % BINS, mean,
                      expected[i], error);
      /* Student's t of 39 degrees of freedom: beyond 3.6 once in 1100; the skies are fixed */
      g_assert_cmpfloat (fabs (mean - expected[i]), <, 3.6 * error);
    }
  /* the test would see a wrong sign of g2, or E and B exchanged */
  g_assert_cmpfloat (expected[BINS], >, 10 * sqrt ((squares[BINS] / SKIES
                                                   - pow (sum[BINS] / SKIES, 2)) / (SKIES - 1)));
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/correlation/many", test_many);
  g_test_add_func ("/correlation/weights", test_weights);
  g_test_add_func ("/correlation/shears", test_shears);
  return run_tests ();
}
