/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights, interpolation and spreading on the CPU: compiled once for each instruction set, and each
 * function once for each width.
 *
 * The lanes of a vector are points while weights are computed, so that no lane is idle; they are
 * columns of the grid when values are interpolated or spread. */
#include "codelets/points/points-cpu.h"

#include "codelets/common/simd.h"

#define GROUP ARMILLA_POINTS_GROUP
#define STRIDE ARMILLA_POINTS_STRIDE
#define UNROLL _Pragma ("GCC unroll 16")
/* Vectors of supports have at most four doubles: longer ones would begin anywhere in the cache
 * lines, touch two of them each time, and have more lanes without weights. */
#ifdef ARMILLA_SIMD_AVX512
typedef __m256d H;
# define HL 4
SIMD_INLINE H h_set (double x) { return _mm256_set1_pd (x); }
SIMD_INLINE H h_load (const double *p) { return _mm256_loadu_pd (p); }
SIMD_INLINE void h_store (double *p, H x) { _mm256_storeu_pd (p, x); }
SIMD_INLINE H h_fma (H a, H b, H c) { return _mm256_fmadd_pd (a, b, c); }

/* The first lanes of a vector. */
SIMD_INLINE H h_first (V x) { return _mm512_castpd512_pd256 (x); }

/* Eight vectors -> the sum over the lanes of each. */
SIMD_INLINE void
h_eight_sums (double *p, const H x[8])
{
  for (int i = 0; i < 8; i += 4)
    {
      const H a = _mm256_hadd_pd (x[i], x[i + 1]), b = _mm256_hadd_pd (x[i + 2], x[i + 3]);

      h_store (p + i, _mm256_blend_pd (a, b, 0xc) + _mm256_permute2f128_pd (a, b, 0x21));
    }
}
#else
typedef V H;
# define HL VL
# define h_set v_set
# define h_load v_load
# define h_store v_store
# define h_fma v_fma
# define h_first(x) (x)

SIMD_INLINE void
h_eight_sums (double *p, const H x[8])
{
  for (int i = 0; i < 8; i++)
    p[i] = 0;
  v_add_eight_sums (p, x);
}
#endif

/* Vectors, and columns, of the weights of a point. */
#define VECTORS(W) (((W) + HL - 1) / HL)
#define COLUMNS(W) (VECTORS (W) * HL)

/* Returns the largest integer that is not above x, |x| < 2^51. */
SIMD_INLINE V
v_floor (V x)
{
  const V shift = v_set (0x1.8p52), nearest = (x + shift) - shift;

  return v_select (v_less (x, nearest), nearest - v_set (1), nearest);
}

/* A number as the sum of two doubles, low being the rounding error of high. */
typedef struct {
  V high, low;
} Sum;

/* Returns the grid point where the support of a position begins (high), and the fraction that
 * determines the weights (low). The fraction is rounded, so that its sum with a position in a cell
 * is exact and weights do not depend on the cells. */
SIMD_INLINE Sum
begin_support (Sum at, V width)
{
  const V shifted = at.high - (v_set (0.5) * width - v_set (1)), whole = v_floor (shifted);
  const V part = (shifted - whole) + at.low, carry = v_floor (part);

  return (Sum) { whole + carry, v_floor ((part - carry) * v_set (0x1p47)) * v_set (0x1p-47) };
}

/* An eighth of a turn, pi / 4; the high part times 0 to 4 is exact. */
#define EIGHTH 0x1.921fb54442d18p-1
#define EIGHTH_LOW 0x1.1a62633145c07p-55

/* (atan (t) - t) / t^3 as a polynomial in t^2, up to t = tan (pi / 8): the Chebyshev series of the
 * first 11 terms, whose error is 3e-18. */
static const double arctangent[]
  = { -0x1.5555555555555p-2, 0x1.999999999937bp-3, -0x1.24924924384f6p-3, 0x1.c71c718681e47p-4,
      -0x1.745d0b587715cp-4, 0x1.3b126712f995bp-4, -0x1.10faad2c3c903p-4, 0x1.dfe9b40b7ab76p-5,
      -0x1.a0aa7efdfe697p-5, 0x1.4190f7be36a8cp-5, -0x1.3a9d3ecd55026p-6 };
