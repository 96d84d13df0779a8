/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights, interpolation and spreading on the CPU: compiled once for each instruction set, and each
 * function once for each width.
 *
 * The lanes of a vector are points while weights are computed, so that no lane is idle, and columns
 * of the grid when they are used. */
#include "codelets/points/points-cpu.h"

#include "codelets/common/simd.h"

#define GROUP ARMILLA_POINTS_GROUP
#define STRIDE ARMILLA_POINTS_STRIDE
#define UNROLL _Pragma ("GCC unroll 16")
/* Vectors, and columns, of the weights of a point. */
#define VECTORS(W) (((W) + VL - 1) / VL)
#define COLUMNS(W) (VECTORS (W) * VL)

/* For |x| < 2^51. */
SIMD_INLINE V
v_floor (V x)
{
  const V shift = v_set (0x1.8p52), nearest = (x + shift) - shift;

  return v_select (v_less (x, nearest), nearest - v_set (1), nearest);
}

/* A sum and what it lacks. */
typedef struct {
  V high, low;
} Sum;

/* A position of the grid -> where the support begins, and the fraction of which the weights are a
 * function. The fraction is rounded, so that its sum with a position in a cell is exact and weights
 * do not depend on how the grid is cut. */
SIMD_INLINE Sum
begin_support (Sum at, V width)
{
  const V shifted = at.high - (v_set (0.5) * width - v_set (1)), whole = v_floor (shifted);
  const V part = (shifted - whole) + at.low, carry = v_floor (part);

  return (Sum) { whole + carry, v_floor ((part - carry) * v_set (0x1p47)) * v_set (0x1p-47) };
}

/* No fused operations: the bits are those of all instruction sets. */
SIMD_INLINE Sum
scale_angle (const double *angle, double scale, double low)
{
  const V x = v_load (angle), y = v_set (scale), product = x * y;

  return (Sum) { product, v_product_error (x, y, product) + x * v_set (low) };
}

SIMD_INLINE Sum
locate_row (const ArmillaPointsScales *scales, const double *theta)
{
  const V zero = v_set (0), last = v_set (scales->last_ring), width = v_set (scales->width);
  Sum at = scale_angle (theta, scales->row_scale, scales->row_scale_low);
  const VM south = v_less (v_set (0.5) * last, at.high);
  VM before;

  at.high = v_select (south, last - at.high, at.high);
  at.low = v_select (south, zero - at.low, at.low);
  at = begin_support (at, width);
  at.high = at.high + v_floor (v_set (0.5) * width);
  /* At a pole, rounding may lead beyond the first row. */
  before = v_less (at.high, zero);
  at.high = v_select (before, zero, at.high);
  at.low = v_select (before, zero, at.low);
  at.high = v_select (south, v_set (-1) - at.high, at.high);
  return at;
}

SIMD_INLINE Sum
locate_column (const ArmillaPointsScales *scales, const double *phi)
{
  const V n = v_set (scales->n_columns);
  Sum at = begin_support (scale_angle (phi, scales->column_scale, scales->column_scale_low),
                          v_set (scales->width));

  /* Integers, so that only the number of turns is rounded. */
  at.high = at.high - v_floor (at.high * v_set (1 / scales->n_columns)) * n;
  at.high = v_select (v_less (at.high, v_set (0)), at.high + n, at.high);
  at.high = v_select (v_less (at.high, n), at.high, at.high - n);
  return at;
}

static void
locate (const ArmillaPointsScales *scales, const double *theta, const double *phi, int64_t n,
        ArmillaPointsPositions *positions)
{
  for (int64_t i = 0; i < n; i += VL)
    {
      double few[2][VL] = { { 0 }, { 0 } };
      const int all = i + VL <= n;
      Sum row, column;

      for (int64_t k = i; !all && k < n; k++)
        {
          few[0][k - i] = theta[k];
          few[1][k - i] = phi[k];
        }
      row = locate_row (scales, all ? theta + i : few[0]);
      column = locate_column (scales, all ? phi + i : few[1]);
      v_store (positions->row + i, row.high);
      v_store (positions->row_part + i, row.low);
      v_store (positions->column + i, column.high);
      v_store (positions->column_part + i, column.low);
    }
}

/* The weights of VL points in one dimension. */
SIMD_INLINE void
taps (const int W, const ArmillaPointsKernel *kernel, V part, V *weight)
{
  const double *table = kernel->table;
  const int half = ARMILLA_POINTS_HALF (W), last = (int) kernel->n_terms - 1;
  const V v = part + part - v_set (1), square = v * v;
  V even[ARMILLA_POINTS_HALF (ARMILLA_POINTS_MAX_WIDTH)];
  V odd[ARMILLA_POINTS_HALF (ARMILLA_POINTS_MAX_WIDTH)];

  UNROLL for (int j = 0; j < half; j++)
    {
      even[j] = v_set (table[2 * (last * half + j)]);
      odd[j] = v_set (table[2 * (last * half + j) + 1]);
    }
  for (int i = last - 1; i >= 0; i--)
    UNROLL for (int j = 0; j < half; j++)
      {
        even[j] = v_fma (even[j], square, v_set (table[2 * (i * half + j)]));
        odd[j] = v_fma (odd[j], square, v_set (table[2 * (i * half + j) + 1]));
      }
  UNROLL for (int j = 0; j < half; j++)
    {
      weight[W - 1 - j] = even[j] - v * odd[j];
      weight[j] = even[j] + v * odd[j];
    }
}

