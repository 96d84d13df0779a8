/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to triple-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/correlation/triple-histogram.h"

/* Vectors are at most this long. */
#define LONGEST_VECTOR 8

/**
 * ArmillaTripleWork:
 * @leaves: [n_leaves]: leaves of the others that may be near
 * @bin: [n]: bin of each neighbour of the apex
 * @found: [3][n]: its coordinates
 * @sorted: [3][n + padding of each bin]: the same, bin after bin; what fills vectors up is NaN
 * @first: [n_bins + 1]: where each bin begins in @sorted
 * @count: [n_bins]: how many it has
 */
typedef struct {
  const ArmillaTripleShape *shape;
  const ArmillaTripleInput *input;
  int64_t *counts;
  int64_t *leaves, *bin, *first, *count, *numbers;
  double *found, *sorted;
  int64_t n_near, stride;
} ArmillaTripleWork;

typedef void ArmillaTripleKernel (ArmillaTripleWork *work, int64_t leaf);
extern ArmillaTripleKernel ARMILLA_EACH_ISA (armilla_triple_leaf);
