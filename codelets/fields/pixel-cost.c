/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

/**
 * armilla_pixel_weights_cost:
 * @n: number of pixels
 *
 * Returns: the work of armilla_pixel_weights_cpu(): no operations
 */
ArmillaCost
armilla_pixel_weights_cost (int64_t n)
{
  return (ArmillaCost) { 0, 16 * (double) n };
}

/**
 * armilla_pixel_mask_cost:
 * @n_fields: number of fields
 * @n_pixels: pixels of each
 * @n_weights: fields of the weights
 *
 * Returns: the work of armilla_pixel_mask_cpu(): a multiplication a pixel
 */
ArmillaCost
armilla_pixel_mask_cost (int64_t n_fields, int64_t n_pixels, int64_t n_weights)
{
  const double n = (double) n_fields * (double) n_pixels;

  return (ArmillaCost) { n, 16 * n + 8 * (double) n_weights * (double) n_pixels };
}

/**
 * armilla_pixel_scale_cost:
 * @n: number of pixels
 *
 * Returns: the work of armilla_pixel_scale_cpu(): a multiplication a pixel
 */
ArmillaCost
armilla_pixel_scale_cost (int64_t n)
{
  return (ArmillaCost) { (double) n, 16 * (double) n };
}

/**
 * armilla_pixel_combine_cost:
 * @n: number of pixels
 *
 * Returns: the work of armilla_pixel_combine_cpu(): two multiplications and an addition a pixel
 */
ArmillaCost
armilla_pixel_combine_cost (int64_t n)
{
  return (ArmillaCost) { 3 * (double) n, 24 * (double) n };
}
