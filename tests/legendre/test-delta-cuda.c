/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CUDA kernels of delta_recurrence against the CPU's. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tests/legendre/delta-reference.h"
#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
# include "codelets/legendre/delta-recurrence.h"

typedef struct {
  gint64 lmax, m_first, m_last, n_fields, nside, first_ring, n_pairs;
} Case;

/* Fewer pairs than a warp, one more than a block takes at once, several rounds of the adjoint, all
 * forms of the recurrence, degrees in less than one piece and in many; numbers of fields for every
 * kernel, and of orders (1024 and more, where an order is one warp's) and pairs. */
static const Case cases[] = {
  { 0, 0, 0, 1, 1, 1, 2 },           { 1, 0, 1, 1, 1, 1, 1 },      { 2, 0, 2, 2, 2, 1, 4 },
  { 3, 1, 3, 3, 2, 1, 3 },           { 31, 0, 31, 5, 16, 1, 32 },  { 64, 3, 17, 1, 33, 1, 66 },
  { 127, 0, 127, 2, 64, 1, 128 },    { 128, 0, 63, 1, 64, 1, 127 },
  { 200, 60, 99, 16, 100, 37, 129 }, { 600, 300, 301, 1, 550, 1, 1100 },
  { 300, 0, 300, 1, 150, 1, 300 },   { 1024, 500, 530, 1, 512, 1, 513 },
  { 1023, 0, 1023, 1, 512, 1, 1024 }, { 2048, 0, 9, 6, 1024, 900, 257 },
  { 4096, 1000, 1003, 1, 2048, 1, 4096 }, { 16384, 3000, 3001, 1, 8192, 2000, 700 },
  { 1100, 0, 1100, 1, 64, 1, 100 },   { 1200, 0, 1100, 2, 512, 1, 1024 },
  { 1030, 0, 1030, 4, 40, 1, 80 },    { 1050, 0, 1040, 7, 90, 1, 180 },
  { 700, 100, 160, 17, 300, 5, 300 },
  { 640, 0, 40, 9, 128, 1, 256 },     { 500, 3, 30, 7, 200, 1, 390 },
  { 4096, 1000, 1001, 12, 2048, 1, 4096 }, { 4096, 0, 1, 3, 2048, 1, 2100 },
};

/* The CPU's results for a case: prepared from random a_lm, tile from prepared. */
static void
case_init (DeltaBlock *b, const Case *c)
{
  const ArmillaDeltaShape shape = { c->lmax,     c->m_first, c->m_last,
                                    c->n_fields, c->n_pairs, (int32_t) armilla_isa_detect (),
                                    0 };

  delta_block_init (b, &shape);
  delta_set_healpix (b->pairs, c->n_pairs, c->nside, c->first_ring);
  delta_random (b->alm, 2 * b->n_alm * c->n_fields, 1);
  armilla_delta_table_cpu (&shape, b->table);
  one_tile_delta_prepare (&shape, b->basis, b->alm, b->prepared);
  armilla_delta_synthesis_cpu (&shape, b->basis, b->prepared, b->pairs, NULL, b->tile, b->scratch);
}

static void
assert_close (const Case *c, const char *what, const double *x, const double *y, gint64 n,
              double bound)
{
  long double d = 0, norm = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += ((long double) x[i] - y[i]) * ((long double) x[i] - y[i]);
      norm += (long double) y[i] * y[i];
    }
  if (!(sqrt ((double) d) <= bound * sqrt ((double) norm)))
    g_error ("%s, lmax %" G_GINT64_FORMAT " m %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
             " fields %" G_GINT64_FORMAT " pairs: relative distance %g",
             what, c->lmax, c->m_first, c->n_fields, c->n_pairs, sqrt ((double) (d / norm)));
}

