/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/correlation/pair-codelets.h"
#include "core/catalogues/histogram.h"

#include <math.h>

#define WORDS(i) ARMILLA_BUFFER_OF (int64_t, i)
#define INPUT                                                                                      \
  &(ArmillaPairInput)                                                                              \
  {                                                                                                \
    ARMILLA_BUFFER (4), WORDS (5), { ARMILLA_BUFFER (0), ARMILLA_BUFFER (2) },                     \
    {                                                                                              \
      ARMILLA_BUFFER (1), ARMILLA_BUFFER (3)                                                       \
    }                                                                                              \
  }

/* Operations per pair: the squared chord and one comparison. */
#define PAIR_FLOPS 9
/* Operations for both shears: two directions (18), turning two shears (12 and 6), the two products
 * (4 and 2), two divisions. */
#define SHEAR_FLOPS 44
/* Operations for the shear around a lens: a direction (9), turning a shear (12), the length of the
 * direction (3), the weight, a division. */
#define LENS_FLOPS 28
/* Operations for the arc: two square roots, a polynomial of degree 12, a scaling. */
#define ARC_FLOPS 32

/* Pairs of nodes that fall into one bin, or out of all, cost less: the rates in a trace are pairs
 * per second, not operations of the processor. */
static ArmillaCost
pair_cost (const ArmillaPairShape *shape)
{
  const int shears = shape->sums & (1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS);
  const int arcs = shape->sums & 1 << ARMILLA_SUM_SEPARATION;
  const double flops = PAIR_FLOPS + (!shears ? 0 : shape->lens ? LENS_FLOPS : SHEAR_FLOPS)
                       + (arcs ? ARC_FLOPS : 0);
  const double items = 8.0 * ARMILLA_ITEM_WORDS * (double) shape->n_items;
  const double words
    = (double) ((1 + shape->n_patches + shape->n_within) * shape->n_bins * MAX (shape->n2, 1))
      * (1 + ARMILLA_SUM_WORDS * __builtin_popcount ((unsigned) shape->sums));

  return (ArmillaCost) { flops * shape->pairs, items + 8 * words };
}

ARMILLA_WRAPPERS (pair_histogram, ArmillaPairArgs, armilla_pair_histogram, &args->shape, INPUT,
                  WORDS (6), WORDS (7))
ARMILLA_COST (pair_histogram, ArmillaPairArgs, pair_cost (&args->shape))
ArmillaCodelet armilla_pair_histogram_cl
  = ARMILLA_CODELET (pair_histogram, "2", .core_share = 0.4, .gpu_share = 0.1);
ArmillaCodelet armilla_shear_histogram_cl
  = ARMILLA_CODELET_AS ("shear_histogram", pair_histogram, "2", .core_share = 0.4,
                        .gpu_share = 0.1);

ArmillaCodelet armilla_space_histogram_cl
  = { .cl = { ARMILLA_CODELET_MEMBERS ("space_histogram", pair_histogram, "1", .core_share = 0.4) },
      .cost = pair_histogram_cost };

static ArmillaCost
merge_cost (const ArmillaMergeArgs *args)
{
  const double words
    = (double) (args->n_rows * args->n_entries) * (double) (1 + ARMILLA_SUM_WORDS * args->n_sums);

  return (ArmillaCost) { 0, 8 * words * (args->first ? 2 : 3) };
}

ARMILLA_WRAPPERS (histogram_merge, ArmillaMergeArgs, armilla_histogram_merge, args->n_rows,
                  args->n_entries, args->n_sums, args->first, WORDS (0), WORDS (1))
ARMILLA_COST (histogram_merge, ArmillaMergeArgs, merge_cost (args))
ArmillaCodelet armilla_histogram_merge_cl = ARMILLA_CODELET (histogram_merge, "1");
