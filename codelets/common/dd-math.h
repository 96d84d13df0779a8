/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Double-double arithmetic: a number is the unevaluated sum of two doubles, about 32 digits. The
 * operations are the classical error-free transformations (Dekker 1971, Knuth 1969); they need
 * round-to-nearest and no contraction. Results have the same bits on CPU and GPU. */
#pragma once

#include <math.h>

#include "codelets/common/host-device.h"

typedef struct {
  double hi, lo; /* |lo| <= ulp (hi) / 2 */
} ArmillaDd;

/* a + b exactly, |a| >= |b| or a = 0. */
ARMILLA_HD ArmillaDd
armilla_dd_quick_sum (double a, double b)
{
  ArmillaDd r;

  r.hi = a + b;
  r.lo = b - (r.hi - a);
  return r;
}

/* a + b exactly. */
ARMILLA_HD ArmillaDd
armilla_dd_sum (double a, double b)
{
  ArmillaDd r;
  double t;

  r.hi = a + b;
  t = r.hi - a;
  r.lo = (a - (r.hi - t)) + (b - t);
  return r;
}

/* a b exactly. Without an fma() instruction, Dekker's splitting gives the same two numbers. */
ARMILLA_HD ArmillaDd
armilla_dd_product (double a, double b)
{
  ArmillaDd r;

  r.hi = a * b;
#if defined __CUDA_ARCH__ || defined __FMA__ || defined __FP_FAST_FMA
  r.lo = fma (a, b, -r.hi);
#else
  const double s = 134217729.0; /* 2^27 + 1 */
  const double a1 = s * a - (s * a - a), a2 = a - a1;
  const double b1 = s * b - (s * b - b), b2 = b - b1;

  r.lo = ((a1 * b1 - r.hi) + a1 * b2 + a2 * b1) + a2 * b2;
#endif
  return r;
}

ARMILLA_HD ArmillaDd
armilla_dd_add (ArmillaDd x, ArmillaDd y)
{
  ArmillaDd s = armilla_dd_sum (x.hi, y.hi), t = armilla_dd_sum (x.lo, y.lo);

  s = armilla_dd_quick_sum (s.hi, s.lo + t.hi);
  return armilla_dd_quick_sum (s.hi, s.lo + t.lo);
}

ARMILLA_HD ArmillaDd
armilla_dd_negate (ArmillaDd x)
{
  ArmillaDd r;

  r.hi = -x.hi;
  r.lo = -x.lo;
  return r;
}

ARMILLA_HD ArmillaDd
armilla_dd_multiply (ArmillaDd x, ArmillaDd y)
{
  ArmillaDd p = armilla_dd_product (x.hi, y.hi);

  return armilla_dd_quick_sum (p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

ARMILLA_HD ArmillaDd
armilla_dd_divide (ArmillaDd x, ArmillaDd y)
{
  const double q1 = x.hi / y.hi;
  ArmillaDd p = armilla_dd_product (q1, y.hi);
  const double r = ((x.hi - p.hi) - p.lo) + (x.lo - q1 * y.lo);

  return armilla_dd_quick_sum (q1, r / y.hi);
}

/* Multiplies by a power of two. */
ARMILLA_HD ArmillaDd
armilla_dd_scale (ArmillaDd x, double power)
{
  x.hi *= power;
  x.lo *= power;
  return x;
}

ARMILLA_HD ArmillaDd
armilla_dd_from (double hi, double lo)
{
  ArmillaDd r;

  r.hi = hi;
  r.lo = lo;
  return r;
}
