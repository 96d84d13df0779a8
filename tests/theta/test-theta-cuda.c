/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of theta_interpolation against the CPU's. */
#include "config.h"

#include <string.h>

#include "tests/theta/theta-block.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/theta/theta-interpolation.h"

static void
assert_close (const char *what, const double *device, const double *expected, gint64 n)
{
  g_autofree double *got = from_device (device, n);
  long double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) got[i] - expected[i]) * ((long double) got[i] - expected[i]);
      norm += (long double) expected[i] * expected[i];
    }
  /* The same hundred products with one rounding each, in another order. */
  if (!(d <= 1e-15L * 1e-15L * norm))
    g_error ("%s: relative distance %Lg", what, sqrtl (d / norm));
}

static void
check_synthesis (Block *b, const double *weights)
{
  const ArmillaThetaShape *s = &b->shape;
  const double *grid[3];
  double *tile = doubles_to_device (NULL, tile_size (s, s->n_pairs));

  armilla_theta_synthesis_cpu (s, b->weights, (const double *const *) b->grid, b->tile, b->scratch);
  for (int i = 0; i < 3; i++)
    grid[i] = doubles_to_device (b->grid[i], tile_size (s, s->tile_pairs[i]));
  g_assert_cmpint (armilla_theta_synthesis_launch (s, weights, grid, tile, NULL), ==, cudaSuccess);
  assert_close ("synthesis", tile, b->tile, tile_size (s, s->n_pairs));
  for (int i = 0; i < 3; i++)
    cudaFree ((double *) grid[i]);
  cudaFree (tile);
}

static void
check_adjoint (Block *b, const double *weights, int fresh)
{
  const ArmillaThetaShape *s = &b->shape;
  double *tile, *grid[3];

  delta_random (b->tile, tile_size (s, s->n_pairs), 7);
  tile = doubles_to_device (b->tile, tile_size (s, s->n_pairs));
  for (int i = 0; i < 3; i++)
    {
      const gint64 n = tile_size (s, s->tile_pairs[i]);

      delta_random (b->grid[i], n, (guint32) i);
      grid[i] = doubles_to_device (fresh & 1 << i ? NULL : b->grid[i], n);
    }
  armilla_theta_adjoint_cpu (s, b->weights, b->tile, fresh, b->grid, b->scratch);
  g_assert_cmpint (armilla_theta_adjoint_launch (s, weights, tile, fresh, grid, NULL), ==,
                   cudaSuccess);
  for (int i = 0; i < 3; i++)
    {
      assert_close ("adjoint", grid[i], b->grid[i], tile_size (s, s->tile_pairs[i]));
      cudaFree (grid[i]);
    }
  cudaFree (tile);
}

static void
test_cases (void)
{
  /* lmax, pairs, first order, orders, fields: orders in less than a block of threads and in more,
   * pairs that do not fill a group of eight */
  static const gint64 cases[][5] = {
    { 300, 300, 0, 8, 1 }, { 301, 307, 1, 5, 2 },   { 512, 100, 7, 129, 3 },
    { 640, 1, 3, 64, 1 },  { 1024, 1023, 0, 300, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) b = { .lmax = 0 };
      double *weights;

      block_init (&b, cases[i][0], cases[i][1], cases[i][2], cases[i][3], cases[i][4]);
      b.shape.isa = (int32_t) armilla_isa_detect ();
      weights = doubles_to_device (b.weights, armilla_theta_weights_size (&b.shape));
      for (b.shape.spin = 0; b.shape.spin < 2; b.shape.spin++)
        {
          for (int j = 0; j < 3; j++)
            delta_random (b.grid[j], tile_size (&b.shape, b.shape.tile_pairs[j]), (guint32) j);
          check_synthesis (&b, weights);
          for (int fresh = 0; fresh < 8; fresh++)
            check_adjoint (&b, weights, fresh);
        }
      cudaFree (weights);
    }
}

static void
add_tests (void)
{
  g_test_add_func ("/theta-cuda/cases", test_cases);
}
#endif

MAIN_ON_DEVICE (add_tests)
