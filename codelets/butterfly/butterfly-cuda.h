/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of butterfly.h: the same arguments, everything but the block or shape in device
 * memory; the scratch space is that of armilla_butterfly_device_scratch(), or of
 * armilla_butterfly_compress_device_scratch(). */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/butterfly/butterfly.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Behind the words stand the seconds that it took. */
cudaError_t armilla_butterfly_compress_launch (const ArmillaButterflyShape *shape,
                                               const double *pairs, double *words,
                                               double *scratch, cudaStream_t stream);
cudaError_t armilla_butterfly_synthesis_launch (const ArmillaButterflyBlock *block,
                                                const double *words, const int64_t *offsets,
                                                const double *prepared, double *tile,
                                                double *scratch, cudaStream_t stream);
cudaError_t armilla_butterfly_adjoint_launch (const ArmillaButterflyBlock *block,
                                              const double *words, const int64_t *offsets,
                                              const double *tile, double *prepared,
                                              double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
