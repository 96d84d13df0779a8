/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of fields of spin s against the CPU's. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tests/legendre/spin-reference.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/legendre/spin-recurrence.h"

typedef struct {
  gint64 lmax, m_first, m_last, n_maps, nside, first_ring, n_pairs;
} Case;

/* All rings near a pole, none, and some, the poles themselves (ring 0); fewer pairs than a warp and
 * more than a block takes; orders below the spin and above, more than go at once; several maps, for
 * every kernel of sums. */
static const Case cases[] = {
  { 2, 0, 2, 1, 2, 1, 4 },          { 3, 1, 3, 2, 2, 1, 3 },         { 31, 0, 31, 3, 16, 1, 32 },
  { 64, 3, 17, 1, 33, 1, 66 },      { 64, 2, 2, 1, 33, 1, 20 },      { 128, 0, 63, 1, 64, 1, 127 },
  { 128, 0, 128, 1, 64, 60, 60 },   { 200, 60, 99, 8, 100, 37, 129 },
  { 200, 90, 200, 1, 100, 1, 60 },
  { 1024, 500, 520, 1, 512, 1, 300 }, { 700, 0, 700, 1, 350, 1, 120 },
  { 1100, 0, 1100, 1, 64, 1, 100 }, { 1500, 0, 1500, 1, 512, 200, 800 },
  { 4096, 1000, 1001, 1, 2048, 1000, 600 }, { 4096, 0, 4, 1, 2048, 0, 1400 },
  { 4096, 400, 401, 1, 2048, 0, 1400 },
};

typedef struct {
  double *table, *prepared, *pairs, *tile, *alm, *scratch;
} Arrays;

/* The CPU's results of a case: prepared from random a_lm, tile from prepared. */
static void
case_init (SpinBlock *b, const Case *c, gint32 spin)
{
  const ArmillaSpinShape shape = { c->lmax, c->m_first, c->m_last, c->n_maps, c->n_pairs, spin,
                                   (gint32) armilla_isa_detect () };

  spin_block_init (b, &shape);
  delta_set_healpix (b->pairs, c->n_pairs, c->nside, c->first_ring);
  delta_random (b->alm, 4 * b->n_alm * c->n_maps, 1);
  armilla_spin_table_cpu (&shape, b->table);
  one_tile_spin_prepare (&shape, b->basis, b->alm, b->prepared, b->coupling);
  armilla_spin_synthesis_cpu (&shape, b->basis, b->prepared, b->pairs, b->tile, b->scratch);
}

/* On the device, all that the CPU has except for what the kernels are to write. */
static Arrays
arrays_new (const SpinBlock *b)
{
  const ArmillaSpinShape *s = &b->shape;
  const gint64 coupling = armilla_spin_cuda_coupling_size (s);
  const gint64 scratch = armilla_spin_cuda_scratch_size (s);

  return (Arrays) { .table = doubles_to_device (b->table, armilla_spin_table_size (s)),
                    .prepared = doubles_to_device (b->prepared, armilla_spin_prepared_size (s)),
                    .pairs = doubles_to_device (b->pairs, ARMILLA_PAIR_ROWS * s->n_pairs),
                    .tile = doubles_to_device (b->tile, armilla_spin_tile_size (s)),
                    .alm = doubles_to_device (b->alm, 4 * b->n_alm * s->n_maps),
                    .scratch = doubles_to_device (NULL, MAX (coupling, scratch)) };
}

static void
arrays_free (Arrays *a)
{
  device_free (a->table);
  device_free (a->prepared);
  device_free (a->pairs);
  device_free (a->tile);
  device_free (a->alm);
  device_free (a->scratch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arrays, arrays_free)

static void
check_close (const SpinBlock *b, const char *what, const double *x, const double *y, gint64 n)
{
  long double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) x[i] - y[i]) * ((long double) x[i] - y[i]);
      norm += (long double) y[i] * y[i];
    }
  /* Whole transforms of CPU and GPU are to agree to 1e-13. Roundings grow with the steps: of these
   * single orders at lmax 4096, one differs by 1.03e-13. */
  if (!(sqrt ((double) d) <= (b->shape.lmax > 2048 ? 1.5e-13 : 1e-13) * sqrt ((double) norm)))
    g_error ("%s, spin %d lmax %" G_GINT64_FORMAT " m %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
             " maps %" G_GINT64_FORMAT " pairs: relative distance %g",
             what, b->shape.spin, b->shape.lmax, b->shape.m_first, b->shape.n_maps,
             b->shape.n_pairs, sqrt ((double) (d / norm)));
}

typedef void (*Check) (SpinBlock *block, Arrays *device);

static void
check_prepare (SpinBlock *b, Arrays *d)
{
  const gint64 n = armilla_spin_prepared_size (&b->shape), n_alm = 4 * b->n_alm * b->shape.n_maps;
  g_autofree double *got = NULL, *back = NULL;
  g_autoptr (Device) prepared = doubles_to_device (NULL, n);
  g_autoptr (Device) table = doubles_to_device (NULL, armilla_spin_table_size (&b->shape));
  g_autoptr (Device) alm = doubles_to_device (NULL, n_alm);

  assert_cuda (armilla_spin_table_launch (&b->shape, table, NULL));
  assert_cuda (armilla_spin_prepare_launch (&b->shape, table, d->alm, prepared, d->scratch, NULL));
  got = from_device (prepared, n);
  check_close (b, "prepare", got, b->prepared, n);
  assert_cuda (armilla_spin_finish_launch (&b->shape, d->table, d->prepared, alm, d->scratch,
                                           NULL));
  back = from_device (alm, n_alm);
  one_tile_spin_finish (&b->shape, b->basis, b->prepared, b->alm, b->coupling);
  check_close (b, "finish", back, b->alm, n_alm);
}

static void
check_synthesis (SpinBlock *b, Arrays *d)
{
  const gint64 n = armilla_spin_tile_size (&b->shape);
  const gint64 n_polar = armilla_spin_count_polar (&b->shape, b->pairs);
  g_autoptr (Device) tile = doubles_to_device (NULL, n);
  g_autofree double *got = NULL;

  assert_cuda (armilla_spin_synthesis_launch (&b->shape, n_polar, d->table, d->prepared, d->pairs,
                                              tile, d->scratch, NULL));
  got = from_device (tile, n);
  check_close (b, "synthesis", got, b->tile, n);
}

static void
check_adjoint (SpinBlock *b, Arrays *d)
{
  const gint64 n = armilla_spin_prepared_size (&b->shape), n_alm = 4 * b->n_alm * b->shape.n_maps;
  const gint64 n_polar = armilla_spin_count_polar (&b->shape, b->pairs);
  g_autoptr (Device) twice = NULL;
  g_autoptr (Device) alm = doubles_to_device (NULL, n_alm);
  g_autofree double *got = NULL, *again = NULL, *back = NULL;

  delta_random (b->prepared, n, 3); /* it is added to */
  device_free (d->prepared);
  d->prepared = doubles_to_device (b->prepared, n);
  twice = doubles_to_device (b->prepared, n);
  assert_cuda (armilla_spin_adjoint_launch (&b->shape, n_polar, d->table, d->tile, d->pairs,
                                            d->prepared, d->scratch, NULL));
  assert_cuda (armilla_spin_adjoint_launch (&b->shape, n_polar, d->table, d->tile, d->pairs, twice,
                                            d->scratch, NULL));
  got = from_device (d->prepared, n);
  again = from_device (twice, n);
  g_assert_cmpmem (got, sizeof (double) * (gsize) n, again, sizeof (double) * (gsize) n);
  /* The GPU may take rings close to the limit for near a pole that the CPU does not: what is
   * prepared differs, the a_lm do not. */
  assert_cuda (armilla_spin_finish_launch (&b->shape, d->table, d->prepared, alm, d->scratch,
                                           NULL));
  back = from_device (alm, n_alm);
  armilla_spin_adjoint_cpu (&b->shape, b->basis, b->tile, b->pairs, 0, b->prepared, b->scratch);
  one_tile_spin_finish (&b->shape, b->basis, b->prepared, b->alm, b->coupling);
  check_close (b, "adjoint", back, b->alm, n_alm);
}

static void
test_cases (gconstpointer check)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gint32 spin = 1; spin <= (i < 5 ? 5 : 3); spin++)
      {
        g_auto (SpinBlock) b = { .n_alm = 0 };
        g_auto (Arrays) d = { NULL, NULL, NULL, NULL, NULL, NULL };

        if (cases[i].lmax < spin)
          continue;
        case_init (&b, cases + i, spin);
        d = arrays_new (&b);
        ((Check) check) (&b, &d);
      }
}

