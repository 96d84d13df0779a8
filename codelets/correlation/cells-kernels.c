/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions on the curve and bounding balls of leaves: compiled once for each instruction set. */
#include <string.h>

#include "codelets/common/simd.h"
#include "codelets/correlation/cells-private.h"

/* points per pass of a loop */
#define BATCH 256
/* bits of a coordinate in short keys */
#define SHORT_FACE_BITS 16

/* A vector of 32-bit words, and half a vector, which has as many words as a vector has doubles. */
typedef uint32_t W __attribute__ ((vector_size (sizeof (V))));
typedef int32_t HalfW __attribute__ ((vector_size (sizeof (V) / 2)));
#define WL (2 * VL)

typedef struct {
  uint32_t i[BATCH], j[BATCH], face[BATCH];
} Places;

SIMD_INLINE void
put (uint32_t *to, V x)
{
  const HalfW words = __builtin_convertvector (x, HalfW);

  memcpy (to, &words, sizeof words);
}

/* Finds the faces of points, 0 to 5, and their coordinates there; see armilla_cells_key(). The face
 * is unpredictable from one point to the next, so the code has no branches. */
SIMD_INLINE void
find_places (V x, V y, V z, Places *places, int at)
{
  const double side = 1 << ARMILLA_FACE_BITS;
  const V half = v_set (side / 2), last = v_set (side - 1);
  const V ax = v_abs (x), ay = v_abs (y), az = v_abs (z);
  const VM not_x = v_less (ax, ay);
  const V longest = v_select (not_x, ay, ax);
  const VM on_z = v_less (longest, az);
  const V axis = v_select (on_z, z, v_select (not_x, y, x));
  const V scale = half / v_select (on_z, az, longest);
  V i = v_select (on_z, x, v_select (not_x, z, y)) * scale + half;
  V j = v_select (on_z, y, v_select (not_x, x, z)) * scale + half;
  const V face = v_select (on_z, v_set (4), v_select (not_x, v_set (2), v_set (0)))
                 + v_select (v_less (axis, v_set (0)), v_set (1), v_set (0));

  /* The far edge of the face belongs to its last square. */
  i = v_select (v_less (i, last), i, last);
  j = v_select (v_less (j, last), j, last);
  put (places->i + at, i);
  put (places->j + at, j);
  put (places->face + at, face);
}

