/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm, drawn on the worker that needs them. Raw pointers; CPU and CUDA share
 * core/base/random-draw.h. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of random a_lm: complex double, [field][healpy's order within the block]. */
typedef struct {
  int64_t lmax;         /* highest multipole */
  int64_t m_first;      /* first order of the block */
  int64_t m_last;       /* last order of the block (inclusive) */
  int64_t n_fields;     /* number of fields */
  /* n_fields, one for each; or, of T, E and B, 4 or 6: see armilla_random_cpu() */
  int64_t n_spectra;
  int64_t lmax_cl;      /* highest multipole of the spectra; 0 beyond */
  uint64_t seed;        /* seed of the run */
  uint64_t realisation; /* number of the realisation */
} ArmillaRandomShape;

/* Returns the number of complex coefficients of one field of a block. */
int64_t armilla_random_count (const ArmillaRandomShape *shape);

/* Draws a block of Gaussian a_lm with the spectra @cl, double, [n_spectra][lmax_cl + 1], valid
 * according to core/base/random-alm.h.
 *
 * One spectrum per field: a_l0 = sqrt (C_l) g0, a_lm = sqrt (C_l / 2) (g0 + i g1). The pair (g0,
 * g1) comes from Philox4x64-10 (Salmon et al. 2011) with the key {seed, realisation} and the
 * counter {l, m, field, 0}, its words 0 and 1 made uniform by u = ((x >> 11) + 0.5) 2^-53, and
 * Box-Muller: g0 = sqrt (-2 ln u0) cos (2 pi u1), g1 with the sine. So each a_lm depends only on
 * seed, realisation, field, l and m, not on blocks, ranks, order or lmax. All operations are those
 * of core/base/random-draw.h, in double and in the order written there: all machines draw the same
 * bits.
 *
 * T, E and B with 4 or 6 auto and cross spectra: with the numbers g of field 0, 1, 2, the
 * covariance matrix V at the multipole (half of it for m > 0) and its lower triangular factor L, V
 * = L L', a = L g for real and imaginary parts. So T has the bits of a field that is drawn alone.
 * */
void armilla_random_cpu (const ArmillaRandomShape *shape, const double *cl, double *out);

int armilla_random_launch (const ArmillaRandomShape *shape, const double *cl, double *out,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif
