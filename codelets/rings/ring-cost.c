/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include <math.h>

/**
 * armilla_redistribute_cost:
 * @shape: shape of the tile and of the modes
 *
 * No operations: every number is read once and written once.
 *
 * Returns: the work of armilla_redistribute_forward_cpu() or armilla_redistribute_backward_cpu()
 */
ArmillaCost
armilla_redistribute_cost (const ArmillaRedistributeShape *shape)
{
  const double numbers = 4.0 * (double) (shape->m_last - shape->m_first + 1)
                         * (double) shape->n_fields * (double) shape->n_pairs;

  return (ArmillaCost) { 0, 16 * numbers };
}

/**
 * armilla_ring_cost:
 * @shape: shape of the block
 * @slots: (nullable): the rings, [n_slots]; %NULL: as if all were of one length
 *
 * A ring of n pixels and its field takes 2.5 n log2 n operations for the real transform, as FFTW
 * counts, and 6 for the phase of each of the mmax + 1 modes.
 *
 * Returns: the work of armilla_ring_synthesis_cpu() or armilla_ring_adjoint_cpu()
 */
ArmillaCost
armilla_ring_cost (const ArmillaRingShape *shape, const ArmillaRingSlot *slots)
{
  const double n_modes = (double) (shape->mmax + 1), n_fields = (double) shape->n_fields;
  double flops = 0;

  for (int64_t i = 0; i < shape->n_slots; i++)
    {
      const double n = slots ? (double) slots[i].n_phi
                             : (double) shape->n_pixels / (double) shape->n_slots;

      if (n > 0)
        flops += 2.5 * n * log2 (n) + 6 * n_modes;
    }
  return (ArmillaCost) { n_fields * flops, n_fields
                                             * (8 * (double) shape->n_pixels
                                                + 16 * n_modes * (double) shape->n_slots) };
}