#define N_ARCTANGENT ((int) (sizeof arctangent / sizeof *arctangent))

/* Returns the angle of a vector, from -pi to pi; 0 for (0, 0). This and the following functions use
 * no fused operations, so that all instruction sets give the same bits. */
SIMD_INLINE Sum
angle_of (V y, V x)
{
  const V zero = v_set (0), height = v_abs (y), base = v_abs (x);
  const VM steep = v_less (base, height), left = v_less (x, zero), below = v_less (y, zero);
  const V less = v_select (steep, base, height), more = v_select (steep, height, base);
  const VM far = v_less (more * v_set (0.41421356237309503), less);
  const V under = v_select (far, less + more, more);
  V t = v_select (far, less - more, less) / v_select (v_less (zero, under), under, v_set (1));
  V eighths = v_select (far, v_set (1), zero), square = t * t, offset;
  V rest = v_set (arctangent[N_ARCTANGENT - 1]);
  Sum angle;

  for (int i = N_ARCTANGENT - 2; i >= 0; i--)
    rest = rest * square + v_set (arctangent[i]);
  rest = rest * square * t;
  /* Reflected at the diagonal, and at the vertical. */
  eighths = v_select (steep, v_set (2) - eighths, eighths);
  t = v_select (steep, zero - t, t);
  rest = v_select (steep, zero - rest, rest);
  eighths = v_select (left, v_set (4) - eighths, eighths);
  t = v_select (left, zero - t, t);
  rest = v_select (left, zero - rest, rest);
  offset = eighths * v_set (EIGHTH);
  angle.high = offset + t;
  angle.low = (t - (angle.high - offset)) + (eighths * v_set (EIGHTH_LOW) + rest);
  angle.high = v_select (below, zero - angle.high, angle.high);
  angle.low = v_select (below, zero - angle.low, angle.low);
  return angle;
}

SIMD_INLINE Sum
scale_angle (Sum angle, double scale, double low)
{
  const V y = v_set (scale), product = angle.high * y;

  return (Sum) { product, v_product_error (angle.high, y, product)
                            + (angle.high * v_set (low) + angle.low * y) };
}

SIMD_INLINE Sum
locate_row (const ArmillaPointsScales *scales, Sum theta)
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
locate_column (const ArmillaPointsScales *scales, Sum position)
{
  Sum at = begin_support (position, v_set (scales->width));

  at.high = v_select (v_less (at.high, v_set (0)), at.high + v_set (scales->n_columns), at.high);
  return at;
}

/* An angle of any turn as a position from 0 to the number of columns. */
SIMD_INLINE Sum
scale_turns (const ArmillaPointsScales *scales, V phi)
{
  const V n = v_set (scales->n_columns), zero = v_set (0);
  Sum at = scale_angle ((Sum) { phi, zero }, scales->column_scale, scales->column_scale_low);

  at.high = at.high - n * v_floor (at.high / n);
  at.high = v_select (v_less (at.high, zero), at.high + n, at.high);
  at.high = v_select (v_less (at.high, n), at.high, at.high - n);
  return at;
}

/* Loads up to VL numbers; those beyond the @n-th are 0. */
SIMD_INLINE V
load_some (const double *from, int64_t n)
{
  double few[VL] = { 0 };

  if (n >= VL)
    return v_load (from);
  for (int64_t i = 0; i < n; i++)
    few[i] = from[i];
  return v_load (few);
}

SIMD_INLINE void
store_position (ArmillaPointsPositions *positions, int64_t i, Sum row, Sum column)
{
  v_store (positions->row + i, row.high);
  v_store (positions->row_part + i, row.low);
  v_store (positions->column + i, column.high);
  v_store (positions->column_part + i, column.low);
}

