/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of spin s <-> scalar ones on the CPU, one vector of degrees at a time; compiled once for
 * each instruction set. A step takes 12 FMA, 6 products and 20 loads from the first-level cache per
 * vector, including the computation of the order's coefficients. */
#include <string.h>

#include "codelets/common/simd.h"
#include "codelets/legendre/spin-cpu.h"

#define MARGIN ARMILLA_SPIN_MARGIN
#define UNROLL _Pragma ("GCC unroll 8")
/* The four arrays as separate variables, which stores cannot change. */
#define ARRAYS(x) { (x)[0], (x)[1], (x)[2], (x)[3] }

_Static_assert (MARGIN >= VL + 4, "a vector beyond the last degree stays in the padding");

/* A step from spin j + 1 to spin j. */
typedef struct {
  const double *up, *same, *down, *root;
  int64_t order;    /* before the step: m, or its remainder near a pole, of either sign */
  int64_t low, high; /* lowest and highest degree before the step */
  int64_t low_after; /* lowest degree after it; the highest is high + 1 */
} Step;

static int64_t
lowest (int64_t m, int64_t j)
{
  const int64_t order = m < 0 ? -m : m;

  return order > j ? order : j;
}

static Step
step_get (const ArmillaSpinCoupling *c, const int run, int32_t j)
{
  const int32_t done = c->spin - 1 - j;
  Step s = { c->factor[j].up, c->factor[j].same, c->factor[j].down, c->root, c->m, 0, 0, 0 };

  if (run != ARMILLA_SPIN_MIDDLE)
    s.order = (run == ARMILLA_SPIN_UP ? -c->m : c->m) - done;
  s.low = lowest (s.order, j + 1);
  s.low_after = lowest (run == ARMILLA_SPIN_MIDDLE ? s.order : s.order - 1, j);
  s.high = c->lmax + done;
  return s;
}

/* step_up(), step_same() and step_down() return the contributions of degrees l .. l + VL - 1 to the
 * next degree, to the degree itself, and to the previous one. */
SIMD_INLINE V
step_up (const int run, const Step *s, int64_t l)
{
  const int64_t m = s->order;
  const V last = v_load (s->root + (run == ARMILLA_SPIN_MIDDLE ? l + m + 1 : l - m + 2));

  return v_load (s->up + l) * (v_load (s->root + l - m + 1) * last);
}

SIMD_INLINE V
step_same (const int run, const Step *s, int64_t l)
{
  const int64_t m = s->order;
  V of_order = v_set ((double) m);

  if (run != ARMILLA_SPIN_MIDDLE)
    of_order = v_load (s->root + l - m + 1) * v_load (s->root + l + m);
  return v_load (s->same + l) * of_order;
}

SIMD_INLINE V
step_down (const int run, const Step *s, int64_t l)
{
  const int64_t m = s->order;
  const V last = v_load (s->root + (run == ARMILLA_SPIN_MIDDLE ? l - m : l + m - 1));
  const V sign = v_set (run == ARMILLA_SPIN_MIDDLE ? -1 : 1);

  return sign * v_load (s->down + l) * (v_load (s->root + l + m) * last);
}

/* Clears arrays on either side of degrees @first .. @last, as far as a step reads. */
SIMD_INLINE void
clear_sides (double *const *x, int64_t first, int64_t last)
{
  UNROLL for (int i = 0; i < 4; i++)
    {
      memset (x[i] + first - 3, 0, 3 * sizeof (double));
      memset (x[i] + last + 1, 0, (VL + 2) * sizeof (double));
    }
}

SIMD_INLINE void
arrays_swap (ArmillaSpinCoupling *c)
{
  for (int i = 0; i < 4; i++)
    {
      double *x = c->from[i];

      c->from[i] = c->to[i];
      c->to[i] = x;
    }
}

/* y[l] = a x[l - 1] + b x[l] + c x[l + 1]; in middle latitudes the first field's b changes sign. */
SIMD_INLINE void
step_vector (const int run, double *const *x, double *const *y, int64_t l, V before, V same,
             V after)
{
  const V first = v_set (run == ARMILLA_SPIN_MIDDLE ? -1 : 1) * same;

  UNROLL for (int i = 0; i < 4; i++)
    {
      const V t = v_fma (i < 2 ? first : same, v_load (x[i] + l), before * v_load (x[i] + l - 1));

      v_store (y[i] + l, v_fma (after, v_load (x[i] + l + 1), t));
    }
}

/* Takes all steps from spin s to spin 0. */
SIMD_INLINE void
steps_run (ArmillaSpinCoupling *c, const int run)
{
  for (int32_t j = c->spin - 1; j >= 0; j--)
    {
      const Step s = step_get (c, run, j);
      double *const x[4] = ARRAYS (c->from), *const y[4] = ARRAYS (c->to);

      for (int64_t l = s.low_after; l <= s.high + 1; l += VL)
        step_vector (run, x, y, l, step_up (run, &s, l - 1), step_same (run, &s, l),
                     step_down (run, &s, l + 1));
      clear_sides (c->to, s.low_after, s.high + 1);
      arrays_swap (c);
    }
}

