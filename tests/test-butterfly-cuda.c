/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels that apply compressed matrices against the CPU's; with ARMILLA_BUTTERFLY_TIMES
 * in the environment also how long they take. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tests/butterfly-block.h"

#ifdef HAVE_CUDA
# include "codelets/butterfly-cuda.h"
# include "codelets/delta-cuda.h"
# include "tests/cuda-helpers.h"

/* What the kernels get. */
typedef struct {
  double *words, *prepared, *tile, *scratch, *pairs, *table;
  gint64 *offsets;
} OnDevice;

static void
upload (OnDevice *d, const ButterflyBlock *b)
{
  const gint64 n_orders = b->shape.m_last - b->shape.m_first + 1;

  d->words = doubles_to_device (b->words, b->shape.n_words);
  d->offsets = to_device (b->offsets, sizeof (gint64) * (gsize) n_orders);
  d->prepared = doubles_to_device (b->delta.prepared,
                                   armilla_delta_prepared_size (&b->delta.shape));
  d->tile = device_new (sizeof (double) * (gsize) armilla_delta_tile_size (&b->delta.shape));
  d->scratch = device_new (sizeof (double)
                           * (gsize) armilla_butterfly_device_scratch (&b->shape));
}

static void
forget (OnDevice *d)
{
  device_free (d->words);
  device_free (d->offsets);
  device_free (d->prepared);
  device_free (d->tile);
  device_free (d->scratch);
}

static void
check_case (gint64 lmax, gint64 m_first, gint64 m_last, gint64 n_fields, gint64 nside,
            double tolerance)
{
  g_auto (ButterflyBlock) b = { 0 };
  g_autofree double *got = NULL, *got_back = NULL;
  gint64 n, n_prepared;
  OnDevice d;

  butterfly_block_init (&b, lmax, m_first, m_last, n_fields, nside, tolerance,
                        armilla_isa_detect ());
  n = armilla_delta_tile_size (&b.delta.shape);
  n_prepared = armilla_delta_prepared_size (&b.delta.shape);
  upload (&d, &b);
  armilla_butterfly_synthesis_cpu (&b.shape, b.words, b.offsets, b.delta.prepared, b.tile,
                                   b.scratch);
  assert_cuda (armilla_butterfly_synthesis_launch (&b.shape, d.words, d.offsets, d.prepared,
                                                   d.tile, d.scratch, NULL));
  got = from_device (d.tile, n);
  /* The same factors; sums of up to some hundred products in another order, in ten stages: far
   * below 1e-14. */
  g_assert_cmpfloat (butterfly_distance (got, b.tile, n), <=, 1e-14);
  /* The adjoint adds to what is there. */
  memcpy (b.prepared, b.delta.prepared, sizeof (double) * (gsize) n_prepared);
  armilla_butterfly_adjoint_cpu (&b.shape, b.words, b.offsets, got, b.prepared, b.scratch);
  assert_cuda (armilla_butterfly_adjoint_launch (&b.shape, d.words, d.offsets, d.tile, d.prepared,
                                                 d.scratch, NULL));
  got_back = from_device (d.prepared, n_prepared);
  g_assert_cmpfloat (butterfly_distance (got_back, b.prepared, n_prepared), <=, 1e-14);
  forget (&d);
}

static void
test_cases (void)
{
  /* One field and several, a batch and more, few nodes and many, the last orders, dense ones. */
  check_case (100, 0, 3, 1, 0, 1e-8);
  check_case (101, 96, 101, 3, 0, 1e-8);
  check_case (400, 17, 22, 2, 0, 1e-10);
  check_case (512, 1, 5, 4, 256, 1e-12);
  check_case (333, 40, 44, 7, 0, 1e-5);
  check_case (1024, 0, 1, 13, 0, 1e-10);
  check_case (7, 0, 7, 5, 0, 1e-10);
}

/* The same bits each time, and whatever other fields there are. */
static void
test_again (void)
{
  g_auto (ButterflyBlock) b = { 0 };
  g_autofree double *first = NULL, *second = NULL;
  gint64 n;
  OnDevice d;

  butterfly_block_init (&b, 600, 30, 40, 6, 0, 1e-9, armilla_isa_detect ());
  n = armilla_delta_prepared_size (&b.delta.shape);
  upload (&d, &b);
  assert_cuda (armilla_butterfly_synthesis_launch (&b.shape, d.words, d.offsets, d.prepared,
                                                   d.tile, d.scratch, NULL));
  for (int i = 0; i < 2; i++)
    {
      assert_cuda (cudaMemset (d.prepared, 0, sizeof (double) * (gsize) n));
      assert_cuda (armilla_butterfly_adjoint_launch (&b.shape, d.words, d.offsets, d.tile,
                                                     d.prepared, d.scratch, NULL));
      *(i == 0 ? &first : &second) = from_device (d.prepared, n);
    }
  assert_same_bits (first, second, n);
  forget (&d);
}

