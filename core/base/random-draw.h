/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of Gaussian a_lm, for the CPU and for CUDA kernels: see
 * codelets/fields/random.h. All operations are in double, each rounded, in the order written, and
 * none calls a library: all processors draw the same bits.
 *
 * A Real is a double, or a vector of ARMILLA_RANDOM_LANES doubles if that is defined, one multipole
 * per lane. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <Random123/philox.h>

#ifdef __CUDACC__
# define ARMILLA_RANDOM __host__ __device__ static inline
#else
# define ARMILLA_RANDOM static inline __attribute__ ((always_inline))
#endif

#ifdef ARMILLA_RANDOM_LANES
typedef double ArmillaReal __attribute__ ((vector_size (8 * ARMILLA_RANDOM_LANES)));
typedef uint64_t ArmillaBits __attribute__ ((vector_size (8 * ARMILLA_RANDOM_LANES)));
#else
typedef double ArmillaReal;
typedef uint64_t ArmillaBits;
#endif

ARMILLA_RANDOM ArmillaBits
armilla_random_bits (ArmillaReal x)
{
  ArmillaBits bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

ARMILLA_RANDOM ArmillaReal
armilla_random_real (ArmillaBits bits)
{
  ArmillaReal x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

ARMILLA_RANDOM ArmillaReal
armilla_random_sqrt (ArmillaReal x)
{
#ifdef ARMILLA_RANDOM_LANES
  return v_sqrt (x);
#else
  return sqrt (x);
#endif
}

/* Returns ln u, 0 < u <= 1, within 1 ulp.
 *
 * With u = 2^e (1 + f), 1 + f within a factor of sqrt 2 of 1, and s = f / (2 + f), the sum 2 (s +
 * s^3 / 3 + ...) is ln (1 + f); 2 s = f - (h - s h), h = f^2 / 2. */
ARMILLA_RANDOM ArmillaReal
armilla_random_log (ArmillaReal u)
{
  const uint64_t root = 0x3fe6a09e667f3bcd; /* sqrt (1/2) */
  const double ln2_high = 0x1.62e42feep-1;  /* its product with e is exact */
  const double ln2_low = 0x1.a39ef35793c76p-33;
  const ArmillaBits bits = armilla_random_bits (u);
  const ArmillaBits biased = bits - root + 0x3ff0000000000000;
  /* An integer n below 2^52 is in the low bits of 2^52 + n. */
  const ArmillaReal e = armilla_random_real (biased >> 52 | 0x4330000000000000)
                        - (0x1p52 + 1023);
  const ArmillaReal f
    = armilla_random_real (bits - (biased & 0xfff0000000000000) + 0x3ff0000000000000) - 1.0;
  const ArmillaReal s = f / (f + 2.0), z = s * s, h = 0.5 * f * f;
  ArmillaReal series = z * (2.0 / 21) + 2.0 / 19;

  series = series * z + 2.0 / 17;
  series = series * z + 2.0 / 15;
  series = series * z + 2.0 / 13;
  series = series * z + 2.0 / 11;
  series = series * z + 2.0 / 9;
  series = series * z + 2.0 / 7;
  series = series * z + 2.0 / 5;
  series = series * z + 2.0 / 3;
  return e * ln2_high - ((h - (s * (h + series * z) + e * ln2_low)) - f);
}

/* Returns cosine and sine of 2 pi u, 0 <= u <= 1, within 1.75 ulp: the nearest quarter turn swaps
 * them and changes signs, and series give those of the remaining angle of at most an eighth. */
ARMILLA_RANDOM void
armilla_random_turn (ArmillaReal u, ArmillaReal *cosine, ArmillaReal *sine)
{
  const double whole = 0x1.8p52; /* adding this rounds to integers */
  const ArmillaReal rounded = u * 4.0 + whole;
  const ArmillaBits quarter = armilla_random_bits (rounded), odd = -(quarter & 1);
  const ArmillaReal r = u - (rounded - whole) * 0.25, z = r * r;
  /* (2 pi)^k / k!, k = 18, 16 ... 2 and 17, 15 ... 3 */
  ArmillaReal c = 0x1.20c62c2f2d7f5p-2 - z * 0x1.2a0c591af8314p-5;
  ArmillaReal s = z * 0x1.aaec32af93359p-4 - 0x1.6fadb9f155744p-1;
  ArmillaBits other;

  c = c * z - 0x1.b6e24f44b128fp+0;
  c = c * z + 0x1.f9d38a3763cc3p+2;
  c = c * z - 0x1.a6d1f2a204a8cp+4;
  c = c * z + 0x1.e1f506891babbp+5;
  c = c * z - 0x1.55d3c7e3cbffap+6;
  c = c * z + 0x1.03c1f081b5ac4p+6;
  c = c * z - 0x1.3bd3cc9be45dep+4;
  s = s * z + 0x1.e8f434d018d63p+1;
  s = s * z - 0x1.e3074fde8871fp+3;
  s = s * z + 0x1.50783487ee782p+5;
  s = s * z - 0x1.32d2cce62bd86p+6;
  s = s * z + 0x1.466bc6775aae2p+6;
  s = s * z - 0x1.4abbce625be53p+5;
  /* 2 pi as the sum of two numbers */
  s = r * 0x1.921fb54442d18p+2 + r * (s * z + 0x1.1a62633145c07p-52);
  c = c * z + 1.0;
  other = (armilla_random_bits (c) ^ armilla_random_bits (s)) & odd;
  *cosine = armilla_random_real (armilla_random_bits (c) ^ other ^ ((quarter + 1) & 2) << 62);
  *sine = armilla_random_real (armilla_random_bits (s) ^ other ^ (quarter & 2) << 62);
}

/* Draws two independent numbers of the standard normal distribution, by the method of Box and
 * Muller. */
ARMILLA_RANDOM void
armilla_random_normal (ArmillaReal u0, ArmillaReal u1, ArmillaReal g[2])
{
  const ArmillaReal radius = armilla_random_sqrt (armilla_random_log (u0) * -2.0);

  armilla_random_turn (u1, &g[0], &g[1]);
  g[0] *= radius;
  g[1] *= radius;
}

/* Draws two numbers in (0, 1] for (l, m, field): ((x >> 11) + 1/2) 2^-53 of a random 64-bit word
 * x, the sum rounded to even. */
ARMILLA_RANDOM void
armilla_random_uniform (uint64_t seed, uint64_t realisation, int64_t l, int64_t m, uint64_t field,
                        double *u0, double *u1)
{
  const philox4x64_key_t key = { { seed, realisation } };
  const philox4x64_ctr_t counter = { { (uint64_t) l, (uint64_t) m, field, 0 } };
  const philox4x64_ctr_t words = philox4x64_R (10, counter, key);

  *u0 = ((double) (int64_t) (words.v[0] >> 11) + 0.5) * 0x1p-53;
  *u1 = ((double) (int64_t) (words.v[1] >> 11) + 0.5) * 0x1p-53;
}

/* Values of word 3 of Philox's counter; a_lm use 0 and random catalogues 1 and 2, so that all of
 * them may have the same seed. */
#define ARMILLA_RANDOM_STREAM_NOISE 3
#define ARMILLA_RANDOM_STREAM_BOOTSTRAP 4

/* Draws four numbers in (0, 1] for a pixel: a pair for I and Q, and a pair for U. */
ARMILLA_RANDOM void
armilla_random_uniform_pixel (uint64_t seed, uint64_t realisation, int64_t pixel, double u[4])
{
  const philox4x64_key_t key = { { seed, realisation } };
  const philox4x64_ctr_t counter = { { (uint64_t) pixel, 0, 0, ARMILLA_RANDOM_STREAM_NOISE } };
  const philox4x64_ctr_t words = philox4x64_R (10, counter, key);

  for (int i = 0; i < 4; i++)
    u[i] = ((double) (int64_t) (words.v[i] >> 11) + 0.5) * 0x1p-53;
}

/* Returns the place of fields @f and @k <= @f in a lower triangle stored row by row; that of @f = n
 * and @k = 0 is the number of places of n fields. */
ARMILLA_RANDOM int64_t
armilla_random_place (int64_t f, int64_t k)
{
  return f * (f + 1) / 2 + k;
}

/* Returns the number of doubles of the factors of the covariance matrices of @n fields at
 * multipoles 0 to @lmax: [m = 0, m > 0][place][lmax + 1]. */
ARMILLA_RANDOM int64_t
armilla_random_factor_size (int64_t n, int64_t lmax)
{
  return 2 * armilla_random_place (n, 0) * (lmax + 1);
}

/* Returns the factors for order @m. */
ARMILLA_RANDOM const double *
armilla_random_factor_of (const double *factor, int64_t n, int64_t lmax, int64_t m)
{
  return factor + (m > 0 ? armilla_random_factor_size (n, lmax) / 2 : 0);
}
