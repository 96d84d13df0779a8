/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels that resample Delta_m for points against the CPU's. */
#include "config.h"

#include "codelets/points/points-delta.h"
#include "codelets/points/points-delta-math.h"
#include "tests/legendre/delta-reference.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA

typedef struct {
  ArmillaPointsDeltaShape shape;
  gint64 batch;
  double *table, *device_table; /* on the CPU and on the device */
  ArmillaFftPlans *plans;
  ArmillaCudaFftPlans *cuda_plans;
  double *scratch;
  void *device_scratch;
} Case;

static gint64
size_of (const Case *c, gint64 n_rings)
{
  return 4 * ((n_rings + 1) / 2) * c->shape.n_fields * c->shape.n_orders;
}

static void
case_init (Case *c, const ArmillaPointsDeltaShape *shape, gint64 batch)
{
  const gint64 mmax = shape->m_first + shape->n_orders - 1;
  const gint64 coarse = armilla_points_circle (shape->n_coarse);
  const gint64 fine = armilla_points_circle (shape->n_fine);
  ArmillaCudaMessage message = { "" };
  ArmillaPointsKernel kernel;
  size_t works[2];

  c->shape = *shape;
  c->batch = batch;
  c->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_points_kernel_init (&kernel, 1e-9, 1.5), ==, 0);
  g_assert_cmpint (armilla_points_delta_plan (shape, c->plans), ==, 0);
  c->table = g_new (double, armilla_points_delta_table_size (shape, mmax));
  armilla_points_delta_table (shape, &kernel, 3 * mmax + 2, mmax, c->table);
  c->device_table = doubles_to_device (c->table, armilla_points_delta_table_size (shape, mmax));
  c->scratch = g_new (double, armilla_points_delta_scratch_size (shape));
  c->cuda_plans = armilla_cuda_fft_plans_new ();
  g_assert_cmpint (armilla_cuda_fft_plans_add_length (c->cuda_plans, coarse, batch, &works[0],
                                                      &message), ==, cudaSuccess);
  g_assert_cmpint (armilla_cuda_fft_plans_add_length (c->cuda_plans, fine, batch, &works[1],
                                                      &message), ==, cudaSuccess);
  g_assert_cmpint (cudaMalloc (&c->device_scratch, (size_t) (16 * (coarse + fine) * batch)
                                                     + MAX (works[0], works[1])),
                   ==, cudaSuccess);
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

/* Compares refining, or coarsening, of random tiles. Numbers of the absent slot are NaN in the
 * input, which must be ignored, and in the output, which must be overwritten. */
static void
check (Case *c, gboolean refines)
{
  const gint64 n_from = refines ? c->shape.n_coarse : c->shape.n_fine;
  const gint64 n_to = refines ? c->shape.n_fine : c->shape.n_coarse;
  const gint64 n = size_of (c, n_to);
  ArmillaCudaMessage message = { "" };
  g_autofree double *in = g_new (double, size_of (c, n_from));
  g_autofree double *expected = delta_new_nan (n);
  g_autofree double *got = NULL;
  double *device_in, *device_out = doubles_to_device (expected, n);
  long double d = 0, norm = 0;

  delta_random (in, size_of (c, n_from), 3);
  for (gint64 field = 0; field < c->shape.n_fields && n_from % 2; field++)
    for (gint64 i = 0; i < 2 * c->shape.n_orders; i++)
      in[armilla_points_delta_row (&c->shape, n_from, field, n_from / 2) + 2 * c->shape.n_orders
         + i] = NAN;
  device_in = doubles_to_device (in, size_of (c, n_from));
  (refines ? armilla_points_refine_cpu : armilla_points_coarsen_cpu) (
    &c->shape, c->table, c->plans, in, expected, c->scratch);
  g_assert_cmpint (armilla_points_delta_launch (&c->shape, refines, c->device_table, c->cuda_plans,
                                                c->batch, device_in, device_out,
                                                c->device_scratch, NULL, &message),
                   ==, cudaSuccess);
  got = from_device (device_out, n);
  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) got[i] - expected[i]) * ((long double) got[i] - expected[i]);
      norm += (long double) expected[i] * expected[i];
    }
  g_assert_cmpfloat ((double) norm, >, 0);
  g_test_message ("%d to %d rings: %.2Lg", (int) n_from, (int) n_to, sqrtl (d / norm));
  /* two transforms, each of whose log2 n steps rounds once */
  g_assert_cmpfloat ((double) sqrtl (d / norm), <, 2e-15);
  cudaFree (device_in);
  cudaFree (device_out);
}

/* Even and odd numbers of rings, orders that lack their neighbour, both parities, one batch or
 * several. */
static void
test_cases (void)
{
  static const gint64 cases[][6] = {
    /* coarse and fine rings, first order, orders, fields, batch */
    { 33, 49, 0, 32, 1, 16 }, { 34, 66, 5, 20, 2, 7 }, { 513, 1026, 0, 301, 1, 100 },
    { 17, 22, 1, 1, 1, 1 }, { 1025, 1537, 7, 500, 2, 64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int form = 0; form < 4; form++)
      {
        const ArmillaPointsDeltaShape shape = { .n_coarse = cases[i][0], .n_fine = cases[i][1],
                                                .m_first = cases[i][2], .n_orders = cases[i][3],
                                                .n_fields = cases[i][4], .spin = form % 2 };
        Case c;

        case_init (&c, &shape, cases[i][5]);
        check (&c, form / 2);
        case_clear (&c);
      }
}

/* Time of the rings of lmax 3087, all orders. */
static void
test_times (void)
{
  const ArmillaPointsDeltaShape shape = { .n_fields = 1, .n_orders = 3088, .n_coarse = 3137,
                                          .n_fine = 4705 };
  Case c;

  case_init (&c, &shape, armilla_points_delta_batch (&shape, 1544));
  for (int refines = 0; refines < 2; refines++)
    {
      const gint64 n_in = size_of (&c, refines ? shape.n_coarse : shape.n_fine);
      double *in = doubles_to_device (NULL, n_in);
      double *out = doubles_to_device (NULL, size_of (&c, refines ? shape.n_fine : shape.n_coarse));
      double best = G_MAXDOUBLE;

      g_assert_cmpint (cudaMemset (in, 0, sizeof (double) * (gsize) n_in), ==, cudaSuccess);
      for (int i = 0; i < 5; i++)
        {
          ArmillaCudaMessage message = { "" };
          const gint64 start = g_get_monotonic_time ();

          g_assert_cmpint (armilla_points_delta_launch (&shape, refines, c.device_table,
                                                        c.cuda_plans, c.batch, in, out,
                                                        c.device_scratch, NULL, &message),
                           ==, cudaSuccess);
          g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
          best = MIN (best, 1e-3 * (double) (g_get_monotonic_time () - start));
        }
      g_test_message ("3137 and 4705 rings, 3088 orders, refining %d: %.3f ms", refines, best);
      cudaFree (in);
      cudaFree (out);
    }
  case_clear (&c);
}

static void
add_tests (void)
{
  g_test_add_func ("/points-delta-cuda/cases", test_cases);
  g_test_add_func ("/points-delta-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
