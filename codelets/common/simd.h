/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of doubles for kernels that are compiled once for each instruction set.
 *
 * The build defines one of ARMILLA_SIMD_AVX512, ARMILLA_SIMD_AVX2, ARMILLA_SIMD_PORTABLE; exported
 * definitions are named by SIMD_NAME (), see isa.h. The operators +, - and * apply to vectors. No
 * function requires alignment. */
#pragma once

#include <math.h>
#include <stdint.h>

#define SIMD_INLINE static inline __attribute__ ((always_inline))

#if defined ARMILLA_SIMD_AVX512
# include <immintrin.h>
# define SIMD_NAME(name) name##_avx512
# define VL 8         /* doubles per vector */
# define V_TILE 4     /* vectors of a tile whose sums stay in registers: enough independent chains
                       * to hide the latency of an FMA */
# define V_ROWS 8     /* rows of a matrix product tile, two vectors wide */
typedef __m512d V;
typedef __mmask8 VM;

SIMD_INLINE V v_set (double x) { return _mm512_set1_pd (x); }
SIMD_INLINE V v_load (const double *p) { return _mm512_loadu_pd (p); }
SIMD_INLINE void v_store (double *p, V x) { _mm512_storeu_pd (p, x); }
SIMD_INLINE V v_fma (V a, V b, V c) { return _mm512_fmadd_pd (a, b, c); }
SIMD_INLINE V v_fms (V a, V b, V c) { return _mm512_fmsub_pd (a, b, c); }
SIMD_INLINE V v_abs (V a) { return _mm512_abs_pd (a); }
SIMD_INLINE V v_sqrt (V a) { return _mm512_sqrt_pd (a); }
SIMD_INLINE V v_iota (void) { return _mm512_set_pd (7, 6, 5, 4, 3, 2, 1, 0); }
SIMD_INLINE VM v_less (V a, V b) { return _mm512_cmp_pd_mask (a, b, _CMP_LT_OQ); }
SIMD_INLINE V v_select (VM m, V yes, V no) { return _mm512_mask_blend_pd (m, no, yes); }
SIMD_INLINE int v_any (VM m) { return m != 0; }
SIMD_INLINE V v_fma_if (VM m, V a, V b, V c) { return _mm512_mask3_fmadd_pd (a, b, c, m); }

/* Transposes VL rows. */
SIMD_INLINE void
v_transpose (V x[VL])
{
  V t[VL];

#pragma GCC unroll 4
  for (int i = 0; i < VL; i += 2)
    {
      t[i] = _mm512_unpacklo_pd (x[i], x[i + 1]);
      t[i + 1] = _mm512_unpackhi_pd (x[i], x[i + 1]);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 2; i++)
    {
      const V a = _mm512_shuffle_f64x2 (t[i], t[i + 2], 0x88);
      const V b = _mm512_shuffle_f64x2 (t[i], t[i + 2], 0xdd);
      const V c = _mm512_shuffle_f64x2 (t[i + 4], t[i + 6], 0x88);
      const V d = _mm512_shuffle_f64x2 (t[i + 4], t[i + 6], 0xdd);

      x[i] = _mm512_shuffle_f64x2 (a, c, 0x88);
      x[i + 4] = _mm512_shuffle_f64x2 (a, c, 0xdd);
      x[i + 2] = _mm512_shuffle_f64x2 (b, d, 0x88);
      x[i + 6] = _mm512_shuffle_f64x2 (b, d, 0xdd);
    }
}

/* VL complex numbers <-> their real and imaginary parts. */
SIMD_INLINE void
v_split (const double *p, V *re, V *im)
{
  const V a = v_load (p), b = v_load (p + VL);

  *re = _mm512_permutex2var_pd (a, _mm512_set_epi64 (14, 12, 10, 8, 6, 4, 2, 0), b);
  *im = _mm512_permutex2var_pd (a, _mm512_set_epi64 (15, 13, 11, 9, 7, 5, 3, 1), b);
}

