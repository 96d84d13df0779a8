/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/convolution/convolve-codelets.h"

#include "codelets/convolution/convolve-values.h"

#define GROUPS ARMILLA_BUFFER_OF (const ArmillaConvolveGroup, 0)
#define FIRST ARMILLA_BUFFER_OF (const int32_t, 1)
#define SLOTS(i) ARMILLA_BUFFER_OF (const ArmillaRingSlot, i)

/* A sample takes 2 operations for its chord, a square root, 2 for its position in the table and 14
 * for the polynomial. The 10 operations per row of a group are neglected. */
ArmillaCost
armilla_kernel_gridding_cost (const ArmillaGriddingShape *shape)
{
  const double n = (double) shape->n_values;

  return (ArmillaCost) { 19 * n, 8 * n + (double) sizeof (ArmillaConvolveGroup)
                                           * (double) shape->n_groups };
}

ARMILLA_WRAPPERS (kernel_gridding, ArmillaConvolveArgs, armilla_kernel_gridding, &args->gridding,
                  GROUPS, ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                  ARMILLA_BUFFER (4), ARMILLA_BUFFER (5))
ARMILLA_COST (kernel_gridding, ArmillaConvolveArgs, armilla_kernel_gridding_cost (&args->gridding))
ArmillaCodelet armilla_kernel_gridding_cl = ARMILLA_CODELET (kernel_gridding, "1");

/* Each of shape->coefficients takes a multiply-add, each of shape->products two for each of two
 * hemispheres and each field. Input modes are read once; output modes are written once and, unless
 * they are fresh, read once. */
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

ARMILLA_WRAPPERS (theta_reduction, ArmillaConvolveArgs, armilla_theta_reduction, &args->reduction,
                  GROUPS, FIRST, ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                  ARMILLA_BUFFER (5))
ARMILLA_COST (theta_reduction, ArmillaConvolveArgs,
              armilla_theta_reduction_cost (&args->reduction))
ArmillaCodelet armilla_theta_reduction_cl = ARMILLA_CODELET (theta_reduction, "1");

/* Returns the cost of a direct sum, as if the pixels of the input block were distributed evenly
 * over the sphere. Within the kernel's disc, a kernel value takes 22 operations and serves at least
 * eight pairs of an input and an output pixel; each pair takes two operations per field. @slots:
 * rings of the output block; NULL: as if all had the same length. */
static ArmillaCost
sum_cost (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots)
{
  const double fields = (double) shape->n_fields;
  /* fraction of all pixels within the disc */
  const double share = shape->chord2 < 4 ? shape->chord2 / 4 : 1;
  double n = 0;

  for (int64_t i = 0; i < 2 * shape->n_rings; i++)
    n += slots ? (double) slots[i].n_phi
               : (double) shape->n_out_pixels / (2.0 * (double) shape->n_out);
  return (ArmillaCost) { (22.0 / 8 + 2 * fields) * n * (double) shape->n_in_pixels * share,
                         8 * fields * ((double) shape->n_in_pixels + n * (shape->fresh ? 1 : 2)) };
}

ARMILLA_CPU_WRAPPER (polar_sum, ArmillaConvolveArgs,
                     armilla_polar_sum_cpu (&args->polar, SLOTS (0), SLOTS (2), ARMILLA_BUFFER (1),
                                            ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                                            ARMILLA_BUFFER (5), ARMILLA_BUFFER (6),
                                            ARMILLA_BUFFER (7)))
ARMILLA_CUDA_WRAPPER (polar_sum, ArmillaConvolveArgs,
                      armilla_polar_sum_launch (&args->polar, SLOTS (0), SLOTS (2),
                                                ARMILLA_BUFFER (1), ARMILLA_BUFFER (3),
                                                ARMILLA_BUFFER (4), ARMILLA_BUFFER (5),
                                                ARMILLA_BUFFER (6), stream))
ARMILLA_COST (polar_sum, ArmillaConvolveArgs,
              sum_cost (&args->polar, ARMILLA_TABLE (ArmillaRingSlot, 0)))
ArmillaCodelet armilla_polar_sum_cl = ARMILLA_CODELET (polar_sum, "2");

/* The cost assumes that no pixel is UNSEEN: the input is read, the output is not accessed. */
ARMILLA_WRAPPERS (unseen_back, ArmillaConvolveArgs, armilla_unseen_back, args->n,
                  ARMILLA_BUFFER (0), ARMILLA_BUFFER (1))
ARMILLA_COST (unseen_back, ArmillaConvolveArgs, (ArmillaCost) { 0, 8 * (double) args->n })
ArmillaCodelet armilla_unseen_back_cl = ARMILLA_CODELET (unseen_back, "1");
