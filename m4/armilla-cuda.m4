# SPDX-License-Identifier: GPL-3.0-or-later
# ARMILLA_CHECK_CUDA: nvcc, cuFFT and a StarPU that was built with CUDA.
AC_DEFUN([ARMILLA_CHECK_CUDA], [
AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
  [use the CUDA toolkit in DIR, or the one nvcc belongs to (default: where found)])],
  [], [with_cuda=check])
AC_ARG_VAR([NVCC], [CUDA compiler])
AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags])
have_cuda=no
cuda_summary="off (--without-cuda)"
AS_IF([test "x$with_cuda" != xno], [
  AS_CASE([$with_cuda], [yes|check], [AC_PATH_PROG([NVCC], [nvcc])],
          [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  save_CPPFLAGS=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS $STARPU_CFLAGS"
  AC_PREPROC_IFELSE([AC_LANG_PROGRAM([[
#include <starpu_config.h>
#ifndef STARPU_USE_CUDA
# error StarPU without CUDA
#endif
]])], [starpu_cuda=yes], [starpu_cuda=no])
  CPPFLAGS=$save_CPPFLAGS
  AS_IF([test -z "$NVCC"], [cuda_summary="off (no nvcc)"],
        [test "x$starpu_cuda" = xno], [cuda_summary="off (this StarPU was built without CUDA)"],
        [have_cuda=yes
         cuda_home=$(dirname "$(dirname "$(readlink -f "$NVCC")")")
         CUDA_CFLAGS="-isystem $cuda_home/include"
         CUDA_LIBS="-L$cuda_home/lib64 -lcufft -lcudart -lstdc++"
         : ${NVCCFLAGS="-O3 --fmad=false -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90"}
         cuda_summary="on ($cuda_home)"
         AC_DEFINE([HAVE_CUDA], [1], [CUDA kernels are built])])
  AS_IF([test "x$with_cuda" != xcheck && test "x$have_cuda" = xno],
        [AC_MSG_ERROR([CUDA asked for, but $cuda_summary])])
])
AC_SUBST([CUDA_CFLAGS])
AC_SUBST([CUDA_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
])
