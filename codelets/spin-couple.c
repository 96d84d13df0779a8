/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "codelets/spin-coupling.h"

#define MARGIN 4 /* degrees on either side of an array that are there to be 0 */

/* Of one degree: two complex fields. */
typedef double Four __attribute__ ((vector_size (32), aligned (8)));

/* Coefficients of a step from each degree to the next, to the same and to the one before. */
typedef struct {
  double *up, *same, *down;
} Band;

/* Scratch space. Arrays over l begin at l = -MARGIN. */
typedef struct {
  int64_t lmax, m;                    /* of the E_lm, B_lm; the order at hand */
  int64_t n;                          /* of an array over l */
  int32_t spin;
  double *root;                       /* sqrt of whole numbers from -MARGIN on */
  Band factor[ARMILLA_SPIN_HIGHEST];      /* f+, f0, f- of step j + 1 -> j */
  Band band[ARMILLA_SPIN_HIGHEST];        /* of the order and run at hand */
  Four *from, *to;
  double *alm;                        /* [2 n_maps][l], complex, of one order of a scalar field */
} Coupling;

static int64_t
array_length (const ArmillaSpinShape *shape)
{
  return shape->lmax + shape->spin + 1 + 2 * MARGIN;
}

/**
 * armilla_spin_coupling_size:
 * @shape: the block
 *
 * Returns: doubles of scratch space that armilla_spin_prepare_cpu() and armilla_spin_finish_cpu()
 * need; its contents need not be set
 */
int64_t
armilla_spin_coupling_size (const ArmillaSpinShape *shape)
{
  return array_length (shape) * (2 + 6 * shape->spin + 8 + 4 * shape->n_maps);
}

/**
 * armilla_spin_cuda_coupling_size:
 * @shape: the block
 *
 * Returns: doubles of scratch space that armilla_spin_prepare_launch() and
 * armilla_spin_finish_launch() need: roots and factors, and scalar fields of some orders
 */
int64_t
armilla_spin_cuda_coupling_size (const ArmillaSpinShape *shape)
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;

  return armilla_spin_numbers_size (shape)
         + (n_orders < ARMILLA_SPIN_CHUNK ? n_orders : ARMILLA_SPIN_CHUNK)
             * (shape->lmax + shape->spin + 1) * 4 * shape->n_maps;
}

static double *
take (double **scratch, int64_t n)
{
  double *x = *scratch + MARGIN;

  *scratch += n;
  return x;
}

static void
band_take (Band *band, double **scratch, int64_t n)
{
  band->up = take (scratch, n);
  band->same = take (scratch, n);
  band->down = take (scratch, n);
}

static void
coupling_init (Coupling *c, const ArmillaSpinShape *shape, double *scratch)
{
  const int64_t n = array_length (shape);

  *c = (Coupling){ .lmax = shape->lmax, .n = n, .spin = shape->spin };
  memset (scratch, 0, sizeof (double) * (size_t) armilla_spin_coupling_size (shape));
  c->root = take (&scratch, 2 * n);
  for (int64_t i = 0; i < 2 * n - MARGIN; i++)
    c->root[i] = sqrt ((double) i);
  for (int32_t j = 0; j < shape->spin; j++)
    {
      band_take (c->factor + j, &scratch, n);
      band_take (c->band + j, &scratch, n);
      for (int64_t l = j + 1; l < n - MARGIN; l++)
        {
          double f[3];

          armilla_spin_factors (l, j + 1, f);
          c->factor[j].up[l] = f[0];
          c->factor[j].same[l] = f[1];
          c->factor[j].down[l] = f[2];
        }
    }
  c->from = (Four *) scratch + MARGIN;
  scratch += 4 * n;
  c->to = (Four *) scratch + MARGIN;
  scratch += 4 * n;
  c->alm = scratch;
}

