/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernel of rotate.h: everything but the shape in device memory. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/fields/order-parts.h"
#include "codelets/rotation/rotate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Doubles of scratch. */
int64_t armilla_rotate_scratch_size (const ArmillaRotateShape *shape);
cudaError_t armilla_rotate_launch (const ArmillaRotateShape *shape, const ArmillaOrderParts *parts,
                                   const double *seeds, const double *in, double *out,
                                   double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
