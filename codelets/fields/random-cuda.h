/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/fields/random.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_random_launch (const ArmillaRandomShape *shape, const double *cl, double *out,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif
