/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels around the Fourier transforms of ring-fft.cu. Internal to ring-fft*.cu. */
#pragma once

#include <cuda_runtime.h>

#include "codelets/rings/ring-fft.h"

/* Two rings of n pixels that are transformed together as real and imaginary part; second is -1 for
 * a single ring. Members are indices of slots. */
struct ArmillaRingCouple {
  int64_t first, second;
  int64_t n;
};

/* Rings that are transformed in the same batches. The data of couple i, field f start at data + (i
 * n_fields + f) radix length and consist of radix parts, each at a distance of length from the
 * next. With chirp-z, n = radix q, and part s holds elements s, s + radix, ... of the input, and
 * elements s q .. s q + q - 1 of the transform. A direct transform has radix 1 and length n. */
struct ArmillaRingChunk {
  ArmillaRingShape shape;
  const ArmillaRingSlot *slots;
  const ArmillaRingCouple *couples;
  int64_t n_couples;
  int64_t longest; /* largest number of pixels of a ring of the couples */
  int64_t length;
  int radix;
  bool direct;
  double2 *data;
  double2 *chirp; /* [couple][length]: the conjugate chirp, then its transform; NULL if direct */
};

/* Pixel j of a ring of field f is values[f stride + start of its slot + j]. */
struct ArmillaRingMap {
  double *values;         /* NULL: no map */
  int64_t stride;
  const int64_t *first;   /* start of each slot; NULL: its offset */
};

/* A flag of armilla_ring_unfold_device() in addition to #ArmillaRingFlags: the data come from
 * armilla_ring_fold_device() without a transform. (Transforms to pixels and back would give n times
 * these values, in reverse order.) */
#define ARMILLA_RING_AS_FOLDED (1 << 8)

/* All functions return the CUDA error of the launch. */
cudaError_t armilla_ring_fold_device (const ArmillaRingChunk *chunk, const double *modes,
                                      cudaStream_t stream);
cudaError_t armilla_ring_gather_device (const ArmillaRingChunk *chunk, const ArmillaRingMap *map,
                                        int flags, cudaStream_t stream);
cudaError_t armilla_ring_pad_device (const ArmillaRingChunk *chunk, cudaStream_t stream);
cudaError_t armilla_ring_multiply_device (const ArmillaRingChunk *chunk, cudaStream_t stream);
/* If map->values is NULL, the combined transform is stored in data. */
cudaError_t armilla_ring_combine_device (const ArmillaRingChunk *chunk, const ArmillaRingMap *map,
                                         cudaStream_t stream);
cudaError_t armilla_ring_unfold_device (const ArmillaRingChunk *chunk, double *modes, int flags,
                                        cudaStream_t stream);
cudaError_t armilla_ring_clear_device (const ArmillaRingShape *shape, const int64_t *absent,
                                       int64_t n_absent, double *modes, cudaStream_t stream);
