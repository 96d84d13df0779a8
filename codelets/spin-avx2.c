/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/spin-cpu.h"

#ifdef __x86_64__
# ifdef __clang__
#  pragma clang attribute push (__attribute__ ((target ("avx2,fma"))), apply_to = function)
# else
#  pragma GCC target("avx2,fma")
# endif
# define ARMILLA_SIMD_AVX2
# define ARMILLA_SPIN_KERNELS armilla_spin_kernels_avx2
# include "codelets/spin-kernels.h"
# ifdef __clang__
#  pragma clang attribute pop
# endif
#endif
