/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm, drawn on the worker that needs them. Raw-pointer kernels; CPU and CUDA share
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
  int64_t lmax_cl;      /* highest multipole of the spectra; 0 beyond */
  uint64_t seed;        /* seed of the run */
  uint64_t realisation; /* number of the realisation */
} ArmillaRandomShape;

/* Returns the number of complex coefficients of one field of a block. */
int64_t armilla_random_count (const ArmillaRandomShape *shape);

/* Draws a block of Gaussian a_lm. @factor: double, armilla_random_factor_size(): the lower
 * triangular factors L of the covariance matrices V = L L' of the fields at each multipole for
 * m = 0, and of V / 2 for m > 0, see core/base/random-alm.h.
 *
 * a = L g for real and imaginary parts: of one field, a_l0 = sqrt (C_l) g0, a_lm = sqrt (C_l / 2)
 * (g0 + i g1). The pair (g0, g1) of a field comes from Philox4x64-10 (Salmon et al. 2011) with the
 * key {seed, realisation} and the counter {l, m, field, 0}, its words 0 and 1 made uniform by u =
 * ((x >> 11) + 0.5) 2^-53, and Box-Muller: g0 = sqrt (-2 ln u0) cos (2 pi u1), g1 with the sine. So
 * each a_lm depends only on seed, realisation, field, l and m, not on blocks, ranks, order or lmax,
 * nor on the fields after it: T has the bits of a field that is drawn alone. All operations are
 * those of core/base/random-draw.h, in double and in the order written there, and the terms of L g
 * are added in the order of the fields: all machines draw the same bits. */
void armilla_random_cpu (const ArmillaRandomShape *shape, const double *factor, double *out);
/* CUDA kernel: the same bits, in device memory aligned to 16 bytes. */
int armilla_random_launch (const ArmillaRandomShape *shape, const double *factor, double *out,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif
