/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a *-math.h header needs to serve gcc and nvcc alike. */
#pragma once

/* As CUDA declares it: headers of kernels declare their launchers, too, and serve where no CUDA is.
 * A launcher queues work on a stream and returns a CUDA error, 0 being success; its name ends in
 * _launch. Only builds with CUDA define any. */
typedef struct CUstream_st *cudaStream_t;

/* The scratch that a launcher needs; 0 in builds without CUDA. Include config.h first. */
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