SIMD_INLINE void
v_join (double *p, V re, V im)
{
  v_store (p, _mm512_permutex2var_pd (re, _mm512_set_epi64 (11, 3, 10, 2, 9, 1, 8, 0), im));
  v_store (p + VL, _mm512_permutex2var_pd (re, _mm512_set_epi64 (15, 7, 14, 6, 13, 5, 12, 4), im));
}

#elif defined ARMILLA_SIMD_AVX2
# include <immintrin.h>
# define SIMD_NAME(name) name##_avx2
# define VL 4
# define V_TILE 2
# define V_ROWS 4
typedef __m256d V;
typedef __m256d VM;

SIMD_INLINE V v_set (double x) { return _mm256_set1_pd (x); }
SIMD_INLINE V v_load (const double *p) { return _mm256_loadu_pd (p); }
SIMD_INLINE void v_store (double *p, V x) { _mm256_storeu_pd (p, x); }
SIMD_INLINE V v_fma (V a, V b, V c) { return _mm256_fmadd_pd (a, b, c); }
SIMD_INLINE V v_fms (V a, V b, V c) { return _mm256_fmsub_pd (a, b, c); }
SIMD_INLINE V v_abs (V a) { return _mm256_andnot_pd (_mm256_set1_pd (-0.0), a); }
SIMD_INLINE V v_sqrt (V a) { return _mm256_sqrt_pd (a); }
SIMD_INLINE V v_iota (void) { return _mm256_set_pd (3, 2, 1, 0); }
SIMD_INLINE VM v_less (V a, V b) { return _mm256_cmp_pd (a, b, _CMP_LT_OQ); }
SIMD_INLINE V v_select (VM m, V yes, V no) { return _mm256_blendv_pd (no, yes, m); }
SIMD_INLINE int v_any (VM m) { return _mm256_movemask_pd (m) != 0; }
SIMD_INLINE V v_fma_if (VM m, V a, V b, V c) { return v_fma (_mm256_and_pd (m, a), b, c); }

/* Transposes VL rows. */
SIMD_INLINE void
v_transpose (V x[VL])
{
  const V a = _mm256_unpacklo_pd (x[0], x[1]), b = _mm256_unpackhi_pd (x[0], x[1]);
  const V c = _mm256_unpacklo_pd (x[2], x[3]), d = _mm256_unpackhi_pd (x[2], x[3]);

  x[0] = _mm256_permute2f128_pd (a, c, 0x20);
  x[1] = _mm256_permute2f128_pd (b, d, 0x20);
  x[2] = _mm256_permute2f128_pd (a, c, 0x31);
  x[3] = _mm256_permute2f128_pd (b, d, 0x31);
}

/* VL complex numbers <-> their real and imaginary parts. */
SIMD_INLINE void
v_split (const double *p, V *re, V *im)
{
  const V a = v_load (p), b = v_load (p + VL);

  *re = _mm256_permute4x64_pd (_mm256_unpacklo_pd (a, b), 0xd8);
  *im = _mm256_permute4x64_pd (_mm256_unpackhi_pd (a, b), 0xd8);
}

SIMD_INLINE void
v_join (double *p, V re, V im)
{
  const V a = _mm256_unpacklo_pd (re, im), b = _mm256_unpackhi_pd (re, im);

  v_store (p, _mm256_permute2f128_pd (a, b, 0x20));
  v_store (p + VL, _mm256_permute2f128_pd (a, b, 0x31));
}

#else
/* gcc's and clang's own vectors, of 128 bits (SSE, NEON), or of 256 bits for processors whose SVE
 * has as many (-msve-vector-bits=256). */
# define SIMD_NAME(name) name##_portable
# ifdef __FP_FAST_FMA
#  define V_TILE 4 /* ARM has 32 registers */
#  define V_ROWS 8
# else
#  define V_TILE 2
#  define V_ROWS 4
# endif
# if defined __ARM_FEATURE_SVE_BITS && __ARM_FEATURE_SVE_BITS == 256
#  include <arm_sve.h>
#  define VL 4
# else
#  define VL 2
# endif
# ifdef __aarch64__
#  include <arm_neon.h>
# endif
# define V_LANES(i) _Pragma ("GCC unroll 8") for (int i = 0; i < VL; i++)
typedef double V __attribute__ ((vector_size (8 * VL)));
typedef int64_t VM __attribute__ ((vector_size (8 * VL)));
typedef double VAnywhere __attribute__ ((vector_size (8 * VL), aligned (8), may_alias));