/* The transpose of steps_run(). */
SIMD_INLINE void
steps_run_back (ArmillaSpinCoupling *c, const int run)
{
  for (int32_t j = 0; j < c->spin; j++)
    {
      const Step s = step_get (c, run, j);
      double *const x[4] = ARRAYS (c->from), *const y[4] = ARRAYS (c->to);

      for (int64_t l = s.low; l <= s.high; l += VL)
        step_vector (run, x, y, l, step_down (run, &s, l), step_same (run, &s, l),
                     step_up (run, &s, l));
      clear_sides (c->to, s.low, s.high);
      arrays_swap (c);
    }
}

/* Reads n complex numbers, at most VL; 0 beyond. */
SIMD_INLINE void
complex_load (const double *p, int64_t n, V *re, V *im)
{
  double part[2 * VL] = { 0 };

  if (n >= VL)
    {
      v_split (p, re, im);
      return;
    }
  memcpy (part, p, sizeof (double) * 2 * (size_t) n);
  v_split (part, re, im);
}

SIMD_INLINE void
complex_store (double *p, int64_t n, V re, V im)
{
  double part[2 * VL];

  if (n >= VL)
    {
      v_join (p, re, im);
      return;
    }
  v_join (part, re, im);
  memcpy (p, part, sizeof (double) * 2 * (size_t) n);
}

/* Returns the signs of degrees from @l on: (-1)^(l + m) near a pole, otherwise 1. */
SIMD_INLINE V
signs (const int run, int64_t l, int64_t m)
{
  const double first = (l + m) % 2 ? -1 : 1;
  double sign[VL];

  if (run == ARMILLA_SPIN_MIDDLE)
    return v_set (1);

  for (int i = 0; i < VL; i++)
    sign[i] = i % 2 ? -first : first;
  return v_load (sign);
}

/* Converts E and B to the two fields of a run, the coefficients of L^l_{m,-s} and L^l_{m,s}. */
SIMD_INLINE void
start_set (ArmillaSpinCoupling *c, const int run, const double *e, const double *b)
{
  const int64_t first = c->m > c->spin ? c->m : c->spin;
  const V odd = signs (run, first, c->m);
  const int swap = run != ARMILLA_SPIN_MIDDLE && run != ARMILLA_SPIN_UP;
  double *const x[4] = ARRAYS (c->from);
  double *const *plus = x + (swap ? 2 : 0), *const *minus = x + (swap ? 0 : 2);
  const V plus_sign = v_set (c->spin % 2 ? 1 : -1) * (swap ? odd : v_set (1)); /* -(-1)^s */
  const V minus_sign = swap ? v_set (1) : odd;

  for (int64_t l = first; l <= c->lmax; l += VL)
    {
      V e_re, e_im, b_re, b_im;

      complex_load (e + 2 * (l - c->m), c->lmax + 1 - l, &e_re, &e_im);
      complex_load (b + 2 * (l - c->m), c->lmax + 1 - l, &b_re, &b_im);
      if (c->m == 0) /* the coefficients are real */
        e_im = b_im = v_set (0);
      v_store (plus[0] + l, plus_sign * (e_re - b_im));
      v_store (plus[1] + l, plus_sign * (e_im + b_re));
      v_store (minus[0] + l, -minus_sign * (e_re + b_im));
      v_store (minus[1] + l, minus_sign * (b_re - e_im));
    }
  clear_sides (c->from, first, c->lmax);
}

/* The transpose of start_set(); adds to @e and @b. */
SIMD_INLINE void
start_add (const ArmillaSpinCoupling *c, const int run, double *e, double *b)
{
  const int64_t first = c->m > c->spin ? c->m : c->spin;
  const V odd = signs (run, first, c->m);
  const int swap = run != ARMILLA_SPIN_MIDDLE && run != ARMILLA_SPIN_UP;
  double *const x[4] = ARRAYS (c->from);
  double *const *plus = x + (swap ? 2 : 0), *const *minus = x + (swap ? 0 : 2);
  const V plus_sign = v_set (c->spin % 2 ? 1 : -1) * (swap ? odd : v_set (1));
  const V minus_sign = swap ? v_set (1) : odd;

  for (int64_t l = first; l <= c->lmax; l += VL)
    {
      const V p_re = plus_sign * v_load (plus[0] + l), p_im = plus_sign * v_load (plus[1] + l);
      const V m_re = minus_sign * v_load (minus[0] + l), m_im = minus_sign * v_load (minus[1] + l);
      const int64_t at = 2 * (l - c->m), n = c->lmax + 1 - l;
      V e_re, e_im, b_re, b_im;

      complex_load (e + at, n, &e_re, &e_im);
      complex_load (b + at, n, &b_re, &b_im);
      complex_store (e + at, n, e_re + (p_re - m_re), e_im + (p_im - m_im));
      complex_store (b + at, n, b_re + (p_im + m_im), b_im - (p_re + m_re));
    }
}

