/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Couples a field of spin s with scalar ones, one coefficient at a time: used by CUDA threads and
 * by host tests. The formulae are those of spin-coupling.h. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/common/host-device.h"

/* Maximum spin of the kernels; that of fields is lower, ARMILLA_SPIN_MAX. */
#define ARMILLA_SPIN_KERNEL_MAX 8

/* Runs of orders of scalar fields, which the kernels of delta-recurrence.h compute for a block. */
enum {
  ARMILLA_SPIN_MIDDLE, /* orders m, fields Q sin^s and U sin^s; rings that are not near a pole */
  ARMILLA_SPIN_UP,     /* orders m + s; rings near a pole, like the two below. Fields: Q + i U of
                        * the northern ring, Q - i U of the southern one, times (1 + cos)^s */
  ARMILLA_SPIN_DOWN,   /* orders m - s. Fields: Q - i U north, Q + i U south */
  ARMILLA_SPIN_FOLDED, /* orders s - m > 0, the highest m first. Fields as in the run before */
  ARMILLA_SPIN_RUNS
};

/* Two complex fields at one degree. */
typedef struct {
  double v[4];
} ArmillaSpinPair;

/* Factors of the coupling coefficients: sqrt (i) at root[i], i from -1 (0 there) to 2 (lmax + spin)
 * + 2; f+, f0 and f- (see spin-coupling.h) of the step from spin j + 1 to j and of degree l at
 * factor[(3 j + which) (lmax + spin + 1) + l]. */
typedef struct {
  const double *root, *factor;
} ArmillaSpinNumbers;

/* A step from spin j + 1 to spin j, for order m of E and B. */
typedef struct {
  int run, spin, j;
  int64_t lmax;  /* of E and B */
  int64_t order; /* before the step: m, or its remainder near a pole, of either sign */
  ArmillaSpinNumbers numbers;
} ArmillaSpinStep;

ARMILLA_HD ArmillaSpinStep
armilla_spin_step (int run, int spin, int64_t lmax, int64_t m, int j,
                   const ArmillaSpinNumbers *numbers)
{
  ArmillaSpinStep step;

  step.run = run;
  step.spin = spin;
  step.j = j;
  step.lmax = lmax;
  step.order = m;
  if (run != ARMILLA_SPIN_MIDDLE)
    step.order = (run == ARMILLA_SPIN_UP ? -m : m) - (spin - 1 - j);
  step.numbers.root = numbers->root;
  step.numbers.factor = numbers->factor + 3 * j * (lmax + spin + 1);
  return step;
}

/* Returns whether the fields have degree l before the step. */
ARMILLA_HD int
armilla_spin_step_has (const ArmillaSpinStep *step, int64_t l)
{
  const int64_t m = step->order < 0 ? -step->order : step->order;

  return l >= m && l >= step->j + 1 && l <= step->lmax + step->spin - step->j - 1;
}

/* Returns the contribution of degree l to l + 1. */
ARMILLA_HD double
armilla_spin_up (const ArmillaSpinStep *step, int64_t l)
{
  const double *root = step->numbers.root;
  const int64_t m = step->order, last = step->run == ARMILLA_SPIN_MIDDLE ? l + m + 1 : l - m + 2;

  if (!armilla_spin_step_has (step, l))
    return 0;
  return step->numbers.factor[l] * (root[l - m + 1] * root[last]);
}

/* Sets @same to the contributions of degree l to itself, in the first of the two fields and in the
 * second. */
ARMILLA_HD void
armilla_spin_same (const ArmillaSpinStep *step, int64_t l, double same[2])
{
  const double *root = step->numbers.root;
  const int64_t m = step->order;

  same[0] = same[1] = 0;
  if (!armilla_spin_step_has (step, l))
    return;
  same[1] = step->numbers.factor[step->lmax + step->spin + 1 + l];
  same[1] *= step->run == ARMILLA_SPIN_MIDDLE ? (double) m : root[l - m + 1] * root[l + m];
  same[0] = step->run == ARMILLA_SPIN_MIDDLE ? -same[1] : same[1];
}