static double
milliseconds (cudaEvent_t from, cudaEvent_t to)
{
  float t;

  assert_cuda (cudaEventSynchronize (to));
  assert_cuda (cudaEventElapsedTime (&t, from, to));
  return t;
}

/* The fastest of three times both ways, by the table and by the recurrence. */
static void
measure (const ButterflyBlock *b)
{
  const ArmillaDeltaShape *s = &b->delta.shape;
  double best[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
  cudaEvent_t event[5];
  OnDevice d;

  upload (&d, b);
  d.pairs = doubles_to_device (b->delta.pairs, ARMILLA_PAIR_ROWS * s->n_pairs);
  d.table = doubles_to_device (b->delta.table, armilla_delta_table_size (s));
  for (int i = 0; i < 5; i++)
    assert_cuda (cudaEventCreate (event + i));
  for (int repeat = 0; repeat < 3; repeat++)
    {
      cudaEventRecord (event[0], NULL);
      assert_cuda (armilla_butterfly_synthesis_launch (&b->shape, d.words, d.offsets, d.prepared,
                                                       d.tile, d.scratch, NULL));
      cudaEventRecord (event[1], NULL);
      assert_cuda (armilla_butterfly_adjoint_launch (&b->shape, d.words, d.offsets, d.tile,
                                                     d.prepared, d.scratch, NULL));
      cudaEventRecord (event[2], NULL);
      assert_cuda (armilla_delta_synthesis_launch (s, d.table, d.prepared, d.pairs, d.tile, NULL));
      cudaEventRecord (event[3], NULL);
      assert_cuda (armilla_delta_adjoint_launch (s, d.table, d.tile, d.pairs, d.prepared, NULL));
      cudaEventRecord (event[4], NULL);
      for (int i = 0; i < 4; i++)
        best[i] = MIN (best[i], milliseconds (event[i], event[i + 1]));
    }
  g_test_message ("lmax %" G_GINT64_FORMAT " orders %" G_GINT64_FORMAT " fields %" G_GINT64_FORMAT
                  " table %.0f MB: butterfly %.3f %.3f ms, recurrence %.3f %.3f ms "
                  "(synthesis, adjoint)", s->lmax, s->m_last - s->m_first + 1, s->n_fields,
                  8e-6 * (double) b->shape.n_words, best[0], best[1], best[2], best[3]);
  for (int i = 0; i < 5; i++)
    cudaEventDestroy (event[i]);
  device_free (d.pairs);
  device_free (d.table);
  forget (&d);
}

/* Orders in the middle stand for all: their matrices have the mean size. */
static void
test_times (void)
{
  static const gint64 fields[] = { 1, 8, 64 };

  for (gint64 lmax = 1023; lmax <= 4095; lmax = 2 * lmax + 1)
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
      {
        const gint64 n_orders = lmax > 2048 ? 128 : 256;
        g_auto (ButterflyBlock) b = { 0 };

        butterfly_block_init (&b, lmax, lmax / 3, lmax / 3 + n_orders - 1, fields[i], 0, 1e-10,
                              armilla_isa_detect ());
        measure (&b);
      }
}
#endif

static void
test_skipped (void)
{
#ifdef HAVE_CUDA
  g_test_skip ("no CUDA device");
#else
  g_test_skip ("built without CUDA");
#endif
}

int
main (int argc, char *argv[])
{
  int n_devices = 0;

  g_test_init (&argc, &argv, NULL);
#ifdef HAVE_CUDA
  if (cudaGetDeviceCount (&n_devices) == cudaSuccess && n_devices > 0)
    {
      g_test_add_func ("/butterfly-cuda/cases", test_cases);
      g_test_add_func ("/butterfly-cuda/again", test_again);
      if (g_getenv ("ARMILLA_BUTTERFLY_TIMES"))
        g_test_add_func ("/butterfly-cuda/times", test_times);
    }
#endif
  if (n_devices == 0)
    g_test_add_func ("/butterfly-cuda/skipped", test_skipped);
  return g_test_run ();
}
