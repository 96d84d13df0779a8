/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/rotation/rotate-codelets.h"

#include "codelets/fields/field-ops-math.h"

/* There is a term for each order of the output, order of the input, and multipole not below either.
 * It takes 8 operations for the two recurrences (orders n and -n) and 4 per field. */
static ArmillaCost
cost_of (const ArmillaRotateShape *shape)
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

ARMILLA_CPU_WRAPPER (rotate, ArmillaRotateArgs,
                     armilla_rotate_cpu (&args->shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                         ARMILLA_BUFFER (2)))
ARMILLA_CUDA_WRAPPER (rotate, ArmillaRotateArgs,
                      armilla_rotate_launch (&args->shape, &args->parts, ARMILLA_BUFFER (0),
                                             ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
                                             ARMILLA_BUFFER (3), stream))
ARMILLA_COST (rotate, ArmillaRotateArgs, cost_of (&args->shape))
ArmillaCodelet armilla_rotate_cl = ARMILLA_CODELET (rotate, "1");
