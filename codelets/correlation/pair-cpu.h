/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to pair-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/correlation/pair-histogram.h"
#include "core/catalogues/histogram.h"

/* Numbers of bins are counted as numbers of edges that are not above a pair: 0 below the first,
 * n_bins + 1 beyond the last. A tally holds, for each such number m, over the pairs of nodes that
 * were looked at: @below, how many pairs are below edge m, for those edges that had to be tested,
 * and @top, how many pairs there are, at the number that none exceeds. Then
 * top[m] + below[m] - below[m - 1] pairs have m. */
enum { TALLY_BELOW, TALLY_TOP, TALLY_PARTS };

/* Vectors are at most this long. */
#define LONGEST_VECTOR 8

/* Sums that have to be made pair by pair; products serve the weights. */
#define PER_PAIR_SUMS                                                                              \
  (1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)

/**
 * ArmillaPairWork:
 * @counts: [TALLY_PARTS][n_bins + 2]
 * @sums: [ARMILLA_N_SUMS][TALLY_PARTS][n_bins + 2][3]
 * @vectors: [2][n_bins + 2][LONGEST_VECTOR]: counts below an edge that are still apart; the second
 *   half is for what one leaf does with itself
 * @scale: of each sum: what a term is multiplied with before it is rounded to an integer
 */
typedef struct {
  const ArmillaPairShape *shape;
  const ArmillaPairInput *input;
  int64_t *counts, *sums, *vectors;
  double scale[4];
} ArmillaPairWork;

static inline int64_t *
armilla_pair_sum (const ArmillaPairWork *work, int sum, int part, int64_t m)
{
  const int64_t n = work->shape->n_bins + 2;

  return work->sums + 3 * ((sum * TALLY_PARTS + part) * n + m);
}

/* Tallies one item. */
typedef void ArmillaPairKernel (ArmillaPairWork *work, const int64_t *item);
extern ArmillaPairKernel ARMILLA_EACH_ISA (armilla_pair_item);
