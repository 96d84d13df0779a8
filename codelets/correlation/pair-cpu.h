/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to pair-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/correlation/pair-histogram.h"
#include "codelets/correlation/pair-lookup.h"
#include "core/catalogues/histogram.h"

/* The number m of a pair is its bin plus one: the count of edges at or below its separation, from 0
 * below the first edge to n_bins + 1 beyond the last. For each m a tally holds, over the visited
 * pairs of nodes: @below, the number of pairs below edge m if that edge had to be tested, and @top,
 * the number of pairs whose upper bound is m. Then top[m] + below[m] - below[m - 1] pairs have
 * number m. */
enum { TALLY_BELOW, TALLY_TOP, TALLY_PARTS };

/* maximum length of vectors */
#define MAX_VECTOR 8

/* Sums that are computed pair by pair; sums of weights are products of the nodes' sums. */
#define PER_PAIR_SUMS                                                                              \
  (1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)

typedef struct {
  const ArmillaPairShape *shape;
  const ArmillaPairInput *input;
  int64_t *counts; /* [TALLY_PARTS][n_bins + 2] */
  int64_t *sums;   /* [ARMILLA_N_SUMS][TALLY_PARTS][n_bins + 2][3] */
  /* [2][n_bins + 2][MAX_VECTOR]: vectors of counts below an edge, not yet reduced; the second
   * half is for pairs within one leaf */
  int64_t *vectors;
  double scale[4]; /* per sum: factor of a term before it is rounded to an integer */
  int64_t image;          /* image of a of this item, and its displacement */
  double displacement[3];
  /* for bins of two coordinates, [n_bins][n2]: counts, and sums of weights in ARMILLA_SUM_WORDS */
  int64_t *plane, *plane_weights;
  ArmillaLookup lookup[2]; /* bins of both coordinates */
  double max_pi;           /* last edge of pi */
  double max_u; /* bound of rp for a fixed line of sight, otherwise of the distance */
} ArmillaPairWork;

static inline int64_t *
armilla_pair_sum (const ArmillaPairWork *work, int sum, int part, int64_t m)
{
  const int64_t n = work->shape->n_bins + 2;

  return work->sums + 3 * ((sum * TALLY_PARTS + part) * n + m);
}

/* Adds the pairs of one item to the tally. */
typedef void ArmillaPairKernel (ArmillaPairWork *work, const int64_t *item);
extern ArmillaPairKernel ARMILLA_EACH_ISA (armilla_pair_item);
