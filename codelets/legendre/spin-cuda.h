/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of spin-recurrence.h: the same arguments, in device memory (the shape in host
 * memory). @n_polar: how many of the ring pairs are near a pole; they come first. */
#pragma once

#include <cuda_runtime_api.h>

#include "codelets/legendre/spin-recurrence.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t armilla_spin_table_launch (const ArmillaSpinShape *shape, double *table,
                                       cudaStream_t stream);
cudaError_t armilla_spin_prepare_launch (const ArmillaSpinShape *shape, const double *table,
                                         const double *alm, double *prepared, double *scratch,
                                         cudaStream_t stream);
cudaError_t armilla_spin_finish_launch (const ArmillaSpinShape *shape, const double *table,
                                        const double *prepared, double *alm, double *scratch,
                                        cudaStream_t stream);
cudaError_t armilla_spin_synthesis_launch (const ArmillaSpinShape *shape, int64_t n_polar,
                                           const double *table, const double *prepared,
                                           const double *pairs, double *tile, double *scratch,
                                           cudaStream_t stream);
cudaError_t armilla_spin_adjoint_launch (const ArmillaSpinShape *shape, int64_t n_polar,
                                         const double *table, const double *tile,
                                         const double *pairs, double *prepared, double *scratch,
                                         cudaStream_t stream);

#ifdef __cplusplus
}
#endif
