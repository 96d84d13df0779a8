/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of alm-ops.h, vector-ops.h and dipole.h: the same arguments, in device memory
 * (shapes in host memory). Sums follow a fixed tree: the same bits in every run and on every
 * device. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/fields/order-parts.h"
#include "codelets/fields/vector-ops.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_alm_scale_launch (const ArmillaAlmShape *shape, int64_t n_copies,
                                      int64_t n_windows, int64_t lmax_window,
                                      const double *window, const double *in, double *out,
                                      cudaStream_t stream);
cudaError_t armilla_alm_spectra_launch (const ArmillaAlmShape *shape,
                                        const ArmillaOrderParts *parts, int64_t n_spectra,
                                        int64_t lmax, const double *a, const double *b,
                                        double *partial, cudaStream_t stream);
cudaError_t armilla_spectra_finish_launch (int64_t lmax, int64_t n_spectra, double *spectra,
                                           cudaStream_t stream);

#define ARMILLA_DOT_SCRATCH 256 /* doubles */
cudaError_t armilla_alm_dot_launch (const ArmillaAlmShape *shape, const ArmillaOrderParts *parts,
                                    const double *a, const double *b, double *result,
                                    double *scratch, cudaStream_t stream);

cudaError_t armilla_vector_combine_launch (int64_t n, double alpha, const double *x, double beta,
                                           const double *y, double *out, cudaStream_t stream);
cudaError_t armilla_vector_step_launch (int64_t n, double sign, const double *numerator,
                                        const double *denominator, const double *x,
                                        const double *y, double *out, cudaStream_t stream);
cudaError_t armilla_vector_residual_launch (int64_t n, const double *y, const double *s,
                                            double *out, cudaStream_t stream);

int64_t armilla_dipole_scratch_size (const ArmillaDipoleShape *shape); /* doubles */
cudaError_t armilla_dipole_moments_launch (const ArmillaDipoleShape *shape,
                                           const ArmillaRingSlot *slots, const double *pairs,
                                           const double *pixels, double *moments, double *scratch,
                                           cudaStream_t stream);
cudaError_t armilla_dipole_solve_launch (int64_t n_fields, int dipole, const double *moments,
                                         double *fit, int32_t *status, cudaStream_t stream);
cudaError_t armilla_dipole_remove_launch (const ArmillaDipoleShape *shape,
                                          const ArmillaRingSlot *slots, const double *pairs,
                                          const double *fit, const double *in, double *out,
                                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
