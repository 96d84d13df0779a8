/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts points into bands and cells. The order is that of the cells, then that of the caller. */
#pragma once

#include <stdint.h>

#include "codelets/points/points-band.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaPointsGrid:
 * @n_rings: number of rings of the grid
 * @n_columns: number of pixels per ring
 * @width: width of the kernel
 * @isa: #ArmillaIsa of this machine; the result does not depend on it
 * @n_bands: number of bands
 * @first_pair: (array length=n_bands): first ring pair of each band, from 0 on; the last band ends
 *   at the equator
 */
typedef struct {
  int64_t n_rings, n_columns, width, isa, n_bands;
  const int64_t *first_pair;
} ArmillaPointsGrid;

/**
 * ArmillaPointsSort:
 * @n: number of points
 * @n_bands: number of bands
 * @n_blocks: number of blocks into which the points are divided, in the order of the caller
 * @first_cell: (array length=n_bands + 1): first cell of each band
 * @first: (array length=n_bands + 1): first sorted point of each band
 *
 * Points are sorted in two steps, each by any number of threads: those of each block by band, then
 * those of each band by cell. Both keep the order of points, so the result is that of one thread.
 */
typedef struct {
  int64_t n, n_bands, n_blocks;
  int64_t *first_cell, *first;
  /*< private >*/
  struct _ArmillaPointsFinder *finder;
  uint32_t *begin;  /* [block][band]: first point of a band in a block; n_bands + 1 per block */
  double *places;   /* the points of each block, sorted by band: places in their cells, */
  uint32_t *cell;   /* their cells, counted from the first one of the band, */
  uint16_t *number; /* and their numbers in the block */
} ArmillaPointsSort;

ArmillaPointsBand armilla_points_grid_band (const ArmillaPointsGrid *grid, int64_t i);

/* Returns the bytes of the scratch memory for @n points. */
int64_t armilla_points_sort_scratch (int64_t n);
/* Prepares the sorting of @n points. @scratch: memory that is used until the last band is sorted.
 * Returns NULL if out of memory. */
ArmillaPointsSort *armilla_points_sort_new (const ArmillaPointsGrid *grid, int64_t n,
                                            void *scratch);
/* Sorts the points of a block by band. Points are unit vectors; or, if z is NULL, angles: x from 0
 * to pi, y of less than a million turns. Returns the number of the first point of the block that is
 * not finite; -1: none. */
int64_t armilla_points_sort_block (ArmillaPointsSort *sort, int64_t block, const double *x,
                                   const double *y, const double *z);
/* Sets the member first, once all blocks are sorted. */
void armilla_points_sort_count (ArmillaPointsSort *sort);
/* Sorts the points of a band by cell, after armilla_points_sort_count (). places: [n][row, column]
 * in the cell, may be NULL; start: first point of each cell of the band, and the number of all its
 * points; order: [n], numbers of the points in the order of the caller. */
void armilla_points_sort_band (const ArmillaPointsSort *sort, int64_t band, double *places,
                               int64_t *start, int64_t *order);
void armilla_points_sort_free (ArmillaPointsSort *sort);

#ifdef __cplusplus
}
#endif
