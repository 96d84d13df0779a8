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
  /* n_fields, one for each; or, of T, E and B, 4 or 6: see armilla_random_alm_polarised() */
  int64_t n_spectra;
  int64_t lmax_cl;      /* highest multipole of the spectra; 0 beyond */
  uint64_t seed;        /* seed of the run */
  uint64_t realisation; /* number of the realisation */
} ArmillaRandomShape;

/* Returns the number of complex coefficients of one field of a block. */
int64_t armilla_random_count (const ArmillaRandomShape *shape);

/* @cl: double, [n_spectra][lmax_cl + 1], valid according to core/base/random-alm.h. */
void armilla_random_cpu (const ArmillaRandomShape *shape, const double *cl, double *out);

int armilla_random_launch (const ArmillaRandomShape *shape, const double *cl, double *out,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif
