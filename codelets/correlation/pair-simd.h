/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of 64-bit integers beside those of doubles in simd.h: counts and fixed-point terms. */
#pragma once

#include "codelets/common/simd.h"
#include "codelets/correlation/pair-math.h"

#if defined ARMILLA_SIMD_AVX512
typedef __m512i VI;

SIMD_INLINE VI vi_set (int64_t x) { return _mm512_set1_epi64 (x); }
SIMD_INLINE VI vi_load (const int64_t *p) { return _mm512_loadu_si512 (p); }
SIMD_INLINE void vi_store (int64_t *p, VI x) { _mm512_storeu_si512 (p, x); }
SIMD_INLINE VI vi_bits (V x) { return _mm512_castpd_si512 (x); }
SIMD_INLINE VI vi_subtract (VI a, VI b) { return _mm512_sub_epi64 (a, b); }
SIMD_INLINE VI vi_add_if (VM m, VI a, VI b) { return _mm512_mask_add_epi64 (a, m, a, b); }
SIMD_INLINE VI vi_count (VI a, VM m) { return vi_add_if (m, a, vi_set (1)); }
SIMD_INLINE int64_t vi_sum (VI a) { return _mm512_reduce_add_epi64 (a); }
SIMD_INLINE int v_bits (VM m) { return m; }
SIMD_INLINE VM v_both (VM a, VM b) { return a & b; }
SIMD_INLINE VM v_and_not (VM a, VM b) { return a & (VM) ~b; }
SIMD_INLINE void v_compress (double *p, VM m, V x) { v_store (p, _mm512_maskz_compress_pd (m, x)); }

#elif defined ARMILLA_SIMD_AVX2
typedef __m256i VI;

SIMD_INLINE VI vi_set (int64_t x) { return _mm256_set1_epi64x (x); }
SIMD_INLINE VI vi_load (const int64_t *p) { return _mm256_loadu_si256 ((const __m256i *) p); }
SIMD_INLINE void vi_store (int64_t *p, VI x) { _mm256_storeu_si256 ((__m256i *) p, x); }
SIMD_INLINE VI vi_bits (V x) { return _mm256_castpd_si256 (x); }
SIMD_INLINE VI vi_subtract (VI a, VI b) { return _mm256_sub_epi64 (a, b); }
SIMD_INLINE VI
vi_add_if (VM m, VI a, VI b)
{
  return _mm256_add_epi64 (a, _mm256_and_si256 (_mm256_castpd_si256 (m), b));
}
SIMD_INLINE VI vi_count (VI a, VM m) { return _mm256_sub_epi64 (a, _mm256_castpd_si256 (m)); }
SIMD_INLINE int64_t
vi_sum (VI a)
{
  int64_t x[4];

  vi_store (x, a);
  return (x[0] + x[1]) + (x[2] + x[3]);
}
SIMD_INLINE int v_bits (VM m) { return _mm256_movemask_pd (m); }
SIMD_INLINE VM v_both (VM a, VM b) { return _mm256_and_pd (a, b); }
SIMD_INLINE VM v_and_not (VM a, VM b) { return _mm256_andnot_pd (b, a); }

#else
typedef VM VI;
typedef int64_t VIAnywhere __attribute__ ((vector_size (8 * VL), aligned (8), may_alias));

SIMD_INLINE VI vi_set (int64_t x) { return x - (VI) { 0 }; }
SIMD_INLINE VI vi_load (const int64_t *p) { return *(const VIAnywhere *) p; }
SIMD_INLINE void vi_store (int64_t *p, VI x) { *(VIAnywhere *) p = x; }
SIMD_INLINE VI vi_bits (V x) { return (VI) x; }
SIMD_INLINE VI vi_subtract (VI a, VI b) { return a - b; }
SIMD_INLINE VI vi_add_if (VM m, VI a, VI b) { return a + (m & b); }
SIMD_INLINE VI vi_count (VI a, VM m) { return a - m; }
SIMD_INLINE int64_t
vi_sum (VI a)
{
  int64_t sum = 0;

  V_LANES (i) sum += a[i];
  return sum;
}
SIMD_INLINE VM v_both (VM a, VM b) { return a & b; }
SIMD_INLINE VM v_and_not (VM a, VM b) { return a & ~b; }
SIMD_INLINE int
v_bits (VM m)
{
  int bits = 0;

  V_LANES (i) bits |= (int) (m[i] & 1) << i;
  return bits;
}
#endif

#ifndef ARMILLA_SIMD_AVX512
/* Stores the selected numbers contiguously; may write a whole vector. */
SIMD_INLINE void
v_compress (double *p, VM m, V x)
{
  for (int bits = v_bits (m); bits != 0; bits &= bits - 1)
    *p++ = x[__builtin_ctz ((unsigned) bits)];
}
#endif

/* Rounds to integers; |a| < 2^51. */
SIMD_INLINE VI
vi_round (V a)
{
  const V magic = v_set (ARMILLA_PAIR_MAGIC);

  return vi_subtract (vi_bits (a + magic), vi_bits (magic));
}
