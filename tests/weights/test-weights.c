/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computed weights of HEALPix's rings: exact quadrature, the least of all corrections, the files of
 * HEALPix. */
#include "core/spectra/cl-table.h"
#include "core/weights/weights.h"
#include "tests/lib/fits-fixture.h"

#include <armilla/grid.h>
#include <math.h>

/* Errors of the quadrature of sqrt (2 l + 1) P_l for even l, by the plain recurrence in the cosine,
 * in long double; the grid's cosines have 2^-98. */
static double
quadrature_error (gint64 nside, gint64 lmax, const double *factors)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, NULL);
  g_autofree long double *sums = g_new0 (long double, lmax + 1);
  double max_error = 0;

  for (gint64 r = 0; r < 2 * nside; r++)
    {
      const ArmillaRing *ring = &grid->rings[r];
      long double z = (long double) ring->cos_theta + ring->cos_lo, p = 1, before = 0;
      long double w = (long double) factors[r] * ring->n_phi * (r < 2 * nside - 1 ? 2 : 1);

      for (gint64 l = 0; l <= lmax; l++)
        {
          long double next = ((2 * l + 1) * z * p - l * before) / (l + 1);

          sums[l] += w * p;
          before = p;
          p = next;
        }
    }
  for (gint64 l = 0; l <= lmax; l += 2)
    max_error = MAX (max_error, fabs ((double) (sqrtl (2 * l + 1) * sums[l] / grid->n_pixels
                                               - (l == 0 ? 1 : 0))));
  return max_error;
}

static void
test_exact (void)
{
  static const gint64 sides[] = { 31, 32, 48, 100, 127, 128, 256, 500 };
  g_autofree double *flat = g_new (double, 64);

  for (int i = 0; i < 64; i++)
    flat[i] = 1;
  g_assert_cmpfloat (quadrature_error (32, 96, flat), >, 1e-4);
  for (gsize i = 0; i < 20 + G_N_ELEMENTS (sides); i++)
    {
      gint64 nside = i < 20 ? (gint64) i + 1 : sides[i - 20], n = 0;
      gint64 lmax = armilla_ring_weights_lmax (nside);
      g_autoptr (GError) error = NULL;
      g_autofree double *factors = armilla_ring_weights_compute (nside, lmax, &n, &error);

      g_assert_no_error (error);
      g_assert_cmpint (n, ==, 2 * nside);
      g_assert_cmpint (lmax, ==, nside % 2 == 0 ? 3 * nside : 3 * nside - 1);
      g_assert_cmpfloat (quadrature_error (nside, lmax, factors), <, 1e-13);
    }
}

/* The least correction is in the span of the conditions: n_r w_r = sum over l of x_l P_l, with
 * (P P') x = b, here by elimination in long double. */
static void
solve_directly (gint64 nside, gint64 lmax, long double *factors)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, NULL);
  gint64 n = lmax / 2 + 1, rings = 2 * nside;
  g_autofree long double *p = g_new (long double, n * rings);
  g_autofree long double *a = g_new0 (long double, n * (n + 1));

  for (gint64 r = 0; r < rings; r++)
    {
      long double z = (long double) grid->rings[r].cos_theta + grid->rings[r].cos_lo;
      long double value = 1, before = 0;

      for (gint64 l = 0; l <= lmax; l++)
        {
          long double next = ((2 * l + 1) * z * value - l * before) / (l + 1);

          if (l % 2 == 0)
            p[l / 2 * rings + r] = sqrtl (2 * l + 1) * value;
          before = value;
          value = next;
        }
    }
  for (gint64 i = 0; i < n; i++)
    for (gint64 r = 0; r < rings; r++)
      {
        for (gint64 j = 0; j < n; j++)
          a[i * (n + 1) + j] += p[i * rings + r] * p[j * rings + r];
        a[i * (n + 1) + n] -= p[i * rings + r] * grid->rings[r].n_phi * (r < rings - 1 ? 2 : 1);
      }
  a[n] += grid->n_pixels;
  for (gint64 k = 0; k < n; k++)
    for (gint64 i = 0; i < n; i++)
      {
        long double factor = a[i * (n + 1) + k] / a[k * (n + 1) + k];

        for (gint64 j = k; i != k && j <= n; j++)
          a[i * (n + 1) + j] -= factor * a[k * (n + 1) + j];
      }
  for (gint64 r = 0; r < rings; r++)
    {
      long double sum = 0;

      for (gint64 i = 0; i < n; i++)
        sum += a[i * (n + 1) + n] / a[i * (n + 1) + i] * p[i * rings + r];
      factors[r] = 1 + sum / (grid->rings[r].n_phi * (r < rings - 1 ? 2 : 1));
    }
}