static void
test_table (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *got = NULL;
      double *table;
      gint64 n;

      case_init (&b, cases + i);
      n = armilla_delta_table_size (&b.shape);
      table = doubles_to_device (NULL, n);
      g_assert_cmpint (armilla_delta_table_launch (&b.shape, table, NULL), ==, cudaSuccess);
      got = from_device (table, n);
      /* Both round a double-double that is good to 1e-30: an ulp, if ever. */
      for (gint64 j = 0; j < n; j++)
        g_assert_cmpfloat (fabs (got[j] - b.table[j]), <=, 0x1p-52 * fabs (b.table[j]));
      cudaFree (table);
    }
}

static void
test_prepare_finish (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *got = NULL, *back = NULL;
      double *table, *alm, *prepared, *alm_back;
      gint64 n_alm, n;

      case_init (&b, cases + i);
      n = armilla_delta_prepared_size (&b.shape);
      n_alm = 2 * b.n_alm * b.shape.n_fields;
      table = doubles_to_device (b.table, armilla_delta_table_size (&b.shape));
      alm = doubles_to_device (b.alm, n_alm);
      alm_back = doubles_to_device (NULL, n_alm);
      prepared = doubles_to_device (NULL, n);
      g_assert_cmpint (armilla_delta_prepare_launch (&b.shape, table, alm, prepared, NULL), ==,
                       cudaSuccess);
      g_assert_cmpint (armilla_delta_finish_launch (&b.shape, table, prepared, alm_back, NULL), ==,
                       cudaSuccess);
      got = from_device (prepared, n);
      back = from_device (alm_back, n_alm);
      one_tile_delta_finish (&b.shape, b.basis, b.prepared, b.alm);
      /* Design 3.5, CPU against GPU. */
      assert_close (cases + i, "prepare", got, b.prepared, n, 1e-13);
      assert_close (cases + i, "finish", back, b.alm, n_alm, 1e-13);
      cudaFree (table);
      cudaFree (alm);
      cudaFree (alm_back);
      cudaFree (prepared);
    }
}

static void
test_synthesis (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *got = NULL;
      double *table, *prepared, *pairs, *tile;
      gint64 n;

      case_init (&b, cases + i);
      n = armilla_delta_tile_size (&b.shape);
      table = doubles_to_device (b.table, armilla_delta_table_size (&b.shape));
      prepared = doubles_to_device (b.prepared, armilla_delta_prepared_size (&b.shape));
      pairs = doubles_to_device (b.pairs, ARMILLA_PAIR_ROWS * b.shape.n_pairs);
      tile = doubles_to_device (NULL, n);
      g_assert_cmpint (
        armilla_delta_synthesis_launch (&b.shape, table, prepared, pairs, tile, NULL), ==,
        cudaSuccess);
      got = from_device (tile, n);
      /* Design 3.5: 1e-13; beyond lmax 4096, what it allows for the errors themselves. */
      assert_close (cases + i, "synthesis", got, b.tile, n, b.shape.lmax > 4096 ? 5e-13 : 1e-13);
      cudaFree (table);
      cudaFree (prepared);
      cudaFree (pairs);
      cudaFree (tile);
    }
}

static void
test_adjoint (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *got = NULL, *again = NULL;
      double *table, *prepared, *twice, *pairs, *tile;
      gint64 n;

      case_init (&b, cases + i);
      n = armilla_delta_prepared_size (&b.shape);
      delta_random (b.tile, armilla_delta_tile_size (&b.shape), 2);
      delta_random (b.prepared, n, 3); /* it is added to */
      table = doubles_to_device (b.table, armilla_delta_table_size (&b.shape));
      prepared = doubles_to_device (b.prepared, n);
      twice = doubles_to_device (b.prepared, n);
      pairs = doubles_to_device (b.pairs, ARMILLA_PAIR_ROWS * b.shape.n_pairs);
      tile = doubles_to_device (b.tile, armilla_delta_tile_size (&b.shape));
      g_assert_cmpint (armilla_delta_adjoint_launch (&b.shape, table, tile, pairs, prepared, NULL),
                       ==, cudaSuccess);
      g_assert_cmpint (armilla_delta_adjoint_launch (&b.shape, table, tile, pairs, twice, NULL), ==,
                       cudaSuccess);
      got = from_device (prepared, n);
      again = from_device (twice, n);
      g_assert_cmpmem (got, sizeof (double) * (gsize) n, again, sizeof (double) * (gsize) n);
      armilla_delta_adjoint_cpu (&b.shape, b.basis, b.tile, b.pairs, NULL, FALSE, b.prepared,
                                 b.scratch);
      assert_close (cases + i, "adjoint", got, b.prepared, n,
                    b.shape.lmax > 4096 ? 5e-13 : 1e-13);
      cudaFree (table);
      cudaFree (prepared);
      cudaFree (twice);
      cudaFree (pairs);
      cudaFree (tile);
    }
}

