/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss quadratures of grids: the sums of Legendre polynomials that the grids' own rings give, and
 * the zeros that are known. */
#include "tests/lib/grid-helpers.h"

#include "core/grids/gauss-of-rings.h"
#include "core/grids/grid.h"

#include <float.h>
#include <math.h>

/* sums[l] of w n P_l (x), of n rings */
static void
add_sums (const ArmillaRing *rings, gint64 n, long double factor, gint64 degree,
          long double *sums)
{
  for (gint64 i = 0; i < n; i++)
    {
      const long double x = (long double) rings[i].cos_theta + rings[i].cos_lo;
      const long double weight = factor * rings[i].weight * (long double) rings[i].n_phi;
      long double last = 0, now = 1;

      for (gint64 l = 0; l <= degree; l++)
        {
          const long double next = ((2 * l + 1) * x * now - l * last) / (l + 1);

          sums[l] += weight * now;
          last = now;
          now = next;
        }
    }
}

static void
assert_same_sums (const ArmillaGrid *grid, gint64 degree)
{
  g_autofree ArmillaRing *north = armilla_gauss_of_rings (grid, degree);
  g_autofree long double *a = g_new0 (long double, degree + 1);
  g_autofree long double *b = g_new0 (long double, degree + 1);

  g_assert_nonnull (north);
  add_sums (grid->rings, grid->n_rings, 1, degree, a);
  add_sums (north, armilla_gauss_of_rings_count (degree), 2, degree, b);
  /* Weights of both are rounded to doubles. */
  for (gint64 l = 0; l <= degree; l += 2)
    g_assert_cmpfloat ((double) fabsl (a[l] - b[l]), <, 2e-16 * (double) a[0]);
}

static void
test_healpix (void)
{
  static const gint64 cases[][2] = { { 4, 12 }, { 64, 256 }, { 64, 255 }, { 60, 240 }, { 64, 320 },
                                     { 512, 2048 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGrid) grid = healpix (cases[i][0]);

      assert_same_sums (grid, cases[i][1]);
    }
}

static void
test_weighted (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid = healpix (32);
  g_autoptr (ArmillaGrid) weighted = NULL;
  double factors[64];

  for (int i = 0; i < 64; i++)
    factors[i] = 1 + 0.01 * sin (i);
  weighted = armilla_grid_with_ring_weights (grid, factors, 64, &error);
  g_assert_no_error (error);
  assert_same_sums (weighted, 128);
}

/* What has the sums of an integral has the zeros of Legendre polynomials. */
static void
test_legendre (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) many = armilla_grid_new_gauss_legendre (100, 4, &error);
  g_autoptr (ArmillaGrid) few = armilla_grid_new_gauss_legendre (40, 1, &error);
  g_autofree ArmillaRing *north = armilla_gauss_of_rings (many, 78);

  g_assert_no_error (error);
  g_assert_nonnull (north);
  g_assert_cmpint (armilla_gauss_of_rings_count (78), ==, 20);
  for (int j = 0; j < 20; j++)
    {
      const ArmillaRing *ring = &few->rings[j];

      g_assert_cmpfloat (fabs ((north[j].cos_theta - ring->cos_theta)
                               + (north[j].cos_lo - ring->cos_lo)), <, 1e-17);
      g_assert_cmpfloat (fabs ((north[j].sin_theta - ring->sin_theta)
                               + (north[j].sin_lo - ring->sin_lo)), <, 1e-17);
      g_assert_cmpfloat (fabs (north[j].weight / ring->weight - 1), <, 1e-15);
    }
}

/* Rings that have none, or none that is worth while. */
static void
test_none (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid = healpix (16);
  g_autofree ArmillaRing *rings = g_memdup2 (grid->rings, sizeof (ArmillaRing) * 63);
  g_autoptr (ArmillaGrid) uneven = NULL;
  g_autoptr (ArmillaGrid) negative = NULL;
  g_autoptr (ArmillaGrid) half = armilla_grid_select_theta (grid, 0, 1, &error);
  g_autoptr (ArmillaGrid) band = armilla_grid_select_theta (grid, 1, G_PI - 1, &error);

  g_assert_no_error (error);
  rings[5].weight *= 1.01;
  uneven = from_rings (rings, 63);
  rings[5].weight = rings[57].weight = -1e-3;
  negative = from_rings (rings, 63);
  g_assert_null (armilla_gauss_of_rings (uneven, 32));
  g_assert_null (armilla_gauss_of_rings (negative, 32));
  g_assert_null (armilla_gauss_of_rings (half, 32));
  g_assert_null (armilla_gauss_of_rings (band, 32));
  g_assert_null (armilla_gauss_of_rings (grid, 128));
  g_assert_null (armilla_gauss_of_rings (grid, 4096));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (LDBL_MANT_DIG != 64)
    {
      g_test_message ("long double is not that of x86");
      return 0;
    }
  g_test_add_func ("/gauss-of-rings/healpix", test_healpix);
  g_test_add_func ("/gauss-of-rings/weighted", test_weighted);
  g_test_add_func ("/gauss-of-rings/legendre", test_legendre);
  g_test_add_func ("/gauss-of-rings/none", test_none);
  return g_test_run ();
}
