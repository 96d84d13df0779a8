/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include <math.h>

#include "codelets/legendre/delta-math.h"

/**
 * armilla_butterfly_compress_cost:
 * @shape: the order
 *
 * Generating an element takes 8 operations. A stage eliminates about half of twice as many columns
 * as a chunk has, each row of each column pays 6 operations for each pivot, and there are as many
 * stages as chunks can be joined; the first has less to eliminate. What ranks really are follows
 * from the tolerance; this is an estimate for the middle of the range.
 *
 * Returns: the work of armilla_butterfly_compress_cpu()
 */
ArmillaCost
armilla_butterfly_compress_cost (const ArmillaButterflyShape *shape)
{
  const double n = (double) armilla_delta_steps (shape->lmax, shape->m);
  const double elements = n * (double) shape->n_pairs;
  const double stages = 1 + ceil (log2 (fmax (1, n / fmax (1, shape->chunk))));

  return (ArmillaCost) { elements * (8 + 6 * 1.5 * shape->chunk * stages),
                         8 * (elements + ARMILLA_PAIR_ROWS * (double) shape->n_pairs) };
}

/**
 * armilla_butterfly_load_cost:
 * @n: words that are copied
 *
 * Returns: the work of copying compressed orders
 */
ArmillaCost
armilla_butterfly_load_cost (int64_t n)
{
  return (ArmillaCost) { 0, 16 * (double) n };
}

/**
 * armilla_butterfly_apply_cost:
 * @block: the block
 *
 * Every element meets four real numbers a field, with a multiplication and an addition. The
 * compressed orders, the tile and the coefficients are read or written once.
 *
 * Returns: the work of armilla_butterfly_synthesis_cpu() or armilla_butterfly_adjoint_cpu()
 */
ArmillaCost
armilla_butterfly_apply_cost (const ArmillaButterflyBlock *block)
{
  const double n_orders = (double) (block->m_last - block->m_first + 1);
  const double f = (double) block->n_fields;
  const double steps
    = (double) armilla_delta_steps_before (block->lmax, block->m_first, block->m_last + 1);

  return (ArmillaCost) { 8 * f * (double) block->elements,
                         8 * (double) block->n_words + 32 * f * steps
                           + 32 * f * n_orders * (double) block->n_pairs };
}
