/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of redistribute.h: the same arguments, in device memory (the shape in host's). */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/rings/redistribute.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_redistribute_forward_launch (const ArmillaRedistributeShape *shape,
                                                 const ArmillaRingSlot *slots, const double *tile,
                                                 double *modes, cudaStream_t stream);
cudaError_t armilla_redistribute_backward_launch (const ArmillaRedistributeShape *shape,
                                                  const ArmillaRingSlot *slots,
                                                  const double *modes, double *tile,
                                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
