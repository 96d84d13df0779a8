/* SPDX-License-Identifier: GPL-3.0-or-later */
/* armilla_delta_power() for vectors; part of the CPU kernels. */
#pragma once

#include "codelets/common/simd.h"
#include "codelets/legendre/delta-math.h"

/* Double-doubles with a scale, see delta-math.h. */
typedef struct {
  V hi, lo, scale;
} Power;

SIMD_INLINE Power
power_multiply (Power x, Power y)
{
  const V p = x.hi * y.hi;
  const V e = v_product_error (x.hi, y.hi, p) + (x.hi * y.lo + x.lo * y.hi);
  Power r;

  r.hi = p + e;
  r.lo = e - (r.hi - p);
  r.scale = x.scale + y.scale;
  return r;
}

/* Scales by 2^(800 @sign) where @when holds. */
SIMD_INLINE Power
power_rescale (Power x, VM when, double sign)
{
  const V f = v_select (when, v_set (sign > 0 ? ARMILLA_DELTA_UP : ARMILLA_DELTA_DOWN), v_set (1));

  x.hi *= f;
  x.lo *= f;
  x.scale = x.scale - v_select (when, v_set (sign), v_set (0));
  return x;
}

/* x^m, 0 <= x <= 1. */
static Power
power_of (Power x, int64_t m)
{
  const V low = v_set (0x1p-400), high = v_set (0x1p+400);
  Power r = { v_set (1), v_set (0), v_set (0) };

  for (; m > 0; m >>= 1)
    {
      if (m & 1)
        {
          r = power_multiply (r, x);
          r = power_rescale (r, v_less (r.hi, low), 1);
          r = power_rescale (r, v_less (high, r.hi), -1);
        }
      x = power_multiply (x, x);
      x = power_rescale (x, v_less (x.hi, low), 1);
      x = power_rescale (x, v_less (high, x.hi), -1);
    }
  return r;
}
