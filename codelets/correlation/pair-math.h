/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of pairs, shared by the CPU (numbers and vectors) and CUDA. It uses only additions,
 * multiplications, divisions and square roots, each rounded: all machines give the same bits. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/common/host-device.h"

/* The squared chord; symmetric in the two points. */
#define ARMILLA_PAIR_S2(dx, dy, dz) (((dx) * (dx) + (dy) * (dy)) + (dz) * (dz))

/* the product of two vectors */
#define ARMILLA_PAIR_DOT(x, y, z, a, b, c) (((x) * (a) + (y) * (b)) + (z) * (c))

/* asin (x) / x, t = x^2 from 0 to 1/4: Chebyshev interpolation, error 2e-17. */
#define ARMILLA_PAIR_ASIN(t)                                                                       \
  ((((((((((((0x1.05876d77f50cbp-5 * (t) - 0x1.0a475b9de7489p-6) * (t) + 0x1.406006bb11d85p-6)    \
               * (t) + 0x1.aaf2a8166e238p-8) * (t) + 0x1.8ee64e2de265fp-7) * (t)                  \
             + 0x1.c6f659e588ff6p-7) * (t) + 0x1.1c6c6646ea1dfp-6) * (t) + 0x1.6e89e7ebf752dp-6)  \
          * (t) + 0x1.f1c72cf6d2d14p-6) * (t) + 0x1.6db6db3efa89bp-5) * (t)                       \
        + 0x1.3333333377a97p-4) * (t) + 0x1.55555555552e1p-3) * (t) + 1.0)

#define ARMILLA_PAIR_PI 0x1.921fb54442d18p+1

/* Arc for the squared chord s2: 2 asin (x), x = sqrt (s2) / 2, for x up to 1/2; pi - 4 asin (sqrt
 * ((1 - x) / 2)) beyond, @rest being (1 - x) / 2, or 0 if that is negative. */
#define ARMILLA_PAIR_NEAR_ARC(x) ((x) * 2.0 * ARMILLA_PAIR_ASIN ((x) * (x)))
#define ARMILLA_PAIR_FAR_ARC(root, rest)                                                           \
  (ARMILLA_PAIR_PI - (root) * 4.0 * ARMILLA_PAIR_ASIN (rest))

/* North and east components, at one point, of the vector d to another, up to a common factor; c and
 * s: cosine and sine of its longitude, r: its distance from the axis. */
#define ARMILLA_PAIR_NORTH(dx, dy, dz, z, c, s, r)                                                 \
  ((r) * (dz) - (z) * ((c) * (dx) + (s) * (dy)))
#define ARMILLA_PAIR_EAST(dx, dy, c, s) ((c) * (dy) - (s) * (dx))

/* A shear g rotated to the great circle, times the squared length: g ((north - i east)^2). The
 * tangential and cross components have the opposite sign, which cancels in products of two. */
#define ARMILLA_PAIR_ALONG(g1, g2, p, q) ((g1) * (p) + (g2) * (q))
#define ARMILLA_PAIR_ACROSS(g1, g2, p, q) ((g2) * (p) - (g1) * (q))
#define ARMILLA_PAIR_EVEN(north, east) ((north) * (north) - (east) * (east))
#define ARMILLA_PAIR_ODD(north, east) (2.0 * ((north) * (east)))
#define ARMILLA_PAIR_LENGTH2(north, east) ((north) * (north) + (east) * (east))

/* adding it to a number below 2^51 leaves the number, rounded to an integer, in the low bits */
#define ARMILLA_PAIR_MAGIC 0x1.8p52
/* terms are scaled to below 2^ARMILLA_TERM_BITS */
#define ARMILLA_TERM_BITS 50

/* 192-bit integers, least word first; sums wrap around. */
ARMILLA_HD void
armilla_wide_add (int64_t *sum, uint64_t low, uint64_t middle, uint64_t high)
{
  const uint64_t a = (uint64_t) sum[0] + low;
  const uint64_t carry = a < low;
  const uint64_t b = (uint64_t) sum[1] + middle;
  const uint64_t c = b + carry;

  sum[0] = (int64_t) a;
  sum[1] = (int64_t) c;
  sum[2] = (int64_t) ((uint64_t) sum[2] + high + (b < middle) + (c < carry));
}

/* Adds a b to the sum; a and b have 128 bits, and their product fits 192 bits. */
ARMILLA_HD void
armilla_wide_add_product (int64_t *sum, uint64_t a_low, uint64_t a_high, uint64_t b_low,
                          uint64_t b_high)
{
  const uint64_t mask = 0xffffffff;
  const uint64_t a[6] = { a_low & mask, a_low >> 32, a_high & mask, a_high >> 32,
                          (int64_t) a_high < 0 ? mask : 0, (int64_t) a_high < 0 ? mask : 0 };
  const uint64_t b[6] = { b_low & mask, b_low >> 32, b_high & mask, b_high >> 32,
                          (int64_t) b_high < 0 ? mask : 0, (int64_t) b_high < 0 ? mask : 0 };
  uint64_t c[6] = { 0, 0, 0, 0, 0, 0 };

  for (int i = 0; i < 6; i++)
    {
      uint64_t carry = 0;

      for (int j = 0; i + j < 6; j++)
        {
          const uint64_t t = a[i] * b[j] + c[i + j] + carry;

          c[i + j] = t & mask;
          carry = t >> 32;
        }
    }
  armilla_wide_add (sum, c[0] | c[1] << 32, c[2] | c[3] << 32, c[4] | c[5] << 32);
}
