/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a block of rings, and parts of a block of orders, as passed to kernels. Plain C for gcc
 * and nvcc. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of the pair table of a ring block: double, [ARMILLA_PAIR_ROWS][n_pairs]. The cosine is that
 * of the northern ring (minus that of the southern one if the northern is absent). A LO row holds
 * the rounding error of the row before it, as in ArmillaRing. */
typedef enum {
  ARMILLA_PAIR_COS,
  ARMILLA_PAIR_COS_LO,
  ARMILLA_PAIR_SIN,
  ARMILLA_PAIR_SIN_LO,
  ARMILLA_PAIR_ROWS
} ArmillaPairRow;

/* One ring of a block. Slot 2p is the northern ring of pair p, slot 2p + 1 the southern one. */
typedef struct {
  int64_t n_phi;    /* number of pixels; 0 for an absent ring */
  int64_t offset;   /* position of its first pixel within the block's tile */
  int64_t phi0_num; /* azimuth of the first pixel is pi * phi0_num / phi0_den, or */
  int64_t phi0_den; /* phi0 if this is 0 */
  double phi0;      /* azimuth of the first pixel, radian */
  double weight;    /* quadrature weight of a pixel, steradian */
} ArmillaRingSlot;

#define ARMILLA_ORDER_PARTS 8

/* Fixed division of a block's orders into parts for sums, so that results do not depend on how
 * orders are divided into blocks. A CUDA kernel sums over the orders of each part, then adds these
 * sums in order, as if each part were a block. */
typedef struct {
  int64_t n; /* number of parts, at least 1 */
  /* (array length=n + 1): first order of each part, and the order after the last part */
  int64_t first[ARMILLA_ORDER_PARTS + 1];
} ArmillaOrderParts;

#ifdef __cplusplus
}
#endif