/* Degrees of the fields before the step from spin j + 1. */
static int64_t
lowest (int64_t m, int64_t j)
{
  return m > j + 1 ? m : m < -(j + 1) ? -m : j + 1;
}

static int64_t
highest (const Coupling *c, int64_t j)
{
  return c->lmax + c->spin - j - 1;
}

static void
band_middle (Coupling *c, int32_t j)
{
  const Band *b = c->band + j, *f = c->factor + j;
  const double *root = c->root;
  const int64_t m = c->m;

  for (int64_t l = lowest (m, j); l <= highest (c, j); l++)
    {
      b->up[l] = f->up[l] * (root[l - m + 1] * root[l + m + 1]);
      b->same[l] = f->same[l] * (double) m;
      b->down[l] = -f->down[l] * (root[l - m] * root[l + m]);
    }
}

/* @m: the order before the step, of either sign */
static void
band_polar (Coupling *c, int32_t j, int64_t m)
{
  const Band *b = c->band + j, *f = c->factor + j;
  const double *root = c->root;

  for (int64_t l = lowest (m, j); l <= highest (c, j); l++)
    {
      b->up[l] = f->up[l] * (root[l - m + 1] * root[l - m + 2]);
      b->same[l] = f->same[l] * (root[l - m + 1] * root[l + m]);
      b->down[l] = f->down[l] * (root[l + m] * root[l + m - 1]);
    }
}

/* Bands of all steps of an order. */
static void
bands_get (Coupling *c, int run, int64_t m)
{
  c->m = m;
  for (int32_t j = c->spin - 1; j >= 0; j--)
    {
      const int64_t moved = (run == ARMILLA_SPIN_UP ? -m : m) - (c->spin - 1 - j);
      const Band *b = c->band + j;

      if (run == ARMILLA_SPIN_MIDDLE)
        band_middle (c, j);
      else
        band_polar (c, j, moved);
      for (int64_t i = 1; i <= 2; i++)
        {
          const int64_t low = lowest (run == ARMILLA_SPIN_MIDDLE ? m : moved, j) - i;
          const int64_t high = highest (c, j) + i;

          b->up[low] = b->same[low] = b->down[low] = 0;
          b->up[high] = b->same[high] = b->down[high] = 0;
        }
    }
}

/* What follows is compiled once for each run of orders, whose number is known then, and for AVX2,
 * where a degree's two fields are one vector. Without contraction all of them round alike. */
#define INLINE static inline __attribute__ ((always_inline))

/* Both arrays are to be 0 on either side of what is written to them. */
INLINE void
clear_sides (Coupling *c, int64_t first, int64_t last)
{
  const int64_t low = c->m > c->spin ? c->m - c->spin : 0;

  for (int64_t l = low - 3; l < first; l++)
    c->from[l] = (Four){ 0 };
  for (int64_t l = low - 3; l < low; l++)
    c->to[l] = (Four){ 0 };
  for (int64_t l = last + 1; l <= c->lmax + c->spin + 3; l++)
    c->from[l] = (Four){ 0 };
}

/* from <- to, from spin s to spin 0. */
INLINE void
bands_apply (Coupling *c, int run)
{
  const double first = run == ARMILLA_SPIN_MIDDLE ? -1 : 1;
  const Four sign = { first, first, 1, 1 }; /* of the term that keeps the degree */

  for (int32_t j = c->spin - 1; j >= 0; j--)
    {
      const double *up = c->band[j].up, *same = c->band[j].same, *down = c->band[j].down;
      const Four *x = c->from;
      Four *restrict y = c->to;
      const int64_t low = c->m > c->spin ? c->m - c->spin : 0, high = highest (c, j) + 1;

      for (int64_t l = low; l <= high; l++)
        y[l] = up[l - 1] * x[l - 1] + same[l] * sign * x[l] + down[l + 1] * x[l + 1];
      c->to = c->from;
      c->from = y;
    }
}

