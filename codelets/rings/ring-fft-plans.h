/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuFFT plans, and the division of ring blocks into batches. Internal to ring-fft*.cu. */
#pragma once

#include <cufft.h>
#include <vector>

#include "codelets/rings/ring-fft.h"
#include "codelets/rings/ring-fft-device.h"

struct ArmillaFftPlan {
  int64_t length, batch;
  cufftHandle handle;
  size_t work;
};

/* Couples of a block that use the same plans. */
struct ArmillaFftGroup {
  int64_t length, longest;
  int radix;
  bool direct;
  int64_t first, n_couples, per_chunk;
};

struct ArmillaFftBlock {
  ArmillaRingShape shape;
  std::vector<ArmillaFftGroup> groups;
  ArmillaRingCouple *couples; /* device */
  int64_t *absent;            /* device */
  int64_t n_absent;
  size_t array_bytes, work_bytes;
};

struct _ArmillaCudaFftPlans {
  std::vector<ArmillaFftPlan> plans;
  std::vector<ArmillaFftBlock> blocks;
};

/* Returns the number of transforms in the batch for @count transforms of a length, rounded up; the
 * rest is padding. */
int64_t armilla_fft_batch (int64_t length, int64_t count);
const ArmillaFftPlan *armilla_fft_find_plan (const ArmillaCudaFftPlans *plans, int64_t length,
                                             int64_t batch);
/* Both functions return the given status as a CUDA error code, and set @message unless it is
 * success. */
cudaError_t armilla_cuda_check (cudaError_t code, const char *what, ArmillaCudaMessage *message);
cudaError_t armilla_cufft_check (cufftResult result, const char *what, int64_t length,
                                 int64_t batch, ArmillaCudaMessage *message);

/* Ends a function with the first code that is not cudaSuccess. */
#define ARMILLA_CUDA_TRY(call)                                                                    \
  do                                                                                              \
    {                                                                                             \
      const cudaError_t try_code = (call);                                                        \
      if (try_code != cudaSuccess)                                                                \
        return try_code;                                                                          \
    }                                                                                             \
  while (0)
