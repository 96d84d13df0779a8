/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wigner's d functions by recurrence over l, shared by the CPU and CUDA.
 *
 * d^{l+1}_{mm'} = ((2l+1) ((l+1) cos beta - m m' / l) d^l - (l+1)/l r(l,m) r(l,m') d^{l-1})
 *                 / (r(l+1,m) r(l+1,m')),  r(l,m) = sqrt (l^2 - m^2)
 *
 * upwards from l = max (|m|, |m'|), which is the stable direction. A number is represented as value
 * 2^(-800 k); those with k > 0 are negligible. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/common/host-device.h"

#define ARMILLA_WIGNER_BIG 0x1p400
#define ARMILLA_WIGNER_SHRINK 0x1p-800
#define ARMILLA_WIGNER_BITS 800

/* Factors of a step from l to l + 1 that depend only on l: (2l+1) (l+1) cos beta, (2l+1) / l and
 * (l+1) / l. The latter is 0 for l = 0, where its cofactors are 0. */
typedef struct {
  double a, b, g;
} ArmillaWignerStep;

ARMILLA_HD ArmillaWignerStep
armilla_wigner_step (int64_t l, double cos_beta)
{
  const double x = (double) l;
  const ArmillaWignerStep step = { (2 * x + 1) * (x + 1) * cos_beta, l > 0 ? (2 * x + 1) / x : 0,
                                   l > 0 ? (x + 1) / x : 0 };

  return step;
}

/* r (l, m) for l >= m */
ARMILLA_HD double
armilla_wigner_root (int64_t l, int64_t m)
{
  return sqrt ((double) (l - m) * (double) (l + m));
}

/* The recurrence, for numbers and for vectors. At degree l, u = a -+ m m' b and v = g r r'; w = 1 /
 * (r r') is that of degree l + 1. */
#define ARMILLA_WIGNER_NEXT(u, v, w, value, before) (((u) * (value) - (v) * (before)) * (w))

/* Returns the sign of d_mn or, if @negative, of d_{m,-n} at its first degree; the seeds have the
 * magnitudes. */
ARMILLA_HD double
armilla_wigner_sign (int64_t m, int64_t n, int negative)
{
  return (m + n) % 2 != 0 && (negative || m >= n) ? -1 : 1;
}

/* Converts value 2^exponent to x 2^(-800 k), 2^-400 <= |x| < 2^400; returns k. */
ARMILLA_HD int64_t
armilla_wigner_start (double value, double exponent, double *x)
{
  int64_t e = (int64_t) exponent, k = 0;

  if (value == 0)
    {
      *x = 0;
      return 0;
    }
  if (e < -ARMILLA_WIGNER_BITS / 2)
    k = (-e - ARMILLA_WIGNER_BITS / 2 + ARMILLA_WIGNER_BITS - 1) / ARMILLA_WIGNER_BITS;
  *x = ldexp (value, (int) (e + k * ARMILLA_WIGNER_BITS));
  return k;
}