/* Computes the weights of VL of the points of a group, from point @i on. */
SIMD_INLINE void
lanes_weights (const int W, const ArmillaPointsKernel *kernel, const double *places, int64_t i,
               double *rows, double *columns, double *offset)
{
  V weight[ARMILLA_POINTS_MAX_WIDTH + 8], y, x, row, column;

  v_split (places + 2 * i, &y, &x);
  row = v_floor (y);
  column = v_floor (x);
  v_store (offset + i, row * v_set (STRIDE) + column);
  taps (W, kernel, y - row, weight);
  UNROLL for (int j = 0; j < W; j++)
    v_store (rows + j * GROUP + i, weight[j]);
  taps (W, kernel, x - column, weight);
  UNROLL for (int j = W; j < COLUMNS (W); j++)
    weight[j] = v_set (0);
  for (int k = 0; k < VECTORS (W); k++)
    {
      v_transpose (weight + k * VL);
      UNROLL for (int j = 0; j < VL; j++)
        v_store (columns + (i + j) * COLUMNS (W) + k * VL, weight[k * VL + j]);
    }
}

SIMD_INLINE void
weights_of (const int W, const ArmillaPointsKernel *kernel, const double *places, int64_t n,
            ArmillaPointsRoom *room)
{
  for (int64_t k = 0; k < n; k += GROUP)
    {
      double few[2 * GROUP] = { 0 };
      const double *from = places + 2 * k;

      if (k + GROUP > n)
        {
          for (int64_t i = 0; i < 2 * (n - k); i++)
            few[i] = from[i];
          from = few;
        }
      for (int i = 0; i < GROUP; i += VL)
        lanes_weights (W, kernel, from, i, room->rows + k * W, room->columns + k * COLUMNS (W),
                       room->offset + k);
    }
}

SIMD_INLINE void
interpolate (const int W, int64_t n, ArmillaPointsRoom *room)
{
  for (int64_t k = 0; k < n; k += GROUP)
    {
      const double *rows = room->rows + k * W;
      V products[GROUP];

      UNROLL for (int64_t i = 0; i < GROUP; i++)
        {
          const double *at = room->patch + (int64_t) room->offset[k + i];
          const double *columns = room->columns + (k + i) * COLUMNS (W);
          V sums[VECTORS (ARMILLA_POINTS_MAX_WIDTH)];

          UNROLL for (int v = 0; v < VECTORS (W); v++)
            sums[v] = v_set (rows[i]) * v_load (at + v * VL);
          UNROLL for (int j = 1; j < W; j++)
            UNROLL for (int v = 0; v < VECTORS (W); v++)
              sums[v] = v_fma (v_set (rows[j * GROUP + i]), v_load (at + j * STRIDE + v * VL),
                               sums[v]);
          products[i] = sums[0] * v_load (columns);
          UNROLL for (int v = 1; v < VECTORS (W); v++)
            products[i] = v_fma (sums[v], v_load (columns + v * VL), products[i]);
        }
      for (int i = 0; i < GROUP; i++)
        room->values[k + i] = 0;
      v_add_eight_sums (room->values + k, products);
    }
}

SIMD_INLINE void
spread (const int W, int64_t n, ArmillaPointsRoom *room)
{
  for (int64_t i = 0; i < n; i++)
    {
      double *at = room->patch + (int64_t) room->offset[i];
      const double *rows = room->rows + i / GROUP * GROUP * W + i % GROUP;
      const double *columns = room->columns + i * COLUMNS (W);
      V value[VECTORS (ARMILLA_POINTS_MAX_WIDTH)];

      UNROLL for (int v = 0; v < VECTORS (W); v++)
        value[v] = v_set (room->values[i]) * v_load (columns + v * VL);
      UNROLL for (int j = 0; j < W; j++)
        UNROLL for (int v = 0; v < VECTORS (W); v++)
          {
            double *to = at + j * STRIDE + v * VL;

            v_store (to, v_fma (v_set (rows[j * GROUP]), value[v], v_load (to)));
          }
    }
}

#define EACH_WIDTH(DO)                                                                             \
  DO (4) DO (5) DO (6) DO (7) DO (8) DO (9) DO (10) DO (11) DO (12) DO (13) DO (14) DO (15) DO (16)

#define FUNCTIONS(W)                                                                               \
  static void weights_##W (const ArmillaPointsKernel *kernel, const double *places, int64_t n,     \
                           ArmillaPointsRoom *room)                                                \
  {                                                                                                \
    weights_of (W, kernel, places, n, room);                                                       \
  }                                                                                                \
  static void interpolate_##W (int64_t n, ArmillaPointsRoom *room) { interpolate (W, n, room); }   \
  static void spread_##W (int64_t n, ArmillaPointsRoom *room) { spread (W, n, room); }

#define ENTRY(W) { weights_##W, interpolate_##W, spread_##W },

EACH_WIDTH (FUNCTIONS)

const ArmillaPointsKernels SIMD_NAME (armilla_points_kernels)
  = { locate, { EACH_WIDTH (ENTRY) } };
