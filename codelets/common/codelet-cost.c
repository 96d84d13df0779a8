/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a task as it is submitted to the cost function of its kernel. */
#include "config.h"

#include "codelets/common/codelet-cost.h"

#include "codelets/butterfly/butterfly-codelets.h"
#include "codelets/convolution/convolve-codelets.h"
#include "codelets/correlation/pair-codelets.h"
#include "codelets/correlation/triple-codelets.h"
#include "codelets/fields/field-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "codelets/fields/random-codelets.h"
#include "codelets/legendre/delta-codelets.h"
#include "codelets/legendre/spin-codelets.h"
#include "codelets/rings/ring-codelets.h"
#include "codelets/rotation/rotate-codelets.h"
#include "codelets/theta/theta-codelets.h"

/* A task's arguments, and where its tables are in the memory of the host (NULL: not there). */
typedef struct {
  const void *args;
  const starpu_data_handle_t *handles;
} Task;

/* Tables are registered with the memory of the host and only read, so they stay valid there. */
static const void *
table (const Task *task, int buffer)
{
  return starpu_data_handle_to_pointer (task->handles[buffer], STARPU_MAIN_RAM);
}

#define COST(name, Args, ...)                                                                      \
  static ArmillaCost name##_cost (const Task *task)                                                \
  {                                                                                                \
    const Args *args = task->args;                                                                 \
                                                                                                   \
    return __VA_ARGS__;                                                                            \
  }

COST (delta_table, ArmillaDeltaArgs, armilla_delta_table_cost (&args->shape))
COST (delta_prepare, ArmillaDeltaArgs, armilla_delta_prepare_cost (&args->shape))
COST (delta_synthesis, ArmillaDeltaArgs,
      armilla_delta_synthesis_cost (&args->shape, table (task, 2)))
COST (delta_adjoint, ArmillaDeltaArgs, armilla_delta_adjoint_cost (&args->shape, table (task, 2)))
COST (spin_table, ArmillaSpinArgs, armilla_spin_table_cost (&args->shape))
COST (spin_prepare, ArmillaSpinArgs, armilla_spin_prepare_cost (&args->shape))
COST (spin_synthesis, ArmillaSpinArgs, armilla_spin_synthesis_cost (&args->shape, table (task, 2)))
COST (spin_adjoint, ArmillaSpinArgs, armilla_spin_adjoint_cost (&args->shape, table (task, 2)))
COST (butterfly_compress, ArmillaButterflyCompressArgs,
      armilla_butterfly_compress_cost (&args->shape))
COST (butterfly_load, ArmillaButterflyLoadArgs, armilla_butterfly_load_cost (args->n))
COST (butterfly_apply, ArmillaButterflyArgs, armilla_butterfly_apply_cost (&args->block))
COST (redistribute, ArmillaRedistributeArgs, armilla_redistribute_cost (&args->shape))
COST (theta, ArmillaThetaArgs, armilla_theta_cost (&args->shape))
COST (ring, ArmillaRingArgs, armilla_ring_cost (&args->shape, table (task, 0)))
COST (zero, ArmillaVectorArgs, armilla_vector_combine_cost (args->n, 0, 0))
COST (combine, ArmillaVectorArgs, armilla_vector_combine_cost (args->n, args->alpha, args->beta))
COST (step, ArmillaVectorArgs, armilla_vector_step_cost (args->n))
COST (residual, ArmillaVectorArgs, armilla_vector_residual_cost (args->n))
COST (dot, ArmillaAlmArgs, armilla_alm_dot_cost (&args->shape))
COST (scale_alm, ArmillaAlmArgs,
      armilla_alm_scale_cost (&args->shape, args->n_copies, args->n_windows, args->lmax_window))
COST (spectra, ArmillaAlmArgs, armilla_alm_spectra_cost (&args->shape, args->n_spectra))
COST (spectra_finish, ArmillaAlmArgs,
      armilla_spectra_finish_cost (args->shape.lmax, args->n_spectra))
COST (moments, ArmillaDipoleArgs, armilla_dipole_moments_cost (&args->shape))
COST (remove_dipole, ArmillaDipoleArgs, armilla_dipole_remove_cost (&args->shape))
COST (pixel_weights, ArmillaPixelArgs,
      armilla_pixel_weights_cost (args->n_fields * args->n_pixels))
COST (pixel_mask, ArmillaPixelArgs,
      armilla_pixel_mask_cost (args->n_fields, args->n_pixels, args->n_weights))
COST (pixel_scale, ArmillaPixelArgs, armilla_pixel_scale_cost (args->n_fields * args->n_pixels))
COST (pixel_combine, ArmillaPixelArgs,
      armilla_pixel_combine_cost (args->n_fields * args->n_pixels))