/* Spreads bits to every other position. */
SIMD_INLINE W
spread (W x)
{
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

/* Composition of two or more steps of the curve between orientations. An orientation is two bits:
 * whether the axes are swapped, and whether both are reversed. A step maps them to sums of both and
 * of bits of the coordinates, modulo 2. An even number of steps is (s, t) -> (p s + q t, q s + (p +
 * q) t) plus a constant; a single step is not of this form, since it is an odd permutation of the
 * three nonzero values. */
typedef struct {
  W p, q, swap, turn;
} Steps;

/* Composes the steps of each bit with those of the @n bits above, which come first. */
SIMD_INLINE Steps
join (Steps low, int n)
{
  const W p = low.p >> n, q = low.q >> n, swap = low.swap >> n, turn = low.turn >> n;

  return (Steps) { (low.p & p) ^ (low.q & q), (low.p & q) ^ (low.q & (p ^ q)),
                   low.swap ^ (low.p & swap) ^ (low.q & turn),
                   low.turn ^ (low.q & swap) ^ ((low.p ^ low.q) & turn) };
}

/* Short keys: all orientations at once by a prefix sum over the higher bits, in steps of 1, 2, 4
 * and 8 bits. */
SIMD_INLINE W
walk (W i, W j, W face)
{
  const W x = i >> (ARMILLA_FACE_BITS - SHORT_FACE_BITS);
  const W y = j >> (ARMILLA_FACE_BITS - SHORT_FACE_BITS);
  /* One step: if both bits are equal, swap += turn + 1 + x; otherwise (swap, turn) = (turn + x,
   * swap + x). */
  const W differ = x ^ y, swap = y ^ 0xffffu, turn = x & differ;
  const W swap_above = swap >> 1, turn_above = turn >> 1, above = differ >> 1;
  Steps steps = { (differ ^ 0xffffu) | above, differ ^ above,
                  swap ^ turn_above ^ (swap_above & ~differ),
                  turn ^ turn_above ^ ((swap_above ^ turn_above) & differ) };

  steps = join (steps, 2);
  steps = join (steps, 4);
  steps = join (steps, 8);

  const W high = x ^ steps.turn >> 1 ^ (steps.swap >> 1 & differ);

  return face << (ARMILLA_SHORT_KEY_BITS - 3)
         | (spread (high) << 1 | spread (differ))
             >> (3 + 2 * SHORT_FACE_BITS - ARMILLA_SHORT_KEY_BITS);
}

SIMD_INLINE void
make_keys (const Places *places, int n, uint32_t *keys)
{
  for (int k = 0; k < n; k += WL)
    {
      W i, j, face, key;

      memcpy (&i, places->i + k, sizeof i);
      memcpy (&j, places->j + k, sizeof j);
      memcpy (&face, places->face + k, sizeof face);
      key = walk (i, j, face);
      memcpy (keys + k, &key, sizeof key);
    }
}

static void
find_keys (const double *x, const double *y, const double *z, int64_t n, uint32_t *keys)
{
  Places places;
  int64_t done = 0;

  for (; done + BATCH <= n; done += BATCH)
    {
      for (int k = 0; k < BATCH; k += VL)
        find_places (v_load (x + done + k), v_load (y + done + k), v_load (z + done + k), &places,
                     k);
      make_keys (&places, BATCH, keys + done);
    }
  if (done < n)
    {
      const int left = (int) (n - done);
      double rest[3][BATCH] = { { 0 } };
      uint32_t last[BATCH];

      memcpy (rest[0], x + done, sizeof *x * (size_t) left);
      memcpy (rest[1], y + done, sizeof *y * (size_t) left);
      memcpy (rest[2], z + done, sizeof *z * (size_t) left);
      /* Padding: any vector except 0. */
      for (int k = left; k < BATCH; k++)
        rest[0][k] = 1;
      for (int k = 0; k < left; k += VL)
        find_places (v_load (rest[0] + k), v_load (rest[1] + k), v_load (rest[2] + k), &places, k);
      for (int k = (left + VL - 1) / VL * VL; k < BATCH; k++)
        places.i[k] = places.j[k] = places.face[k] = 0;
      make_keys (&places, (left + WL - 1) / WL * WL, last);
      memcpy (keys + done, last, sizeof *keys * (size_t) left);
    }
}

/* Several leaves at once, one per lane. Comparisons with slots without an object (NaN) are
 * false. */
typedef struct {
  const double *row[VL];
} Leaves;

SIMD_INLINE V
lower (V a, V b)
{
  return v_select (v_less (a, b), a, b);
}

SIMD_INLINE V
higher (V a, V b)
{
  return v_select (v_less (b, a), a, b);
}

/* Returns the minimum of the lanes of each x[k], in lane k. */
SIMD_INLINE V
lowest (V x[VL])
{
  v_transpose (x);
#pragma GCC unroll 8
  for (int k = 1; k < VL; k++)
    x[0] = lower (x[k], x[0]);
  return x[0];
}

SIMD_INLINE V
highest (V x[VL])
{
  v_transpose (x);
#pragma GCC unroll 8
  for (int k = 1; k < VL; k++)
    x[0] = higher (x[k], x[0]);
  return x[0];
}

/* Returns the midpoint of the minimum and maximum coordinate. */
SIMD_INLINE V
middles (const Leaves *leaves)
{
  V low[VL], high[VL];

#pragma GCC unroll 8
  for (int k = 0; k < VL; k++)
    {
      const double *row = leaves->row[k];

      low[k] = high[k] = v_set (row[0]);
#pragma GCC unroll 8
      for (int i = 0; i < ARMILLA_LEAF; i += VL)
        {
          low[k] = lower (v_load (row + i), low[k]);
          high[k] = higher (v_load (row + i), high[k]);
        }
    }
  return v_set (0.5) * (lowest (low) + highest (high));
}

SIMD_INLINE void
find_some_balls (const Leaves leaves[3], double slack, double balls[4][VL])
{
  V max_s2[VL], radius;

  for (int c = 0; c < 3; c++)
    v_store (balls[c], middles (&leaves[c]));
#pragma GCC unroll 8
  for (int k = 0; k < VL; k++)
    {
      max_s2[k] = v_set (0);
#pragma GCC unroll 8
      for (int i = 0; i < ARMILLA_LEAF; i += VL)
        {
          const V dx = v_load (leaves[0].row[k] + i) - v_set (balls[0][k]);
          const V dy = v_load (leaves[1].row[k] + i) - v_set (balls[1][k]);
          const V dz = v_load (leaves[2].row[k] + i) - v_set (balls[2][k]);

          max_s2[k] = higher (dx * dx + dy * dy + dz * dz, max_s2[k]);
        }
    }
  radius = v_sqrt (highest (max_s2));
  v_store (balls[3], radius * v_set (ARMILLA_RADIUS_FACTOR) + v_set (slack));
}

static void
find_balls (const ArmillaCells *cells, int64_t leaf, int64_t n)
{
  for (int64_t done = 0; done < n; done += VL)
    {
      const int64_t some = n - done < VL ? n - done : VL;
      Leaves leaves[3];
      double balls[4][VL];

      /* Repeats the last leaf as padding. */
      for (int c = 0; c < 3; c++)
        for (int64_t k = 0; k < VL; k++)
          leaves[c].row[k] = armilla_point_row (cells, ARMILLA_POINT_X + c)
                             + (leaf + done + (k < some ? k : some - 1)) * ARMILLA_LEAF;
      find_some_balls (leaves, cells->slack, balls);
      for (int row = 0; row < 4; row++)
        memcpy (armilla_node_row (cells, ARMILLA_NODE_X + row) + leaf + done, balls[row],
                sizeof (double) * (size_t) some);
    }
}

const ArmillaCellsKernels SIMD_NAME (armilla_cells_kernels) = { find_keys, find_balls };
