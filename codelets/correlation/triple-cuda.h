/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernel of triple-histogram.h: everything but the shape in device memory. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/correlation/triple-histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of scratch. */
int64_t armilla_triple_histogram_device_scratch (const ArmillaTripleShape *shape);
cudaError_t armilla_triple_histogram_launch (const ArmillaTripleShape *shape,
                                             const ArmillaTripleInput *input, int64_t *words,
                                             double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
