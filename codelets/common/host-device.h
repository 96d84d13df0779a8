/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that let a *-math.h header compile with gcc and nvcc. */
#pragma once

/* CUDA's own declaration, repeated because headers of kernels also declare the CUDA launchers and
 * are included in builds without CUDA. A launcher queues work on a stream and returns a CUDA error
 * code, 0 for success; its name ends in _launch. Only builds with CUDA define launchers. */
typedef struct CUstream_st *cudaStream_t;

/* Scratch size of a launcher; 0 in builds without CUDA. Include config.h first. */
#ifdef HAVE_CUDA
# define ARMILLA_CUDA_SCRATCH(n) (n)
#else
# define ARMILLA_CUDA_SCRATCH(n) 0
#endif

/* Marks an inline function that runs on the CPU and inside CUDA kernels. */
#ifdef __CUDACC__
# define ARMILLA_HD __host__ __device__ static inline
#else
# define ARMILLA_HD static inline
#endif