/* Both directions of @c with pairs that have these sines. */
static void
check_user_rings (const Case *c, const double *sines)
{
  double *table, *prepared, *pairs, *tile;
  g_autofree double *got = NULL, *back = NULL;
  g_auto (DeltaBlock) b;

  case_init (&b, c);
  for (gint64 i = 0; i < c->n_pairs; i++)
    {
      const Quad s = sines[i];

      delta_set_pair (b.pairs, c->n_pairs, i, delta_sqrt (1 - s * s), s);
    }
  table = doubles_to_device (b.table, armilla_delta_table_size (&b.shape));
  prepared = doubles_to_device (b.prepared, armilla_delta_prepared_size (&b.shape));
  pairs = doubles_to_device (b.pairs, ARMILLA_PAIR_ROWS * c->n_pairs);
  tile = doubles_to_device (NULL, armilla_delta_tile_size (&b.shape));
  g_assert_cmpint (armilla_delta_synthesis_launch (&b.shape, table, prepared, pairs, tile, NULL),
                   ==, cudaSuccess);
  got = from_device (tile, armilla_delta_tile_size (&b.shape));
  armilla_delta_synthesis_cpu (&b.shape, b.basis, b.prepared, b.pairs, NULL, b.tile, b.scratch);
  assert_close (c, "user rings", got, b.tile, armilla_delta_tile_size (&b.shape), 1e-13);
  cudaFree (tile);
  tile = doubles_to_device (b.tile, armilla_delta_tile_size (&b.shape));
  g_assert_cmpint (armilla_delta_adjoint_launch (&b.shape, table, tile, pairs, prepared, NULL), ==,
                   cudaSuccess);
  back = from_device (prepared, armilla_delta_prepared_size (&b.shape));
  armilla_delta_adjoint_cpu (&b.shape, b.basis, b.tile, b.pairs, NULL, FALSE, b.prepared,
                             b.scratch);
  assert_close (c, "user rings, adjoint", back, b.prepared,
                armilla_delta_prepared_size (&b.shape), 1e-13);
  cudaFree (table);
  cudaFree (prepared);
  cudaFree (pairs);
  cudaFree (tile);
}

