/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index of a triangle's histogram entry, shared by the CPU and CUDA. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

/* Returns the entry of triangles whose sides, in ascending order, are in bins a, b and c: those
 * whose smallest bin is below a come first, then those whose middle bin is below b. */
ARMILLA_HD int64_t
armilla_triple_entry (int64_t n, int64_t a, int64_t b, int64_t c)
{
  const int64_t left = n - a;

  return n * (n + 1) * (n + 2) / 6 - left * (left + 1) * (left + 2) / 6
         + (b - a) * (2 * left - (b - a) + 1) / 2 + (c - b);
}

/* Returns the entry of triangles with sides in any order; -1 for a triangle that is not counted. */
ARMILLA_HD int64_t
armilla_triple_place (int64_t n, int equal, int64_t k1, int64_t k2, int64_t k3)
{
  int64_t t;

  if (equal)
    return k1 == k2 && k2 == k3 ? k1 : -1;
  if (k1 > k2)
    {
      t = k1;
      k1 = k2;
      k2 = t;
    }
  if (k2 > k3)
    {
      t = k2;
      k2 = k3;
      k3 = t;
    }
  if (k1 > k2)
    {
      t = k1;
      k1 = k2;
      k2 = t;
    }
  return armilla_triple_entry (n, k1, k2, k3);
}

/* Returns the number of edges before m1 that are at or below x, given that those before m0 are. */
ARMILLA_HD int64_t
armilla_edges_below (const double *edge, double x, int64_t m0, int64_t m1)
{
  while (m0 < m1)
    {
      const int64_t middle = (m0 + m1) / 2;

      if (edge[middle] <= x)
        m0 = middle + 1;
      else
        m1 = middle;
    }
  return m0;
}
