/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of the a_lm of a field of spin s to those of scalar fields, shared by CPU and CUDA.
 *
 * The product of d^1_{mu,sigma} and d^l_{m,j} is a sum over l' = l - 1, l, l + 1 with products of
 * Clebsch-Gordan coefficients. In L^l = sqrt ((2 l + 1) / (4 pi)) d^l, with
 *
 *   f+ = sqrt ((l-j+1) (l-j+2) / ((2l+1) (2l+3))) / (l+1),
 *   f0 = sqrt ((l-j+1) (l+j)) / (l (l+1)),
 *   f- = sqrt ((l+j) (l+j-1) / ((2l-1) (2l+1))) / l,
 *
 *   sin L^l_{m,j}  = -f+ sqrt ((l+1)^2 - m^2) L^{l+1}_{m,j-1} - f0 m L^l_{m,j-1}
 *                    + f- sqrt (l^2 - m^2) L^{l-1}_{m,j-1},
 *   (1 + cos) L^l_{m,j} = f+ sqrt ((l-m+1) (l-m+2)) L^{l+1}_{m-1,j-1}
 *                         + f0 sqrt ((l-m+1) (l+m)) L^l_{m-1,j-1}
 *                         + f- sqrt ((l+m) (l+m-1)) L^{l-1}_{m-1,j-1}.
 *
 * For -j, as L^l_{m,-j} = (-1)^(m+j) L^l_{-m,j}: sin L^l_{m,-j} has the opposite signs except for
 * f0's, and (1 + cos) L^l_{m,-j} leads to L_{m+1,-j+1} with m replaced by -m in the roots. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/spin-math.h"
#include "codelets/legendre/spin-recurrence.h"

/* A ring with a smaller sine is near a pole. At larger sines the division by sin^s theta multiplies
 * rounding errors by at most 5, 5, 8 for spin 1, 2, 3. Fewer rings near a pole mean less work that
 * is done twice. */
ARMILLA_HD double
armilla_spin_polar_sine (int64_t spin)
{
  return spin == 1 ? 0.2 : spin == 2 ? 0.45 : 0.5;
}

/* Minimum number of pairs that a GPU's kernels process together, if there are enough. */
#define ARMILLA_SPIN_WHOLE 128

/* A run of n orders of scalar fields from order_first on. The first one is computed from order m of
 * E and B, the next ones from m + step, m + 2 step and so on. */
typedef struct {
  int64_t order_first, n, m, step;
  int64_t table, prepared; /* offsets of its table and of its prepared a_lm */
} ArmillaSpinRun;

/* Returns the highest order of a scalar field up to degree @lmax that contributes near the
 * poles. */
ARMILLA_HD int64_t
armilla_spin_polar_order (int64_t lmax, int64_t spin)
{
  const double sine = armilla_spin_polar_sine (spin), cosine = sqrt ((1 - sine) * (1 + sine));
  int64_t low = 0, high = lmax + 1; /* low contributes, high does not */

  while (high - low > 1)
    {
      const int64_t m = (low + high) / 2;

      if (armilla_delta_negligible (lmax, m, sine, cosine))
        high = m;
      else
        low = m;
    }
  return low;
}

ARMILLA_HD ArmillaSpinRun
armilla_spin_run_of (int64_t order_first, int64_t m, int64_t n, int64_t step)
{
  ArmillaSpinRun run = { order_first, n > 0 ? n : 0, m, step, 0, 0 };

  return run;
}

/* Sets the runs of a block; those without orders have n = 0. */
ARMILLA_HD void
armilla_spin_runs (const ArmillaSpinShape *shape, ArmillaSpinRun runs[ARMILLA_SPIN_RUNS])
{
  const int64_t s = shape->spin, lmax = shape->lmax + s, first = shape->m_first;
  const int64_t last = shape->m_last, top = armilla_spin_polar_order (lmax, s);
  const int64_t up = top - s < last ? top - s : last, down = top + s < last ? top + s : last;
  const int64_t high = first > s ? first : s, low = last < s - 1 ? last : s - 1;
  int64_t table = 0, prepared = 0;

  runs[ARMILLA_SPIN_MIDDLE] = armilla_spin_run_of (first, first, last - first + 1, 1);
  runs[ARMILLA_SPIN_UP] = armilla_spin_run_of (first + s, first, up - first + 1, 1);
  runs[ARMILLA_SPIN_DOWN] = armilla_spin_run_of (high - s, high, down - high + 1, 1);
  runs[ARMILLA_SPIN_FOLDED] = armilla_spin_run_of (s - low, low, low - first + 1, -1);
  for (int i = 0; i < ARMILLA_SPIN_RUNS; i++)
    {
      const int64_t o = runs[i].order_first;
      const int64_t steps = armilla_delta_steps_before (lmax, o, o + runs[i].n);

      runs[i].table = table;
      runs[i].prepared = prepared;
      table += runs[i].n + 3 * steps;
      prepared += 2 * shape->n_maps * 4 * steps;
    }
}

