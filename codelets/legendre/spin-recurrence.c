/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/spin-recurrence.h"

#include <math.h>
#include <string.h>

#include "codelets/legendre/spin-coupling.h"

/* Returns the shape of the fields of a run for delta-recurrence.h. */
static ArmillaDeltaShape
run_shape (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, int64_t n_pairs)
{
  const ArmillaDeltaShape s = { .lmax = shape->lmax + shape->spin,
                                .m_first = run->order_first,
                                .m_last = run->order_first + run->n - 1,
                                .n_fields = 2 * shape->n_maps,
                                .n_pairs = n_pairs,
                                .isa = shape->isa };

  return s;
}

/* Returns the sum of a size over all runs of orders. */
static int64_t
sum_runs (const ArmillaSpinShape *shape, int64_t (*size) (const ArmillaDeltaShape *shape))
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  int64_t n = 0;

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r, 0);

        n += size (&s);
      }
  return n;
}

int64_t
armilla_spin_table_size (const ArmillaSpinShape *shape)
{
  return sum_runs (shape, armilla_delta_table_size);
}

/* Returns the number of doubles of the prepared a_lm: for each run of orders, [order][2
 * n_maps][k][4]. */
int64_t
armilla_spin_prepared_size (const ArmillaSpinShape *shape)
{
  return sum_runs (shape, armilla_delta_prepared_size);
}

int64_t
armilla_spin_middle_size (const ArmillaSpinShape *shape)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (shape, runs);
  return runs[ARMILLA_SPIN_UP].prepared;
}

/* Returns the number of doubles of a tile, [2 n_maps][2 n_pairs][m - m_first], complex. */
int64_t
armilla_spin_tile_size (const ArmillaSpinShape *shape)
{
  return (shape->m_last - shape->m_first + 1) * 2 * shape->n_maps * 4 * shape->n_pairs;
}

/* Returns the number of doubles of uninitialised scratch space that synthesis and adjoint need on a
 * CPU. */
int64_t
armilla_spin_scratch_size (const ArmillaSpinShape *shape)
{
  /* Orders range from 0 to m_last + s. */
  const ArmillaDeltaShape s = { .lmax = shape->lmax + shape->spin,
                                .m_last = shape->m_last + shape->spin,
                                .n_fields = 2 * shape->n_maps,
                                .n_pairs = shape->n_pairs,
                                .isa = shape->isa };

  return armilla_delta_scratch_size (&s) + (ARMILLA_PAIR_ROWS + 2) * shape->n_pairs
         + armilla_spin_tile_size (shape);
}

/* Returns the number of doubles of scratch space that synthesis and adjoint need on a GPU. */
int64_t
armilla_spin_cuda_scratch_size (const ArmillaSpinShape *shape)
{
  return ARMILLA_PAIR_ROWS * shape->n_pairs + armilla_spin_tile_size (shape);
}

int64_t
armilla_spin_count_polar (const ArmillaSpinShape *shape, const double *pairs)
{
  const double limit = armilla_spin_polar_sine (shape->spin);
  const double *sine = pairs + ARMILLA_PAIR_SIN * shape->n_pairs;
  int64_t n = 0, whole;

  while (n < shape->n_pairs && sine[n] < limit)
    n++;
  whole = n / ARMILLA_SPIN_WHOLE * ARMILLA_SPIN_WHOLE;
  return n < shape->n_pairs && whole < n && sine[whole] >= 0.98 * limit ? whole : n;
}

int
armilla_spin_has_polar (const ArmillaSpinShape *shape, const double *pairs)
{
  for (int64_t i = 0; i < shape->n_pairs; i++)
    if (pairs[ARMILLA_PAIR_SIN * shape->n_pairs + i] < armilla_spin_polar_sine (shape->spin))
      return 1;
  return 0;
}

void
armilla_spin_table_cpu (const ArmillaSpinShape *shape, double *table)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r, 0);

        armilla_delta_table_cpu (&s, table + runs[r].table);
      }
}

/* Ring pairs of one kind, all near a pole or all not. */
typedef struct {
  int64_t n;
  double *index;  /* [n] index of the pair in the block */
  double *factor; /* [n] 1 / sin^s, or 1 / (1 + cos)^s */
  double *pairs;  /* [ARMILLA_PAIR_ROWS][n] */
  double *work;   /* tile of a run */
  double *scratch;
} Rings;