SIMD_INLINE V v_set (double x) { return x - (V) { 0 }; }
SIMD_INLINE V v_load (const double *p) { return *(const VAnywhere *) p; }
SIMD_INLINE void v_store (double *p, V x) { *(VAnywhere *) p = x; }
# if !defined __FP_FAST_FMA
/* fma() would be a function call: products are rounded. */
SIMD_INLINE V v_fma (V a, V b, V c) { return a * b + c; }
SIMD_INLINE V v_fms (V a, V b, V c) { return a * b - c; }
# elif VL > 2
SIMD_INLINE V v_fma (V a, V b, V c) { return svmla_f64_x (svptrue_b64 (), c, a, b); }
SIMD_INLINE V v_fms (V a, V b, V c) { return svnmls_f64_x (svptrue_b64 (), c, a, b); }
# elif defined __aarch64__
SIMD_INLINE V v_fma (V a, V b, V c) { return (V) vfmaq_f64 (c, a, b); }
SIMD_INLINE V v_fms (V a, V b, V c) { return (V) vfmaq_f64 (-c, a, b); }
# else
SIMD_INLINE V
v_fma (V a, V b, V c)
{
  V_LANES (i) c[i] = fma (a[i], b[i], c[i]);
  return c;
}
SIMD_INLINE V v_fms (V a, V b, V c) { return v_fma (a, b, -c); }
# endif
SIMD_INLINE V v_abs (V a) { return (V) ((VM) a & (INT64_MAX - (VM) { 0 })); }
SIMD_INLINE VM v_less (V a, V b) { return (VM) (a < b); }
SIMD_INLINE V v_select (VM m, V y, V n) { return (V) ((m & (VM) y) | (~m & (VM) n)); }
SIMD_INLINE V v_fma_if (VM m, V a, V b, V c) { return v_fma ((V) ((VM) a & m), b, c); }

SIMD_INLINE V
v_sqrt (V a)
{
  V_LANES (i) a[i] = sqrt (a[i]);
  return a;
}

SIMD_INLINE V
v_iota (void)
{
  V x = { 0 };

  V_LANES (i) x[i] = i;
  return x;
}

SIMD_INLINE int
v_any (VM m)
{
  int64_t any = 0;

  V_LANES (i) any |= m[i];
  return any != 0;
}

/* Transposes VL rows. */
SIMD_INLINE void
v_transpose (V x[VL])
{
  V t[VL];

  V_LANES (i)
    {
      V row = { 0 };

      V_LANES (j) row[j] = x[j][i];
      t[i] = row;
    }
  V_LANES (i) x[i] = t[i];
}

/* VL complex numbers <-> their real and imaginary parts. */
SIMD_INLINE void
v_split (const double *p, V *re, V *im)
{
  V x = { 0 }, y = { 0 };

  V_LANES (i)
    {
      x[i] = p[2 * i];
      y[i] = p[2 * i + 1];
    }
  *re = x;
  *im = y;
}

SIMD_INLINE void
v_join (double *p, V re, V im)
{
  V_LANES (i)
    {
      p[2 * i] = re[i];
      p[2 * i + 1] = im[i];
    }
}

SIMD_INLINE double
v_sum (V a)
{
  double sum = a[0];

  V_LANES (i) sum += i > 0 ? a[i] : 0;
  return sum;
}
#endif