/* Computes f+, f0 and f- of degree l >= j >= 1. */
ARMILLA_HD void
armilla_spin_factors (int64_t l, int64_t j, double f[3])
{
  const double x = (double) l, y = (double) j;

  f[0] = sqrt ((x - y + 1) * (x - y + 2) / ((2 * x + 1) * (2 * x + 3))) / (x + 1);
  f[1] = sqrt ((x - y + 1) * (x + y)) / (x * (x + 1));
  f[2] = sqrt ((x + y) * (x + y - 1) / ((2 * x - 1) * (2 * x + 1))) / x;
}

/* Returns the number of doubles of ArmillaSpinNumbers, an even number. */
ARMILLA_HD int64_t
armilla_spin_numbers_size (const ArmillaSpinShape *shape)
{
  const int64_t top = shape->lmax + shape->spin;

  return (2 * top + 4 + 3 * shape->spin * (top + 1) + 1) / 2 * 2;
}

/* Sets the addresses of the parts of ArmillaSpinNumbers in an array of that size. */
ARMILLA_HD ArmillaSpinNumbers
armilla_spin_numbers (const ArmillaSpinShape *shape, const double *array)
{
  ArmillaSpinNumbers numbers;

  numbers.root = array + 1;
  numbers.factor = array + 2 * (shape->lmax + shape->spin) + 4;
  return numbers;
}

/* Returns element i of the array. */
ARMILLA_HD double
armilla_spin_number (const ArmillaSpinShape *shape, int64_t i)
{
  const int64_t top = shape->lmax + shape->spin, n_roots = 2 * top + 4;
  const int64_t row = (i - n_roots) / (top + 1), l = (i - n_roots) % (top + 1), j = row / 3 + 1;
  double f[3];

  if (i < n_roots)
    return i == 0 ? 0 : sqrt ((double) (i - 1));
  if (l < j)
    return 0;
  armilla_spin_factors (l, j, f);
  return f[row % 3];
}

/* Some orders of a run as a GPU processes them: their scalar fields, [2 n_maps][order, l in
 * healpy's order], complex, are computed from E and B, and are the input of
 * armilla_delta_prepare_launch (). */
typedef struct {
  int run;
  int64_t lmax, m_first;  /* of E and B */
  int64_t n_alm;          /* complex numbers of E in the block */
  int64_t m, step;        /* order of E and B for the first scalar order, and its increment from one
                           * scalar order to the next */
  int64_t order, n;       /* first scalar order, and their number */
  int64_t n_scalar;       /* complex numbers of a scalar field */
  int64_t table, prepared; /* offsets of its table and of its prepared a_lm */
} ArmillaSpinChunk;

/* maximum number of orders of a chunk, which bounds the scratch space */
#define ARMILLA_SPIN_CHUNK 512

/* Returns the chunk of orders number first .. first + n - 1 of a run. */
ARMILLA_HD ArmillaSpinChunk
armilla_spin_chunk (const ArmillaSpinShape *shape, const ArmillaSpinRun *runs, int run,
                    int64_t first, int64_t n)
{
  const int64_t lmax = shape->lmax + shape->spin, o = runs[run].order_first + first;
  const int64_t before = armilla_delta_steps_before (lmax, runs[run].order_first, o);
  ArmillaSpinChunk c;

  c.run = run;
  c.lmax = shape->lmax;
  c.m_first = shape->m_first;
  c.n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  c.m = runs[run].m + runs[run].step * first;
  c.step = runs[run].step;
  c.order = o;
  c.n = n;
  c.n_scalar = armilla_delta_alm_before (lmax, o, o + n);
  /* A table begins with one number per order, which prepare and finish do not use. */
  c.table = runs[run].table + runs[run].n - n + 3 * before;
  c.prepared = runs[run].prepared + 8 * shape->n_maps * before;
  return c;
}

/* Computes one coefficient of the two scalar fields of a map, the work of one CUDA thread: the k-th
 * degree of the i-th order of a chunk. */
ARMILLA_HD void
armilla_spin_chunk_couple (const ArmillaSpinChunk *c, int spin, int64_t i, int64_t k, int64_t map,
                           const ArmillaSpinNumbers *numbers, const double *alm, double *scalar)
{
  const int64_t m = c->m + c->step * i, order = c->order + i, l = order + k;
  const double *e
    = alm + 2 * (2 * map * c->n_alm + armilla_delta_alm_before (c->lmax, c->m_first, m));
  double *q = scalar
              + 2 * (2 * map * c->n_scalar
                     + armilla_delta_alm_before (c->lmax + spin, c->order, order) + k);
  ArmillaSpinPair p;

  if (l > c->lmax + spin)
    return;
  p = armilla_spin_couple (c->run, spin, c->lmax, m, order, l, e, e + 2 * c->n_alm, numbers);
  q[0] = p.v[0];
  q[1] = p.v[1];
  q[2 * c->n_scalar] = p.v[2];
  q[2 * c->n_scalar + 1] = p.v[3];
}

