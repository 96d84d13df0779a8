/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-simd.h"

#include <stddef.h>

#include "codelets/ring-fft-math.h"

/* gcc 12's vectoriser makes vfmaddsub out of complex products even with -ffp-contract=off, where
 * the target has it: then the tails of AVX-512 would round differently. The loops are vectors
 * already. */
#pragma GCC optimize("no-tree-vectorize")

#define TABLE(name)                                                                               \
  static const ArmillaRingSimd name##_table                                                       \
      = { name##_rotate, name##_scale,       name##_multiply,     name##_interleave,               \
          name##_split,  name##_combine_two, name##_combine_four, name##_join, name##_unjoin }

#define SIMD_WIDTH 2
#define SIMD_NAME(x) portable_##x
#define SIMD_TARGET
#include "codelets/ring-simd-template.h"
#undef SIMD_WIDTH
#undef SIMD_NAME
#undef SIMD_TARGET
TABLE (portable);

#ifdef __x86_64__
#define SIMD_WIDTH 4
#define SIMD_NAME(x) avx2_##x
#define SIMD_TARGET __attribute__ ((target ("avx2")))
#include "codelets/ring-simd-template.h"
#undef SIMD_WIDTH
#undef SIMD_NAME
#undef SIMD_TARGET
TABLE (avx2);

#define SIMD_WIDTH 8
#define SIMD_NAME(x) avx512_##x
#define SIMD_TARGET __attribute__ ((target ("avx512f,avx512dq,avx512vl")))
#include "codelets/ring-simd-template.h"
TABLE (avx512);
#endif

const ArmillaRingSimd *
armilla_ring_simd_nth (int i)
{
  if (i == 0)
    return &portable_table;
#ifdef __x86_64__
  if (i == 1 && __builtin_cpu_supports ("avx2"))
    return &avx2_table;
  if (i == 2 && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl"))
    return &avx512_table;
#endif
  return NULL;
}

const ArmillaRingSimd *
armilla_ring_simd (void)
{
  int i = 0;

  while (armilla_ring_simd_nth (i + 1))
    i++;
  return armilla_ring_simd_nth (i);
}
