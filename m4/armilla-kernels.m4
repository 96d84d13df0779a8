# SPDX-License-Identifier: GPL-3.0-or-later
# ARMILLA_CHECK_KERNELS: whether the CPU kernels are compiled for AVX2 and AVX-512, too. The portable
# ones of x86-64 use SSE3, which its processors have since 2005: with SSE2 alone, a number that all
# lanes are multiplied by is loaded in two instructions, one of which takes an arithmetic unit.
AC_DEFUN([ARMILLA_CHECK_KERNELS], [
AVX2_CFLAGS="-mavx2 -mfma"
AVX512_CFLAGS="$AVX2_CFLAGS -mavx512f -mavx512dq"
armilla_cflags=$CFLAGS
CFLAGS="$CFLAGS $AVX512_CFLAGS"
AC_MSG_CHECKING([whether $CC compiles for AVX2 and AVX-512])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([
#ifndef __x86_64__
# error another processor
#endif
#include <immintrin.h>
__m512d kernel (__m512d x, __m256d y)
{
  return _mm512_and_pd (x, _mm512_broadcast_f64x4 (_mm256_fmadd_pd (y, y, y)));
}
int detect (void) { return __builtin_cpu_supports ("avx512dq"); }
])], [have_x86_kernels=yes; kernels_summary="AVX-512, AVX2 and portable"],
     [have_x86_kernels=no; kernels_summary="portable"])
AC_MSG_RESULT([$have_x86_kernels])
CFLAGS=$armilla_cflags
PORTABLE_CFLAGS=
AS_IF([test "x$have_x86_kernels" = xyes], [PORTABLE_CFLAGS=-msse3])
AC_SUBST([PORTABLE_CFLAGS])
AC_SUBST([AVX2_CFLAGS])
AC_SUBST([AVX512_CFLAGS])
AM_CONDITIONAL([HAVE_X86_KERNELS], [test "x$have_x86_kernels" = xyes])
])
