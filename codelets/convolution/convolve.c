/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/convolution/convolve-values.h"
#include "codelets/convolution/polar-cpu.h"
#include "codelets/convolution/reduction-cpu.h"
#include "codelets/legendre/delta-recurrence.h"

#define ROWS ARMILLA_CONVOLVE_ROWS

void
armilla_kernel_gridding_cpu (const ArmillaGriddingShape *shape, const ArmillaConvolveGroup *groups,
                             const double *table, const double *terms, const double *pairs_out,
                             const double *pairs_in, double *values)
{
  for (int64_t g = 0; g < shape->n_groups; g++)
    {
      const ArmillaConvolveGroup *group = groups + g;
      const double *squares = table + group->squares;
      double *to = values + group->values;
      double meridian[ROWS], sines[ROWS];

      for (int r = 0; r < ROWS; r++)
        {
          meridian[r]
            = armilla_meridian_chord2 (pairs_out, shape->n_out, group->out, pairs_in, shape->n_in,
                                       group->pair[r], group->across[r], &sines[r]);
          if (r >= group->n_rows)
            meridian[r] = 5; /* larger than any squared chord: the kernel is 0 */
        }
      for (int64_t c = 0; c < group->n_samples; c++)
        for (int r = 0; r < ROWS; r++)
          to[c * ROWS + r] = armilla_kernel_at (terms, shape->n_intervals, shape->scale,
                                                shape->chord2, meridian[r] + sines[r] * squares[c]);
    }
}

void
armilla_theta_reduction_cpu (const ArmillaReductionShape *shape, const ArmillaConvolveGroup *groups,
                             const int32_t *first, const double *table, const double *values,
                             const double *in, double *out)
{
  ArmillaReductionKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_theta_reduction);

  run (shape, groups, first, table, values, in, out);
}

int64_t
armilla_polar_scratch_size (int64_t longest_ring, int64_t n_fields)
{
  const int64_t fields = n_fields < ARMILLA_POLAR_FIELDS ? n_fields : ARMILLA_POLAR_FIELDS;

  return (3 + 2 * fields) * (2 * longest_ring + ARMILLA_POLAR_PAD);
}

void
armilla_polar_sum_cpu (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                       const ArmillaRingSlot *slots_in, const double *pairs_out,
                       const double *pairs_in, const double *terms, const double *in, double *out,
                       double *scratch)
{
  ArmillaPolarKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_polar_sum);

  run (shape, slots_out, slots_in, pairs_out, pairs_in, terms, in, out, scratch);
}

void
armilla_unseen_back_cpu (int64_t n, const double *in, double *out)
{
  for (int64_t i = 0; i < n; i++)
    if (armilla_is_unseen_value (in[i]))
      out[i] = -1.6375e30;
}
