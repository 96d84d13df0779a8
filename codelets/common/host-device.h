/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a *-math.h header needs to serve gcc and nvcc alike. */
#pragma once

/**
 * ARMILLA_HD:
 *
 * Marks an inline function that runs on the CPU and inside CUDA kernels.
 */
#ifdef __CUDACC__
# define ARMILLA_HD __host__ __device__ static inline
#else
# define ARMILLA_HD static inline
#endif
