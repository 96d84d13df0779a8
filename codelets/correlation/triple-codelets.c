/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/correlation/triple-codelets.h"

#include <math.h>

#define INPUT                                                                                      \
  &(ArmillaTripleInput)                                                                            \
  {                                                                                                \
    ARMILLA_BUFFER (4), { ARMILLA_BUFFER (0), ARMILLA_BUFFER (2) },                                \
    {                                                                                              \
      ARMILLA_BUFFER (1), ARMILLA_BUFFER (3)                                                       \
    }                                                                                              \
  }

/* Squared chord of the third side of a pair of neighbours, and one comparison. */
#define TEST_FLOPS 9

static ArmillaCost
cost_of (const ArmillaTripleShape *shape)
{
  const double slots = (double) (ARMILLA_LEAF * shape->n_leaves);

  return (ArmillaCost) { TEST_FLOPS * shape->tests,
                         8 * (3 * slots + (double) armilla_triple_entries (shape)) };
}

ARMILLA_WRAPPERS (triple_histogram, ArmillaTripleArgs, armilla_triple_histogram, &args->shape,
                  INPUT, ARMILLA_BUFFER_OF (int64_t, 5), ARMILLA_BUFFER (6))
ARMILLA_COST (triple_histogram, ArmillaTripleArgs, cost_of (&args->shape))
ArmillaCodelet armilla_triple_histogram_cl = ARMILLA_CODELET (triple_histogram, "1");
