/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed division of the orders for sums, so that results do not depend on how orders are cut into
 * blocks. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_ORDER_PARTS 8

/* Division of a block's orders into parts. A CUDA kernel sums over the orders of each part, then
 * adds these sums in order, as if each part were a block. */
typedef struct {
  int64_t n; /* number of parts, at least 1 */
  /* (array length=n + 1): first order of each part, and the order after the last part */
  int64_t first[ARMILLA_ORDER_PARTS + 1];
} ArmillaOrderParts;

#ifdef __cplusplus
}
#endif
