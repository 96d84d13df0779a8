/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that apply one operation to each of n elements. */
#pragma once

#include <stdint.h>

#define THREADS 256

static inline unsigned
blocks_for (int64_t n)
{
  const int64_t blocks = (n + THREADS - 1) / THREADS;

  return (unsigned) (blocks < 65535 ? blocks : 65535);
}

#define FOR_EACH(i, n)                                                                             \
 for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < (n);                           \
      i += (int64_t) gridDim.x * THREADS)
