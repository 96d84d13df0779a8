/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis of two fields, as of a pair of some spin: AVX-512 has the registers for the sums of
 * both beside the recurrence of two vectors, so that q need not pass through memory. */
#include "codelets/delta-cpu.h"

#ifdef __x86_64__
# ifdef __clang__
#  pragma clang attribute push (__attribute__ ((target ("avx2,fma,avx512f,avx512dq"))), \
                                apply_to = function)
# else
#  pragma GCC target("avx2,fma,avx512f,avx512dq")
# endif
# define ARMILLA_SIMD_AVX512
# define FUSED 2
# include "codelets/delta-synthesis.h"

const ArmillaDeltaSynthesis armilla_delta_synthesis_avx512_two = delta_synthesis;

# ifdef __clang__
#  pragma clang attribute pop
# endif
#endif
