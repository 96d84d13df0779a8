/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/fields/pixel-codelets.h"

/* Returns the cost of @flops operations and @words doubles read or written per field and pixel. */
static ArmillaCost
each (const ArmillaPixelArgs *args, double flops, double words)
{
  const double n = (double) args->n_fields * (double) args->n_pixels;

  return (ArmillaCost) { flops * n, 8 * words * n };
}

/* One multiplication per pixel; the fields may share weights. */
static ArmillaCost
mask_cost (const ArmillaPixelArgs *args)
{
  const ArmillaCost cost = each (args, 1, 2);

  return (ArmillaCost) { cost.flops,
                         cost.bytes + 8 * (double) args->n_weights * (double) args->n_pixels };
}

ARMILLA_WRAPPERS (pixel_weights, ArmillaPixelArgs, armilla_pixel_weights,
                  args->n_fields * args->n_pixels, args->flag, ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (1))
ARMILLA_COST (pixel_weights, ArmillaPixelArgs, each (args, 0, 2))
ArmillaCodelet armilla_pixel_weights_cl = ARMILLA_CODELET (pixel_weights, "1");

ARMILLA_WRAPPERS (pixel_mask, ArmillaPixelArgs, armilla_pixel_mask, args->n_fields,
                  args->n_pixels, args->n_weights, args->flag, ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (1), ARMILLA_BUFFER (2))
ARMILLA_COST (pixel_mask, ArmillaPixelArgs, mask_cost (args))
ArmillaCodelet armilla_pixel_mask_cl = ARMILLA_CODELET (pixel_mask, "1");

ARMILLA_WRAPPERS (pixel_scale, ArmillaPixelArgs, armilla_pixel_scale,
                  args->n_fields * args->n_pixels, args->alpha, ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (1))
ARMILLA_COST (pixel_scale, ArmillaPixelArgs, each (args, 1, 2))
ArmillaCodelet armilla_pixel_scale_cl = ARMILLA_CODELET (pixel_scale, "1");

ARMILLA_WRAPPERS (pixel_combine, ArmillaPixelArgs, armilla_pixel_combine,
                  args->n_fields * args->n_pixels, args->alpha, ARMILLA_BUFFER (0), args->beta,
                  ARMILLA_BUFFER (1), ARMILLA_BUFFER (1))
ARMILLA_COST (pixel_combine, ArmillaPixelArgs, each (args, 3, 3))
ArmillaCodelet armilla_pixel_combine_cl = ARMILLA_CODELET (pixel_combine, "1");
