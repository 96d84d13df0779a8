/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes a codelet of a kernel that takes raw pointers. The including file has config.h in
 * front
 * and the headers of its CUDA kernels. */
#pragma once

#include "codelets/common/codelet.h"

/* A CPU implementation: unpack, leave when the run has failed, call the kernel. */
#define CPU_WRAPPER(name, Args, ...)                                                               \
  static void name##_cpu (void *buffers[], void *cl_arg)                                           \
  {                                                                                                \
    Args args;                                                                                     \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &args);                                                    \
    if (!armilla_fault_is_set (args.fault))                                                        \
      __VA_ARGS__;                                                                                 \
  }

/* A CUDA implementation: the same, on StarPU's stream; what CUDA says is latched. */
#ifdef HAVE_CUDA
#define CUDA_WRAPPER(name, Args, ...)                                                              \
  static void name##_cuda (void *buffers[], void *cl_arg)                                          \
  {                                                                                                \
    Args args;                                                                                     \
    cudaStream_t stream = starpu_cuda_get_local_stream ();                                         \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &args);                                                    \
    if (!armilla_fault_is_set (args.fault))                                                        \
      armilla_codelet_check_cuda (args.fault, #name, __VA_ARGS__);                                 \
  }
#else
#define CUDA_WRAPPER(name, Args, ...)
#endif

#define CODELET(name, version)                                                                     \
  static struct starpu_perfmodel name##_model = ARMILLA_MODEL (#name, version);                    \
  struct starpu_codelet armilla_##name##_cl                                                        \
    = ARMILLA_CODELET (#name, name##_cpu, name##_cuda, &name##_model);
