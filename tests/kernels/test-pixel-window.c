/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computed pixel windows: HEALPix's files, which were computed up to nside 128, and the
 * definition. */
#include "core/kernels/kernel.h"
#include "core/spectra/cl-table.h"
#include "tests/lib/fits-fixture.h"

#include <math.h>

static double
farthest (const double *a, const double *b, gint64 n)
{
  double max_off = 0;

  for (gint64 i = 0; i < n; i++)
    max_off = MAX (max_off, fabs (a[i] - b[i]));
  return max_off;
}

/* Both columns of a file, T and P; P holds only if Q and U are carried to the pixel's centre along
 * great circles: otherwise it is off by 1e-2 at nside 4. */
static void
expect_file (gint64 nside, double min_off, double max_off)
{
  g_autofree char *name = g_strdup_printf ("data/pixel_window_n%04d.fits", (int) nside);
  g_autofree char *path = NULL;
  gint64 n = 4 * nside + 1;
  g_autofree double *window = g_new (double, 2 * n);
  g_autoptr (ArmillaClTable) table = NULL;
  g_autoptr (GError) error = NULL;

  if (!fixture_healpy (name, &path))
    return;
  table = armilla_cl_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (table->lmax, ==, n - 1);
  g_assert_cmpint (table->n_fields, ==, 2);
  armilla_pixel_window_compute (nside, n - 1, window, window + n, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      double off = farthest (window + i * n, table->values + i * n, n);

      g_test_message ("nside %d, column %d: %.2e", (int) nside, i, off);
      g_assert_cmpfloat (off, >=, min_off);
      g_assert_cmpfloat (off, <=, max_off);
    }
}

/* Seen: 2.3e-11 at nside 2, 9.8e-12 at 8, 1.3e-13 from 16 on. */
static void
test_files (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  for (gint64 nside = 2; nside <= 8; nside *= 2)
    expect_file (nside, 0, 1e-10);
  for (gint64 nside = 16; nside <= 128; nside *= 2)
    expect_file (nside, 0, 5e-12);
}

/* From nside 256 on the files are extrapolated: what is computed is better. */
static void
test_extrapolated (Fixture *fixture G_GNUC_UNUSED, gconstpointer data G_GNUC_UNUSED)
{
  expect_file (256, 1e-6, 1e-5);
}

/* Adds P_l of all pairs of points, times @factor. */
static void
add_pairs (const double (*points)[3], gint64 n, gint64 lmax, double factor, double *sums)
{
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++)
      {
        double z = points[i][0] * points[j][0] + points[i][1] * points[j][1]
                   + points[i][2] * points[j][2], p = 1, before = 0;

        for (gint64 l = 0; l <= lmax; l++)
          {
            double next = ((double) (2 * l + 1) * z * p - (double) l * before) / (double) (l + 1);

            sums[l] += factor * p;
            before = p;
            p = next;
          }
      }
}

/* W_l^2 by the centres of the finer^2 smaller pixels in each pixel, which have equal areas. */
static void
sum_over_children (gint64 nside, gint64 finer, double *squares)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside * finer, NULL);
  gint64 n = finer * finer, n_pixels = 12 * nside * nside, lmax = 4 * nside;
  g_autofree double (*points)[3] = g_malloc (n_pixels * n * sizeof *points);
  g_autofree gint64 *found = g_new0 (gint64, n_pixels);

  for (gint64 i = 0; i < grid->n_pixels; i++)
    {
      double vector[3];
      gint64 parent;

      armilla_grid_pixel_vector (grid, i, vector);
      parent = armilla_healpix_vector_to_pixel (nside, vector);
      g_assert_cmpint (found[parent], <, n);
      memcpy (points[parent * n + found[parent]++], vector, sizeof vector);
    }
  memset (squares, 0, (lmax + 1) * sizeof *squares);
  for (gint64 p = 0; p < n_pixels; p++)
    add_pairs ((const double (*)[3]) points + p * n, n, lmax,
               1 / ((double) n_pixels * (double) n * (double) n), squares);
}

/* An nside that no file has, by the definition. The error of the midpoint rule falls with the
 * square of the size of the smaller pixels, so results at two sizes give the limit. */
static void
test_definition (void)
{
  enum { NSIDE = 3, LMAX = 4 * NSIDE, N = LMAX + 1 };
  double coarse[N], fine[N], scalar[N], spin[N], max_off = 0;

  sum_over_children (NSIDE, 7, coarse);
  sum_over_children (NSIDE, 21, fine);
  g_assert_true (armilla_pixel_window_compute (NSIDE, LMAX, scalar, spin, NULL));
  for (int l = 0; l <= LMAX; l++)
    {
      double limit = fine[l] + (fine[l] - coarse[l]) / 8;

      max_off = MAX (max_off, fabs (sqrt (limit) - scalar[l]));
      if (l > 0)
        g_assert_cmpfloat (fabs (sqrt (fine[l]) - scalar[l]), >, 1e-6);
    }
  g_test_message ("off by %.2e", max_off);
  g_assert_cmpfloat (max_off, <, 3e-5);
  g_assert_cmpfloat (spin[0], ==, 0);
  g_assert_cmpfloat (spin[1], ==, 0);
  for (int l = 2; l <= LMAX; l++)
    g_assert_true (spin[l] > scalar[l] && spin[l] < 1);
}

static void
refuse (gint64 nside, gint64 lmax, const char *text)
{
  double window[32];
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_pixel_window_compute (nside, lmax, window, window + 16, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, text));
}

static void
test_refused (void)
{
  refuse (0, 0, "nside from 1 to 2048 up to l = 4 nside, not for 0 up to 0");
  refuse (ARMILLA_PIXEL_WINDOW_MAX_NSIDE + 1, 2, "name a file");
  refuse (2, 9, "not for 2 up to 9");
  refuse (2, -1, "not for 2 up to -1");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  FIXTURE_ADD ("/pixel-window/files", NULL, test_files);
  FIXTURE_ADD ("/pixel-window/extrapolated", NULL, test_extrapolated);
  g_test_add_func ("/pixel-window/definition", test_definition);
  g_test_add_func ("/pixel-window/refused", test_refused);
  return g_test_run ();
}