static void
rings_init (Rings *rings, const ArmillaSpinShape *shape, const double *pairs, int polar,
            double *scratch)
{
  const double limit = armilla_spin_polar_sine (shape->spin);
  const int64_t n_pairs = shape->n_pairs;

  *rings = (Rings){ .index = scratch, .factor = scratch + n_pairs };
  rings->pairs = rings->factor + n_pairs;
  for (int64_t i = 0; i < n_pairs; i++)
    {
      const double sine = pairs[ARMILLA_PAIR_SIN * n_pairs + i];
      const double x = 1 / (polar ? 1 + pairs[ARMILLA_PAIR_COS * n_pairs + i] : sine);

      if ((sine < limit) != polar)
        continue;
      rings->index[rings->n] = (double) i;
      rings->factor[rings->n] = 1;
      for (int32_t j = 0; j < shape->spin; j++)
        rings->factor[rings->n] *= x;
      rings->n++;
    }
  for (int64_t row = 0; row < ARMILLA_PAIR_ROWS; row++)
    for (int64_t i = 0; i < rings->n; i++)
      rings->pairs[row * rings->n + i] = pairs[row * n_pairs + (int64_t) rings->index[i]];
  rings->work = rings->pairs + ARMILLA_PAIR_ROWS * n_pairs;
  rings->scratch = rings->work + armilla_spin_tile_size (shape);
}

/* Returns the row of a field and ring in a tile, from order m_first on. */
static double *
row_of (const ArmillaSpinShape *shape, const double *tile, int64_t field, int64_t pair, int south)
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;

  return (double *) tile + 2 * ((field * shape->n_pairs + pair) * 2 + south) * n_orders;
}

/* Returns the position of the northern row of a field in a run's tile. */
static int64_t
run_row (const Rings *rings, const ArmillaSpinRun *run, int64_t field, int64_t ring)
{
  return 4 * (field * rings->n + ring) * run->n;
}

/* Computes the rings that are not near a pole. */
static void
middle_synthesis (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, Rings *rings,
                  const double *basis, const double *prepared, double *tile)
{
  const ArmillaDeltaShape s = run_shape (shape, run, rings->n);
  const ArmillaDeltaRows rows = { shape->n_pairs, rings->index, rings->factor };

  armilla_delta_synthesis_cpu (&s, basis, prepared + run->prepared,
                               rings->pairs, &rows, tile, rings->scratch);
}

static void
middle_adjoint (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, Rings *rings,
                const double *basis, const double *tile, int fresh, double *prepared)
{
  const ArmillaDeltaShape s = run_shape (shape, run, rings->n);
  const ArmillaDeltaRows rows = { shape->n_pairs, rings->index, rings->factor };

  armilla_delta_adjoint_cpu (&s, basis, tile, rings->pairs, &rows, fresh,
                             prepared + run->prepared, rings->scratch);
}

/* Adds @from, a row of Q + i U (@sign 1) or Q - i U (@sign -1) for the orders of a run, to a row of
 * Q and one of U. */
static void
rows_add (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, double *q, double *u,
          const double *from, double factor, double sign)
{
  const double f = 0.5 * factor, g = sign * f;
  const int64_t at = run->m - shape->m_first;

  for (int64_t i = 0; i < run->n; i++, from += 2)
    {
      const int64_t j = 2 * (at + run->step * i);

      q[j] += f * from[0];
      q[j + 1] += f * from[1];
      u[j] += g * from[1];
      u[j + 1] -= g * from[0];
    }
}

/* The transpose of rows_add(). */
static void
rows_get (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, const double *q,
          const double *u, double *to, double factor, double sign)
{
  const double f = 0.5 * factor, g = sign * f;
  const int64_t at = run->m - shape->m_first;

  for (int64_t i = 0; i < run->n; i++, to += 2)
    {
      const int64_t j = 2 * (at + run->step * i);

      to[0] = f * q[j] - g * u[j + 1];
      to[1] = f * q[j + 1] + g * u[j];
    }
}

/* Returns 1 if field 0 of run @r is Q + i U, -1 if it is Q - i U; field 1, in the south, is the
 * other of the two. */
