/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of pair-histogram.h: everything but the shape in device memory. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/correlation/pair-histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of scratch. */
int64_t armilla_pair_histogram_device_scratch (const ArmillaPairShape *shape);
cudaError_t armilla_pair_histogram_launch (const ArmillaPairShape *shape,
                                           const ArmillaPairInput *input, int64_t *words,
                                           int64_t *scratch, cudaStream_t stream);
cudaError_t armilla_histogram_merge_launch (int64_t n_rows, int64_t n_entries, int64_t n_sums,
                                            int first, const int64_t *part, int64_t *sum,
                                            cudaStream_t stream);

#ifdef __cplusplus
}
#endif
