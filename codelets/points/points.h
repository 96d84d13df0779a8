/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation from a grid to arbitrary points, and its transpose. Raw-pointer kernels; the StarPU
 * codelets are declared in points-codelets.h. */
#pragma once

#include "codelets/common/host-device.h"
#include "codelets/points/points-band.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaPointsShape:
 * @band: the band
 * @n_points: number of points of the band
 * @n_fields: number of fields, which share the weights of a point
 * @spin: spin of the fields
 * @isa: #ArmillaIsa of all ranks; CPU only
 * @kernel: the kernel
 *
 * places: double, [point][row, column], position in the cell at which the support begins, sorted by
 * cell; start: int64, [n_cells + 1], first point of each cell, counted from that of the first cell;
 * values: double, [field][point].
 */
typedef struct {
  ArmillaPointsBand band;
  int64_t n_points, n_fields;
  int32_t spin, isa;
  ArmillaPointsKernel kernel;
} ArmillaPointsShape;

/**
 * ArmillaPointsTiles:
 * @n: number of tiles
 * @first_pair: first ring pair of each tile
 * @n_pairs: number of ring pairs of each tile
 *
 * Tiles of the grid in the order of the pairs, or bands. A tile is double, [field][row][column]:
 * the northern rings of its pairs, then the southern ones in reverse. The spread values of a band
 * are double, [field][half][row][column], including the rows beyond the pole and in the halo.
 */
typedef struct {
  int64_t n;
  int64_t first_pair[ARMILLA_POINTS_TILES], n_pairs[ARMILLA_POINTS_TILES];
} ArmillaPointsTiles;

/* Returns the first pair that a band reads or writes; sets end to the pair after the last one. */
int64_t armilla_points_needed (const ArmillaPointsBand *band, int64_t *end);
/* Returns the number of doubles of a tile, and of the spread values of a band. */
int64_t armilla_points_tile_size (const ArmillaPointsShape *shape, int64_t first_pair,
                                  int64_t n_pairs);
int64_t armilla_points_spread_size (const ArmillaPointsShape *shape);

/* Interpolates the values at the points from all tiles that the band needs. */
void armilla_points_interpolate_cpu (const ArmillaPointsShape *shape, const double *places,
                                     const int64_t *start, const ArmillaPointsTiles *tiles,
                                     const double *const *tile, double *values);
/* Adds the values at the points of a band to the grid points around them; armilla_points_gather_cpu
 * () then completes the transpose of the interpolation. Sums are in the order of the points. */
void armilla_points_spread_cpu (const ArmillaPointsShape *shape, const double *places,
                                const int64_t *start, const double *values, double *spread);
/* Computes the tile with the ring pairs of the shape's band: the sum of the values that all bands
 * have spread to it. */
void armilla_points_gather_cpu (const ArmillaPointsShape *shape, const ArmillaPointsTiles *bands,
                                const double *const *spread, double *tile);

/* CUDA kernels: the same arguments; only shapes, tiles and arrays of pointers are in host
 * memory. Cells are spread in another order. */
int armilla_points_interpolate_launch (const ArmillaPointsShape *shape, const double *places,
                                       const int64_t *start, const ArmillaPointsTiles *tiles,
                                       const double *const *tile, double *values,
                                       cudaStream_t stream);
int armilla_points_spread_launch (const ArmillaPointsShape *shape, const double *places,
                                  const int64_t *start, const double *values, double *spread,
                                  cudaStream_t stream);
int armilla_points_gather_launch (const ArmillaPointsShape *shape, const ArmillaPointsTiles *bands,
                                  const double *const *spread, double *tile, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