static double
run_sign (int r)
{
  return r == ARMILLA_SPIN_UP ? 1 : -1;
}

/* Computes the runs near a pole. */
static void
polar_synthesis (const ArmillaSpinShape *shape, const ArmillaSpinRun *runs, Rings *rings,
                 const double *basis, const double *prepared, double *tile)
{
  const size_t row = sizeof (double) * 2 * (size_t) (shape->m_last - shape->m_first + 1);

  if (rings->n == 0)
    return;
  for (int64_t f = 0; f < 2 * shape->n_maps; f++)
    for (int64_t i = 0; i < rings->n; i++)
      memset (row_of (shape, tile, f, (int64_t) rings->index[i], 0), 0, 2 * row);
  for (int r = ARMILLA_SPIN_UP; r <= ARMILLA_SPIN_FOLDED; r++)
    {
      const ArmillaDeltaShape s = run_shape (shape, runs + r, rings->n);

      if (runs[r].n == 0)
        continue;
      armilla_delta_synthesis_cpu (&s, basis, prepared + runs[r].prepared,
                                   rings->pairs, NULL, rings->work, rings->scratch);
      for (int64_t f = 0; f < s.n_fields; f++)
        for (int64_t i = 0; i < rings->n; i++)
          {
            const int64_t pair = (int64_t) rings->index[i];
            const int south = (int) (f % 2);

            rows_add (shape, runs + r, row_of (shape, tile, f - south, pair, south),
                      row_of (shape, tile, f - south + 1, pair, south),
                      rings->work + run_row (rings, runs + r, f, i), rings->factor[i],
                      south ? -run_sign (r) : run_sign (r));
          }
    }
}

static void
polar_adjoint (const ArmillaSpinShape *shape, const ArmillaSpinRun *runs, Rings *rings,
               const double *basis, const double *tile, int fresh, double *prepared)
{
  if (rings->n == 0 && !fresh)
    return;
  for (int r = ARMILLA_SPIN_UP; r <= ARMILLA_SPIN_FOLDED; r++)
    {
      const ArmillaDeltaShape s = run_shape (shape, runs + r, rings->n);

      if (runs[r].n == 0)
        continue;
      for (int64_t f = 0; f < s.n_fields; f++)
        for (int64_t i = 0; i < rings->n; i++)
          {
            const int64_t pair = (int64_t) rings->index[i];
            const int south = (int) (f % 2);
            double *to = rings->work + run_row (rings, runs + r, f, i);

            rows_get (shape, runs + r, row_of (shape, tile, f - south, pair, south),
                      row_of (shape, tile, f - south + 1, pair, south), to, rings->factor[i],
                      south ? -run_sign (r) : run_sign (r));
            memset (to + 2 * runs[r].n, 0, sizeof (double) * 2 * (size_t) runs[r].n);
          }
      armilla_delta_adjoint_cpu (&s, basis, rings->work, rings->pairs, NULL,
                                 fresh, prepared + runs[r].prepared, rings->scratch);
    }
}

void
armilla_spin_synthesis_cpu (const ArmillaSpinShape *shape, const double *basis,
                            const double *prepared, const double *pairs, double *tile,
                            double *scratch)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  Rings rings;

  armilla_spin_runs (shape, runs);
  rings_init (&rings, shape, pairs, 0, scratch);
  middle_synthesis (shape, runs + ARMILLA_SPIN_MIDDLE, &rings, basis, prepared, tile);
  rings_init (&rings, shape, pairs, 1, scratch);
  polar_synthesis (shape, runs, &rings, basis, prepared, tile);
}

void
armilla_spin_adjoint_cpu (const ArmillaSpinShape *shape, const double *basis, const double *tile,
                          const double *pairs, int fresh, double *prepared, double *scratch)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  Rings rings;

  armilla_spin_runs (shape, runs);
  rings_init (&rings, shape, pairs, 0, scratch);
  middle_adjoint (shape, runs + ARMILLA_SPIN_MIDDLE, &rings, basis, tile,
                  fresh & ARMILLA_SPIN_PART_MIDDLE, prepared);
  rings_init (&rings, shape, pairs, 1, scratch);
  polar_adjoint (shape, runs, &rings, basis, tile, fresh & ARMILLA_SPIN_PART_POLAR, prepared);
}
