/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of spin s: what GPU threads compute, done by the CPU, against the CPU's own kernels. */
#include "codelets/legendre/spin-coupling.h"
#include "tests/legendre/spin-block.h"

/* What the threads of a GPU do, one after the other: roots and factors. */
static double *
threads_numbers (const ArmillaSpinShape *shape)
{
  const gint64 n = armilla_spin_numbers_size (shape);
  double *array = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    array[i] = armilla_spin_number (shape, i);
  return array;
}

/* E and B to the recurrence's basis. */
static void
threads_prepare (const SpinBlock *b, double *prepared)
{
  const ArmillaSpinShape *s = &b->shape;
  g_autofree double *scalar = g_new (double, armilla_spin_cuda_coupling_size (s));
  g_autofree double *array = threads_numbers (s);
  const ArmillaSpinNumbers numbers = armilla_spin_numbers (s, array);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (s, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (gint64 first = 0; first < runs[r].n; first += ARMILLA_SPIN_CHUNK)
      {
        const gint64 n = MIN (ARMILLA_SPIN_CHUNK, runs[r].n - first);
        const ArmillaSpinChunk c = armilla_spin_chunk (s, runs, r, first, n);
        const ArmillaDeltaShape d
          = { s->lmax + s->spin, c.order, c.order + n - 1, 2 * s->n_maps, 0, s->isa, 0 };

        delta_fill_nan (scalar, armilla_spin_cuda_coupling_size (s));
        for (gint64 map = 0; map < s->n_maps; map++)
          for (gint64 i = 0; i < n; i++)
            for (gint64 k = 0; k <= s->lmax + s->spin; k++)
              armilla_spin_chunk_couple (&c, s->spin, i, k, map, &numbers, b->alm, scalar);
        one_tile_delta_prepare (&d, b->basis, scalar, prepared + c.prepared);
      }
}

static void
threads_finish (const SpinBlock *b, double *alm)
{
  const ArmillaSpinShape *s = &b->shape;
  g_autofree double *scalar = g_new (double, armilla_spin_cuda_coupling_size (s));
  g_autofree double *array = threads_numbers (s);
  const ArmillaSpinNumbers numbers = armilla_spin_numbers (s, array);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (s, runs);
  memset (alm, 0, sizeof (double) * 4 * (gsize) (b->n_alm * s->n_maps));
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (gint64 first = 0; first < runs[r].n; first += ARMILLA_SPIN_CHUNK)
      {
        const gint64 n = MIN (ARMILLA_SPIN_CHUNK, runs[r].n - first);
        const ArmillaSpinChunk c = armilla_spin_chunk (s, runs, r, first, n);
        const ArmillaDeltaShape d
          = { s->lmax + s->spin, c.order, c.order + n - 1, 2 * s->n_maps, 0, s->isa, 0 };

        one_tile_delta_finish (&d, b->basis, b->prepared + c.prepared, scalar);
        for (gint64 map = 0; map < s->n_maps; map++)
          for (gint64 i = 0; i < n; i++)
            for (gint64 k = 0; k <= s->lmax + s->spin; k++)
              armilla_spin_chunk_couple_back (&c, s->spin, i, k, map, &numbers, scalar, alm);
      }
}

/* Rows near a pole: the tile of the threads from that of a run and back. */
static void
threads_rows (const SpinBlock *b, gint64 n_polar)
{
  const ArmillaSpinShape *s = &b->shape;
  const gint64 n = armilla_spin_tile_size (s), n_orders = s->m_last - s->m_first + 1;
  const ArmillaSpinRows rows = { s->n_pairs, n_orders, s->m_first, 0, n_polar };
  g_autofree double *work = g_new (double, n), *tile = g_new0 (double, n);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (s, runs);
  for (int r = ARMILLA_SPIN_UP; r <= ARMILLA_SPIN_FOLDED; r++)
    {
      const ArmillaDeltaShape d = { s->lmax + s->spin, runs[r].order_first,
                                    runs[r].order_first + runs[r].n - 1, 2 * s->n_maps, n_polar,
                                    s->isa, 0 };
      g_autofree double *some = g_new (double, ARMILLA_PAIR_ROWS * n_polar);

      if (runs[r].n == 0 || n_polar == 0)
        continue;
      for (int row = 0; row < ARMILLA_PAIR_ROWS; row++)
        memcpy (some + row * n_polar, b->pairs + row * s->n_pairs,
                sizeof (double) * (gsize) n_polar);
      armilla_delta_synthesis_cpu (&d, b->basis, b->prepared + runs[r].prepared,
                                   some, NULL, work, b->scratch);
      for (gint64 f = 0; f < 2 * s->n_maps; f++)
        for (gint64 ring = 0; ring < n_polar; ring++)
          for (gint64 i = 0; i < runs[r].n; i++)
            armilla_spin_rows_add (&rows, runs + r, r, f, ring, i,
                                   armilla_spin_row_factor (&rows, b->pairs, ring, s->spin, 1),
                                   work, tile);
    }
  for (gint64 f = 0; f < 2 * s->n_maps && n_polar > 0; f++)
    {
      const gint64 at = armilla_spin_rows_tile (&rows, f, 0), count = 4 * n_polar * n_orders;

      /* High orders do not reach the poles: both are 0 then. */
      if (delta_dot (b->tile + at, b->tile + at, count) == 0)
        g_assert_cmpfloat (delta_dot (tile + at, tile + at, count), ==, 0);
      else
        g_assert_cmpfloat (delta_distance (tile + at, b->tile + at, count), <=, 1e-13);
    }
}

static void
test_threads (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gint32 spin = 1; spin <= 4; spin++)
      {
        g_autofree double *prepared = NULL, *alm = NULL;
        g_auto (SpinBlock) b;
        gint64 n, n_alm;

        case_init (&b, cases + i, spin, armilla_isa_detect ());
        if (b.shape.lmax < spin || b.shape.m_last - b.shape.m_first > 200)
          continue;
        n = armilla_spin_prepared_size (&b.shape);
        n_alm = 4 * b.n_alm * b.shape.n_maps;
        prepared = g_new (double, n);
        alm = g_new (double, n_alm);
        delta_fill_nan (prepared, n);
        block_table_and_alm (&b, 5);
        block_synthesis (&b);
        threads_prepare (&b, prepared);
        /* Other roundings of the same numbers; the chain of delta_prepare adds some. */
        g_assert_cmpfloat (delta_distance (prepared, b.prepared, n), <=, 1e-13);
        threads_rows (&b, armilla_spin_count_polar (&b.shape, b.pairs));
        threads_finish (&b, alm);
        one_tile_spin_finish (&b.shape, b.basis, b.prepared, b.alm, b.coupling);
        g_assert_cmpfloat (delta_distance (alm, b.alm, n_alm), <=, 1e-13);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spin/threads", test_threads);
  return g_test_run ();
}