/* Poles and equator in one warp, in no order. */
static void
test_user_rings (void)
{
  const double sines[] = { 1, 0, 0.3, 1e-3, 0.999, 0, 0.7, 0.71, 1e-200, 0.05, 0.9 };
  const Case c[] = {
    { 200, 0, 200, 1, 1, 1, G_N_ELEMENTS (sines) }, { 200, 0, 200, 5, 1, 1, G_N_ELEMENTS (sines) },
    { 1100, 0, 1100, 1, 1, 1, G_N_ELEMENTS (sines) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (c); i++)
    check_user_rings (c + i, sines);
}

static float
milliseconds (cudaEvent_t from, cudaEvent_t to)
{
  float t = 0;

  g_assert_cmpint (cudaEventSynchronize (to), ==, cudaSuccess);
  g_assert_cmpint (cudaEventElapsedTime (&t, from, to), ==, cudaSuccess);
  return t;
}

/* Reports times; asserts none. The second round is what counts. */
static void
time_shape (const ArmillaDeltaShape *shape, gint64 nside)
{
  const gint64 n_alm = delta_alm_count (shape->lmax, shape->m_first, shape->m_last);
  g_autofree double *host = g_new (double, 2 * n_alm * shape->n_fields);
  g_autofree double *host_pairs = g_new (double, ARMILLA_PAIR_ROWS * shape->n_pairs);
  double *alm, *table, *prepared, *pairs, *tile;
  cudaEvent_t event[6];
  float t[5];

  for (gint64 i = 0; i < 2 * n_alm * shape->n_fields; i++)
    host[i] = (double) (i % 17 - 8) / 3;
  delta_set_healpix (host_pairs, shape->n_pairs, nside, 1);
  alm = doubles_to_device (host, 2 * n_alm * shape->n_fields);
  pairs = doubles_to_device (host_pairs, ARMILLA_PAIR_ROWS * shape->n_pairs);
  table = doubles_to_device (NULL, armilla_delta_table_size (shape));
  prepared = doubles_to_device (NULL, armilla_delta_prepared_size (shape));
  tile = doubles_to_device (NULL, armilla_delta_tile_size (shape));
  for (int i = 0; i < 6; i++)
    g_assert_cmpint (cudaEventCreate (event + i), ==, cudaSuccess);
  for (int round = 0; round < 2; round++)
    {
      cudaEventRecord (event[0], NULL);
      armilla_delta_table_launch (shape, table, NULL);
      cudaEventRecord (event[1], NULL);
      armilla_delta_prepare_launch (shape, table, alm, prepared, NULL);
      cudaEventRecord (event[2], NULL);
      armilla_delta_synthesis_launch (shape, table, prepared, pairs, tile, NULL);
      cudaEventRecord (event[3], NULL);
      armilla_delta_adjoint_launch (shape, table, tile, pairs, prepared, NULL);
      cudaEventRecord (event[4], NULL);
      armilla_delta_finish_launch (shape, table, prepared, alm, NULL);
      cudaEventRecord (event[5], NULL);
      for (int i = 0; i < 5; i++)
        t[i] = milliseconds (event[i], event[i + 1]);
    }
  g_test_message ("lmax %" G_GINT64_FORMAT ", orders %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                  ", %" G_GINT64_FORMAT " pairs, %" G_GINT64_FORMAT " fields: table %.3f prepare "
                  "%.3f synthesis %.3f adjoint %.3f finish %.3f ms",
                  shape->lmax, shape->m_first, shape->m_last, shape->n_pairs, shape->n_fields,
                  (double) t[0], (double) t[1], (double) t[2], (double) t[3], (double) t[4]);
  for (int i = 0; i < 6; i++)
    cudaEventDestroy (event[i]);
  cudaFree (alm);
  cudaFree (pairs);
  cudaFree (table);
  cudaFree (prepared);
  cudaFree (tile);
}

static void
test_times (void)
{
  const ArmillaDeltaShape shapes[] = {
    { 4096, 0, 4096, 1, 4096, 0, 0 },   { 4095, 0, 4095, 1, 2048, 0, 0 },
    { 4096, 0, 4096, 1, 1024, 0, 0 },   { 4096, 512, 639, 1, 256, 0, 0 },
    { 4096, 0, 4096, 2, 4096, 0, 0 },   { 4096, 0, 4096, 3, 4096, 0, 0 },
    { 4096, 0, 4096, 4, 4096, 0, 0 },   { 4096, 0, 4096, 8, 4096, 0, 0 },
    { 4096, 0, 4096, 16, 4096, 0, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    time_shape (shapes + i, shapes[i].lmax == 4095 ? 1024 : 2048);
}

static void
add_tests (void)
{
  g_test_add_func ("/delta-cuda/table", test_table);
  g_test_add_func ("/delta-cuda/prepare-finish", test_prepare_finish);
  g_test_add_func ("/delta-cuda/synthesis", test_synthesis);
  g_test_add_func ("/delta-cuda/adjoint", test_adjoint);
  g_test_add_func ("/delta-cuda/user-rings", test_user_rings);
  g_test_add_func ("/delta-cuda/times", test_times);
}
#endif

MAIN_ON_DEVICE (add_tests)
