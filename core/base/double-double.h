/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unevaluated sums of two doubles: about 31 digits on any machine with IEEE doubles and fma(),
 * whereas long double differs between machines. Relative error of each operation: a few 2^-104. */
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct {
  double hi, lo; /* |lo| <= ulp (hi) / 2 */
} ArmillaDd;

/* a + b for |a| >= |b| */
static inline ArmillaDd
dd_fast_sum (double a, double b)
{
  double s = a + b;

  return (ArmillaDd){ s, b - (s - a) };
}

static inline ArmillaDd
dd_sum (double a, double b)
{
  double s = a + b;
  double t = s - a;

  return (ArmillaDd){ s, (a - (s - t)) + (b - t) };
}

static inline ArmillaDd
dd_product (double a, double b)
{
  double p = a * b;

  return (ArmillaDd){ p, fma (a, b, -p) };
}

/* Converts exactly if |n| < 2^63 - 2^10: (double) n is within 2^9 of n. */
static inline ArmillaDd
dd_from_int (int64_t n)
{
  double hi = (double) n;

  return (ArmillaDd){ hi, (double) (n - (int64_t) hi) };
}

static inline ArmillaDd
dd_from_double (double x)
{
  return (ArmillaDd){ x, 0 };
}

static inline ArmillaDd
dd_neg (ArmillaDd a)
{
  return (ArmillaDd){ -a.hi, -a.lo };
}

static inline ArmillaDd
dd_add (ArmillaDd a, ArmillaDd b)
{
  ArmillaDd s = dd_sum (a.hi, b.hi);
  ArmillaDd t = dd_sum (a.lo, b.lo);

  s = dd_fast_sum (s.hi, s.lo + t.hi);
  return dd_fast_sum (s.hi, s.lo + t.lo);
}

static inline ArmillaDd
dd_sub (ArmillaDd a, ArmillaDd b)
{
  return dd_add (a, dd_neg (b));
}

static inline ArmillaDd
dd_mul (ArmillaDd a, ArmillaDd b)
{
  ArmillaDd p = dd_product (a.hi, b.hi);

  return dd_fast_sum (p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline ArmillaDd
dd_mul_double (ArmillaDd a, double b)
{
  ArmillaDd p = dd_product (a.hi, b);

  return dd_fast_sum (p.hi, p.lo + a.lo * b);
}

static inline ArmillaDd
dd_div (ArmillaDd a, ArmillaDd b)
{
  double q1 = a.hi / b.hi;
  ArmillaDd r = dd_sub (a, dd_mul_double (b, q1));
  double q2 = r.hi / b.hi;

  r = dd_sub (r, dd_mul_double (b, q2));
  return dd_add (dd_fast_sum (q1, q2), dd_from_double (r.hi / b.hi));
}

static inline ArmillaDd
dd_div_double (ArmillaDd a, double b)
{
  double q = a.hi / b;
  ArmillaDd p = dd_product (q, b);

  return dd_fast_sum (q, (((a.hi - p.hi) - p.lo) + a.lo) / b);
}

/* Returns the square root: one Newton step from the rounded root leaves a relative error of
 * 2^-107. */
static inline ArmillaDd
dd_sqrt (ArmillaDd a)
{
  double s = sqrt (a.hi);

  if (!(s > 0))
    return (ArmillaDd){ s, 0 };
  return dd_fast_sum (s, dd_sub (a, dd_product (s, s)).hi / (2 * s));
}

/* Computes sine and cosine of pi p / q, 0 <= p <= q < 2^61; both have a relative error below 2^-98,
 * and are exact if the angle is a multiple of pi / 2. */
void armilla_dd_sincospi (int64_t p, int64_t q, ArmillaDd *sine, ArmillaDd *cosine);
