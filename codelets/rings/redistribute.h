/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies tiles of Delta_m (one m-block of a ring block) to the modes of a ring block, whose rows
 * hold all orders of one ring, and back. Raw-pointer kernels. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* tile: complex double, [field][2 n_pairs][m - m_first], or, if tile_pairs is not 0, [field][2
 * tile_pairs][m - m_first], of which n_pairs from tile_first on are used; modes: complex double,
 * [field][2 n_pairs][mmax + 1], slot 2p being the northern ring of pair p, slot 2p + 1 the southern
 * one. */
typedef struct {
  int64_t mmax;       /* highest order of the modes */
  int64_t m_first;    /* first order of the tile */
  int64_t m_last;     /* last order of the tile (inclusive) */
  int64_t n_fields;   /* number of fields */
  int64_t n_pairs;    /* number of ring pairs */
  int64_t tile_pairs; /* ring pairs of the tile if it holds more than n_pairs; 0 otherwise */
  int64_t tile_first; /* index of the first of the n_pairs pairs in the tile */
} ArmillaRedistributeShape;

/* Returns the row of the tile that corresponds to row @row of the modes. */
ARMILLA_HD int64_t
armilla_redistribute_tile_row (const ArmillaRedistributeShape *shape, int64_t row)
{
  if (shape->tile_pairs == 0)
    return row;
  return row / (2 * shape->n_pairs) * 2 * shape->tile_pairs + 2 * shape->tile_first
         + row % (2 * shape->n_pairs);
}

/* Both kernels take the slots of the ring block, [2 n_pairs]. Values of absent rings become 0. */

/* Columns m_first..m_last of modes <- tile. */
void armilla_redistribute_forward_cpu (const ArmillaRedistributeShape *shape,
                                       const ArmillaRingSlot *slots, const double *tile,
                                       double *modes);
/* tile <- columns m_first..m_last of modes: the inverse and transpose. Modes of absent rings are
 * not read. */
void armilla_redistribute_backward_cpu (const ArmillaRedistributeShape *shape,
                                        const ArmillaRingSlot *slots, const double *modes,
                                        double *tile);

/* CUDA kernels: the same arguments, in device memory (the shape in host memory). */
int armilla_redistribute_forward_launch (const ArmillaRedistributeShape *shape,
                                         const ArmillaRingSlot *slots, const double *tile,
                                         double *modes, cudaStream_t stream);
int armilla_redistribute_backward_launch (const ArmillaRedistributeShape *shape,
                                          const ArmillaRingSlot *slots,
                                          const double *modes, double *tile,
                                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
