/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of codelets/points against the CPU's. */
#include "config.h"

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "tests/points/points-helpers.h"

/* Device copies of what the tasks of a band read. */
typedef struct {
  double *places, *values;
  gint64 *start;
} OnDevice;

static OnDevice
band_to_device (Points *p, gint64 band)
{
  const ArmillaPointsShape shape = points_band (p, band);
  const gint64 first = p->sort->first[band];

  return (OnDevice) {
    doubles_to_device (p->places + 2 * first, 2 * shape.n_points),
    doubles_to_device (p->values + shape.n_fields * first, shape.n_fields * shape.n_points),
    to_device (points_start (p, band),
               sizeof (gint64) * (gsize) (armilla_points_cells (&shape.band) + 1)),
  };
}

static void
band_free (OnDevice *device)
{
  cudaFree (device->places);
  cudaFree (device->values);
  cudaFree (device->start);
}

static void
fill_random (double *x, gint64 n, GRand *random)
{
  for (gint64 i = 0; i < n; i++)
    x[i] = g_rand_double_range (random, -1, 1);
}

/* Products summed in another order: over up to 256 grid points, or over the points of a cell. Their
 * signs are random, so that sums are smaller than what is rounded. */
static void
assert_close (const char *what, const double *device, const double *expected, gint64 n)
{
  g_autofree double *got = from_device (device, n);
  double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += (got[i] - expected[i]) * (got[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
  if (!(d <= 1e-14 * 1e-14 * norm))
    g_error ("%s: relative distance %g", what, sqrt (d / norm));
}

static void
check_interpolate (Points *p)
{
  double **tile = g_new (double *, p->grid.n_bands);

  points_interpolate (p);
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    tile[i] = doubles_to_device (p->tile[i], points_tile_size (p, i));
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      OnDevice device = band_to_device (p, i);
      double *own[ARMILLA_POINTS_TILES];
      const ArmillaPointsTiles tiles = points_tiles (p, i, FALSE, tile, own);
      double *values = doubles_to_device (NULL, shape.n_fields * shape.n_points);

      assert_cuda (armilla_points_interpolate_launch (&shape, device.places, device.start, &tiles,
                                                      (const double *const *) own, values, NULL));
      assert_close ("interpolation", values, p->values + shape.n_fields * p->sort->first[i],
                    shape.n_fields * shape.n_points);
      cudaFree (values);
      band_free (&device);
    }
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    cudaFree (tile[i]);
  g_free (tile);
}

/* Spreads and gathers; again: to the same bits as before. */
static void
spread_on_device (Points *p, double **tile)
{
  double **spread = g_new (double *, p->grid.n_bands);

  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      OnDevice device = band_to_device (p, i);

      spread[i] = doubles_to_device (NULL, armilla_points_spread_size (&shape));
      assert_cuda (armilla_points_spread_launch (&shape, device.places, device.start,
                                                 device.values, spread[i], NULL));
      band_free (&device);
    }
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      double *own[ARMILLA_POINTS_TILES];
      const ArmillaPointsTiles bands = points_tiles (p, i, TRUE, spread, own);

      assert_cuda (armilla_points_gather_launch (&shape, &bands, (const double *const *) own,
                                                 tile[i], NULL));
    }
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    cudaFree (spread[i]);
  g_free (spread);
}

static void
check_spread (Points *p, GRand *random)
{
  double **tile = g_new (double *, p->grid.n_bands);

  fill_random (p->values, p->n * p->shape.n_fields, random);
  points_spread (p);
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    tile[i] = doubles_to_device (NULL, points_tile_size (p, i));
  spread_on_device (p, tile);
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const gint64 n = points_tile_size (p, i);

      assert_close ("spreading", tile[i], p->tile[i], n);
      g_free (p->tile[i]);
      p->tile[i] = from_device (tile[i], n);
    }
  spread_on_device (p, tile);
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const gint64 n = points_tile_size (p, i);
      g_autofree double *again = from_device (tile[i], n);

      g_assert_cmpmem (again, sizeof (double) * (gsize) n, p->tile[i], sizeof (double) * (gsize) n);
      cudaFree (tile[i]);
    }
  g_free (tile);
}

static void
check_case (gint64 n_rings, gint64 n_columns, gint64 band_pairs, gint64 n_fields, double epsilon,
            gint64 n)
{
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  points_random (theta, phi, n, 3);
  for (int spin = 0; spin < 2; spin++)
    {
      g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect (), .spin = spin } };

      g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, epsilon, 2), ==, 0);
      points_init (&p, n_rings, n_columns, band_pairs, n_fields, theta, phi, n);
      for (gint64 i = 0; i < p.grid.n_bands; i++)
        fill_random (p.tile[i], points_tile_size (&p, i), random);
      check_interpolate (&p);
      check_spread (&p, random);
    }
}

