/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts rows of a tile (one per ring, with consecutive orders) to lanes of a group (with
 * consecutive rings) and back, CHUNK orders at a time. Part of the CPU kernels. */
#pragma once

#include "codelets/legendre/delta-skip.h"

#define ROW (2 * CHUNK) /* doubles of a ring's row in a chunk: [order][re, im] */

/* Position of a chunk in a tile: [field][slot][order], complex. */
typedef struct {
  const ArmillaDeltaShape *shape;
  int64_t n_pairs; /* number of ring pairs of the tile */
  double *tile;    /* at the chunk's first order */
  int n_orders;    /* number of orders of the chunk */
} Chunk;

static Chunk
chunk_of (const ArmillaDeltaShape *shape, const ArmillaDeltaRows *rows, double *tile)
{
  return (Chunk){ shape, rows ? rows->n_pairs : shape->n_pairs, tile, 0 };
}

/* Returns the number of doubles between the two rings of a pair. */
static int64_t
ring_stride (const Chunk *chunk)
{
  return 2 * (chunk->shape->m_last - chunk->shape->m_first + 1);
}

static double *
chunk_row (const Chunk *chunk, int64_t field, int64_t pair, int south)
{
  const int64_t slot = field * 2 * chunk->n_pairs + 2 * pair + south;

  return chunk->tile + slot * ring_stride (chunk);
}

/* Prefetches a chunk's rows while its sums, or those of the previous chunk, are computed: a few at
 * a time, since prefetching all at once would stall. The rows are too far apart for the hardware
 * prefetcher. */
typedef struct {
  const Chunk *chunk;
  const Lanes *lanes;
  int64_t field, lane; /* next to prefetch */
  int64_t left, quota; /* remaining lanes of all fields; number of lanes per call */
} Ahead;

/* Prepares the prefetch of all rows of a chunk by @n_calls calls of ahead_rows(). */
static Ahead
ahead_of (const Chunk *chunk, const Lanes *lanes, int64_t n_calls)
{
  const int64_t n = chunk->shape->n_fields * lanes->n_lanes;

  return (Ahead){ chunk, lanes, 0, 0, n, (n + n_calls - 1) / n_calls };
}

SIMD_INLINE void
ahead_rows (Ahead *ahead)
{
  for (int64_t i = 0; i < ahead->quota && ahead->left > 0; i++, ahead->left--)
    {
      const int64_t pair = (int64_t) ahead->lanes->pair[ahead->lane];
      const double *row = chunk_row (ahead->chunk, ahead->field, pair < 0 ? 0 : pair, 0);

      __builtin_prefetch (row, 1, 2);
      __builtin_prefetch (row + ring_stride (ahead->chunk), 1, 2);
      if (++ahead->lane == ahead->lanes->n_lanes)
        {
          ahead->lane = 0;
          ahead->field++;
        }
    }
}

/* Stores rows of a chunk for VL lanes. @value: vectors [order][re, im]; overwritten. */
SIMD_INLINE void
rows_store (const Chunk *chunk, int64_t field, const double *pair, int south, V *value)
{
  const int64_t stride = 2 * ring_stride (chunk);
  double *first = chunk_row (chunk, field, 0, south);

  UNROLL for (int j = 0; j < ROW; j += VL)
    v_transpose (value + j);
  if (chunk->n_orders == CHUNK && pair[VL - 1] >= 0) /* unused lanes are last */
    {
      UNROLL for (int i = 0; i < VL; i++)
        UNROLL for (int j = 0; j < ROW; j += VL)
          v_store (first + (int64_t) pair[i] * stride + j, value[j + i]);
      return;
    }
  for (int i = 0; i < VL && pair[i] >= 0; i++)
    {
      double part[ROW];

      for (int j = 0; j < ROW; j += VL)
        v_store (part + j, value[j + i]);
      memcpy (first + (int64_t) pair[i] * stride, part,
              sizeof (double) * 2 * (size_t) chunk->n_orders);
    }
}

/* Loads what rows_store() stores; the values of unused lanes are 0. */
SIMD_INLINE void
rows_load (const Chunk *chunk, int64_t field, const double *pair, int south, V *value)
{
  const int64_t stride = 2 * ring_stride (chunk);
  const double *first = chunk_row (chunk, field, 0, south);

  if (chunk->n_orders == CHUNK && pair[VL - 1] >= 0)
    UNROLL for (int i = 0; i < VL; i++)
      {
        const double *row = first + (int64_t) pair[i] * stride;

        UNROLL for (int j = 0; j < ROW; j += VL)
          value[j + i] = v_load (row + j);
      }
  else
    for (int i = 0; i < VL; i++)
      {
        double part[ROW] = { 0 };

        if (pair[i] >= 0)
          memcpy (part, first + (int64_t) pair[i] * stride,
                  sizeof (double) * 2 * (size_t) chunk->n_orders);
        for (int j = 0; j < ROW; j += VL)
          value[j + i] = v_load (part + j);
      }
  UNROLL for (int j = 0; j < ROW; j += VL)
    v_transpose (value + j);
}
