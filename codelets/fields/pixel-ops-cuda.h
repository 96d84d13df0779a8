/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of pixel-ops.h: the same arguments, in device memory, and the same bits. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/fields/pixel-ops.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_pixel_weights_launch (int64_t n, int from_unseen, const double *mask,
                                          double *out, cudaStream_t stream);
cudaError_t armilla_pixel_mask_launch (int64_t n_fields, int64_t n_pixels, int64_t n_weights,
                                       int outside_unseen, const double *in,
                                       const double *weights, double *out, cudaStream_t stream);
cudaError_t armilla_pixel_scale_launch (int64_t n, double alpha, const double *x, double *out,
                                        cudaStream_t stream);
cudaError_t armilla_pixel_combine_launch (int64_t n, double alpha, const double *x, double beta,
                                          const double *y, double *out, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