/* All widths, odd and even numbers of rings, of cells and of fields. */
static void
test_cases (void)
{
  static const double epsilons[] = { 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11,
                                     1e-12, 2e-13, 2e-14 };

  for (gsize i = 0; i < G_N_ELEMENTS (epsilons); i++)
    {
      check_case (123, 244, 20, 1, epsilons[i], 2000);
      check_case (200, 150, 100, 3, epsilons[i], 2000);
    }
  check_case (21, 20, 1, 2, 2e-14, 300);
  check_case (22, 34, 100, 1, 1e-7, 300);
  check_case (300, 160, 1, 2, 1e-7, 5000);
  check_case (60, 66, 10, 1, 1e-7, 0);
  check_case (60, 66, 10, 1, 1e-7, 1);
}

static void
test_one_cell (void)
{
  const gint64 n = 1000;
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect (), .spin = 1 } };

  for (gint64 i = 0; i < n; i++)
    {
      theta[i] = 1 + 1e-3 * (double) (i % 7);
      phi[i] = 2 + 1e-3 * (double) (i % 5);
    }
  g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, 1e-10, 2), ==, 0);
  points_init (&p, 83, 162, 20, 2, theta, phi, n);
  for (gint64 i = 0; i < p.grid.n_bands; i++)
    fill_random (p.tile[i], points_tile_size (&p, i), random);
  check_interpolate (&p);
  check_spread (&p, random);
}

/* Milliseconds of one band that is the whole sphere. */
static float
time_of (Points *p, OnDevice *device, double *tile, double *spread, int what)
{
  const ArmillaPointsShape shape = points_band (p, 0);
  double *own[ARMILLA_POINTS_TILES];
  const ArmillaPointsTiles tiles = points_tiles (p, 0, FALSE, what < 2 ? &tile : &spread, own);
  cudaEvent_t start, stop;
  float best = G_MAXFLOAT, ms = 0;

  assert_cuda (cudaEventCreate (&start));
  assert_cuda (cudaEventCreate (&stop));
  for (int i = 0; i < 5; i++)
    {
      cudaEventRecord (start, NULL);
      if (what == 0)
        armilla_points_interpolate_launch (&shape, device->places, device->start, &tiles,
                                           (const double *const *) own, device->values, NULL);
      else if (what == 1)
        armilla_points_spread_launch (&shape, device->places, device->start, device->values,
                                      spread, NULL);
      else
        armilla_points_gather_launch (&shape, &tiles, (const double *const *) own, tile, NULL);
      cudaEventRecord (stop, NULL);
      assert_cuda (cudaEventSynchronize (stop));
      assert_cuda (cudaEventElapsedTime (&ms, start, stop));
      best = MIN (best, ms);
    }
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  return best;
}

/* Times of the kernels for lmax 3087 and 19 million points. */
static void
test_times (void)
{
  static const char *const names[] = { "interpolate", "spread", "gather" };
  const gint64 n = 19000000;
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n);

  points_random (theta, phi, n, 3);
  for (gint64 n_fields = 1; n_fields <= 2; n_fields++)
    {
      g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect () } };
      double *tile, *spread;
      OnDevice device;

      g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, 1e-7, 2), ==, 0);
      points_init (&p, 6177, 12352, 6177, n_fields, theta, phi, n);
      memset (p.values, 0, sizeof (double) * (gsize) (n * n_fields));
      device = band_to_device (&p, 0);
      p.shape = points_band (&p, 0);
      tile = device_new (sizeof (double) * (gsize) points_tile_size (&p, 0));
      assert_cuda (cudaMemset (tile, 0, sizeof (double) * (gsize) points_tile_size (&p, 0)));
      spread = device_new (sizeof (double) * (gsize) armilla_points_spread_size (&p.shape));
      for (int what = 0; what < 3; what++)
        g_test_message ("points %s, %d field%s, width %d: %.3f ms", names[what], (int) n_fields,
                        n_fields > 1 ? "s" : "", (int) p.shape.kernel.width,
                        (double) time_of (&p, &device, tile, spread, what));
      cudaFree (tile);
      cudaFree (spread);
      band_free (&device);
    }
}

static void
add_tests (void)
{
  g_test_add_func ("/points-cuda/cases", test_cases);
  g_test_add_func ("/points-cuda/one-cell", test_one_cell);
  g_test_add_func ("/points-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
