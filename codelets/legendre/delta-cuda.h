/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of delta-recurrence.h: the same arguments, in device memory (the shape in host
 * memory), without scratch space. A call fills a GPU when it has some hundreds of orders (adjoint)
 * or some hundred times an order and 512 pairs (synthesis). */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/legendre/delta-recurrence.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_delta_table_launch (const ArmillaDeltaShape *shape, double *table,
                                        cudaStream_t stream);
cudaError_t armilla_delta_prepare_launch (const ArmillaDeltaShape *shape, const double *table,
                                          const double *alm, double *prepared, cudaStream_t stream);
cudaError_t armilla_delta_finish_launch (const ArmillaDeltaShape *shape, const double *table,
                                         const double *prepared, double *alm, cudaStream_t stream);
cudaError_t armilla_delta_synthesis_launch (const ArmillaDeltaShape *shape, const double *table,
                                            const double *prepared, const double *pairs,
                                            double *tile, cudaStream_t stream);
cudaError_t armilla_delta_adjoint_launch (const ArmillaDeltaShape *shape, const double *table,
                                          const double *tile, const double *pairs, double *prepared,
                                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif
