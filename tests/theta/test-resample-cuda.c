/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of theta_resample against the CPU's. */
#include "config.h"

#include "codelets/theta/theta-resample.h"
#include "codelets/theta/theta-resample-math.h"
#include "tests/legendre/delta-reference.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA

typedef struct {
  ArmillaResampleShape shape;
  gint64 batch;
  double *table, *device_table; /* on the CPU and on the device */
  ArmillaFftPlans *plans;
  ArmillaCudaFftPlans *cuda_plans;
  double *scratch;
  void *device_scratch;
} Case;

static gint64
size_of (const Case *c, int output)
{
  return 4 * armilla_resample_pairs (&c->shape, output) * c->shape.n_fields * c->shape.n_orders;
}

/* All rings of the grid except the first @n_missing pairs. */
static void
case_init (Case *c, const ArmillaResampleShape *shape, gint64 n_missing, gint64 batch)
{
  ArmillaCudaMessage message = { "" };
  g_autofree gint64 *ring = NULL;
  gint64 n;
  size_t work;

  c->shape = *shape;
  c->shape.n_pairs = (shape->n_rings + 1) / 2 - n_missing;
  c->batch = batch;
  ring = g_new (gint64, 2 * c->shape.n_pairs);
  for (gint64 p = 0; p < c->shape.n_pairs; p++)
    {
      const gint64 north = p + n_missing, south = shape->n_rings - 1 - north;

      ring[2 * p] = north;
      ring[2 * p + 1] = south > north ? south : -1;
    }
  n = armilla_resample_points (&c->shape);
  c->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_resample_plan (&c->shape, c->plans), ==, 0);
  c->table = g_new (double, armilla_resample_table_size (&c->shape));
  c->scratch = g_new (double, armilla_resample_scratch_size (&c->shape));
  armilla_resample_table (&c->shape, ring, 1, c->plans, c->scratch, c->table);
  c->device_table = doubles_to_device (c->table, armilla_resample_table_size (&c->shape));
  c->cuda_plans = armilla_cuda_fft_plans_new ();
  g_assert_cmpint (armilla_cuda_fft_plans_add_length (c->cuda_plans, n, batch, &work, &message),
                   ==, cudaSuccess);
  g_assert_cmpint (cudaMalloc (&c->device_scratch, (size_t) (32 * n * batch) + work), ==,
                   cudaSuccess);
}

static void
case_clear (Case *c)
{
  armilla_fft_plans_free (c->plans);
  armilla_cuda_fft_plans_free (c->cuda_plans);
  cudaFree (c->device_table);
  cudaFree (c->device_scratch);
  g_free (c->table);
  g_free (c->scratch);
}

static void
check (Case *c)
{
  const gint64 n = size_of (c, 1);
  ArmillaCudaMessage message = { "" };
  g_autofree double *in = g_new (double, size_of (c, 0));
  g_autofree double *expected = g_new (double, n);
  g_autofree double *got = NULL;
  double *device_in, *device_out = doubles_to_device (NULL, n);
  long double d = 0, norm = 0;

  delta_random (in, size_of (c, 0), 3);
  device_in = doubles_to_device (in, size_of (c, 0));
  armilla_resample_cpu (&c->shape, c->table, c->plans, in, expected, c->scratch);
  g_assert_cmpint (armilla_resample_launch (&c->shape, c->device_table, c->cuda_plans, c->batch,
                                            device_in, device_out, c->device_scratch, NULL,
                                            &message), ==, cudaSuccess);
  got = from_device (device_out, n);
  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) got[i] - expected[i]) * ((long double) got[i] - expected[i]);
      norm += (long double) expected[i] * expected[i];
    }
  g_assert_cmpfloat ((double) norm, >, 0);
  g_test_message ("%d rings, to map %d: %.2Lg", (int) c->shape.n_rings, c->shape.to_map,
                  sqrtl (d / norm));
  /* four transforms, each of whose log2 n steps rounds once */
  g_assert_cmpfloat ((double) sqrtl (d / norm), <, 2e-15);
  cudaFree (device_in);
  cudaFree (device_out);
}

/* Even and odd numbers of rings, a prime number, orders that lack their neighbour, both parities,
 * one batch or several, rings that are missing. */
static void
test_cases (void)
{
  static const gint64 cases[][6] = {
    /* rings, missing pairs, first order, orders, fields, batch */
    { 64, 0, 0, 64, 1, 32 },   { 65, 3, 5, 20, 2, 7 },  { 512, 0, 0, 301, 1, 100 },
    { 1031, 100, 7, 33, 3, 64 }, { 3, 0, 1, 1, 1, 1 }, { 2048, 0, 0, 500, 2, 64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int form = 0; form < 8; form++)
      {
        const ArmillaResampleShape shape = { .n_fields = cases[i][4], .m_first = cases[i][2],
                                             .n_orders = cases[i][3], .spin = form % 2,
                                             .n_rings = cases[i][0], .on_poles = form / 2 % 2,
                                             .to_map = form / 4 };
        Case c;

        case_init (&c, &shape, cases[i][1], cases[i][5]);
        check (&c);
        case_clear (&c);
      }
}

/* Time of the rings of lmax 4095, all orders. */
static void
test_times (void)
{
  const ArmillaResampleShape shape = { .n_fields = 1, .n_orders = 4096, .n_rings = 4096 };
  double *in, *out, best = G_MAXDOUBLE;
  Case c;

  case_init (&c, &shape, 0, armilla_resample_batch (&shape, 2048));
  in = doubles_to_device (NULL, size_of (&c, 0));
  out = doubles_to_device (NULL, size_of (&c, 1));
  g_assert_cmpint (cudaMemset (in, 0, sizeof (double) * (gsize) size_of (&c, 0)), ==, cudaSuccess);
  for (int i = 0; i < 5; i++)
    {
      ArmillaCudaMessage message = { "" };
      const gint64 start = g_get_monotonic_time ();

      g_assert_cmpint (armilla_resample_launch (&c.shape, c.device_table, c.cuda_plans, c.batch,
                                                in, out, c.device_scratch, NULL, &message), ==,
                       cudaSuccess);
      g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
      best = MIN (best, 1e-3 * (double) (g_get_monotonic_time () - start));
    }
  g_test_message ("4096 rings, 4096 orders: %.3f ms", best);
  cudaFree (in);
  cudaFree (out);
  case_clear (&c);
}

static void
add_tests (void)
{
  g_test_add_func ("/resample-cuda/cases", test_cases);
  g_test_add_func ("/resample-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
