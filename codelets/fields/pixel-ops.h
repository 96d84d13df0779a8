/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-pointer kernels on the pixels of a tile of a map, some of them UNSEEN; out may alias an
 * input. 8 to 24 bytes are moved per pixel for 1 to 3 flops: memory bandwidth is the limit. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out <- weights of a mask: 0 where it is UNSEEN; elsewhere its value, or 1 with from_unseen. */
void armilla_pixel_weights_cpu (int64_t n, int from_unseen, const double *mask, double *out);
/* out [n_fields][n_pixels] <- in * weights [n_weights][n_pixels], n_weights = 1 or n_fields. A
 * pixel with weight 0 becomes 0, or UNSEEN with outside_unseen; other UNSEEN pixels stay UNSEEN. */
void armilla_pixel_mask_cpu (int64_t n_fields, int64_t n_pixels, int64_t n_weights,
                             int outside_unseen, const double *in, const double *weights,
                             double *out);
/* out <- alpha x; UNSEEN pixels stay UNSEEN. */
void armilla_pixel_scale_cpu (int64_t n, double alpha, const double *x, double *out);
/* out <- alpha x + beta y; UNSEEN where x or y is UNSEEN. */
void armilla_pixel_combine_cpu (int64_t n, double alpha, const double *x, double beta,
                                const double *y, double *out);

/* CUDA kernels: the same arguments, in device memory, and the same bits. */
int armilla_pixel_weights_launch (int64_t n, int from_unseen, const double *mask,
                                  double *out, cudaStream_t stream);
int armilla_pixel_mask_launch (int64_t n_fields, int64_t n_pixels, int64_t n_weights,
                               int outside_unseen, const double *in,
                               const double *weights, double *out, cudaStream_t stream);
int armilla_pixel_scale_launch (int64_t n, double alpha, const double *x, double *out,
                                cudaStream_t stream);
int armilla_pixel_combine_launch (int64_t n, double alpha, const double *x, double beta,
                                  const double *y, double *out, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