/* The transpose. */
INLINE void
bands_apply_back (Coupling *c, int run)
{
  const double first = run == ARMILLA_SPIN_MIDDLE ? -1 : 1;
  const Four sign = { first, first, 1, 1 }; /* of the term that keeps the degree */

  for (int32_t j = 0; j < c->spin; j++)
    {
      const double *up = c->band[j].up, *same = c->band[j].same, *down = c->band[j].down;
      const Four *x = c->from;
      Four *restrict y = c->to;
      const int64_t low = c->m > c->spin ? c->m - c->spin : 0, high = highest (c, j);

      for (int64_t l = low; l <= high; l++)
        y[l] = up[l] * x[l + 1] + same[l] * sign * x[l] + down[l] * x[l - 1];
      c->to = c->from;
      c->from = y;
    }
}

/* from <- the two fields of a run that E and B are, as L^l_{m,-s} and L^l_{m,s} want them.
 * @e, @b: of degree m on */
INLINE void
start_set (Coupling *c, int run, const double *e, const double *b)
{
  const int64_t first = c->m > c->spin ? c->m : c->spin;
  const double s = c->spin % 2 ? 1 : -1; /* -(-1)^s */
  const double odd = (first + c->m) % 2 ? -1 : 1;
  const int swap = run != ARMILLA_SPIN_MIDDLE && run != ARMILLA_SPIN_UP;
  /* plus: s (e + i b); minus: -(e - i b) */
  const Four of_e = swap ? (Four){ -1, -1, s, s } : (Four){ s, s, -1, -1 };
  const Four of_b = swap ? (Four){ -1, 1, -s, s } : (Four){ -s, s, -1, 1 };
  Four sign = { 1, 1, odd, odd };

  clear_sides (c, first, c->lmax);
  if (run == ARMILLA_SPIN_MIDDLE)
    sign = (Four){ 1, 1, 1, 1 };
  for (int64_t l = first; l <= c->lmax; l++)
    {
      const double *x = e + 2 * (l - c->m), *y = b + 2 * (l - c->m);
      const Four xx = { x[0], x[1], x[0], x[1] }, yy = { y[1], y[0], y[1], y[0] };

      c->from[l] = sign * (of_e * xx + of_b * yy);
      if (run != ARMILLA_SPIN_MIDDLE)
        sign *= (Four){ 1, 1, -1, -1 };
    }
}

/* The transpose; adds to @e and @b. */
INLINE void
start_add (const Coupling *c, int run, double *e, double *b)
{
  const int64_t first = c->m > c->spin ? c->m : c->spin;
  const double s = c->spin % 2 ? 1 : -1;
  double odd = (first + c->m) % 2 ? -1 : 1;

  for (int64_t l = first; l <= c->lmax; l++, odd = -odd)
    {
      double *x = e + 2 * (l - c->m), *y = b + 2 * (l - c->m);
      Four v = c->from[l];

      if (run == ARMILLA_SPIN_UP)
        v = (Four){ v[0], v[1], odd * v[2], odd * v[3] };
      else if (run != ARMILLA_SPIN_MIDDLE)
        v = (Four){ odd * v[2], odd * v[3], v[0], v[1] };
      x[0] += s * v[0] - v[2];
      x[1] += s * v[1] - v[3];
      y[0] += s * v[1] + v[3];
      y[1] -= s * v[0] + v[2];
    }
}

/* Two scalar fields of an order <- from. @q, @u: of degree @order on */
INLINE void
end_get (const Coupling *c, int run, int64_t order, double *restrict q, double *restrict u)
{
  const double s = c->spin % 2 ? -1 : 1, sign = run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1;

  for (int64_t l = order; l <= c->lmax + c->spin; l++, q += 2, u += 2)
    {
      const Four v = c->from[l];

      if (run == ARMILLA_SPIN_MIDDLE)
        {
          q[0] = 0.5 * (v[0] + s * v[2]);
          q[1] = 0.5 * (v[1] + s * v[3]);
          u[0] = 0.5 * (v[1] - s * v[3]);
          u[1] = 0.5 * (s * v[2] - v[0]);
        }
      else
        {
          q[0] = sign * v[0];
          q[1] = sign * v[1];
          u[0] = sign * v[2];
          u[1] = sign * v[3];
        }
    }
}

