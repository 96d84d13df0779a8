/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels that apply compressed matrices against the CPU's. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tests/butterfly/butterfly-block.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/butterfly/butterfly.h"

/* What the kernels get. */
typedef struct {
  double *words, *prepared, *tile, *scratch;
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

static void
add_tests (void)
{
  g_test_add_func ("/butterfly-cuda/cases", test_cases);
  g_test_add_func ("/butterfly-cuda/again", test_again);
}
#endif

MAIN_ON_DEVICE (add_tests)
