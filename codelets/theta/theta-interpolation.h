/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m on a grid of equidistant rings to and from Delta_m on the rings of a map. Raw-pointer
 * kernels.
 *
 * Delta_m (theta) is a trigonometric polynomial of degree lmax: with g = N / pi times theta its
 * values at g = i + 1/2, i = 0 .. N - 1, determine it if N > lmax. With N of 5/4 lmax or more a sum
 * over 104 neighbours suffices,
 *
 *   Delta (g) = sum_i T (g - 1/2 - i) Delta_i,   T (u) = sinc (pi u) w (2 u / 104),
 *   w (x) = sinh (beta sqrt (1 - x^2)) / (sqrt (1 - x^2) sinh beta),   beta = 104 pi / 10,
 *
 * with an error of 2e-15 of the largest value at degree lmax, and less below. Beyond a pole Delta_m
 * (-theta) = (-1)^(m + spin) Delta_m (theta) continues the grid. For maps with many more rings than
 * 5/4 lmax (HEALPix has 2 lmax at lmax = 2 nside), the recurrence then runs on a third fewer rings,
 * at the cost of 104 FMA per (m, ring) and real number. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_THETA_TAPS 104
#define ARMILLA_THETA_GROUP 8 /* ring pairs that share a window of grid rings */
#define ARMILLA_THETA_TILES 3 /* maximum number of grid tiles that a ring block needs */

/* Tiles, of the map and of the grid: complex double, [field][2 pair + south][m - m_first]. */
typedef struct {
  int64_t n_fields;                        /* number of fields */
  int64_t m_first;                         /* first order of the tiles */
  int64_t n_orders;                        /* number of orders of the tiles */
  int64_t n_pairs;                         /* ring pairs of the map's tile */
  int64_t n_grid;                          /* rings of the grid, N; even */
  /* first ring of the continued grid that the tile needs; negative beyond the north pole */
  int64_t first;
  int64_t n_rows;                          /* number of rings of the continued grid that it needs */
  int64_t n_window; /* number of these rings that eight neighbouring pairs need */
  int64_t n_tiles; /* number of tiles of the grid, at most ARMILLA_THETA_TILES */
  int64_t tile_first[ARMILLA_THETA_TILES]; /* first ring pair of each tile */
  int64_t tile_pairs[ARMILLA_THETA_TILES]; /* number of ring pairs of each tile */
  int32_t isa;                             /* instruction set (CPU kernels only), ArmillaIsa */
  int32_t spin; /* spin of the fields; beyond a pole the orders m with m + spin odd change sign */
  /* highest multipole, if rings on which an order is negligible are skipped and set to 0; 0: no
   * ring is skipped. CUDA kernels use the value for which the weights were computed */
  int64_t lmax;
} ArmillaThetaShape;

/* Position of a ring of the continued grid: @index is that of the northern ring; the southern ring
 * is its mirror image. */
typedef struct {
  int tile;     /* index of the shape's tile */
  int64_t pair; /* index of the pair within the tile */
  int south;    /* whether it is the pair's southern ring */
  int beyond;   /* whether it is beyond a pole, where orders of one parity change sign */
} ArmillaThetaRing;

int64_t armilla_theta_weights_size (const ArmillaThetaShape *shape); /* doubles */
int64_t armilla_theta_scratch_size (const ArmillaThetaShape *shape); /* doubles, CPU kernels */

/* Finds the rings of the continued grid that a ring block needs: sets first, n_rows and n_window of
 * a shape whose n_pairs and n_grid are set. @pairs: pair table of the ring block. */
void armilla_theta_windows (ArmillaThetaShape *shape, const double *pairs);
/* weights <- T: for each group of eight pairs (padded to a multiple of eight groups) the first
 * ring, then for each group the first negligible order, then [group][n_window][8]. Called after
 * armilla_theta_windows (). */
void armilla_theta_weights (const ArmillaThetaShape *shape, const double *pairs, double *weights);
void armilla_theta_find_limits (const ArmillaThetaShape *shape, const double *firsts,
                                double *limits);

/* tile <- Delta_m on the rings of a block, from Delta_m on the grid's tiles. */
void armilla_theta_synthesis_cpu (const ArmillaThetaShape *shape, const double *weights,
                                  const double *const *grid, double *tile, double *scratch);
/* Adds the adjoint of the synthesis, applied to @tile, to the grid's tiles; tile i counts as 0 if
 * bit i of @fresh is set. The order of the sums is fixed by the shape. */
void armilla_theta_adjoint_cpu (const ArmillaThetaShape *shape, const double *weights,
                                const double *tile, int fresh, double *const *grid,
                                double *scratch);

/* CUDA kernels: the same arguments, without scratch space, in device memory aligned to 16 bytes;
 * the shape and the array of tiles are in host memory. */
int armilla_theta_synthesis_launch (const ArmillaThetaShape *shape, const double *weights,
                                    const double *const *grid, double *tile,
                                    cudaStream_t stream);
int armilla_theta_adjoint_launch (const ArmillaThetaShape *shape, const double *weights,
                                  const double *tile, int fresh, double *const *grid,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
