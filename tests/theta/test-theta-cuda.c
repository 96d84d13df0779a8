/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of theta_interpolation against the CPU's. */
#include "config.h"

#include <string.h>

#include "tests/theta/theta-block.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/theta/theta-interpolation.h"
# include "codelets/theta/theta-needed.h"

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

/* Sets to 0 what does not matter on the rings of a block. Returns how many of its rings and orders
 * that are. */
static gint64
leave_out (const Block *b, double *tile)
{
  ArmillaThetaShape shape = b->shape;
  gint64 n = 0;

  shape.lmax = b->lmax;
  for (gint64 row = 0; row < 2 * shape.n_pairs; row++)
    for (gint64 order = 0; order < shape.n_orders; order++)
      if (!armilla_theta_matters (&shape, order, (gint64) b->weights[row / 2 / 8]))
        {
          tile[2 * (row * shape.n_orders + order)] = 0;
          tile[2 * (row * shape.n_orders + order) + 1] = 0;
          n++;
        }
  return n;
}

/* Orders that do not matter on a ring are left out, whatever orders are in the same block. */
static void
test_left_out (void)
{
  for (gint64 m_first = 0; m_first < 600; m_first += 171)
    {
      g_auto (Block) b = { .lmax = 0 };
      const double *weights, *from[3];
      double *tile, *grid[3];
      gint64 size;

      block_init (&b, 900, 310, m_first, 301, 1);
      size = tile_size (&b.shape, b.shape.n_pairs);
      b.shape.isa = (int32_t) armilla_isa_detect ();
      b.shape.lmax = b.lmax;
      armilla_theta_weights (&b.shape, b.pairs, b.weights);
      weights = doubles_to_device (b.weights, armilla_theta_weights_size (&b.shape));
      b.shape.lmax = 0; /* the CPU kernel leaves out none */
      tile = doubles_to_device (NULL, size);
      for (int i = 0; i < 3; i++)
        {
          delta_random (b.grid[i], tile_size (&b.shape, b.shape.tile_pairs[i]), (guint32) i);
          from[i] = b.grid[i];
          grid[i] = doubles_to_device (b.grid[i], tile_size (&b.shape, b.shape.tile_pairs[i]));
        }
      armilla_theta_synthesis_cpu (&b.shape, b.weights, from, b.tile, b.scratch);
      g_assert_cmpint (leave_out (&b, b.tile), >, m_first > 0 ? size / 50 : 0);
      g_assert_cmpint (armilla_theta_synthesis_launch (&b.shape, weights,
                                                       (const double *const *) grid, tile, NULL),
                       ==, cudaSuccess);
      assert_close ("synthesis", tile, b.tile, size);

      delta_random (b.tile, size, 7);
      cudaFree (tile);
      tile = doubles_to_device (b.tile, size);
      leave_out (&b, b.tile);
      armilla_theta_adjoint_cpu (&b.shape, b.weights, b.tile, 7, b.grid, b.scratch);
      g_assert_cmpint (armilla_theta_adjoint_launch (&b.shape, weights, tile, 7, grid, NULL), ==,
                       cudaSuccess);
      for (int i = 0; i < 3; i++)
        {
          assert_close ("adjoint", grid[i], b.grid[i],
                        tile_size (&b.shape, b.shape.tile_pairs[i]));
          cudaFree (grid[i]);
        }
      cudaFree (tile);
      cudaFree ((double *) weights);
    }
}

static double
seconds_of (Block *b, const double *weights, double *const *grid, double *tile, gboolean adjoint)
{
  cudaEvent_t start, stop;
  float best = G_MAXFLOAT, ms = 0;

  g_assert_cmpint (cudaEventCreate (&start), ==, cudaSuccess);
  g_assert_cmpint (cudaEventCreate (&stop), ==, cudaSuccess);
  for (int i = 0; i < 7; i++)
    {
      cudaEventRecord (start, NULL);
      if (adjoint)
        armilla_theta_adjoint_launch (&b->shape, weights, tile, 7, grid, NULL);
      else
        armilla_theta_synthesis_launch (&b->shape, weights, (const double *const *) grid, tile,
                                        NULL);
      cudaEventRecord (stop, NULL);
      g_assert_cmpint (cudaEventSynchronize (stop), ==, cudaSuccess);
      g_assert_cmpint (cudaEventElapsedTime (&ms, start, stop), ==, cudaSuccess);
      best = MIN (best, ms);
    }
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  return 1e-3 * best;
}

/* Times of a map of nside 2048, lmax 4096, as if in one block. */
static void
test_times (void)
{
  g_auto (Block) b = { .lmax = 0 };
  double *weights, *tile, *grid[3];
  double flops;

  block_init (&b, 4096, 4096, 0, 4097, 1);
  b.shape.lmax = b.lmax;
  armilla_theta_weights (&b.shape, b.pairs, b.weights);
  flops = 2. * 4 * (double) (b.shape.n_pairs * b.shape.n_orders) * ARMILLA_THETA_TAPS;
  weights = doubles_to_device (b.weights, armilla_theta_weights_size (&b.shape));
  delta_random (b.tile, tile_size (&b.shape, b.shape.n_pairs), 7);
  tile = doubles_to_device (b.tile, tile_size (&b.shape, b.shape.n_pairs));
  for (int i = 0; i < 3; i++)
    {
      delta_random (b.grid[i], tile_size (&b.shape, b.shape.tile_pairs[i]), (guint32) i);
      grid[i] = doubles_to_device (b.grid[i], tile_size (&b.shape, b.shape.tile_pairs[i]));
    }
  for (int adjoint = 0; adjoint < 2; adjoint++)
    {
      double seconds = seconds_of (&b, weights, grid, tile, adjoint);

      g_test_message ("theta %s, lmax 4096, 4096 pairs: %.3f ms, %.1f Tflop/s",
                      adjoint ? "adjoint" : "synthesis", 1e3 * seconds, 1e-12 * flops / seconds);
    }
  for (int i = 0; i < 3; i++)
    cudaFree (grid[i]);
  cudaFree (tile);
  cudaFree (weights);
}

static void
add_tests (void)
{
  g_test_add_func ("/theta-cuda/cases", test_cases);
  g_test_add_func ("/theta-cuda/left-out", test_left_out);
  g_test_add_func ("/theta-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
