/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted QR; with the products of a butterfly's nodes compiled once for each instruction set. */
#pragma once

#include <string.h>

#include "codelets/butterfly-products.h"

#define COLUMNS 4 /* of a pivoted QR that are worked on at once */

SIMD_INLINE double
sum_lanes (V v)
{
  double x[VL], s = 0;

  v_store (x, v);
  for (int i = 0; i < VL; i++)
    s += x[i];
  return s;
}

/* r[j] = q a_j, a_j -= r[j] q, norms[j] = |a_j|^2 for @n columns at once. */
SIMD_INLINE void
project (const int n, double *const *a, const double *q, int64_t n_rows, double *r, double *norms)
{
  V dot[COLUMNS], square[COLUMNS];

  UNROLL for (int j = 0; j < n; j++)
    dot[j] = square[j] = v_set (0);
  for (int64_t i = 0; i < n_rows; i += VL)
    {
      const V x = v_load (q + i);

      UNROLL for (int j = 0; j < n; j++)
        dot[j] = v_fma (x, v_load (a[j] + i), dot[j]);
    }
  UNROLL for (int j = 0; j < n; j++)
    {
      r[j] = sum_lanes (dot[j]);
      dot[j] = v_set (-r[j]);
    }
  for (int64_t i = 0; i < n_rows; i += VL)
    {
      const V x = v_load (q + i);

      UNROLL for (int j = 0; j < n; j++)
        {
          const V y = v_fma (dot[j], x, v_load (a[j] + i));

          v_store (a[j] + i, y);
          square[j] = v_fma (y, y, square[j]);
        }
    }
  UNROLL for (int j = 0; j < n; j++)
    norms[j] = sum_lanes (square[j]);
}

static double
square_norm (const double *a, int64_t n_rows)
{
  V s = v_set (0);

  for (int64_t i = 0; i < n_rows; i += VL)
    s = v_fma (v_load (a + i), v_load (a + i), s);
  return sum_lanes (s);
}

static void
divide (double *a, int64_t n_rows, double by)
{
  const V f = v_set (1 / by);

  for (int64_t i = 0; i < n_rows; i += VL)
    v_store (a + i, v_load (a + i) * f);
}

/* Takes the direction of column order[k] out of those that follow. @r: row k of R */
static void
eliminate (double *const *columns, int64_t n_rows, int64_t k, int64_t n, const int32_t *order,
           double *norms, double *r)
{
  const double *q = columns[order[k]];
  double *a[COLUMNS], dots[COLUMNS], squares[COLUMNS];
  int64_t j = k + 1;

  for (; j < n; j += COLUMNS)
    {
      const int count = n - j < COLUMNS ? (int) (n - j) : COLUMNS;

      for (int i = 0; i < count; i++)
        a[i] = columns[order[j + i]];
      if (count == COLUMNS)
        project (COLUMNS, a, q, n_rows, dots, squares);
      else
        for (int i = 0; i < count; i++)
          project (1, a + i, q, n_rows, dots + i, squares + i);
      for (int i = 0; i < count; i++)
        {
          r[order[j + i]] = dots[i];
          norms[order[j + i]] = squares[i];
        }
    }
}

/* QR with column pivoting by modified Gram-Schmidt, stopped as soon as the squares of what is left
 * sum up to @limit or less. The norms of what is left are computed, not updated, so that they are
 * right down to the last digits. @columns: overwritten; @order: columns in the order of the pivots,
 * then the others; @r: R, [pivot][column as it was given]. */
static int64_t
factor (double *const *columns, int64_t n_rows, int64_t n, double limit, int32_t *order,
        double *norms, double *r)
{
  int64_t k = 0;

  for (int64_t j = 0; j < n; j++)
    {
      order[j] = (int32_t) j;
      norms[j] = square_norm (columns[j], n_rows);
    }
  for (; k < n; k++)
    {
      double left = 0;
      int64_t best = k;
      int32_t pivot;

      for (int64_t j = k; j < n; j++)
        {
          left += norms[order[j]];
          if (norms[order[j]] > norms[order[best]])
            best = j;
        }
      pivot = order[best];
      if (left <= limit || norms[pivot] <= 0)
        break;
      order[best] = order[k];
      order[k] = pivot;
      r[k * n + pivot] = sqrt (norms[pivot]);
      divide (columns[pivot], n_rows, r[k * n + pivot]);
      eliminate (columns, n_rows, k, n, order, norms, r + k * n);
    }
  return k;
}

const ArmillaButterflyKernels ARMILLA_BUTTERFLY_KERNELS = { factor, node_forward, node_transposed };
