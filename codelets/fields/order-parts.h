/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where sums over orders are parted, so that they do not depend on how orders are cut into blocks.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_ORDER_PARTS 8

/**
 * ArmillaOrderParts:
 * @n: number of parts, at least 1
 * @first: (array length=n + 1): first order of each, and the one after the last
 *
 * All orders of a block. What a CUDA kernel adds up over orders it adds up part by part, and then
 * the sums of the parts in their order: as if each part were a block.
 */
typedef struct {
  int64_t n, first[ARMILLA_ORDER_PARTS + 1];
} ArmillaOrderParts;

#ifdef __cplusplus
}
#endif
