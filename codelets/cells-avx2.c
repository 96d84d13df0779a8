/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifdef __x86_64__
# ifdef __clang__
#  pragma clang attribute push (__attribute__ ((target ("avx2,fma"))), apply_to = function)
# else
#  pragma GCC target("avx2,fma")
# endif
# define ARMILLA_SIMD_AVX2
# define ARMILLA_CELLS_KERNELS armilla_cells_kernels_avx2
# include "codelets/cells-kernels.h"
# ifdef __clang__
#  pragma clang attribute pop
# endif
#endif