static void
locate (const ArmillaPointsScales *scales, const double *x, const double *y, const double *z,
        int64_t n, ArmillaPointsPositions *positions)
{
  for (int64_t i = 0; i < n; i += VL)
    {
      const V at[3]
        = { load_some (x + i, n - i), load_some (y + i, n - i), load_some (z + i, n - i) };
      const Sum theta = angle_of (v_sqrt (at[0] * at[0] + at[1] * at[1]), at[2]);
      const Sum phi = scale_angle (angle_of (at[1], at[0]), scales->column_scale,
                                   scales->column_scale_low);

      store_position (positions, i, locate_row (scales, theta), locate_column (scales, phi));
    }
}

static void
locate_angles (const ArmillaPointsScales *scales, const double *theta, const double *phi,
               int64_t n, ArmillaPointsPositions *positions)
{
  for (int64_t i = 0; i < n; i += VL)
    {
      const Sum row = { load_some (theta + i, n - i), v_set (0) };
      const Sum column = scale_turns (scales, load_some (phi + i, n - i));

      store_position (positions, i, locate_row (scales, row), locate_column (scales, column));
    }
}

/* to <- sign from */
static void
copy (double sign, const double *from, int64_t n, double *to)
{
  int64_t i = 0;

  for (; i + VL <= n; i += VL)
    v_store (to + i, v_set (sign) * v_load (from + i));
  for (; i < n; i++)
    to[i] = sign * from[i];
}

/* to <- to + sign from; sign is 1 or -1, so that a fused operation changes nothing */
static void
add (double sign, const double *from, int64_t n, double *to)
{
  int64_t i = 0;

  for (; i + VL <= n; i += VL)
    v_store (to + i, v_load (to + i) + v_set (sign) * v_load (from + i));
  for (; i < n; i++)
    to[i] += sign * from[i];
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
  UNROLL for (int j = W; j < COLUMNS (W) + VL - HL; j++)
    weight[j] = v_set (0);
  for (int k = 0; k < COLUMNS (W); k += VL)
    {
      v_transpose (weight + k);
      UNROLL for (int j = 0; j < VL; j++)
        if (k + VL <= COLUMNS (W))
          v_store (columns + (i + j) * COLUMNS (W) + k, weight[k + j]);
        else
          h_store (columns + (i + j) * COLUMNS (W) + k, h_first (weight[k + j]));
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
      H products[GROUP];

      UNROLL for (int64_t i = 0; i < GROUP; i++)
        {
          const double *at = room->patch + (int64_t) room->offset[k + i];
          const double *columns = room->columns + (k + i) * COLUMNS (W);
          H sums[VECTORS (ARMILLA_POINTS_MAX_WIDTH)];

          UNROLL for (int v = 0; v < VECTORS (W); v++)
            sums[v] = h_set (rows[i]) * h_load (at + v * HL);
          UNROLL for (int j = 1; j < W; j++)
            UNROLL for (int v = 0; v < VECTORS (W); v++)
              sums[v] = h_fma (h_set (rows[j * GROUP + i]), h_load (at + j * STRIDE + v * HL),
                               sums[v]);
          products[i] = sums[0] * h_load (columns);
          UNROLL for (int v = 1; v < VECTORS (W); v++)
            products[i] = h_fma (sums[v], h_load (columns + v * HL), products[i]);
        }
      h_eight_sums (room->values + k, products);
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
      H value[VECTORS (ARMILLA_POINTS_MAX_WIDTH)];

      UNROLL for (int v = 0; v < VECTORS (W); v++)
        value[v] = h_set (room->values[i]) * h_load (columns + v * HL);
      UNROLL for (int j = 0; j < W; j++)
        UNROLL for (int v = 0; v < VECTORS (W); v++)
          {
            double *to = at + j * STRIDE + v * HL;

            h_store (to, h_fma (h_set (rows[j * GROUP]), value[v], h_load (to)));
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
  = { locate, locate_angles, copy, add, { EACH_WIDTH (ENTRY) } };
