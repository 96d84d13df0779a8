/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a block of interpolation in theta, the addresses of their rows, and prefetching; part of
 * theta-kernels.c. */
#pragma once

#include "codelets/common/simd.h"
#include "codelets/theta/theta-cpu.h"
#include "codelets/theta/theta-rows.h"

#define CHUNK ARMILLA_THETA_CHUNK
#define HALF (2 * CHUNK) /* number of doubles of a chunk of orders on one ring */
#define COLUMNS ARMILLA_THETA_COLUMNS
#define GROUP ARMILLA_THETA_GROUP
#define BLOCK (2 * V_TILE) /* pairs whose sums are in registers; divides GROUP */
#define SPREAD 8 /* rings of a window per row that is prefetched */
#define UNROLL _Pragma ("GCC unroll 8")

_Static_assert (GROUP % BLOCK == 0 && HALF % VL == 0, "whole vectors");

/* A ring of the continued grid and its mirror image, at the tiles' first field and order. */
typedef struct {
  double *row[2];
  int64_t field; /* doubles from one field to the next */
  int64_t beyond;
} GridRow;

_Static_assert (sizeof (GridRow) == sizeof (double) * ARMILLA_THETA_ROW_DOUBLES, "scratch space");

/* A part: CHUNK orders of one field. */
typedef struct {
  const ArmillaThetaShape *shape;
  const GridRow *rows;
  int64_t field, order; /* first order, from the tiles' first one */
  int n_orders;
  int64_t first_group;  /* first group on which an order is not negligible */
  int64_t first_row;    /* first grid ring that this and later groups need */
} Part;

static void
grid_rows (const ArmillaThetaShape *shape, double *const *grid, GridRow *rows)
{
  for (int64_t i = 0; i < shape->n_rows; i++)
    {
      const ArmillaThetaRing ring = armilla_theta_ring (shape, shape->first + i);
      const int64_t n = shape->tile_pairs[ring.tile];

      for (int j = 0; j < 2; j++)
        rows[i].row[j] = grid[ring.tile]
                         + armilla_theta_row (shape, n, 0, ring.pair, ring.south ^ j);
      rows[i].field = armilla_theta_row (shape, n, 1, 0, 0);
      rows[i].beyond = ring.beyond;
    }
}

/* Returns the address of ring @south of a pair in the map's tile. */
static double *
tile_row (const Part *part, double *tile, int64_t pair, int south)
{
  return tile + 2 * part->order
         + armilla_theta_row (part->shape, part->shape->n_pairs, part->field, pair, south);
}

/* Rows to prefetch because the hardware prefetcher cannot (they are too far apart): rings of the
 * grid, then rows of the map's tile. They are requested one by one while windows are processed;
 * many at once would fill the core's line-fill buffers, and the windows and weights in the
 * second-level cache would wait. */
typedef struct {
  const Part *part; /* part whose rings follow */
  int64_t ring, end_ring;
  const double *row; /* the next row of the map's tile */
  int64_t stride, n_rows;
} Fetch;

/* Selects for prefetching the i-th of n equal portions of the rings that @part reads or adds to;
 * nothing if it is NULL. */
SIMD_INLINE void
fetch_rings_of (Fetch *fetch, const Part *part, int64_t i, int64_t n)
{
  if (!part)
    return;
  const int64_t first = part->first_row, count = part->shape->n_rows - first;

  fetch->part = part;
  fetch->ring = first + count * i / n;
  fetch->end_ring = first + count * (i + 1) / n;
}

/* Selects for prefetching the rows of the block of pairs from @pair on, the next to be
 * processed. */
SIMD_INLINE void
fetch_block_of (Fetch *fetch, const Part *part, int64_t pair, double *tile)
{
  const int64_t left = part->shape->n_pairs - pair;

  fetch->row = tile_row (part, tile, pair, 0);
  fetch->stride = 2 * part->shape->n_orders;
  fetch->n_rows = 2 * (left < BLOCK ? left : BLOCK);
}

/* Prefetches the next ring or row. */
SIMD_INLINE void
fetch_next (Fetch *fetch)
{
  if (fetch->ring < fetch->end_ring)
    {
      const Part *part = fetch->part;
      const GridRow *ring = part->rows + fetch->ring++;
      const int64_t at = part->field * ring->field + 2 * part->order;

      UNROLL for (int c = 0; c < HALF; c += 8)
        {
          __builtin_prefetch (ring->row[0] + at + c, 0, 2);
          __builtin_prefetch (ring->row[1] + at + c, 0, 2);
        }
    }
  else if (fetch->n_rows > 0)
    {
      UNROLL for (int c = 0; c < HALF; c += 8)
        __builtin_prefetch (fetch->row + c, 1, 3);
      fetch->row += fetch->stride;
      fetch->n_rows--;
    }
}
