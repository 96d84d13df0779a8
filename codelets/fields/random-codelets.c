/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/fields/random-codelets.h"

/* Operations per pair of numbers, see core/base/random-draw.h, beside some 100 integer operations
 * for the ten rounds of Philox. */
#define PAIR_FLOPS 85

static ArmillaCost
cost_of (const ArmillaRandomShape *shape)
{
  const double n = (double) armilla_random_count (shape) * (double) shape->n_fields;

  return (ArmillaCost) { PAIR_FLOPS * n,
                         16 * n + 8 * (double) shape->n_spectra * (double) (shape->lmax_cl + 1) };
}

ARMILLA_WRAPPERS (random_alm, ArmillaRandomArgs, armilla_random, &args->shape, ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (1))
ARMILLA_COST (random_alm, ArmillaRandomArgs, cost_of (&args->shape))
ArmillaCodelet armilla_random_alm_cl
  = ARMILLA_CODELET (random_alm, "2", .core_share = 0.05, .gpu_share = 0.24);
