/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Division of rings and orders into blocks. It depends on the grid and lmax (or on the user's
 * options), never on the machine, so that all machines give the same bits. */
#pragma once

#include <armilla/alm.h>
#include <armilla/grid.h>
#include <armilla/task.h>

#include "core/fits/fields.h"
#include "core/grids/block-tables.h"
#include "tasks/runtime/starpu-mpi.h"

G_BEGIN_DECLS

/* Consecutive ring pairs. A tile contains the northern rings in the order of the pairs, then the
 * southern ones in reverse: in a map whose rings run from north to south these are two contiguous
 * runs of pixels. */
typedef struct {
  gint64 n_pairs;                          /* ring pairs of the block */
  gint64 n_pixels;                         /* pixels of all its rings */
  gint64 longest;                          /* pixels of its longest ring */
  double *pairs;                           /* (array): [ARMILLA_PAIR_ROWS][n_pairs] */
  ArmillaRingSlot *slots;                  /* (array): [2 n_pairs] */
  gint64 *first_pixel; /* (array): number in the map of each slot's first pixel */
  int owner;                               /* rank that owns the block's tiles */
  starpu_data_handle_t pairs_handle;       /* pairs, for StarPU */
  starpu_data_handle_t slots_handle;       /* slots, for StarPU */
  starpu_data_handle_t first_pixel_handle; /* first_pixel, for StarPU */
} ArmillaRingBlock;

/* A run of pixels that is contiguous both in the tile of a ring block and in the map. */
typedef struct {
  gint64 start; /* place of its first pixel in a tile */
  gint64 first; /* number of that pixel in the map */
  gint64 n;     /* number of pixels */
  gint64 next; /* number of rings passed by armilla_ring_block_next_run(); 0 before the first run */
} ArmillaRun;

typedef struct {
  ArmillaGrid *grid;       /* the grid */
  int n;                   /* number of blocks */
  ArmillaRingBlock *block; /* (array length=n): the blocks, from the poles to the equator */
  gint64 max_pairs;        /* maximum number of ring pairs in a block */
  gint64 max_pixels;       /* maximum number of pixels in a block */
  gint64 longest;          /* pixels of the longest ring */
} ArmillaRingBlocks;

typedef struct {
  ArmillaAlmLayout layout; /* the layout */
  int n;                   /* number of m-blocks */
  gint64 *m_first;         /* (array length=n): first order of each */
  gint64 *m_last;          /* (array length=n): last order of each, inclusive */
  int *owner;              /* (array length=n): rank that owns the block's tiles */
  gint64 max_orders;       /* maximum number of orders in a block */
  /* coefficients of the recurrence for the CPU kernels, up to lmax + ARMILLA_SPIN_MAX, computed
   * when a transform needs them; may be NULL */
  double *basis;
  /* (array length=n): for GPUs the coefficients for fields of each spin, computed when a transform
   * needs them; may be NULL */
  ArmillaTile *tables[ARMILLA_SPIN_MAX + 1];
} ArmillaOrderBlocks;

gint64 armilla_ring_blocks_default (const ArmillaGrid *grid, gboolean gpus);
gint64 armilla_order_blocks_default (ArmillaAlmLayout layout, int n_sharing, gboolean gpus);
ArmillaRingBlocks *armilla_ring_blocks_new (ArmillaGrid *grid, gint64 block_pairs, int n_ranks,
                                            const double *speeds, GError **error);
void armilla_ring_blocks_free (ArmillaRingBlocks *blocks);
gboolean armilla_ring_block_next_run (const ArmillaRingBlock *block, ArmillaRun *run);
ArmillaOrderBlocks *armilla_order_blocks_new (ArmillaAlmLayout layout, int n_fields,
                                              gint64 n_blocks, int n_ranks,
                                              const double *speeds);
void armilla_order_blocks_parts (const ArmillaOrderBlocks *blocks, int block,
                                 ArmillaOrderParts *parts);
void armilla_order_blocks_free (ArmillaOrderBlocks *blocks);

/* Returns the number of complex coefficients of one field in m-block b. */
static inline gint64
armilla_order_block_count (const ArmillaOrderBlocks *blocks, int b)
{
  gint64 lmax = blocks->layout.lmax;

  return armilla_alm_index (lmax, lmax, blocks->m_last[b])
         - armilla_alm_index (lmax, blocks->m_first[b], blocks->m_first[b]) + 1;
}

G_END_DECLS