/* The transpose. */
INLINE void
end_set (Coupling *c, int run, int64_t order, const double *q, const double *u)
{
  const double s = c->spin % 2 ? -1 : 1, sign = run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1;

  clear_sides (c, order, c->lmax + c->spin);
  for (int64_t l = order; l <= c->lmax + c->spin; l++, q += 2, u += 2)
    if (run == ARMILLA_SPIN_MIDDLE)
      c->from[l] = (Four){ 0.5 * (q[0] - u[1]), 0.5 * (q[1] + u[0]), s * 0.5 * (q[0] + u[1]),
                           s * 0.5 * (q[1] - u[0]) };
    else
      c->from[l] = (Four){ sign * q[0], sign * q[1], sign * u[0], sign * u[1] };
}

INLINE void
to_scalars (Coupling *c, int run, int64_t order, const double *e, const double *b, double *q,
            double *u)
{
  start_set (c, run, e, b);
  bands_apply (c, run);
  end_get (c, run, order, q, u);
}

INLINE void
from_scalars (Coupling *c, int run, int64_t order, double *e, double *b, const double *q,
              const double *u)
{
  end_set (c, run, order, q, u);
  bands_apply_back (c, run);
  start_add (c, run, e, b);
}

/* The functions of an instruction set, and which of them a run takes. */
#define VARIANTS(target, suffix)                                                                   \
  target static void couple_##suffix (Coupling *c, int run, int64_t order, const double *e,        \
                                      const double *b, double *q, double *u)                       \
  {                                                                                                \
    switch (run)                                                                                   \
      {                                                                                            \
      case ARMILLA_SPIN_MIDDLE:                                                                    \
        to_scalars (c, ARMILLA_SPIN_MIDDLE, order, e, b, q, u);                                    \
        break;                                                                                     \
      case ARMILLA_SPIN_UP:                                                                        \
        to_scalars (c, ARMILLA_SPIN_UP, order, e, b, q, u);                                        \
        break;                                                                                     \
      case ARMILLA_SPIN_DOWN:                                                                      \
        to_scalars (c, ARMILLA_SPIN_DOWN, order, e, b, q, u);                                      \
        break;                                                                                     \
      default:                                                                                     \
        to_scalars (c, ARMILLA_SPIN_FOLDED, order, e, b, q, u);                                    \
      }                                                                                            \
  }                                                                                                \
  target static void couple_back_##suffix (Coupling *c, int run, int64_t order, double *e,         \
                                           double *b, const double *q, const double *u)            \
  {                                                                                                \
    switch (run)                                                                                   \
      {                                                                                            \
      case ARMILLA_SPIN_MIDDLE:                                                                    \
        from_scalars (c, ARMILLA_SPIN_MIDDLE, order, e, b, q, u);                                  \
        break;                                                                                     \
      case ARMILLA_SPIN_UP:                                                                        \
        from_scalars (c, ARMILLA_SPIN_UP, order, e, b, q, u);                                      \
        break;                                                                                     \
      case ARMILLA_SPIN_DOWN:                                                                      \
        from_scalars (c, ARMILLA_SPIN_DOWN, order, e, b, q, u);                                    \
        break;                                                                                     \
      default:                                                                                     \
        from_scalars (c, ARMILLA_SPIN_FOLDED, order, e, b, q, u);                                  \
      }                                                                                            \
  }

VARIANTS (, portable)
#ifdef __x86_64__
VARIANTS (__attribute__ ((target ("avx2"))), avx2)
#else
# define couple_avx2 couple_portable
# define couple_back_avx2 couple_back_portable
#endif

