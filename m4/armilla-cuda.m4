# SPDX-License-Identifier: GPL-3.0-or-later
# ARMILLA_CHECK_CUDA: nvcc, cuFFT and a StarPU that was built with CUDA (ARMILLA_CHECK_STARPU
# knows).
#
# NVCCFLAGS are the user's to change; AM_NVCCFLAGS are what the sources rely on: contraction off, as
# for the CPU kernels, and gcc's options (libtool's -fPIC among them) handed on to gcc.
AC_DEFUN([ARMILLA_CHECK_CUDA], [
AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
  [use the CUDA toolkit in DIR, or the one nvcc belongs to (default: where found)])],
  [], [with_cuda=check])
AC_ARG_VAR([NVCC], [CUDA compiler])
AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags])
have_cuda=no
cuda_summary="off (--without-cuda)"
AS_IF([test "x$with_cuda" != xno], [
  AS_CASE([$with_cuda], [yes|check], [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])],
          [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  AS_IF([test "x$starpu_cuda" = xno], [cuda_summary="off (this StarPU was built without CUDA)"],
        [test -z "$NVCC"], [cuda_summary="off (no nvcc)"],
        [ARMILLA_TRY_CUDA])
  AS_IF([test "x$with_cuda" != xcheck && test "x$have_cuda" = xno],
        [AC_MSG_ERROR([CUDA asked for, but $cuda_summary])])
])
AC_SUBST([CUDA_CFLAGS])
AC_SUBST([CUDA_LIBS])
AC_SUBST([AM_NVCCFLAGS])
AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
])

# Compiles, and links as libtool will, a kernel and a call of cuFFT.
AC_DEFUN([ARMILLA_TRY_CUDA], [
  cuda_home=$(dirname "$(dirname "$(readlink -f "$NVCC")")")
  for cuda_lib in "$cuda_home/lib64" "$cuda_home/targets/x86_64-linux/lib" "$cuda_home/lib/x86_64-linux-gnu"; do
    AS_IF([test -e "$cuda_lib/libcudart.so"], [break])
  done
  CUDA_CFLAGS="-isystem $cuda_home/include"
  CUDA_LIBS="-L$cuda_lib -lcufft -lcudart -lstdc++"
  AM_NVCCFLAGS="-std=c++17 --fmad=false -forward-unknown-to-host-compiler -ffp-contract=off"
  # gcc compiles the host half; -Wextra would complain about what nvcc itself writes.
  # 1217: nvcc's front end does not know gnu_printf, the format attribute of GLib's headers.
  AM_NVCCFLAGS="$AM_NVCCFLAGS -Wall -diag-suppress 1217"
  # CC may be "ccache gcc", or have options behind the name.
  armilla_host_cc=`echo "$CC" | sed 's/^@<:@^ @:>@*ccache  *//'`
  AS_IF([test "x$GCC" = xyes], [AM_NVCCFLAGS="$AM_NVCCFLAGS -ccbin ${armilla_host_cc%% *}"])
  AS_IF([test "x$enable_werror" = xyes], [AM_NVCCFLAGS="$AM_NVCCFLAGS -Werror all-warnings"])
  : ${NVCCFLAGS="-O3 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90"}
  # Kernels for several architectures weigh megabytes: a third of it when packed for size (12.8 on).
  AS_IF([$NVCC --help 2> /dev/null | grep -q -e --compress-mode],
        [AM_NVCCFLAGS="$AM_NVCCFLAGS -compress-mode=size"])
  AC_MSG_CHECKING([whether $NVCC works])
  cat > conftest.cu <<'CONFTEST'
#include <cufft.h>
__global__ void kernel (double *x) { x[[threadIdx.x]] *= 2; }
extern "C" int launch (double *x) { kernel<<<1, 1>>> (x); return cufftDestroy (0); }
CONFTEST
  AS_IF([AC_TRY_COMMAND([$NVCC $AM_NVCCFLAGS $NVCCFLAGS -fPIC -c -o conftest.$ac_objext conftest.cu >&AS_MESSAGE_LOG_FD 2>&1]) \
         && AC_TRY_COMMAND([$CC -shared -o conftest.so conftest.$ac_objext $CUDA_LIBS >&AS_MESSAGE_LOG_FD 2>&1])],
        [have_cuda=yes
         CUDA_LIBS="$CUDA_LIBS -R$cuda_lib"
         cuda_summary="on ($cuda_home)"
         AC_DEFINE([HAVE_CUDA], [1], [CUDA kernels are built])],
        [cuda_summary="off ($NVCC does not compile or link a kernel; see config.log)"
         CUDA_CFLAGS= CUDA_LIBS= AM_NVCCFLAGS=])
  AC_MSG_RESULT([$have_cuda])
  rm -f conftest.cu conftest.so conftest.$ac_objext
])
