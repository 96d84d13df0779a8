/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels on pixels against those of the CPU, which test-arithmetic.c tests through the graph:
 * the same bits. Skips without CUDA or without a device. */
#include "config.h"

#include <glib.h>

#ifdef HAVE_CUDA
#include <armilla/fits.h>

#include "codelets/pixel-ops-cuda.h"

enum { N = 10007, FIELDS = 3 };

#define assert_cuda(call)                                                                          \
  g_assert_cmpstr (cudaGetErrorString (call), ==, cudaGetErrorString (cudaSuccess))

static double *
to_device (const double *x, gint64 n)
{
  void *memory = NULL;

  assert_cuda (cudaMalloc (&memory, sizeof (double) * (gsize) n));
  assert_cuda (cudaMemcpy (memory, x, sizeof (double) * (gsize) n, cudaMemcpyHostToDevice));
  return memory;
}

/* Compares with what the kernel left on the device, and makes that unlike any result again. */
static void
assert_same (double *device, const double *expected, gint64 n)
{
  gsize bytes = sizeof (double) * (gsize) n;
  g_autofree double *back = g_new (double, FIELDS * N);

  assert_cuda (cudaDeviceSynchronize ());
  assert_cuda (cudaMemcpy (back, device, bytes, cudaMemcpyDeviceToHost));
  g_assert_cmpmem (back, bytes, expected, bytes);
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
  int n_devices = 0;

  if (cudaGetDeviceCount (&n_devices) != cudaSuccess || n_devices == 0)
    {
      g_test_skip ("no CUDA device");
      return;
    }
  d_x = to_device (x, N * FIELDS);
  d_y = to_device (y, N * FIELDS);
  d_out = to_device (out, N * FIELDS);
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
#else
static void
test_pixel_ops (void)
{
  g_test_skip ("built without CUDA");
}
#endif

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pixel-cuda/ops", test_pixel_ops);
  return g_test_run ();
}
