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

#define ARMILLA_RANDOM_SPECTRA 6 /* spectra in the order TT, EE, BB, TE, EB, TB */

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

/* Returns all bits set where a < b. */
ARMILLA_RANDOM ArmillaBits
armilla_random_less (ArmillaReal a, ArmillaReal b)
{
#ifdef ARMILLA_RANDOM_LANES
  return (ArmillaBits) (a < b);
#else
  return -(ArmillaBits) (a < b);
#endif
}

/* Returns x where the bits are set, otherwise +0. */
ARMILLA_RANDOM ArmillaReal
armilla_random_keep (ArmillaBits where, ArmillaReal x)
{
  return armilla_random_real (armilla_random_bits (x) & where);
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

/* Returns the share of C_l of the real and of the imaginary part: 1 for m = 0, where a_lm is
 * real. */
ARMILLA_RANDOM double
armilla_random_share (int64_t m)
{
  return m == 0 ? 1 : 0.5;
}

/* Returns the complex a_lm of one field with variance C_l. */
ARMILLA_RANDOM void
armilla_random_coefficient (ArmillaReal variance, double share, ArmillaReal u0, ArmillaReal u1,
                            ArmillaReal a[2])
{
  const ArmillaReal scale = armilla_random_sqrt (variance * share);
  ArmillaReal g[2];

  armilla_random_normal (u0, u1, g);
  a[0] = scale * g[0];
  a[1] = share == 1 ? scale * 0.0 : scale * g[1];
}

#ifndef ARMILLA_RANDOM_LANES
/* Reads the six spectra at one multipole; EB and TB are 0 if there are four. */
ARMILLA_RANDOM void
armilla_random_spectra_at (const double *cl, int n_spectra, int64_t lmax_cl, int64_t l, double c[6])
{
  for (int i = 0; i < ARMILLA_RANDOM_SPECTRA; i++)
    c[i] = i < n_spectra && l <= lmax_cl ? cl[i * (lmax_cl + 1) + l] : 0;
}
#endif

/* Computes the lower triangle L of V = L L', row by row: TT; TE, EE; TB, EB, BB. If the remaining
 * variance is only rounding error, the column is 0: the field is a combination of the previous
 * ones. */
ARMILLA_RANDOM void
armilla_random_factor (const ArmillaReal c[6], double share, ArmillaReal lower[6])
{
  const ArmillaReal v[6] = { c[0] * share, c[3] * share, c[1] * share,
                             c[5] * share, c[4] * share, c[2] * share };
  const ArmillaBits first = armilla_random_less (v[0] * 0.0, v[0]);
  ArmillaReal left;
  ArmillaBits some;

  lower[0] = armilla_random_sqrt (v[0]);
  lower[1] = armilla_random_keep (first, v[1] / lower[0]);
  lower[3] = armilla_random_keep (first, v[3] / lower[0]);
  left = v[2] - lower[1] * lower[1];
  some = armilla_random_less (v[2] * 1e-14, left);
  lower[2] = armilla_random_keep (some, armilla_random_sqrt (left));
  lower[4] = armilla_random_keep (some, (v[4] - lower[3] * lower[1]) / lower[2]);
  left = v[5] - lower[3] * lower[3] - lower[4] * lower[4];
  some = armilla_random_less (v[5] * 1e-14, left);
  lower[5] = armilla_random_keep (some, armilla_random_sqrt (left));
}

/* Computes a_lm of T, E and B with the spectra @c: complex, @a[field][part]; @u: [field][2]. */
ARMILLA_RANDOM void
armilla_random_polarised (const ArmillaReal c[6], double share, ArmillaReal u[3][2],
                          ArmillaReal a[3][2])
{
  ArmillaReal lower[6], g[3][2];

  armilla_random_factor (c, share, lower);
  for (int field = 0; field < 3; field++)
    armilla_random_normal (u[field][0], u[field][1], g[field]);
  for (int part = 0; part < 2; part++)
    {
      const int drawn = part == 0 || share < 1;
      const ArmillaReal zero = lower[0] * 0.0;

      a[0][part] = drawn ? lower[0] * g[0][part] : zero;
      a[1][part] = drawn ? lower[1] * g[0][part] + lower[2] * g[1][part] : zero;
      a[2][part] = drawn ? (lower[3] * g[0][part] + lower[4] * g[1][part])
                             + lower[5] * g[2][part]
                         : zero;
    }
}
