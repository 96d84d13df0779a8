/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/statistics-codelets.h"

#define MASK (args->shape.n_masks > 0 ? ARMILLA_BUFFER (3) : NULL)

/* Counts the additions and products per pixel, also of masked ones, in both passes and to find its
 * bin. */
static ArmillaCost
statistics_work (const ArmillaStatisticsShape *shape)
{
  const double pixels = (double) shape->n_fields * (double) shape->n_pixels;

  return (ArmillaCost) { (shape->n_bins > 0 ? 14 : 10) * pixels,
                         8 * (pixels + (double) shape->n_masks * (double) shape->n_pixels) };
}

ARMILLA_CPU_WRAPPER (statistics, ArmillaStatisticsArgs,
                     armilla_statistics_cpu (&args->shape, ARMILLA_BUFFER (0), MASK,
                                             ARMILLA_BUFFER (1)))
ARMILLA_CUDA_WRAPPER (statistics, ArmillaStatisticsArgs,
                      armilla_statistics_launch (&args->shape, ARMILLA_BUFFER (0), MASK,
                                                 ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), stream))
ARMILLA_COST (statistics, ArmillaStatisticsArgs, statistics_work (&args->shape))
ArmillaCodelet armilla_statistics_cl = ARMILLA_CODELET (statistics, "1");

ARMILLA_WRAPPERS (statistics_merge, ArmillaStatisticsArgs, armilla_statistics_merge, &args->shape,
                  args->first, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1))
ARMILLA_COST (statistics_merge, ArmillaStatisticsArgs,
              (ArmillaCost) { 60.0 * (double) args->shape.n_fields,
                              24.0 * (double) args->shape.n_fields
                                * (double) armilla_statistics_words (&args->shape) })
ArmillaCodelet armilla_statistics_merge_cl = ARMILLA_CODELET (statistics_merge, "1");
