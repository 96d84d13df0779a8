/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of theta-interpolation.h: the same arguments, in device memory (the shape and the
 * array of tiles in host memory), without scratch space. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/theta/theta-interpolation.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_theta_synthesis_launch (const ArmillaThetaShape *shape, const double *weights,
                                            const double *const *grid, double *tile,
                                            cudaStream_t stream);
cudaError_t armilla_theta_adjoint_launch (const ArmillaThetaShape *shape, const double *weights,
                                          const double *tile, int fresh, double *const *grid,
                                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
