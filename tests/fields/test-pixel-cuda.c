/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels on pixels and of rotations against those of the CPU, which test-arithmetic.c and
 * test-rotate.c test. Skips without CUDA or without a device. */
#include "config.h"

#include <armilla/map-header.h>
#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA

#include <math.h>

#include "codelets/fields/pixel-ops.h"
#include "codelets/rotation/rotate.h"

enum { N = 10007, FIELDS = 3 };

/* Compares with what the kernel left on the device, and makes that unlike any result again. */
static void
assert_same (double *device, const double *expected, gint64 n)
{
  gsize bytes = sizeof (double) * (gsize) n;
  g_autofree double *back = from_device (device, n);

  assert_same_bits (back, expected, n);
  assert_cuda (cudaMemset (device, 0x7b, bytes));
}

/* Numbers, zeros, and what is UNSEEN in float64 and in float32. */
static double *
random_pixels (GRand *rand, gint64 n)
{
  double *x = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    switch (g_rand_int_range (rand, 0, 8))
      {
      case 0:
        x[i] = ARMILLA_UNSEEN;
        break;
      case 1:
        x[i] = (float) ARMILLA_UNSEEN;
        break;
      case 2:
        x[i] = 0;
        break;
      default:
        x[i] = g_rand_double_range (rand, -1, 1);
      }
  return x;
}

static void
test_pixel_ops (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *x = random_pixels (rand, N * FIELDS), *y = random_pixels (rand, N * FIELDS);
  g_autofree double *out = g_new0 (double, N * FIELDS);
  double *d_x, *d_y, *d_out;

  d_x = doubles_to_device (x, N * FIELDS);
  d_y = doubles_to_device (y, N * FIELDS);
  d_out = doubles_to_device (out, N * FIELDS);
  for (int flag = 0; flag < 2; flag++)
    {
      armilla_pixel_weights_cpu (N, flag, x, out);
      assert_cuda (armilla_pixel_weights_launch (N, flag, d_x, d_out, NULL));
      assert_same (d_out, out, N);
      for (int n_weights = 1; n_weights <= FIELDS; n_weights += FIELDS - 1)
        {
          armilla_pixel_mask_cpu (FIELDS, N, n_weights, flag, x, y, out);
          assert_cuda (armilla_pixel_mask_launch (FIELDS, N, n_weights, flag, d_x, d_y, d_out,
                                                  NULL));
          assert_same (d_out, out, N * FIELDS);
        }
    }
  armilla_pixel_scale_cpu (N, -0.3, x, out);
  assert_cuda (armilla_pixel_scale_launch (N, -0.3, d_x, d_out, NULL));
  assert_same (d_out, out, N);
  armilla_pixel_combine_cpu (N, 1.7, x, -0.4, y, out);
  assert_cuda (armilla_pixel_combine_launch (N, 1.7, d_x, -0.4, d_y, d_out, NULL));
  assert_same (d_out, out, N);
  armilla_pixel_combine_cpu (N, 1.7, x, -0.4, y, y);
  assert_cuda (armilla_pixel_combine_launch (N, 1.7, d_x, -0.4, d_y, d_y, NULL));
  assert_same (d_y, y, N);
  assert_cuda (cudaFree (d_x));
  assert_cuda (cudaFree (d_y));
  assert_cuda (cudaFree (d_out));
}

static gint64
block_count (gint64 lmax, gint64 first, gint64 last)
{
  return (last + 1 - first) * (2 * lmax + 2 - first - last) / 2;
}

/* Two output blocks, each from two input blocks. */
static void
check_rotation (gint64 lmax, gint64 n_max, double beta, GRand *rand)
{
  const gint64 cuts[] = { 0, lmax / 3, lmax + 1 }, cuts_in[] = { 0, n_max / 2, n_max + 1 };

  for (int i = 0; i < 2; i++)
    {
      ArmillaRotateShape shape
        = { .lmax = lmax, .m_first = cuts[i], .m_last = cuts[i + 1] - 1, .n_max = n_max,
            .n_fields = 2, .beta = beta, .psi = 0.7, .phi = -1.9 };
      gint64 n_out = 4 * block_count (lmax, shape.m_first, shape.m_last);
      gint64 n_seeds = armilla_rotate_seeds_count (&shape);
      g_autofree double *seeds = g_new0 (double, MAX (n_seeds, 1));
      g_autofree double *out = g_new0 (double, MAX (n_out, 1)), *back = NULL;
      double *d_seeds, *d_out, sum = 0, difference = 0;

      if (shape.m_last < shape.m_first)
        continue;
      armilla_rotate_seeds (&shape, seeds);
      d_seeds = doubles_to_device (seeds, n_seeds);
      d_out = doubles_to_device (out, n_out);
      for (int k = 0; k < 2; k++)
        {
          const ArmillaOrderParts parts = { 1, { cuts_in[k], cuts_in[k + 1] } };
          gint64 n_in;
          g_autofree double *in = NULL, *zeros = NULL;
          double *d_in, *d_scratch;

          shape.n_first = cuts_in[k];
          shape.n_last = cuts_in[k + 1] - 1;
          shape.first = k == 0;
          shape.last = k == 1;
          n_in = 4 * block_count (lmax, shape.n_first, shape.n_last);
          in = random_array (rand, n_in);
          zeros = g_new0 (double, armilla_rotate_scratch_size (&shape));
          d_in = doubles_to_device (in, n_in);
          d_scratch = doubles_to_device (zeros, armilla_rotate_scratch_size (&shape));
          armilla_rotate_cpu (&shape, seeds, in, out);
          assert_cuda (armilla_rotate_launch (&shape, &parts, d_seeds, d_in, d_out, d_scratch,
                                              NULL));
          assert_cuda (cudaDeviceSynchronize ());
          assert_cuda (cudaFree (d_in));
          assert_cuda (cudaFree (d_scratch));
        }
      back = g_new (double, n_out);
      assert_cuda (cudaMemcpy (back, d_out, sizeof (double) * (gsize) n_out,
                               cudaMemcpyDeviceToHost));
      for (gint64 j = 0; j < n_out; j++)
        {
          sum += out[j] * out[j];
          difference += (back[j] - out[j]) * (back[j] - out[j]);
        }
      /* d differs by some l ulp (roots and quotients in another order), the sums by their order. */
      g_assert_cmpfloat (sqrt (difference / sum), <, 1e-15 * (double) (lmax + 20));
      assert_cuda (cudaFree (d_seeds));
      assert_cuda (cudaFree (d_out));
    }
}

static void
test_rotate (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  check_rotation (3, 2, 0.4, rand);
  check_rotation (100, 100, 1.3, rand);
  check_rotation (257, 31, 3.0, rand);
  check_rotation (1000, 900, 0.01, rand);
}

static void
add_tests (void)
{
  g_test_add_func ("/pixel-cuda/ops", test_pixel_ops);
  g_test_add_func ("/pixel-cuda/rotate", test_rotate);
}
#endif

MAIN_ON_DEVICE (add_tests)
