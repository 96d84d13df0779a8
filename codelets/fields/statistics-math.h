/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of pixels, shared by the CPU and CUDA.
 *
 * Both give the same bits: pixels are processed in chunks, the pixels of a chunk in lanes (lane j
 * has pixels j, j + ARMILLA_LANES, ...), and the lanes are combined by pairwise halving. The
 * moments of a chunk are taken about its mean, in a second pass; chunks are combined by the
 * formulas of Pebay (2008), Formulas for robust, one-pass parallel computation of covariances and
 * arbitrary-order statistical moments, equations 2.1 and 3.1. */
#pragma once

#include <float.h>
#include <math.h>

#include "codelets/fields/pixel-ops-math.h"

#define ARMILLA_LANES 32
#define ARMILLA_CHUNK 4096

/* Moments of a set of pixels: the number observed, their mean, the sums of powers of their
 * differences from the mean, their minimum and maximum. */
typedef struct {
  double n, mean, m2, m3, m4, min, max;
} ArmillaMoments;

/* Number, sum and extrema of one lane, from the first pass. */
typedef struct {
  double n, sum, min, max;
} ArmillaLaneSum;

typedef struct {
  double d1, d2, d3, d4;
} ArmillaLanePowers;

/* Returns whether a pixel counts: it is neither UNSEEN nor infinite or NaN, and its mask is neither
 * UNSEEN nor 0. */
ARMILLA_HD int
armilla_pixel_counts (double value, double mask)
{
  return mask != 0 && !armilla_is_unseen_value (mask) && !armilla_is_unseen_value (value)
         && fabs (value) <= DBL_MAX;
}

ARMILLA_HD ArmillaLaneSum
armilla_lane_none (void)
{
  ArmillaLaneSum none = { 0, 0, DBL_MAX, -DBL_MAX };

  return none;
}

ARMILLA_HD ArmillaLaneSum
armilla_lane_add (ArmillaLaneSum a, ArmillaLaneSum b)
{
  a.n += b.n;
  a.sum += b.sum;
  a.min = b.min < a.min ? b.min : a.min;
  a.max = b.max > a.max ? b.max : a.max;
  return a;
}

ARMILLA_HD ArmillaLaneSum
armilla_lane_of (double value)
{
  ArmillaLaneSum one = { 1, value, value, value };

  return one;
}

ARMILLA_HD ArmillaLanePowers
armilla_powers_add (ArmillaLanePowers a, ArmillaLanePowers b)
{
  a.d1 += b.d1;
  a.d2 += b.d2;
  a.d3 += b.d3;
  a.d4 += b.d4;
  return a;
}

ARMILLA_HD ArmillaLanePowers
armilla_powers_of (double difference)
{
  const double square = difference * difference;
  ArmillaLanePowers one = { difference, square, square * difference, square * square };

  return one;
}

ARMILLA_HD ArmillaMoments
armilla_moments_none (void)
{
  ArmillaMoments none = { 0, 0, 0, 0, 0, DBL_MAX, -DBL_MAX };

  return none;
}

/* Returns the moments of a chunk from its sums and the powers of differences from the mean sum.sum
 * / sum.n. The rounding error e of this mean is corrected by shifting the moments by e. */
ARMILLA_HD ArmillaMoments
armilla_moments_of (ArmillaLaneSum sum, ArmillaLanePowers powers)
{
  ArmillaMoments m = armilla_moments_none ();
  double e;

  if (sum.n == 0)
    return m;
  e = powers.d1 / sum.n;
  m.n = sum.n;
  m.mean = sum.sum / sum.n + e;
  m.m2 = powers.d2 - sum.n * (e * e);
  m.m3 = powers.d3 - 3 * (e * powers.d2) + 2 * (sum.n * (e * e * e));
  m.m4 = powers.d4 - 4 * (e * powers.d3) + 6 * (e * e * powers.d2) - 3 * (sum.n * (e * e * e * e));
  m.min = sum.min;
  m.max = sum.max;
  return m;
}

/* Returns the moments of the union of two sets of pixels. */
ARMILLA_HD ArmillaMoments
armilla_moments_merge (ArmillaMoments a, ArmillaMoments b)
{
  ArmillaMoments m = a;
  double d, r, q;

  if (b.n == 0)
    return a;
  if (a.n == 0)
    return b;
  d = b.mean - a.mean;
  m.n = a.n + b.n;
  r = b.n / m.n; /* fraction of each set */
  q = a.n / m.n;
  m.mean = a.mean + d * r;
  m.m2 = a.m2 + b.m2 + d * d * (a.n * r);
  m.m3 = a.m3 + b.m3 + d * d * d * (a.n * r) * (q - r) + 3 * (d * (q * b.m2 - r * a.m2));
  m.m4 = a.m4 + b.m4 + d * d * d * d * (a.n * r) * (q * q - q * r + r * r)
         + 6 * (d * d * (q * q * b.m2 + r * r * a.m2)) + 4 * (d * (q * b.m3 - r * a.m3));
  m.min = b.min < a.min ? b.min : a.min;
  m.max = b.max > a.max ? b.max : a.max;
  return m;
}

/* Returns the lower edge of bin @b of @n equal bins between @low and @high; @high if @b is @n. */
ARMILLA_HD double
armilla_bin_edge (double low, double high, int64_t n, int64_t b)
{
  return b == n ? high : low + (high - low) * ((double) b / (double) n);
}

/* Returns the counter of a value: 0 below the bins, n + 1 above them, else 1 + the number of its
 * bin. A bin includes its lower edge, the last one also its upper edge. */
ARMILLA_HD int64_t
armilla_bin_of (double low, double high, int64_t n, double value)
{
  int64_t b;

  if (value < low)
    return 0;
  if (value > high)
    return n + 1;
  b = (int64_t) ((value - low) / (high - low) * (double) n);
  b = b < n ? b : n - 1;
  while (b > 0 && value < armilla_bin_edge (low, high, n, b))
    b--;
  while (b < n - 1 && value >= armilla_bin_edge (low, high, n, b + 1))
    b++;
  return 1 + b;
}
