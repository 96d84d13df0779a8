/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of convolve.h: arguments as for the CPU ones, all but the shape in device memory. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/convolution/convolve.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_kernel_gridding_launch (const ArmillaGriddingShape *shape,
                                            const ArmillaConvolveGroup *groups,
                                            const double *table, const double *terms,
                                            const double *pairs_out, const double *pairs_in,
                                            double *values, cudaStream_t stream);
cudaError_t armilla_theta_reduction_launch (const ArmillaReductionShape *shape,
                                            const ArmillaConvolveGroup *groups,
                                            const int32_t *first, const double *table,
                                            const double *values, const double *in, double *out,
                                            cudaStream_t stream);
cudaError_t armilla_polar_sum_launch (const ArmillaPolarShape *shape,
                                      const ArmillaRingSlot *slots_out,
                                      const ArmillaRingSlot *slots_in, const double *pairs_out,
                                      const double *pairs_in, const double *terms,
                                      const double *in, double *out, cudaStream_t stream);
cudaError_t armilla_unseen_back_launch (int64_t n, const double *in, double *out,
                                        cudaStream_t stream);

#ifdef __cplusplus
}
#endif
