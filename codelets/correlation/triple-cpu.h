/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to triple-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/correlation/triple-histogram.h"

/* maximum length of vectors */
#define MAX_VECTOR 8

typedef struct {
  const ArmillaTripleShape *shape;
  const ArmillaTripleInput *input;
  int64_t *counts;
  int64_t *leaves; /* [n_leaves]: leaves of the other cells that may be within reach */
  int64_t *bin;    /* [n]: bin of each neighbour of the apex */
  int64_t *first;  /* [n_bins + 1]: position of each bin in sorted */
  int64_t *count;  /* [n_bins]: number of neighbours in each bin */
  int64_t *numbers;
  double *found;   /* [3][n]: coordinates of each neighbour */
  /* [3][n + padding of each bin]: the same, sorted by bin, padded by NaN to whole vectors */
  double *sorted;
  int64_t n_near, stride;
} ArmillaTripleWork;

typedef void ArmillaTripleKernel (ArmillaTripleWork *work, int64_t leaf);
extern ArmillaTripleKernel ARMILLA_EACH_ISA (armilla_triple_leaf);