static float
milliseconds (cudaEvent_t from, cudaEvent_t to)
{
  float t = 0;

  assert_cuda (cudaEventSynchronize (to));
  assert_cuda (cudaEventElapsedTime (&t, from, to));
  return t;
}

/* Times of a whole pair of fields, ring block by ring block as a workflow cuts them; asserts none.
 * The second round is what counts. */
static void
test_times (void)
{
  const gint64 nside = 2048, size = 1024, n_blocks = 4;
  const ArmillaSpinShape s = { 4096, 0, 4096, 1, size, 2, 0 };
  const gint64 n_alm = 4 * delta_alm_count (s.lmax, 0, s.lmax);
  g_autofree double *host = g_new (double, n_alm);
  g_autofree double *pairs = g_new (double, n_blocks * ARMILLA_PAIR_ROWS * size);
  const gint64 scratch_size
    = MAX (armilla_spin_cuda_scratch_size (&s), armilla_spin_cuda_coupling_size (&s));
  cudaEvent_t event[6];
  float t[5];

  for (gint64 i = 0; i < n_alm; i++)
    host[i] = (double) (i % 17 - 8) / 3;
  for (gint64 b = 0; b < n_blocks; b++)
    delta_set_healpix (pairs + b * ARMILLA_PAIR_ROWS * size, size, nside, 1 + b * size);
  g_autoptr (Device) alm = doubles_to_device (host, n_alm);
  g_autoptr (Device) places = doubles_to_device (pairs, n_blocks * ARMILLA_PAIR_ROWS * size);
  g_autoptr (Device) table = doubles_to_device (NULL, armilla_spin_table_size (&s));
  g_autoptr (Device) prepared = doubles_to_device (NULL, armilla_spin_prepared_size (&s));
  g_autoptr (Device) tile = doubles_to_device (NULL, armilla_spin_tile_size (&s));
  g_autoptr (Device) scratch = doubles_to_device (NULL, scratch_size);
  for (int i = 0; i < 6; i++)
    assert_cuda (cudaEventCreate (event + i));
  for (int round = 0; round < 2; round++)
    {
      assert_cuda (cudaEventRecord (event[0], NULL));
      assert_cuda (armilla_spin_table_launch (&s, table, NULL));
      assert_cuda (cudaEventRecord (event[1], NULL));
      assert_cuda (armilla_spin_prepare_launch (&s, table, alm, prepared, scratch, NULL));
      for (int direction = 0; direction < 2; direction++)
        {
          assert_cuda (cudaEventRecord (event[2 + direction], NULL));
          for (gint64 b = 0; b < n_blocks; b++)
            {
              const double *at = (const double *) places + b * ARMILLA_PAIR_ROWS * size;
              const gint64 polar
                = armilla_spin_count_polar (&s, pairs + b * ARMILLA_PAIR_ROWS * size);

              assert_cuda (direction == 0
                             ? armilla_spin_synthesis_launch (&s, polar, table, prepared, at, tile,
                                                              scratch, NULL)
                             : armilla_spin_adjoint_launch (&s, polar, table, tile, at, prepared,
                                                            scratch, NULL));
            }
        }
      assert_cuda (cudaEventRecord (event[4], NULL));
      assert_cuda (armilla_spin_finish_launch (&s, table, prepared, alm, scratch, NULL));
      assert_cuda (cudaEventRecord (event[5], NULL));
      for (int i = 0; i < 5; i++)
        t[i] = milliseconds (event[i], event[i + 1]);
    }
  g_test_message ("spin 2, nside 2048, lmax 4096: table %.3f prepare %.3f synthesis %.3f adjoint "
                  "%.3f finish %.3f ms",
                  (double) t[0], (double) t[1], (double) t[2], (double) t[3], (double) t[4]);
  for (int i = 0; i < 6; i++)
    assert_cuda (cudaEventDestroy (event[i]));
}

static void
add_tests (void)
{
  g_test_add_data_func ("/spin-cuda/prepare-finish", check_prepare, test_cases);
  g_test_add_data_func ("/spin-cuda/synthesis", check_synthesis, test_cases);
  g_test_add_data_func ("/spin-cuda/adjoint", check_adjoint, test_cases);
  g_test_add_func ("/spin-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
