/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include <armilla/histogram.h>

/* Subtractions, products and sums of a squared chord. */
#define S2_FLOPS 8
/* Two directions (18), turning two shears (12 and 6), the two products (4 and 2), two divisions. */
#define SHEAR_FLOPS 44
/* Two square roots, a polynomial of degree 12, scaling. */
#define ARC_FLOPS 32

/**
 * armilla_pair_histogram_cost:
 * @shape: pairs
 *
 * A pair costs its squared chord and one comparison. Pairs of nodes that turn out to be in one bin,
 * or out of all, cost less, so that the rate of a trace is that of pairs, not of the processor.
 *
 * Returns: the work of armilla_pair_histogram_cpu()
 */
ArmillaCost
armilla_pair_histogram_cost (const ArmillaPairShape *shape)
{
  const int shears = shape->sums & (1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS);
  const int arcs = shape->sums & 1 << ARMILLA_SUM_SEPARATION;
  const double flops = S2_FLOPS + 1 + (shears ? SHEAR_FLOPS : 0) + (arcs ? ARC_FLOPS : 0);
  const double items = 8.0 * ARMILLA_ITEM_WORDS * (double) shape->n_items;
  const double words
    = (double) ((1 + shape->n_patches + shape->n_within) * shape->n_bins)
      * (1 + ARMILLA_SUM_WORDS * __builtin_popcount ((unsigned) shape->sums));

  return (ArmillaCost) { flops * shape->pairs, items + 8 * words };
}

/**
 * armilla_triple_histogram_cost:
 * @shape: triangles
 *
 * A pair of neighbours costs the squared chord of the third side and one comparison.
 *
 * Returns: the work of armilla_triple_histogram_cpu()
 */
ArmillaCost
armilla_triple_histogram_cost (const ArmillaTripleShape *shape)
{
  const double slots = (double) (ARMILLA_LEAF * shape->n_leaves);

  return (ArmillaCost) { (S2_FLOPS + 1) * shape->tests,
                         8 * (3 * slots + (double) armilla_triple_entries (shape)) };
}

/**
 * armilla_histogram_merge_cost:
 * @n_rows: rows of the histogram
 * @n_entries: entries of a row
 * @n_sums: sums that are kept
 * @first: whether the sum is only written
 *
 * Returns: the work of armilla_histogram_merge_cpu()
 */
ArmillaCost
armilla_histogram_merge_cost (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first)
{
  const double words = (double) (n_rows * n_entries) * (double) (1 + ARMILLA_SUM_WORDS * n_sums);

  return (ArmillaCost) { 0, 8 * words * (first ? 2 : 3) };
}