/* Four vectors -> the sum over the lanes of each, in a fixed order, added to p[0..3]. */
SIMD_INLINE void
v_add_sums (double *p, const V x[4])
{
  const V a = x[0], b = x[1], c = x[2], d = x[3];

#if defined ARMILLA_SIMD_AVX512
  const V ab = _mm512_unpacklo_pd (a, b) + _mm512_unpackhi_pd (a, b);
  const V cd = _mm512_unpacklo_pd (c, d) + _mm512_unpackhi_pd (c, d);
  const V s = _mm512_permutex2var_pd (ab, _mm512_set_epi64 (13, 12, 5, 4, 9, 8, 1, 0), cd)
              + _mm512_permutex2var_pd (ab, _mm512_set_epi64 (15, 14, 7, 6, 11, 10, 3, 2), cd);

  _mm256_storeu_pd (p, _mm256_loadu_pd (p)
                         + (_mm512_castpd512_pd256 (s) + _mm512_extractf64x4_pd (s, 1)));
#elif defined ARMILLA_SIMD_AVX2
  const V ab = _mm256_unpacklo_pd (a, b) + _mm256_unpackhi_pd (a, b);
  const V cd = _mm256_unpacklo_pd (c, d) + _mm256_unpackhi_pd (c, d);
  const V s = _mm256_permute2f128_pd (ab, cd, 0x20) + _mm256_permute2f128_pd (ab, cd, 0x31);

  _mm256_storeu_pd (p, _mm256_loadu_pd (p) + s);
#else
  p[0] += v_sum (a);
  p[1] += v_sum (b);
  p[2] += v_sum (c);
  p[3] += v_sum (d);
#endif
}

/* Eight vectors -> the sum over the lanes of each, in a fixed order, added to p[0..7]. */
SIMD_INLINE void
v_add_eight_sums (double *p, const V x[8])
{
#ifdef ARMILLA_SIMD_AVX512
  V s[4];

  /* One blend and one shuffle instead of two shuffles: only one execution port shuffles. */
# pragma GCC unroll 4
  for (int i = 0; i < 4; i++)
    {
      const V a = x[2 * i], b = x[2 * i + 1];

      s[i] = _mm512_mask_blend_pd (0xaa, a, b) + _mm512_shuffle_pd (a, b, 0x55);
    }
# pragma GCC unroll 2
  for (int i = 0; i < 4; i += 2)
    s[i] = _mm512_mask_blend_pd (0xcc, s[i], s[i + 1])
           + _mm512_permutex2var_pd (s[i], _mm512_set_epi64 (13, 12, 7, 6, 9, 8, 3, 2), s[i + 1]);
  s[0] = _mm512_mask_blend_pd (0xf0, s[0], s[2]) + _mm512_shuffle_f64x2 (s[0], s[2], 0x4e);
  v_store (p, v_load (p) + s[0]);
#else
  v_add_sums (p, x);
  v_add_sums (p + 4, x + 4);
#endif
}

/* Keeps x in a register that later operations may overwrite; otherwise compilers copy values that
 * they could reload, or that another form of multiply-add would leave unchanged. */
SIMD_INLINE V
v_keep (V x)
{
#if defined ARMILLA_SIMD_AVX512
  __asm__ ("" : "+v" (x));
#elif defined __x86_64__
  __asm__ ("" : "+x" (x));
#elif defined __aarch64__
  __asm__ ("" : "+w" (x));
#endif
  return x;
}

/* Makes the compiler load values at @p again instead of keeping them in registers: with 16
 * registers, an operand in memory costs less than spilling a sum. */
SIMD_INLINE const double *
v_again (const double *p)
{
#if V_TILE < 4
  __asm__ ("" : "+r" (p));
#endif
  return p;
}

/* Returns the error of the product: a b = p + error, p = a * b rounded. */
SIMD_INLINE V
v_product_error (V a, V b, V p)
{
#if defined ARMILLA_SIMD_PORTABLE && !defined __FP_FAST_FMA
  const V s = v_set (134217729.0); /* 2^27 + 1: Dekker's splitting */
  const V a1 = s * a - (s * a - a), a2 = a - a1;
  const V b1 = s * b - (s * b - b), b2 = b - b1;

  return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
#else
  return v_fms (a, b, p);
#endif
}
