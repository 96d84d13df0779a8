/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each kernel has to do: operations and bytes, from shapes alone. A kernel that does more
 * (whole vectors where a part is needed, buffers read twice) looks slower by it, not faster. */
#pragma once

#include "codelets/butterfly/butterfly.h"
#include "codelets/convolution/convolve.h"
#include "codelets/correlation/pair-histogram.h"
#include "codelets/correlation/triple-histogram.h"
#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/spin-recurrence.h"
#include "codelets/rings/redistribute.h"
#include "codelets/rings/ring-fft.h"
#include "codelets/rotation/rotate.h"
#include "codelets/theta/theta-interpolation.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaCost:
 * @flops: double-precision additions, multiplications, divisions and square roots; a fused
 *   multiply-add counts two
 * @bytes: bytes of the buffers that are read, plus those that are written: each once, as if caches
 *   were large
 *
 * The work of one task.
 */
typedef struct {
  double flops, bytes;
} ArmillaCost;

/* Pairs of degrees (k) that matter, summed over the orders and ring pairs of a block; see the
 * formula at its definition. pairs: [ARMILLA_PAIR_ROWS][n_pairs]; NULL: all degrees matter. */
double armilla_delta_needed_steps (const ArmillaDeltaShape *shape, const double *pairs);

ArmillaCost armilla_delta_table_cost (const ArmillaDeltaShape *shape);
/* Both prepare and finish. */
ArmillaCost armilla_delta_prepare_cost (const ArmillaDeltaShape *shape);
ArmillaCost armilla_delta_synthesis_cost (const ArmillaDeltaShape *shape, const double *pairs);
ArmillaCost armilla_delta_adjoint_cost (const ArmillaDeltaShape *shape, const double *pairs);

ArmillaCost armilla_spin_table_cost (const ArmillaSpinShape *shape);
/* Both prepare and finish. */
ArmillaCost armilla_spin_prepare_cost (const ArmillaSpinShape *shape);
ArmillaCost armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs);
ArmillaCost armilla_spin_adjoint_cost (const ArmillaSpinShape *shape, const double *pairs);

ArmillaCost armilla_butterfly_compress_cost (const ArmillaButterflyShape *shape);
ArmillaCost armilla_butterfly_load_cost (int64_t n);
/* Both directions. */
ArmillaCost armilla_butterfly_apply_cost (const ArmillaButterflyBlock *block);

/* Both directions. */
ArmillaCost armilla_redistribute_cost (const ArmillaRedistributeShape *shape);
ArmillaCost armilla_theta_cost (const ArmillaThetaShape *shape);
/* Both directions. slots: [n_slots]. */
ArmillaCost armilla_ring_cost (const ArmillaRingShape *shape, const ArmillaRingSlot *slots);

ArmillaCost armilla_vector_combine_cost (int64_t n, double alpha, double beta);
ArmillaCost armilla_vector_step_cost (int64_t n);
ArmillaCost armilla_vector_residual_cost (int64_t n);
ArmillaCost armilla_alm_dot_cost (const ArmillaAlmShape *shape);
ArmillaCost armilla_alm_scale_cost (const ArmillaAlmShape *shape, int64_t n_copies,
                                    int64_t n_windows, int64_t lmax_window);
ArmillaCost armilla_alm_spectra_cost (const ArmillaAlmShape *shape, int64_t n_spectra);
ArmillaCost armilla_spectra_finish_cost (int64_t lmax, int64_t n_spectra);
ArmillaCost armilla_dipole_moments_cost (const ArmillaDipoleShape *shape);
ArmillaCost armilla_dipole_remove_cost (const ArmillaDipoleShape *shape);

ArmillaCost armilla_pixel_weights_cost (int64_t n);
ArmillaCost armilla_pixel_mask_cost (int64_t n_fields, int64_t n_pixels, int64_t n_weights);
ArmillaCost armilla_pixel_scale_cost (int64_t n);
ArmillaCost armilla_pixel_combine_cost (int64_t n);
ArmillaCost armilla_rotate_cost (const ArmillaRotateShape *shape);
ArmillaCost armilla_pair_histogram_cost (const ArmillaPairShape *shape);
ArmillaCost armilla_triple_histogram_cost (const ArmillaTripleShape *shape);
ArmillaCost armilla_histogram_merge_cost (int64_t n_rows, int64_t n_entries, int64_t n_sums,
                                          int first);

ArmillaCost armilla_kernel_gridding_cost (const ArmillaGriddingShape *shape);
ArmillaCost armilla_theta_reduction_cost (const ArmillaReductionShape *shape);
ArmillaCost armilla_polar_sum_cost (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots);
ArmillaCost armilla_unseen_back_cost (int64_t n);

#ifdef __cplusplus
}
#endif
