/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/convolution/convolve-values.h"
#include "codelets/convolution/polar-cpu.h"
#include "codelets/convolution/reduction-cpu.h"
#include "codelets/legendre/delta-recurrence.h"

#define ROWS ARMILLA_CONVOLVE_ROWS

/**
 * armilla_kernel_gridding_cpu:
 * @shape: sizes
 * @groups: (array length=shape.n_groups): what to sample
 * @table: cosines and squares that the groups point into
 * @terms: the kernel's table, [n_intervals][ARMILLA_CONVOLVE_TERMS]
 * @pairs_out: [ARMILLA_PAIR_ROWS][n_out]
 * @pairs_in: [ARMILLA_PAIR_ROWS][n_in]
 * @values: (array length=shape.n_values): samples, 1 / steradian; written
 *
 * The kernel on the rings around each output ring (Elsner and Wandelt 2011, eq. 9, as a chord):
 * only where it is not 0, and for azimuths of one sign.
 */
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
            meridian[r] = 5; /* farther than anything */
        }
      for (int64_t c = 0; c < group->n_samples; c++)
        for (int r = 0; r < ROWS; r++)
          to[c * ROWS + r] = armilla_kernel_at (terms, shape->n_intervals, shape->scale,
                                                shape->chord2, meridian[r] + sines[r] * squares[c]);
    }
}

/**
 * armilla_theta_reduction_cpu:
 * @shape: sizes
 * @groups: (array length=shape.n_groups): rows, ordered by output pair
 * @first: (array): groups of pair p begin with first[p - out_first]; one more at the end
 * @table: cosines that the groups point into
 * @values: samples of the kernel
 * @in: modes of the input block, complex, [field][slot][mmax_in + 1]
 * @out: modes of the output block, complex, [field][slot][mmax_out + 1]; added to, or written
 *
 * out_m <- out_m + sum over rows of k_m in_m, k_m = sum over samples of value times cosine. Kernel
 * modes are real, and serve all fields and both hemispheres.
 */
void
armilla_theta_reduction_cpu (const ArmillaReductionShape *shape, const ArmillaConvolveGroup *groups,
                             const int32_t *first, const double *table, const double *values,
                             const double *in, double *out)
{
  ArmillaReductionKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_theta_reduction);

  run (shape, groups, first, table, values, in, out);
}

/**
 * armilla_polar_scratch_size:
 * @longest_ring: pixels of the longest input ring
 * @n_fields: number of fields
 *
 * Returns: doubles of scratch space that armilla_polar_sum_cpu() needs
 */
int64_t
armilla_polar_scratch_size (int64_t longest_ring, int64_t n_fields)
{
  const int64_t fields = n_fields < ARMILLA_POLAR_FIELDS ? n_fields : ARMILLA_POLAR_FIELDS;

  return (3 + 2 * fields) * (2 * longest_ring + ARMILLA_POLAR_PAD);
}

/**
 * armilla_polar_sum_cpu:
 * @shape: sizes
 * @slots_out: rings of the output block
 * @slots_in: rings of the input block
 * @pairs_out: [ARMILLA_PAIR_ROWS][n_out]
 * @pairs_in: [ARMILLA_PAIR_ROWS][n_in]
 * @terms: the kernel's table
 * @in: pixels of the input block, [field][n_in_pixels]
 * @out: pixels of the output block, [field][n_out_pixels]; those of the first n_rings pairs are
 *   added to, or written
 * @scratch: armilla_polar_scratch_size() doubles
 *
 * The direct sum (Elsner and Wandelt 2011, eq. 6), pixel by pixel. Both rings of a pair have pixels
 * at the same azimuths. A field's sums do not depend on the other fields.
 */
void
armilla_polar_sum_cpu (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                       const ArmillaRingSlot *slots_in, const double *pairs_out,
                       const double *pairs_in, const double *terms, const double *in, double *out,
                       double *scratch)
{
  ArmillaPolarKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_polar_sum);

  run (shape, slots_out, slots_in, pairs_out, pairs_in, terms, in, out, scratch);
}

/**
 * armilla_unseen_back_cpu:
 * @n: number of pixels
 * @in: (array length=n): a map as it was
 * @out: (array length=n): the map convolved; where @in is UNSEEN it becomes so
 *
 * As healpy's smoothing does at its end.
 */
void
armilla_unseen_back_cpu (int64_t n, const double *in, double *out)
{
  for (int64_t i = 0; i < n; i++)
    if (armilla_is_unseen_value (in[i]))
      out[i] = -1.6375e30;
}
