/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts points into bands and cells. The order depends on the cell, then on the number of the
 * point, so that it is the same in every run. */
#pragma once

#include <glib.h>

#include "codelets/points/points-band.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaPointsGrid:
 * @n_rings: rings of the grid
 * @n_columns: pixels per ring
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
 * @first_cell: (array length=n_bands + 1): first cell of each band
 * @start: (array): first point of each cell, in their order; the last one is @n
 * @cell: (array length=n): cell of each point, in the order of the caller
 *
 * Sorted points: those of cell i are start[i] .. start[i + 1] - 1.
 */
typedef struct {
  int64_t n, n_bands;
  int64_t *first_cell, *start;
  uint32_t *cell;
} ArmillaPointsSort;

ArmillaPointsBand armilla_points_grid_band (const ArmillaPointsGrid *grid, int64_t i);

/* Finds the cells of @n points: colatitudes from 0 to pi and any longitudes, radian. Returns NULL
 * if out of memory. */
ArmillaPointsSort *armilla_points_sort_new (const ArmillaPointsGrid *grid, const double *theta,
                                            const double *phi, int64_t n);
/* places: [n][row, column] in a cell, of the sorted points; order: [n], their numbers. Returns
 * FALSE if out of memory. */
gboolean armilla_points_sort_fill (const ArmillaPointsSort *sort, const ArmillaPointsGrid *grid,
                                   const double *theta, const double *phi, double *places,
                                   int64_t *order);
void armilla_points_sort_free (ArmillaPointsSort *sort);

#ifdef __cplusplus
}
#endif