/* Stores the result of the steps as two scalar fields of an order. */
SIMD_INLINE void
end_get (const ArmillaSpinCoupling *c, const int run, int64_t order, double *q, double *u)
{
  const V half = v_set (0.5), s = v_set (c->spin % 2 ? -0.5 : 0.5);
  const V sign = v_set (run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1);
  const int64_t last = c->lmax + c->spin;
  double *const from[4] = ARRAYS (c->from);

  for (int64_t l = order; l <= last; l += VL, q += 2 * VL, u += 2 * VL)
    {
      V x[4], y[4];

      UNROLL for (int i = 0; i < 4; i++)
        x[i] = v_load (from[i] + l);
      UNROLL for (int i = 0; i < 4; i++)
        y[i] = sign * x[i];
      if (run == ARMILLA_SPIN_MIDDLE)
        {
          y[0] = half * x[0] + s * x[2];
          y[1] = half * x[1] + s * x[3];
          y[2] = half * x[1] - s * x[3];
          y[3] = s * x[2] - half * x[0];
        }
      complex_store (q, last + 1 - l, y[0], y[1]);
      complex_store (u, last + 1 - l, y[2], y[3]);
    }
}

/* The transpose of end_get(). */
SIMD_INLINE void
end_set (ArmillaSpinCoupling *c, const int run, int64_t order, const double *q, const double *u)
{
  const V half = v_set (0.5), s = v_set (c->spin % 2 ? -0.5 : 0.5);
  const V sign = v_set (run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1);
  const int64_t last = c->lmax + c->spin;
  double *const from[4] = ARRAYS (c->from);

  for (int64_t l = order; l <= last; l += VL, q += 2 * VL, u += 2 * VL)
    {
      V x[4], y[4];

      complex_load (q, last + 1 - l, x, x + 1);
      complex_load (u, last + 1 - l, x + 2, x + 3);
      UNROLL for (int i = 0; i < 4; i++)
        y[i] = sign * x[i];
      if (run == ARMILLA_SPIN_MIDDLE)
        {
          y[0] = half * (x[0] - x[3]);
          y[1] = half * (x[1] + x[2]);
          y[2] = s * (x[0] + x[3]);
          y[3] = s * (x[1] - x[2]);
        }
      UNROLL for (int i = 0; i < 4; i++)
        v_store (from[i] + l, y[i]);
    }
  clear_sides (c->from, order, last);
}

SIMD_INLINE void
to_scalars (ArmillaSpinCoupling *c, const int run, int64_t order, const double *e, const double *b,
            double *q, double *u)
{
  start_set (c, run, e, b);
  steps_run (c, run);
  end_get (c, run, order, q, u);
}

SIMD_INLINE void
from_scalars (ArmillaSpinCoupling *c, const int run, int64_t order, double *e, double *b,
              const double *q, const double *u)
{
  end_set (c, run, order, q, u);
  steps_run_back (c, run);
  start_add (c, run, e, b);
}

static void
spin_couple (ArmillaSpinCoupling *c, int run, int64_t order, const double *e, const double *b,
             double *q, double *u)
{
  if (run == ARMILLA_SPIN_MIDDLE)
    to_scalars (c, ARMILLA_SPIN_MIDDLE, order, e, b, q, u);
  else if (run == ARMILLA_SPIN_UP)
    to_scalars (c, ARMILLA_SPIN_UP, order, e, b, q, u);
  else if (run == ARMILLA_SPIN_DOWN)
    to_scalars (c, ARMILLA_SPIN_DOWN, order, e, b, q, u);
  else
    to_scalars (c, ARMILLA_SPIN_FOLDED, order, e, b, q, u);
}

static void
spin_couple_back (ArmillaSpinCoupling *c, int run, int64_t order, double *e, double *b,
                  const double *q, const double *u)
{
  if (run == ARMILLA_SPIN_MIDDLE)
    from_scalars (c, ARMILLA_SPIN_MIDDLE, order, e, b, q, u);
  else if (run == ARMILLA_SPIN_UP)
    from_scalars (c, ARMILLA_SPIN_UP, order, e, b, q, u);
  else if (run == ARMILLA_SPIN_DOWN)
    from_scalars (c, ARMILLA_SPIN_DOWN, order, e, b, q, u);
  else
    from_scalars (c, ARMILLA_SPIN_FOLDED, order, e, b, q, u);
}

const ArmillaSpinKernels SIMD_NAME (armilla_spin_kernels) = { spin_couple, spin_couple_back };
