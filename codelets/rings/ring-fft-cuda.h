/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of ring-fft.h. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "codelets/rings/ring-fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaCudaMessage:
 * @text: what failed, and the code that CUDA or cuFFT gave
 *
 * Filled by the functions below when they do not return cudaSuccess. What cuFFT reports comes back
 * as cudaErrorMemoryAllocation where it is out of memory, and as cudaErrorUnknown otherwise.
 */
typedef struct {
  char text[200];
} ArmillaCudaMessage;

/* cuFFT plans of one worker, and how each ring block is cut into batches. One thread and one stream
 * at a time may use it. */
typedef struct _ArmillaCudaFftPlans ArmillaCudaFftPlans;

/* For the current device, which must be the current one in all calls. NULL when out of memory. */
ArmillaCudaFftPlans *armilla_cuda_fft_plans_new (void);
void armilla_cuda_fft_plans_free (ArmillaCudaFftPlans *plans);
cudaError_t armilla_cuda_fft_plans_add (ArmillaCudaFftPlans *plans, const ArmillaRingShape *shape,
                                        const ArmillaRingSlot *slots, int64_t *block,
                                        ArmillaCudaMessage *message);
size_t armilla_cuda_fft_plans_scratch (const ArmillaCudaFftPlans *plans, int64_t block);
int64_t armilla_cuda_fft_plans_count (const ArmillaCudaFftPlans *plans);

cudaError_t armilla_ring_synthesis_launch (ArmillaCudaFftPlans *plans, int64_t block,
                                           const ArmillaRingSlot *slots, const double *modes,
                                           double *pixels, void *scratch, cudaStream_t stream,
                                           ArmillaCudaMessage *message);
cudaError_t armilla_ring_adjoint_launch (ArmillaCudaFftPlans *plans, int64_t block,
                                         const ArmillaRingSlot *slots, int flags,
                                         const double *pixels, double *modes, void *scratch,
                                         cudaStream_t stream, ArmillaCudaMessage *message);

#ifdef __cplusplus
}
#endif