/* Returns the contribution of degree l to l - 1. */
ARMILLA_HD double
armilla_spin_down (const ArmillaSpinStep *step, int64_t l)
{
  const double *root = step->numbers.root;
  const double first = step->run == ARMILLA_SPIN_MIDDLE ? -1 : 1;
  const int64_t m = step->order, last = step->run == ARMILLA_SPIN_MIDDLE ? l - m : l + m - 1;

  if (!armilla_spin_step_has (step, l))
    return 0;
  return first * step->numbers.factor[2 * (step->lmax + step->spin + 1) + l]
         * (root[l + m] * root[last]);
}

/* Returns E and B of one degree as the two fields of a run. Imaginary parts of m = 0 are
 * ignored. */
ARMILLA_HD ArmillaSpinPair
armilla_spin_start (int run, int spin, int64_t l, int64_t m, const double e[2], const double b[2])
{
  const double s = spin % 2 ? 1 : -1, odd = (l + m) % 2 ? -1 : 1; /* s: -(-1)^s */
  const double e_im = m > 0 ? e[1] : 0, b_im = m > 0 ? b[1] : 0;
  const double plus[2] = { s * (e[0] - b_im), s * (e_im + b[0]) };
  const double minus[2] = { -e[0] - b_im, b[0] - e_im };
  ArmillaSpinPair p;

  for (int i = 0; i < 2; i++)
    {
      p.v[i] = plus[i];
      p.v[2 + i] = minus[i];
      if (run == ARMILLA_SPIN_UP)
        p.v[2 + i] = odd * minus[i];
      else if (run != ARMILLA_SPIN_MIDDLE)
        {
          p.v[i] = minus[i];
          p.v[2 + i] = odd * plus[i];
        }
    }
  return p;
}

/* The transpose of armilla_spin_start (). @eb: E re, im, B re, im. */
ARMILLA_HD ArmillaSpinPair
armilla_spin_start_back (int run, int spin, int64_t l, int64_t m, ArmillaSpinPair p)
{
  const double s = spin % 2 ? 1 : -1, odd = (l + m) % 2 ? -1 : 1;
  double plus[2], minus[2];
  ArmillaSpinPair eb;

  for (int i = 0; i < 2; i++)
    {
      plus[i] = p.v[i];
      minus[i] = p.v[2 + i];
      if (run == ARMILLA_SPIN_UP)
        minus[i] = odd * p.v[2 + i];
      else if (run != ARMILLA_SPIN_MIDDLE)
        {
          plus[i] = odd * p.v[2 + i];
          minus[i] = p.v[i];
        }
    }
  eb.v[0] = s * plus[0] - minus[0];
  eb.v[1] = s * plus[1] - minus[1];
  eb.v[2] = s * plus[1] + minus[1];
  eb.v[3] = -s * plus[0] - minus[0];
  return eb;
}

/* Returns the two scalar fields of a run at one degree. @order: order of these fields */
ARMILLA_HD ArmillaSpinPair
armilla_spin_end (int run, int spin, int64_t order, ArmillaSpinPair p)
{
  const double s = spin % 2 ? -1 : 1;
  const double sign = run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1;
  ArmillaSpinPair qu;

  if (run == ARMILLA_SPIN_MIDDLE)
    {
      qu.v[0] = 0.5 * (p.v[0] + s * p.v[2]);
      qu.v[1] = 0.5 * (p.v[1] + s * p.v[3]);
      qu.v[2] = 0.5 * (p.v[1] - s * p.v[3]);
      qu.v[3] = 0.5 * (s * p.v[2] - p.v[0]);
      return qu;
    }
  for (int i = 0; i < 4; i++)
    qu.v[i] = sign * p.v[i];
  return qu;
}