COST (random_alm, ArmillaRandomArgs, armilla_random_cost (&args->shape))
COST (rotate, ArmillaRotateArgs, armilla_rotate_cost (&args->shape))
COST (pair_histogram, ArmillaPairArgs, armilla_pair_histogram_cost (&args->shape))
COST (triple_histogram, ArmillaTripleArgs, armilla_triple_histogram_cost (&args->shape))
COST (histogram_merge, ArmillaMergeArgs,
      armilla_histogram_merge_cost (args->n_rows, args->n_entries, args->n_sums, args->first))
COST (kernel_gridding, ArmillaConvolveArgs, armilla_kernel_gridding_cost (&args->gridding))
COST (theta_reduction, ArmillaConvolveArgs, armilla_theta_reduction_cost (&args->reduction))
COST (polar_sum, ArmillaConvolveArgs, armilla_polar_sum_cost (&args->polar, table (task, 0)))
COST (unseen_back, ArmillaConvolveArgs, armilla_unseen_back_cost (args->n))

static const struct {
  const struct starpu_codelet *codelet;
  ArmillaCost (*cost) (const Task *task);
} costs[] = {
  { &armilla_delta_synthesis_cl, delta_synthesis_cost },
  { &armilla_delta_adjoint_cl, delta_adjoint_cost },
  { &armilla_spin_synthesis_cl, spin_synthesis_cost },
  { &armilla_spin_adjoint_cl, spin_adjoint_cost },
  { &armilla_butterfly_synthesis_cl, butterfly_apply_cost },
  { &armilla_butterfly_adjoint_cl, butterfly_apply_cost },
  { &armilla_butterfly_compress_cl, butterfly_compress_cost },
  { &armilla_butterfly_load_cl, butterfly_load_cost },
  { &armilla_theta_synthesis_cl, theta_cost },
  { &armilla_theta_adjoint_cl, theta_cost },
  { &armilla_ring_synthesis_cl, ring_cost },
  { &armilla_ring_adjoint_cl, ring_cost },
  { &armilla_redistribute_forward_cl, redistribute_cost },
  { &armilla_redistribute_backward_cl, redistribute_cost },
  { &armilla_delta_table_cl, delta_table_cost },
  { &armilla_delta_prepare_cl, delta_prepare_cost },
  { &armilla_delta_finish_cl, delta_prepare_cost },
  { &armilla_spin_table_cl, spin_table_cost },
  { &armilla_spin_prepare_cl, spin_prepare_cost },
  { &armilla_spin_finish_cl, spin_prepare_cost },
  { &armilla_zero_cl, zero_cost },
  { &armilla_combine_cl, combine_cost },
  { &armilla_step_cl, step_cost },
  { &armilla_turn_cl, step_cost },
  { &armilla_residual_cl, residual_cost },
  { &armilla_dot_cl, dot_cost },
  { &armilla_scale_alm_cl, scale_alm_cost },
  { &armilla_spectra_cl, spectra_cost },
  { &armilla_spectra_finish_cl, spectra_finish_cost },
  { &armilla_moments_cl, moments_cost },
  { &armilla_remove_dipole_cl, remove_dipole_cost },
  { &armilla_pixel_weights_cl, pixel_weights_cost },
  { &armilla_pixel_mask_cl, pixel_mask_cost },
  { &armilla_pixel_scale_cl, pixel_scale_cost },
  { &armilla_pixel_combine_cl, pixel_combine_cost },
  { &armilla_random_alm_cl, random_alm_cost },
  { &armilla_rotate_cl, rotate_cost },
  { &armilla_pair_histogram_cl, pair_histogram_cost },
  { &armilla_shear_histogram_cl, pair_histogram_cost },
  { &armilla_triple_histogram_cl, triple_histogram_cost },
  { &armilla_histogram_merge_cl, histogram_merge_cost },
  { &armilla_kernel_gridding_cl, kernel_gridding_cost },
  { &armilla_theta_reduction_cl, theta_reduction_cost },
  { &armilla_polar_sum_cl, polar_sum_cost },
  { &armilla_unseen_back_cl, unseen_back_cost },
};

/**
 * armilla_codelet_cost:
 * @codelet: one of our codelets
 * @args: the arguments of a task
 * @handles: (array): its buffers, in the codelet's order
 * @cost: (out): its work; 0 where the codelet has no cost function
 *
 * Returns: whether the codelet has one
 */
gboolean
armilla_codelet_cost (const struct starpu_codelet *codelet, const void *args,
                      const starpu_data_handle_t *handles, ArmillaCost *cost)
{
  const Task task = { args, handles };

  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    if (costs[i].codelet == codelet)
      {
        *cost = costs[i].cost (&task);
        return TRUE;
      }
  *cost = (ArmillaCost) { 0, 0 };
  return FALSE;
}