/* An order of a run as delta_recurrence sees it. */
typedef struct {
  ArmillaDeltaShape shape;
  int64_t table, prepared, n_alm; /* where they begin; complex numbers of a scalar field */
} Scalar;

static Scalar
scalar_of (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, int64_t i)
{
  const int64_t o = run->order_first + i, lmax = shape->lmax + shape->spin;
  const int64_t before = armilla_delta_steps_before (lmax, run->order_first, o);
  Scalar s = { { lmax, o, o, 2 * shape->n_maps, shape->n_pairs, shape->isa }, 0, 0, lmax - o + 1 };

  /* A table begins with a number for each order, which prepare and finish do not look at. */
  s.table = run->table + run->n - 1 + 3 * before;
  s.prepared = run->prepared + 8 * shape->n_maps * before;
  return s;
}

/**
 * armilla_spin_prepare_cpu:
 * @shape: the block
 * @table: (in): from armilla_spin_table_cpu()
 * @alm: (in): complex, [map][E, B][m, l in healpy's order within the block]; degrees below the spin
 *   are not looked at
 * @prepared: (out): armilla_spin_prepared_size() doubles
 * @scratch: armilla_spin_coupling_size() doubles
 *
 * Expresses fields of spin s by scalar ones, and those in the basis of delta_recurrence.
 */
void
armilla_spin_prepare_cpu (const ArmillaSpinShape *shape, const double *table, const double *alm,
                          double *prepared, double *scratch)
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  Coupling c;

  coupling_init (&c, shape, scratch);
  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n; i++)
      {
        const int64_t m = runs[r].m + runs[r].step * i;
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const Scalar s = scalar_of (shape, runs + r, i);

        bands_get (&c, r, m);
        for (int64_t map = 0; map < shape->n_maps; map++)
          {
            const double *e = alm + 2 * (2 * map * n_alm + at);
            double *q = c.alm + 4 * map * s.n_alm;

            (shape->isa == ARMILLA_ISA_PORTABLE ? couple_portable : couple_avx2) (
              &c, r, s.shape.m_first, e, e + 2 * n_alm, q, q + 2 * s.n_alm);
          }
        armilla_delta_prepare_cpu (&s.shape, table + s.table, c.alm, prepared + s.prepared);
      }
}

/**
 * armilla_spin_finish_cpu:
 * @shape: the block
 * @table: (in): from armilla_spin_table_cpu()
 * @prepared: (in): armilla_spin_prepared_size() doubles
 * @alm: (out): complex, [map][E, B][m, l in healpy's order within the block]; 0 below the spin
 * @scratch: armilla_spin_coupling_size() doubles
 *
 * The transpose of armilla_spin_prepare_cpu().
 */
void
armilla_spin_finish_cpu (const ArmillaSpinShape *shape, const double *table,
                         const double *prepared, double *alm, double *scratch)
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  Coupling c;

  coupling_init (&c, shape, scratch);
  armilla_spin_runs (shape, runs);
  memset (alm, 0, sizeof (double) * 4 * (size_t) (shape->n_maps * n_alm));
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n; i++)
      {
        const int64_t m = runs[r].m + runs[r].step * i;
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const Scalar s = scalar_of (shape, runs + r, i);

        bands_get (&c, r, m);
        armilla_delta_finish_cpu (&s.shape, table + s.table, prepared + s.prepared, c.alm);
        for (int64_t map = 0; map < shape->n_maps; map++)
          {
            double *e = alm + 2 * (2 * map * n_alm + at);
            const double *q = c.alm + 4 * map * s.n_alm;

            (shape->isa == ARMILLA_ISA_PORTABLE ? couple_back_portable : couple_back_avx2) (
              &c, r, s.shape.m_first, e, e + 2 * n_alm, q, q + 2 * s.n_alm);
          }
      }
}
