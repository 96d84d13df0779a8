/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of Gaussian a_lm, for the CPU and for CUDA kernels: see armilla_random_alm(). All
 * operations are in double and in the order written; log, sin and cos are the C library's on a CPU
 * and CUDA's on a GPU, which differ in the last bits. */
#pragma once

#include <math.h>
#include <stdint.h>

#include <Random123/philox.h>

#ifdef __CUDACC__
# define ARMILLA_RANDOM __host__ __device__ static inline
#else
# define ARMILLA_RANDOM static inline
#endif

#define ARMILLA_RANDOM_SPECTRA 6 /* TT, EE, BB, TE, EB, TB */

/* ((x >> 11) + 1/2) 2^-53, the sum rounded to even: (0, 1] */
ARMILLA_RANDOM double
armilla_random_uniform (uint64_t x)
{
  return ((double) (x >> 11) + 0.5) * 0x1p-53;
}

/* Two independent numbers of the standard normal distribution for (l, m, field). */
ARMILLA_RANDOM void
armilla_random_pair (uint64_t seed, uint64_t realisation, int64_t l, int64_t m, uint64_t field,
                     double g[2])
{
  const double pi = 3.14159265358979323846;
  philox4x64_key_t key = { { seed, realisation } };
  philox4x64_ctr_t counter = { { (uint64_t) l, (uint64_t) m, field, 0 } };
  philox4x64_ctr_t words = philox4x64_R (10, counter, key);
  double radius = sqrt (-2 * log (armilla_random_uniform (words.v[0])));
  double angle = 2 * pi * armilla_random_uniform (words.v[1]);

  g[0] = radius * cos (angle);
  g[1] = radius * sin (angle);
}

/* a_lm of one field of the variance C_l: complex. */
ARMILLA_RANDOM void
armilla_random_coefficient (double variance, uint64_t seed, uint64_t realisation, int64_t l,
                            int64_t m, uint64_t field, double a[2])
{
  const double scale = sqrt (m == 0 ? variance : variance / 2);
  double g[2];

  armilla_random_pair (seed, realisation, l, m, field, g);
  a[0] = scale * g[0];
  a[1] = m == 0 ? 0 : scale * g[1];
}

/* The six spectra at one degree; EB and TB are 0 where there are four. */
ARMILLA_RANDOM void
armilla_random_spectra_at (const double *cl, int n_spectra, int64_t lmax_cl, int64_t l, double c[6])
{
  for (int i = 0; i < ARMILLA_RANDOM_SPECTRA; i++)
    c[i] = i < n_spectra && l <= lmax_cl ? cl[i * (lmax_cl + 1) + l] : 0;
}

/* Lower triangle L of V = L L', row by row: TT; TE, EE; TB, EB, BB. Where nothing is left of a
 * variance but rounding, the column is 0: the field follows from those before it. */
ARMILLA_RANDOM void
armilla_random_factor (const double c[6], double part, double lower[6])
{
  const double v[6] = { part * c[0], part * c[3], part * c[1],
                        part * c[5], part * c[4], part * c[2] };
  double left;

  lower[0] = sqrt (v[0]);
  lower[1] = v[0] > 0 ? v[1] / lower[0] : 0;
  lower[3] = v[0] > 0 ? v[3] / lower[0] : 0;
  left = v[2] - lower[1] * lower[1];
  lower[2] = left > 1e-14 * v[2] ? sqrt (left) : 0;
  lower[4] = lower[2] > 0 ? (v[4] - lower[3] * lower[1]) / lower[2] : 0;
  left = v[5] - lower[3] * lower[3] - lower[4] * lower[4];
  lower[5] = left > 1e-14 * v[5] ? sqrt (left) : 0;
}

/* a_lm of T, E and B with the spectra @c: complex, @a[field][part]. */
ARMILLA_RANDOM void
armilla_random_polarised (const double c[6], uint64_t seed, uint64_t realisation, int64_t l,
                          int64_t m, double a[3][2])
{
  double lower[6], g[3][2];

  armilla_random_factor (c, m == 0 ? 1 : 0.5, lower);
  for (int field = 0; field < 3; field++)
    armilla_random_pair (seed, realisation, l, m, (uint64_t) field, g[field]);
  for (int part = 0; part < 2; part++)
    {
      const int drawn = part == 0 || m > 0;

      a[0][part] = drawn ? lower[0] * g[0][part] : 0;
      a[1][part] = drawn ? lower[1] * g[0][part] + lower[2] * g[1][part] : 0;
      a[2][part] = drawn ? (lower[3] * g[0][part] + lower[4] * g[1][part])
                             + lower[5] * g[2][part]
                         : 0;
    }
}