static void
test_least (void)
{
  static const struct { gint64 nside, lmax; } cases[]
    = { { 1, 0 }, { 1, 2 }, { 2, 2 }, { 3, 8 }, { 5, 14 }, { 7, 24 }, { 20, 60 }, { 33, 110 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 n;
      g_autofree long double *expected = g_new (long double, 2 * cases[i].nside);
      g_autofree double *factors
        = armilla_ring_weights_compute (cases[i].nside, cases[i].lmax, &n, NULL);

      g_assert_nonnull (factors);
      solve_directly (cases[i].nside, cases[i].lmax, expected);
      for (gint64 r = 0; r < n; r++)
        g_assert_cmpfloat_with_epsilon (factors[r], (double) expected[r], 1e-13);
    }
}

/* The files were computed by singular values up to the degree in MAX-LPOL. They differ from the
 * weights in extended precision by 1.1e-16 nside^2 (4e-13 at nside 64, 7e-12 at 256), at the pole;
 * what is computed here by 2e-13 at 256. */
static void
test_files (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  static const struct { gint64 nside, lmax; } files[]
    = { { 2, 2 }, { 4, 8 }, { 8, 24 }, { 16, 48 }, { 32, 100 }, { 64, 226 }, { 128, 454 },
        { 256, 768 }, { 512, 1700 }, { 1024, 3500 } };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      gint64 nside = files[i].nside, n;
      g_autofree char *name
        = g_strdup_printf ("data/weight_ring_n%05d.fits", (int) nside), *path = NULL;
      g_autofree double *read = NULL, *computed = NULL;

      if (!fixture_healpy (name, &path))
        return;
      read = armilla_ring_weights_read (path, nside, &n, NULL);
      computed = armilla_ring_weights_compute (nside, files[i].lmax, &n, NULL);
      g_assert_nonnull (read);
      g_assert_nonnull (computed);
      for (gint64 r = 0; r < n; r++)
        g_assert_cmpfloat_with_epsilon (computed[r], read[r], 1e-15 + 2e-16 * (nside * nside));
    }
}

static void
refuse (gint64 nside, gint64 lmax, int code, const char *text)
{
  g_autoptr (GError) error = NULL;
  gint64 n;

  g_assert_null (armilla_ring_weights_compute (nside, lmax, &n, &error));
  g_assert_error (error, ARMILLA_ERROR, code);
  g_assert_nonnull (strstr (error->message, text));
}

/* At the last case there are as many conditions as rings, and they nearly contradict. */
static void
test_refused (void)
{
  refuse (0, 0, ARMILLA_ERROR_VALUE, "nside from 1 to 16384, not for 0");
  refuse (ARMILLA_RING_WEIGHTS_MAX_NSIDE + 1, 2, ARMILLA_ERROR_VALUE, "name a file");
  refuse (4, 7, ARMILLA_ERROR_VALUE, "an even multipole from 0 to 14, not to 7");
  refuse (4, 16, ARMILLA_ERROR_VALUE, "not to 16");
  refuse (4, -2, ARMILLA_ERROR_VALUE, "not to -2");
  refuse (64, 254, ARMILLA_ERROR_CONVERGENCE, "up to l = 254: the error of the quadrature remains");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/rings/exact", test_exact);
  g_test_add_func ("/weights/rings/least", test_least);
  FIXTURE_ADD ("/weights/rings/files", NULL, test_files);
  g_test_add_func ("/weights/rings/refused", test_refused);
  return g_test_run ();
}