/* The transpose of armilla_spin_end (). */
ARMILLA_HD ArmillaSpinPair
armilla_spin_end_back (int run, int spin, int64_t order, ArmillaSpinPair qu)
{
  const double s = spin % 2 ? -1 : 1;
  const double sign = run == ARMILLA_SPIN_FOLDED && order % 2 ? -1 : 1;
  ArmillaSpinPair p;

  if (run == ARMILLA_SPIN_MIDDLE)
    {
      p.v[0] = 0.5 * (qu.v[0] - qu.v[3]);
      p.v[1] = 0.5 * (qu.v[1] + qu.v[2]);
      p.v[2] = s * 0.5 * (qu.v[0] + qu.v[3]);
      p.v[3] = s * 0.5 * (qu.v[1] - qu.v[2]);
      return p;
    }
  for (int i = 0; i < 4; i++)
    p.v[i] = sign * qu.v[i];
  return p;
}

/* Returns the coefficients of degree l = order .. lmax + spin of the two scalar fields of a run
 * (one of ARMILLA_SPIN_RUNS), from E and B, complex from degree m on. */
ARMILLA_HD ArmillaSpinPair
armilla_spin_couple (int run, int spin, int64_t lmax, int64_t m, int64_t order, int64_t l,
                     const double *e, const double *b, const ArmillaSpinNumbers *numbers)
{
  ArmillaSpinPair x[2 * ARMILLA_SPIN_KERNEL_MAX + 1]; /* of degrees l - s .. l + s */

  for (int i = 0; i < 2 * spin + 1; i++)
    {
      const int64_t k = l + i - spin;

      x[i].v[0] = x[i].v[1] = x[i].v[2] = x[i].v[3] = 0;
      if (k >= m && k >= spin && k <= lmax)
        x[i] = armilla_spin_start (run, spin, k, m, e + 2 * (k - m), b + 2 * (k - m));
    }
  /* Each step leaves one degree less on either side: y[i] replaces x[i - 1]. */
  for (int j = spin - 1; j >= 0; j--)
    {
      const ArmillaSpinStep step = armilla_spin_step (run, spin, lmax, m, j, numbers);

      for (int i = 0; i < 2 * j + 1; i++)
        {
          const int64_t k = l + i - j;
          const double up = armilla_spin_up (&step, k - 1), down = armilla_spin_down (&step, k + 1);
          double same[2];

          armilla_spin_same (&step, k, same);
          for (int c = 0; c < 4; c++)
            x[i].v[c] = up * x[i].v[c] + same[c / 2] * x[i + 1].v[c] + down * x[i + 2].v[c];
        }
    }
  return armilla_spin_end (run, spin, order, x[0]);
}

/* The transpose of armilla_spin_couple (): returns the contribution to E (re, im) and B (re, im) of
 * degree l >= m, from the scalar fields, complex from degree order to lmax + spin. */
ARMILLA_HD ArmillaSpinPair
armilla_spin_couple_back (int run, int spin, int64_t lmax, int64_t m, int64_t order, int64_t l,
                          const double *q, const double *u, const ArmillaSpinNumbers *numbers)
{
  ArmillaSpinPair x[2 * ARMILLA_SPIN_KERNEL_MAX + 1];

  for (int i = 0; i < 2 * spin + 1; i++)
    {
      const int64_t k = l + i - spin;
      const int is = k >= order && k <= lmax + spin;
      ArmillaSpinPair qu;

      for (int c = 0; c < 2; c++)
        {
          qu.v[c] = is ? q[2 * (k - order) + c] : 0;
          qu.v[2 + c] = is ? u[2 * (k - order) + c] : 0;
        }
      x[i] = armilla_spin_end_back (run, spin, order, qu);
    }
  for (int j = 0; j < spin; j++)
    {
      const ArmillaSpinStep step = armilla_spin_step (run, spin, lmax, m, j, numbers);

      for (int i = 0; i < 2 * (spin - 1 - j) + 1; i++)
        {
          const int64_t k = l + i - (spin - 1 - j);
          const double up = armilla_spin_up (&step, k), down = armilla_spin_down (&step, k);
          double same[2];

          armilla_spin_same (&step, k, same);
          for (int c = 0; c < 4; c++)
            x[i].v[c] = down * x[i].v[c] + same[c / 2] * x[i + 1].v[c] + up * x[i + 2].v[c];
        }
    }
  return armilla_spin_start_back (run, spin, l, m, x[0]);
}
