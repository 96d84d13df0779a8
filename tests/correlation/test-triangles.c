/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Triangles counted by a graph against three loops. */
#include "codelets/correlation/triple-math.h"
#include "tests/correlation/pair-helpers.h"
#include "tests/lib/runtime-helpers.h"

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

/* Numbers of triangles, [smallest][middle][largest]. */
static gint64 *
brute_count (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins)
{
  const int n = bins->n;
  gint64 *count = g_new0 (gint64, n * n * n);

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = i + 1; j < a->n; j++)
      for (gint64 k = b ? 0 : j + 1; k < (b ? b : a)->n; k++)
        {
          int side[3] = { bin_of (bins, a, i, a, j), bin_of (bins, a, i, b ? b : a, k),
                          bin_of (bins, a, j, b ? b : a, k) };

          for (int pass = 0; pass < 2; pass++)
            for (int s = 0; s < 2; s++)
              if (side[s] > side[s + 1])
                {
                  const int swap = side[s];

                  side[s] = side[s + 1];
                  side[s + 1] = swap;
                }
          if (side[0] >= 0)
            count[(side[0] * n + side[1]) * n + side[2]]++;
        }
  return count;
}

static void
check (ArmillaCatalogue *a, ArmillaCatalogue *b, ArmillaBins *bins, gint64 tasks)
{
  const ArmillaCountOptions options = { .tasks = tasks };
  const int n = bins->n;
  g_autofree gint64 *brute = brute_count (a, b, bins);
  g_auto (Counted) all = sky_count (runtime, ARMILLA_HISTOGRAM_TRIANGLES, a, b, bins, 0, 0,
                                    &options);
  g_auto (Counted) equal = sky_count (runtime, ARMILLA_HISTOGRAM_EQUAL_SIDES, a, b, bins, 0, 0,
                                      &options);
  gint64 entry = 0;

  for (int k1 = 0; k1 < n; k1++)
    {
      for (int k2 = k1; k2 < n; k2++)
        for (int k3 = k2; k3 < n; k3++)
          {
            const gint64 expected = brute[(k1 * n + k2) * n + k3];

            g_assert_cmpint (armilla_triple_place (n, FALSE, k3, k1, k2), ==, entry);
            g_assert_cmpint (armilla_histogram_count (&all.shape, all.words, 0, entry++), ==,
                             expected);
          }
      g_assert_cmpint (armilla_histogram_count (&equal.shape, equal.words, 0, k1), ==,
                       brute[(k1 * n + k1) * n + k1]);
    }
  g_assert_cmpint (entry, ==, armilla_histogram_entries (&all.shape));
}

static ArmillaBins *
bins_of (int which)
{
  if (which == 0)
    return armilla_bins_new_linear (0, G_PI, 7, NULL);
  return which == 1 ? armilla_bins_new_logarithmic (0.1 * DEGREE, 30 * DEGREE, 11, NULL)
                    : armilla_bins_new_linear (40 * DEGREE, 60 * DEGREE, 1, NULL);
}

static void
test_skies (void)
{
  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int which = 0; which < 3; which++)
      {
        g_autoptr (ArmillaBins) bins = bins_of (which);
        g_autoptr (ArmillaCatalogue) a = sky_new (sky, 160, 1, 0);
        g_autoptr (ArmillaCatalogue) b = sky_new (sky, 71, 2, 0);

        check (a, NULL, bins, which == 1 ? 0 : 5);
        check (a, b, bins, 0);
        check (b, a, bins, which == 0 ? G_MAXINT32 : 3);
      }
}

static void
test_sizes (void)
{
  static const gint64 sizes[] = { 0, 1, 2, 3, 4, 16, 17, 33 };
  g_autoptr (ArmillaBins) bins = bins_of (0);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize j = 0; j < 4; j++)
      {
        g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, sizes[i], 3, 0);
        g_autoptr (ArmillaCatalogue) b = j > 0 ? sky_new (SKY_UNIFORM, sizes[2 * j - 2], 4, 0)
                                               : NULL;

        check (a, b, bins, 0);
      }
}

/* Corners of a square on a great circle, n times each: n^3 triangles for each choice of three
 * corners, and those with sides of length 0. */
static void
test_closed_form (void)
{
  const gint64 n = 40;
  const double edges[4] = { 0, 45 * DEGREE, 135 * DEGREE, G_PI };
  g_autoptr (ArmillaBins) bins = armilla_bins_new (edges, 3, NULL);
  g_autoptr (ArmillaCatalogue) a = armilla_catalogue_new (4 * n, 0, NULL);
  g_auto (Counted) counted = { 0 };

  for (gint64 i = 0; i < 4 * n; i++)
    sky_put (a, i, i % 4 == 0 ? 1 : i % 4 == 2 ? -1 : 0, i % 4 == 1 ? 1 : i % 4 == 3 ? -1 : 0, 0);
  counted = sky_count (runtime, ARMILLA_HISTOGRAM_TRIANGLES, a, NULL, bins, 0, 0, NULL);
  for (gint64 entry = 0; entry < armilla_histogram_entries (&counted.shape); entry++)
    {
      gint64 expected = 0;

      if (entry == armilla_triple_place (3, FALSE, 0, 0, 0))
        expected = 4 * (n * (n - 1) * (n - 2) / 6);
      else if (entry == armilla_triple_place (3, FALSE, 0, 1, 1))
        expected = 8 * (n * (n - 1) / 2 * n);
      else if (entry == armilla_triple_place (3, FALSE, 0, 2, 2))
        expected = 4 * (n * (n - 1) / 2 * n);
      else if (entry == armilla_triple_place (3, FALSE, 1, 1, 2))
        expected = 4 * n * n * n;
      g_assert_cmpint (armilla_histogram_count (&counted.shape, counted.words, 0, entry), ==,
                       expected);
    }
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/triangles/skies", test_skies);
  g_test_add_func ("/triangles/sizes", test_sizes);
  g_test_add_func ("/triangles/closed-form", test_closed_form);
  return run_tests ();
}
