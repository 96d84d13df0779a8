/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m on a grid of equidistant rings <-> Delta_m on the rings of a map. Raw-pointer kernels.
 *
 * Delta_m (theta) is a trigonometric polynomial of degree lmax: with g = N / pi times theta it is
 * known everywhere from its values at g = i + 1/2, i = 0 .. N - 1, when N > lmax. With N of 5/4
 * lmax or more a sum over 104 neighbours is enough,
 *
 *   Delta (g) = sum_i T (g - 1/2 - i) Delta_i,   T (u) = sinc (pi u) w (2 u / 104),
 *   w (x) = sinh (beta sqrt (1 - x^2)) / (sqrt (1 - x^2) sinh beta),   beta = 104 pi / 10,
 *
 * with an error of 2e-15 of the largest value at degree lmax, and less below. Beyond a pole
 * Delta_m (-theta) = (-1)^(m + spin) Delta_m (theta) continues the grid. Where a map has many more
 * rings than 5/4 lmax (HEALPix has 2 lmax at lmax = 2 nside), this spares the recurrence a third of
 * the rings and costs 104 FMA for each (m, ring) and real number. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_THETA_TAPS 104
#define ARMILLA_THETA_GROUP 8 /* ring pairs that share a window of grid rings */
#define ARMILLA_THETA_TILES 3 /* tiles of the grid that a ring block may meet */

/**
 * ArmillaThetaShape:
 * @n_fields: number of fields
 * @m_first: first order of the tiles
 * @n_orders: number of their orders
 * @n_pairs: ring pairs of the map's tile
 * @n_grid: rings of the grid, N; even
 * @first: first ring of the continued grid that the tile meets; negative beyond the north pole
 * @n_rows: how many rings of the continued grid it meets
 * @n_window: how many of them eight neighbouring pairs meet
 * @n_tiles: tiles of the grid it meets, at most ARMILLA_THETA_TILES
 * @tile_first: first ring pair of each
 * @tile_pairs: number of ring pairs of each
 * @isa: instruction set (CPU kernels only), #ArmillaIsa
 * @spin: of the fields; beyond a pole the orders m with m + spin odd change sign
 * @lmax: highest degree, where rings on which an order does not matter are to be 0 and left out;
 *   0: none are. CUDA kernels go by what it was when the weights were made
 *
 * Tiles, of the map and of the grid: complex double, [field][2 pair + south][m - m_first].
 */
typedef struct {
  int64_t n_fields;
  int64_t m_first, n_orders;
  int64_t n_pairs;
  int64_t n_grid;
  int64_t first, n_rows, n_window;
  int64_t n_tiles;
  int64_t tile_first[ARMILLA_THETA_TILES], tile_pairs[ARMILLA_THETA_TILES];
  int32_t isa;
  int32_t spin;
  int64_t lmax;
} ArmillaThetaShape;

/* Where a ring of the continued grid is: the north's ring @index, and that the south's is where it
 * mirrors. */
typedef struct {
  int tile;     /* of the shape's */
  int64_t pair; /* within the tile */
  int south;    /* whether it is the pair's southern ring */
  int beyond;   /* whether it lies beyond a pole, where every second order changes sign */
} ArmillaThetaRing;

int64_t armilla_theta_weights_size (const ArmillaThetaShape *shape); /* doubles */
int64_t armilla_theta_scratch_size (const ArmillaThetaShape *shape); /* doubles, CPU kernels */

/* first, n_rows and n_window of a shape whose n_pairs and n_grid are set; pairs is the pair table
 * of the ring block. */
void armilla_theta_windows (ArmillaThetaShape *shape, const double *pairs);
/* weights <- T: of each group of eight pairs (rounded up to eight groups) the first ring, then the
 * first order that does not matter, then [group][n_window][8]. */
void armilla_theta_weights (const ArmillaThetaShape *shape, const double *pairs, double *weights);
void armilla_theta_find_limits (const ArmillaThetaShape *shape, const double *firsts,
                                double *limits);

/* tile <- the grid's tiles. */
void armilla_theta_synthesis_cpu (const ArmillaThetaShape *shape, const double *weights,
                                  const double *const *grid, double *tile, double *scratch);
/* grid's tiles += adjoint applied to tile; those with their bit in fresh are set to 0 before. */
void armilla_theta_adjoint_cpu (const ArmillaThetaShape *shape, const double *weights,
                                const double *tile, int fresh, double *const *grid,
                                double *scratch);

/* CUDA kernels: the same arguments, in device memory (the shape and the
 * array of tiles in host memory), without scratch space. */
int armilla_theta_synthesis_launch (const ArmillaThetaShape *shape, const double *weights,
                                    const double *const *grid, double *tile,
                                    cudaStream_t stream);
int armilla_theta_adjoint_launch (const ArmillaThetaShape *shape, const double *weights,
                                  const double *tile, int fresh, double *const *grid,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
