/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HEALPix's pixel weights: which pixels share one, and the files. */
#include "core/weights/weights.h"
#include "tests/lib/fits-fixture.h"

#include <fitsio.h>
#include <math.h>

/* Longitude folded by quarter turns and reflection, as a whole number of quarters of a pixel; two
 * pixels of a ring are alike when they have the same. */
static gint64
folded (const ArmillaRing *ring, gint64 j)
{
  double turn = (double) ring->phi0_num / (double) ring->phi0_den / 2 + (double) j / ring->n_phi;
  double fourth = 4 * turn - floor (4 * turn + 1e-9);

  return llround (MIN (fourth, 1 - fourth) * (double) ring->n_phi);
}

/* Each class with a number of its own: alike pixels get the same, others do not, and none is left.
 * */
static void
test_classes (void)
{
  for (gint64 nside = 1; nside <= 17; nside++)
    {
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, NULL);
      gint64 n = armilla_pixel_weights_count (nside);
      g_autofree double *weights = g_new (double, n);
      g_autofree double *pixels = g_new (double, 4 * nside);
      g_autofree gint64 *owner = g_new (gint64, n);

      for (gint64 i = 0; i < n; i++)
        {
          weights[i] = (double) i;
          owner[i] = -1;
        }
      for (gint64 r = 0; r < grid->n_rings; r++)
        {
          const ArmillaRing *ring = &grid->rings[r];

          armilla_pixel_weights_expand (weights, nside, r, pixels);
          for (gint64 j = 0; j < ring->n_phi; j++)
            {
              gint64 class = MIN (r, grid->n_rings - 1 - r) * 8 * nside + folded (ring, j);
              gint64 k = (gint64) pixels[j];

              g_assert_true (k >= 0 && k < n);
              if (owner[k] < 0)
                owner[k] = class;
              g_assert_cmpint (owner[k], ==, class);
            }
        }
      for (gint64 i = 0; i < n; i++)
        {
          g_assert_cmpint (owner[i], >=, 0);
          for (gint64 k = 0; k < i; k++)
            g_assert_cmpint (owner[i], !=, owner[k]);
        }
    }
}

static void
write_weights (const char *path, double *values, gint64 n)
{
  char *type = (char *) "COMPRESSED PIXEL WEIGHTS", *form = (char *) "1D";
  fitsfile *file;
  int status = 0;

  fits_create_diskfile (&file, path, &status);
  fits_create_tbl (file, BINARY_TBL, n, 1, &type, &form, NULL, NULL, &status);
  fits_write_col (file, TDOUBLE, 1, 1, 1, n, values, &status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
}

static void
test_file (Fixture *fixture, gconstpointer unused)
{
  g_autofree char *path = fixture_path (fixture, "weights.fits");
  g_autofree char *bad = fixture_path (fixture, "bad.fits");
  double values[10] = { 0.5, -0.25, 0, 0.125, 0, 0, 0, 0, 0, 1 };
  g_autofree double *weights = NULL;
  g_autoptr (GError) error = NULL;

  (void) unused;
  g_assert_cmpint (armilla_pixel_weights_count (3), ==, 10);
  write_weights (path, values, 10);
  weights = armilla_pixel_weights_read (path, 3, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 10; i++)
    g_assert_cmpfloat (weights[i], ==, 1 + values[i]);
  g_assert_null (armilla_pixel_weights_read (path, 4, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "has 10 pixel weights; nside = 4 needs 16"));
  g_clear_error (&error);
  values[4] = NAN;
  write_weights (bad, values, 10);
  g_assert_null (armilla_pixel_weights_read (bad, 3, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pixel-weights/classes", test_classes);
  FIXTURE_ADD ("/pixel-weights/file", NULL, test_file);
  return g_test_run ();
}
