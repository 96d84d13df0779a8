/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a tile, one a ring with the orders next to each other, <-> lanes of a group, with the
 * rings next to each other: CHUNK orders at a time. Part of delta-kernels.h. */
#pragma once

#include "codelets/delta-order.h"

#define ROW (2 * CHUNK) /* doubles of a ring's row in a chunk: [order][re, im] */

/* Where a chunk is in a tile: [field][slot][order], complex. */
typedef struct {
  const ArmillaDeltaShape *shape;
  double *tile; /* at the chunk's first order */
  int n_orders; /* of the chunk */
} Chunk;

static double *
chunk_row (const Chunk *chunk, int64_t field, int64_t pair, int south)
{
  const ArmillaDeltaShape *shape = chunk->shape;
  const int64_t slot = field * 2 * shape->n_pairs + 2 * pair + south;

  return chunk->tile + 2 * slot * (shape->m_last - shape->m_first + 1);
}

/* Rows of a chunk of VL lanes from vectors [order][re, im], which they destroy. */
SIMD_INLINE void
rows_store (const Chunk *chunk, int64_t field, const double *pair, int south, V *value)
{
  const size_t bytes = sizeof (double) * 2 * (size_t) chunk->n_orders;

  UNROLL for (int j = 0; j < ROW; j += VL)
    v_transpose (value + j);
  UNROLL for (int i = 0; i < VL; i++)
    if (pair[i] >= 0)
      {
        double *row = chunk_row (chunk, field, (int64_t) pair[i], south), part[ROW];
        double *to = chunk->n_orders == CHUNK ? row : part;

        UNROLL for (int j = 0; j < ROW; j += VL)
          v_store (to + j, value[j + i]);
        if (to != row)
          memcpy (row, part, bytes);
      }
}

/* The reverse; rows that are not there are 0. */
SIMD_INLINE void
rows_load (const Chunk *chunk, int64_t field, const double *pair, int south, V *value)
{
  const size_t bytes = sizeof (double) * 2 * (size_t) chunk->n_orders;

  UNROLL for (int i = 0; i < VL; i++)
    {
      double part[ROW] = { 0 };
      const double *from = part;

      if (pair[i] >= 0)
        {
          const double *row = chunk_row (chunk, field, (int64_t) pair[i], south);

          if (chunk->n_orders == CHUNK)
            from = row;
          else
            memcpy (part, row, bytes);
        }
      UNROLL for (int j = 0; j < ROW; j += VL)
        value[j + i] = v_load (from + j);
    }
  UNROLL for (int j = 0; j < ROW; j += VL)
    v_transpose (value + j);
}

/* Even and odd parts of one field, [order][4][GL] with @stride doubles from order to order -> the
 * two rings of each pair of a group. */
static void
group_store (const Lanes *lanes, int64_t group, const Chunk *chunk, int64_t field,
             const double *sums, int64_t stride)
{
  for (int64_t at = 0; at < GL; at += VL)
    {
      const V cosine = v_load (lanes->cosine + group * GL + at);
      const double *pair = lanes->pair + group * GL + at;
      V north[ROW], south[ROW];

      UNROLL for (int c = 0; c < ROW; c++)
        {
          const double *s = sums + c / 2 * stride + c % 2 * GL + at;
          const V even = v_load (s), odd = v_load (s + 2 * GL) * cosine;

          north[c] = even + odd;
          south[c] = even - odd;
        }
      rows_store (chunk, field, pair, 0, north);
      rows_store (chunk, field, pair, 1, south);
    }
}

/* The transpose: values[order][4][n_lanes] <- rings of a group. */
static void
group_load (const Lanes *lanes, int64_t group, const Chunk *chunk, int64_t field, double *values)
{
  const int64_t n = lanes->n_lanes;

  for (int64_t at = group * GL; at < (group + 1) * GL; at += VL)
    {
      const V cosine = v_load (lanes->cosine + at);
      V north[ROW], south[ROW];

      rows_load (chunk, field, lanes->pair + at, 0, north);
      rows_load (chunk, field, lanes->pair + at, 1, south);
      UNROLL for (int c = 0; c < ROW; c++)
        {
          double *v = values + (c / 2 * 4 + c % 2) * n + at;

          v_store (v, north[c] + south[c]);
          v_store (v + 2 * n, cosine * (north[c] - south[c]));
        }
    }
}