/* The transpose of armilla_spin_chunk_couple(): adds to the k-th degree of E and B of the order to
 * which the i-th order of the chunk corresponds. */
ARMILLA_HD void
armilla_spin_chunk_couple_back (const ArmillaSpinChunk *c, int spin, int64_t i, int64_t k,
                                int64_t map, const ArmillaSpinNumbers *numbers,
                                const double *scalar, double *alm)
{
  const int64_t m = c->m + c->step * i, order = c->order + i, l = m + k;
  double *e
    = alm + 2 * (2 * map * c->n_alm + armilla_delta_alm_before (c->lmax, c->m_first, m) + k);
  const double *q = scalar
                    + 2 * (2 * map * c->n_scalar
                           + armilla_delta_alm_before (c->lmax + spin, c->order, order));
  ArmillaSpinPair p;

  if (l < spin || l > c->lmax)
    return;
  p = armilla_spin_couple_back (c->run, spin, c->lmax, m, order, l, q, q + 2 * c->n_scalar,
                                numbers);
  e[0] += p.v[0];
  e[1] += p.v[1];
  e[2 * c->n_alm] += p.v[2];
  e[2 * c->n_alm + 1] += p.v[3];
}

/* Adjacent rings of a block, either all near a pole or none; their rows in the block's tile and in
 * that of a run. */
typedef struct {
  int64_t n_pairs, n_orders, m_first; /* of the block */
  int64_t first, n;                   /* of these rings */
} ArmillaSpinRows;

/* Returns 1 / (1 + cos)^s of a ring if @polar, else 1 / sin^s. */
ARMILLA_HD double
armilla_spin_row_factor (const ArmillaSpinRows *rows, const double *pairs, int64_t ring, int spin,
                         int polar)
{
  const int64_t at = rows->first + ring, n = rows->n_pairs;
  const double x = 1 / (polar ? 1 + pairs[ARMILLA_PAIR_COS * n + at]
                              : pairs[ARMILLA_PAIR_SIN * n + at]);
  double f = 1;

  for (int j = 0; j < spin; j++)
    f *= x;
  return f;
}

/* These return the position of a ring's rows of a field in the block's tile, and in the tile of a
 * run of n orders. */
ARMILLA_HD int64_t
armilla_spin_rows_tile (const ArmillaSpinRows *rows, int64_t field, int64_t ring)
{
  return 4 * (field * rows->n_pairs + rows->first + ring) * rows->n_orders;
}

ARMILLA_HD int64_t
armilla_spin_rows_work (const ArmillaSpinRows *rows, int64_t field, int64_t ring, int64_t n)
{
  return 4 * (field * rows->n + ring) * n;
}

/* Adds the values of order i of a run to Q and U of a ring near a pole. @factor: 1 / (1 + cos)^s of
 * the ring. Scalar field 0 of a map gives its northern ring, field 1 its southern one. */
ARMILLA_HD void
armilla_spin_rows_add (const ArmillaSpinRows *rows, const ArmillaSpinRun *run, int kind,
                       int64_t field, int64_t ring, int64_t i, double factor, const double *work,
                       double *tile)
{
  const int64_t south = field % 2, at = run->m - rows->m_first + run->step * i;
  const double f = 0.5 * factor, g = (kind == ARMILLA_SPIN_UP) == (south == 0) ? f : -f;
  const double *w = work + armilla_spin_rows_work (rows, field, ring, run->n) + 2 * i;
  double *q = tile + armilla_spin_rows_tile (rows, field - south, ring)
              + 2 * (south * rows->n_orders + at);
  double *u = q + 4 * rows->n_pairs * rows->n_orders;

  q[0] += f * w[0];
  q[1] += f * w[1];
  u[0] += g * w[1];
  u[1] -= g * w[0];
}

/* The transpose of armilla_spin_rows_add(). In @work the row of the other hemisphere becomes 0. */
ARMILLA_HD void
armilla_spin_rows_get (const ArmillaSpinRows *rows, const ArmillaSpinRun *run, int kind,
                       int64_t field, int64_t ring, int64_t i, double factor, const double *tile,
                       double *work)
{
  const int64_t south = field % 2, at = run->m - rows->m_first + run->step * i;
  const double f = 0.5 * factor, g = (kind == ARMILLA_SPIN_UP) == (south == 0) ? f : -f;
  double *w = work + armilla_spin_rows_work (rows, field, ring, run->n) + 2 * i;
  const double *q = tile + armilla_spin_rows_tile (rows, field - south, ring)
                    + 2 * (south * rows->n_orders + at);
  const double *u = q + 4 * rows->n_pairs * rows->n_orders;

  w[0] = f * q[0] - g * u[1];
  w[1] = f * q[1] + g * u[0];
  w[2 * run->n] = 0;
  w[2 * run->n + 1] = 0;
}
