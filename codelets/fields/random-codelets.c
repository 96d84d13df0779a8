/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/fields/random-codelets.h"

#include "core/base/random-draw.h"

/* Floating-point operations per pair of numbers in core/base/random-draw.h; the ten rounds of
 * Philox take some 100 integer operations in addition. */
#define PAIR_FLOPS 85

static ArmillaCost
cost_of (const ArmillaRandomShape *shape)
{
  const double n = (double) armilla_random_count (shape) * (double) shape->n_fields;

  return (ArmillaCost) {
    (PAIR_FLOPS + 2 * (double) shape->n_fields) * n,
    16 * n + 8 * (double) armilla_random_factor_size (shape->n_fields, shape->lmax_cl)
  };
}

ARMILLA_WRAPPERS (random_alm, ArmillaRandomArgs, armilla_random, &args->shape, ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (1))
ARMILLA_COST (random_alm, ArmillaRandomArgs, cost_of (&args->shape))
ArmillaCodelet armilla_random_alm_cl
  = ARMILLA_CODELET (random_alm, "3", .core_share = 0.05, .gpu_share = 0.24);
