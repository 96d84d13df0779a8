/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include "codelets/convolution/convolve-values.h"

/**
 * armilla_kernel_gridding_cost:
 * @shape: sizes
 *
 * A sample takes 2 operations for its chord, a root, 2 for its place in the table and 14 for the
 * polynomial; 10 a group's row are left out.
 *
 * Returns: the work of armilla_kernel_gridding_cpu()
 */
ArmillaCost
armilla_kernel_gridding_cost (const ArmillaGriddingShape *shape)
{
  const double n = (double) shape->n_values;

  return (ArmillaCost) { 19 * n, 8 * n + (double) sizeof (ArmillaConvolveGroup)
                                           * (double) shape->n_groups };
}

/**
 * armilla_theta_reduction_cost:
 * @shape: sizes
 *
 * A coefficient takes a multiply-add; a product two for each of two hemispheres and each field.
 * Modes are read once, and written; those of output rings that are not fresh are read, too.
 *
 * Returns: the work of armilla_theta_reduction_cpu()
 */
ArmillaCost
armilla_theta_reduction_cost (const ArmillaReductionShape *shape)
{
  const double fields = (double) shape->n_fields;
  const double in = 32 * fields * (double) shape->n_in * (double) (shape->mmax_in + 1);
  const double out = 32 * fields * (double) (shape->out_last - shape->out_first + 1)
                     * (double) (shape->mmax_out + 1);

  return (ArmillaCost) { 2 * shape->coefficients + 8 * fields * shape->products,
                         in + out * (shape->fresh ? 1 : 2) };
}

/* Rings of the input block near enough, times pixels of a ring within the support. */
static double
polar_terms (const ArmillaPolarShape *shape, double n_pixels)
{
  /* of all pixels those within the kernel's disc */
  const double share = shape->chord2 < 4 ? shape->chord2 / 4 : 1;

  return n_pixels * (double) shape->n_in_pixels * share;
}

/**
 * armilla_polar_sum_cost:
 * @shape: sizes
 * @slots: (nullable): rings of the output block; %NULL: as if all were of one length
 *
 * As if the input block's pixels lay evenly over the sphere: 25 operations (and a sine) each that
 * is within the kernel's disc.
 *
 * Returns: the work of armilla_polar_sum_cpu(), roughly
 */
ArmillaCost
armilla_polar_sum_cost (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots)
{
  const double fields = (double) shape->n_fields;
  double n = 0;

  for (int64_t i = 0; i < 2 * shape->n_rings; i++)
    n += slots ? (double) slots[i].n_phi
               : (double) shape->n_out_pixels / (2.0 * (double) shape->n_out);
  return (ArmillaCost) { 25 * fields * polar_terms (shape, n),
                         8 * fields * ((double) shape->n_in_pixels + n * (shape->fresh ? 1 : 2)) };
}

/**
 * armilla_unseen_back_cost:
 * @n: number of pixels
 *
 * Pixels of the input are read, and none of the output as long as all are seen.
 *
 * Returns: the work of armilla_unseen_back_cpu()
 */
ArmillaCost
armilla_unseen_back_cost (int64_t n)
{
  return (ArmillaCost) { 0, 8 * (double) n };
}
