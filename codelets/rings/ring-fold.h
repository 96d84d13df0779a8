/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the modes of a ring to the half spectrum of its pixels and back: rotated to the first
 * pixel, and folded if there are more orders than the pixels resolve. Internal to ring-*.c. */
#pragma once

#include "codelets/rings/ring-fetch.h"
#include "codelets/rings/ring-simd.h"
#include "core/grids/block-tables.h"

#define ARMILLA_RING_BLOCK 64
#define ARMILLA_RING_ORDERS (ARMILLA_RING_BLOCK * ARMILLA_RING_BLOCK)

/* exp (i m phi0) = large[m / 64 % 64] * small[m % 64]; large is recomputed every 4096 orders. */
typedef struct {
  int64_t phi0_num, phi0_den;
  double phi0;
  int trivial;         /* phi0 = 0 */
  double small[2 * ARMILLA_RING_BLOCK];
  double large[2 * ARMILLA_RING_BLOCK];
  int64_t large_first; /* order of large[0]; -1: none */
} ArmillaRingPhases;

#define ARMILLA_RING_PHASES_NONE ((ArmillaRingPhases){ .trivial = 1, .large_first = -1 })

int armilla_ring_starts_at_zero (const ArmillaRingSlot *slot);
int armilla_ring_phases_are (const ArmillaRingPhases *table, const ArmillaRingSlot *slot);
/* Computes all phases below ARMILLA_RING_ORDERS, so that transforms of these orders only read the
 * table. */
void armilla_ring_phases_fill (ArmillaRingPhases *table);
void armilla_ring_phases_set (ArmillaRingPhases *table, const ArmillaRingSlot *slot);
/* half: complex, [n / 2 + 1]; modes: complex, [mmax + 1]. Prefetches the rows that @fetch
 * describes. */
void armilla_ring_fold (const ArmillaRingSimd *simd, ArmillaRingPhases *table, int64_t n,
                        int64_t mmax, const double *modes, double *half, ArmillaRingFetch *fetch);
void armilla_ring_unfold (const ArmillaRingSimd *simd, ArmillaRingPhases *table, int64_t n,
                          int64_t mmax, const double *half, double factor, double *modes,
                          ArmillaRingFetch *fetch);
