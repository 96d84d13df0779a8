/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include "codelets/fields/field-ops-math.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/**
 * armilla_rotate_cost:
 * @shape: a rotation of one block into another
 *
 * A term is an order of the output, one of the input and a degree not below them: 8 operations for
 * the two recurrences (orders n and -n), 4 for each field.
 *
 * Returns: the work of armilla_rotate_cpu()
 */
ArmillaCost
armilla_rotate_cost (const ArmillaRotateShape *shape)
{
  const double fields = (double) shape->n_fields;
  const double count_in
    = (double) armilla_block_offset (shape->lmax, shape->n_first, shape->n_last + 1);
  const double count_out
    = (double) armilla_block_offset (shape->lmax, shape->m_first, shape->m_last + 1);
  const double seeds = 4.0 * (double) (shape->m_last - shape->m_first + 1)
                       * (double) (shape->n_last - shape->n_first + 1);
  double terms = 0;

  for (int64_t m = shape->m_first; m <= shape->m_last; m++)
    for (int64_t n = shape->n_first; n <= shape->n_last; n++)
      terms += (double) (shape->lmax + 1 - MAX (m, n));
  return (ArmillaCost) { terms * (8 + 4 * fields),
                         8 * seeds + 16 * fields * count_in
                           + 16 * fields * count_out * (shape->first ? 1 : 2) };
}
