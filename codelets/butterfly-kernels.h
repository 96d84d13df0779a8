/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pivoted QR and the products of a butterfly's nodes; compiled once for each instruction set.
 *
 * Vectors between stages are [index][4]: even re, even im, odd re, odd im of one field, see
 * butterfly-layout.h. */
#pragma once

#include <string.h>

#include "codelets/butterfly-cpu.h"
#include "codelets/simd.h"

#define UNROLL _Pragma ("GCC unroll 8")
#define COLUMNS 4 /* of a pivoted QR that are worked on at once */

#ifdef ARMILLA_SIMD_AVX512
# define ROWS 4   /* vectors of rows of a product, 4 columns each, that stay in registers */
# define TERMS 4  /* columns of T that are transposed at once */
#else
# define ROWS 2
# define TERMS 2
#endif

/* A row: [4]. */
typedef double Four __attribute__ ((vector_size (32), aligned (8), may_alias));

/* VL rows of [4] <- four columns. */
SIMD_INLINE void
store_rows (double *y, V a, V b, V c, V d)
{
#if defined ARMILLA_SIMD_AVX512
  const __m512i first = _mm512_set_epi64 (11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i last = _mm512_set_epi64 (15, 14, 7, 6, 13, 12, 5, 4);
  const V ab[2] = { _mm512_unpacklo_pd (a, b), _mm512_unpackhi_pd (a, b) };
  const V cd[2] = { _mm512_unpacklo_pd (c, d), _mm512_unpackhi_pd (c, d) };

# pragma GCC unroll 2
  for (int odd = 0; odd < 2; odd++)
    {
      const V low = _mm512_permutex2var_pd (ab[odd], first, cd[odd]);
      const V high = _mm512_permutex2var_pd (ab[odd], last, cd[odd]);

      _mm256_storeu_pd (y + 4 * odd, _mm512_castpd512_pd256 (low));
      _mm256_storeu_pd (y + 4 * odd + 8, _mm512_extractf64x4_pd (low, 1));
      _mm256_storeu_pd (y + 4 * odd + 16, _mm512_castpd512_pd256 (high));
      _mm256_storeu_pd (y + 4 * odd + 24, _mm512_extractf64x4_pd (high, 1));
    }
#elif defined ARMILLA_SIMD_AVX2
  V x[4] = { a, b, c, d };

  v_transpose (x);
# pragma GCC unroll 4
  for (int i = 0; i < 4; i++)
    v_store (y + 4 * i, x[i]);
#else
  for (int i = 0; i < VL; i++)
    {
      y[4 * i] = a[i];
      y[4 * i + 1] = b[i];
      y[4 * i + 2] = c[i];
      y[4 * i + 3] = d[i];
    }
#endif
}

/* Four columns, @ld doubles apart, <- VL rows of [4]. */
SIMD_INLINE void
store_columns (double *y, int64_t ld, const double *rows)
{
#if defined ARMILLA_SIMD_AVX512
  const __m512i low = _mm512_set_epi64 (13, 9, 5, 1, 12, 8, 4, 0);
  const __m512i high = _mm512_set_epi64 (15, 11, 7, 3, 14, 10, 6, 2);
  const V r[4] = { v_load (rows), v_load (rows + 8), v_load (rows + 16), v_load (rows + 24) };
  const V ab[2] = { _mm512_permutex2var_pd (r[0], low, r[1]),
                    _mm512_permutex2var_pd (r[2], low, r[3]) };
  const V cd[2] = { _mm512_permutex2var_pd (r[0], high, r[1]),
                    _mm512_permutex2var_pd (r[2], high, r[3]) };

  v_store (y, _mm512_shuffle_f64x2 (ab[0], ab[1], 0x44));
  v_store (y + ld, _mm512_shuffle_f64x2 (ab[0], ab[1], 0xee));
  v_store (y + 2 * ld, _mm512_shuffle_f64x2 (cd[0], cd[1], 0x44));
  v_store (y + 3 * ld, _mm512_shuffle_f64x2 (cd[0], cd[1], 0xee));
#elif defined ARMILLA_SIMD_AVX2
  V x[4] = { v_load (rows), v_load (rows + 4), v_load (rows + 8), v_load (rows + 12) };

  v_transpose (x);
# pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
    v_store (y + c * ld, x[c]);
#else
  for (int i = 0; i < VL; i++)
    for (int c = 0; c < 4; c++)
      y[c * ld + i] = rows[4 * i + c];
#endif
}

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

/* Inputs of a node in the order of its permutation, from @from on. */
SIMD_INLINE void
gather (const ArmillaButterfly *b, const ArmillaButterflyNode *node, int64_t from, const double *in,
        double *x)
{
  const int32_t *order = (const int32_t *) (b->words + node->order);

  in += 4 * node->in;
  for (int64_t j = from; j < node->n_in; j++, x += 4)
    *(Four *) x = *(const Four *) (in + 4 * order[j]);
}

/* Rows i .. i + n VL - 1 of T x, [row][4]. */
SIMD_INLINE void
multiply (const int n, const double *t, int64_t ld, int64_t n_terms, const double *x, double *y)
{
  V sum[ROWS][4];

  UNROLL for (int i = 0; i < n; i++)
    UNROLL for (int c = 0; c < 4; c++)
      sum[i][c] = v_set (0);
  for (int64_t j = 0; j < n_terms; j++, t += ld, x += 4)
    UNROLL for (int i = 0; i < n; i++)
      {
        const V a = v_load (t + i * VL);

        UNROLL for (int c = 0; c < 4; c++)
          sum[i][c] = v_fma (a, v_set (x[c]), sum[i][c]);
      }
  UNROLL for (int i = 0; i < n; i++)
    store_rows (y + 4 * i * VL, sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* Rows of T x from i on, as many vectors as leave no single one behind. Returns how many rows. */
SIMD_INLINE int64_t
multiply_some (const double *t, int64_t rank, int64_t i, int64_t n_terms, const double *x,
               double *y)
{
  const int64_t left = (rank - i + VL - 1) / VL;

  if (left >= ROWS && left != ROWS + 1)
    multiply (ROWS, t + i, rank, n_terms, x, y + 4 * i);
#if ROWS > 2
  else if (left >= 3)
    {
      multiply (3, t + i, rank, n_terms, x, y + 4 * i);
      return 3 * VL;
    }
#endif
  else if (left >= 2)
    {
      multiply (2, t + i, rank, n_terms, x, y + 4 * i);
      return 2 * VL;
    }
  else
    {
      multiply (1, t + i, rank, n_terms, x, y + 4 * i);
      return VL;
    }
  return ROWS * VL;
}

/* out <- node of @in. Writes whole vectors of rows. @work: 4 n_in doubles */
static void
node_forward (const ArmillaButterfly *b, const ArmillaButterflyNode *node, const double *in,
              double *out, double *work)
{
  const int32_t *order = (const int32_t *) (b->words + node->order);
  const int64_t kept = node->dense ? 0 : node->rank, n_terms = node->n_in - kept;
  const double *t = b->words + node->matrix;
  int64_t i = 0;

  gather (b, node, kept, in, work);
  out += 4 * node->out;
  while (i < node->rank)
    i += multiply_some (t, node->rank, i, n_terms, work, out);
  in += 4 * node->in;
  for (i = 0; i < kept; i++)
    *(Four *) (out + 4 * i) += *(const Four *) (in + 4 * order[i]);
}

/* [row][4] -> [4][row], rows up to a whole vector 0. */
SIMD_INLINE void
turn (const double *out, int64_t rank, int64_t ld, double *y)
{
  for (int64_t i = 0; i < ld; i += VL)
    store_columns (y + i, ld, out + 4 * i);
  for (int64_t i = rank; i < ld; i++)
    UNROLL for (int c = 0; c < 4; c++)
      y[c * ld + i] = 0;
}

/* The transposed product of @n columns of T with y, added to where the columns' inputs are. */
SIMD_INLINE void
multiply_transposed (const int n, const double *t, int64_t rank, const double *y, int64_t ld,
                     double *const *at)
{
  V sum[TERMS][4];

  UNROLL for (int j = 0; j < n; j++)
    UNROLL for (int c = 0; c < 4; c++)
      sum[j][c] = v_set (0);
  for (int64_t i = 0; i < rank; i += VL)
    UNROLL for (int j = 0; j < n; j++)
      {
        const V a = v_load (t + j * rank + i);

        UNROLL for (int c = 0; c < 4; c++)
          sum[j][c] = v_fma (a, v_load (y + c * ld + i), sum[j][c]);
      }
  UNROLL for (int j = 0; j < n; j++)
    v_add_sums (at[j], sum[j][0], sum[j][1], sum[j][2], sum[j][3]);
}

/* in += transposed node of @out. @work: 4 rank doubles, the rank rounded up to a multiple of 8 */
static void
node_transposed (const ArmillaButterfly *b, const ArmillaButterflyNode *node, const double *out,
                 double *in, double *work)
{
  const int32_t *order = (const int32_t *) (b->words + node->order);
  const int64_t kept = node->dense ? 0 : node->rank, ld = armilla_butterfly_pad (node->rank);
  const double *t = b->words + node->matrix;
  double *at[TERMS];
  int64_t j = kept;

  out += 4 * node->out;
  in += 4 * node->in;
  for (int64_t i = 0; i < kept; i++)
    *(Four *) (in + 4 * order[i]) += *(const Four *) (out + 4 * i);
  turn (out, node->rank, ld, work);
  for (; j < node->n_in; j += TERMS, t += TERMS * node->rank)
    {
      const int count = node->n_in - j < TERMS ? (int) (node->n_in - j) : TERMS;

      for (int i = 0; i < count; i++)
        at[i] = in + 4 * order[j + i];
      if (count == TERMS)
        multiply_transposed (TERMS, t, node->rank, work, ld, at);
      else
        for (int i = 0; i < count; i++)
          multiply_transposed (1, t + i * node->rank, node->rank, work, ld, at + i);
    }
}

const ArmillaButterflyKernels ARMILLA_BUTTERFLY_KERNELS = { factor, node_forward, node_transposed };
