/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small kernels on blocks of a_lm. Raw-pointer kernels. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of a_lm: complex double, [field][healpy's order within the block] (for each m from
 * m_first to m_last, l runs from m to lmax). */
typedef struct {
  int64_t lmax;     /* highest multipole */
  int64_t m_first;  /* first order of the block */
  int64_t m_last;   /* last order of the block (inclusive) */
  int64_t n_fields; /* number of fields */
} ArmillaAlmShape;

/* Returns the number of complex coefficients of one field of a block. */
int64_t armilla_alm_shape_count (const ArmillaAlmShape *shape);

/* out[f] <- b_l in[f / n_copies], where b_l is window[f modulo n_windows][l], or 0 above
 * lmax_window. window: double, [n_windows][lmax_window + 1]. The shape's n_fields is that of out,
 * which may alias in if n_copies is 1. */
void armilla_alm_scale_cpu (const ArmillaAlmShape *shape, int64_t n_copies, int64_t n_windows,
                            int64_t lmax_window, const double *window, const double *in,
                            double *out);

/* sums[spectrum][l], l = 0..lmax (at most shape's) <- sum over the block's orders, in sequence, of
 * Re (a conj b) for m = 0 (without imaginary parts) and of 2 Re (a conj b) for m > 0; with @add the
 * sum is added to the old sums. The spectra are those of the fields (i, i) for every i, then
 * (i, i + 1), and so on: the first n_spectra of them. */
void armilla_alm_spectra_cpu (const ArmillaAlmShape *shape, int64_t n_spectra, int64_t lmax,
                              const double *a, const double *b, int add, double *sums);
/* Divides spectra[spectrum][l], the sums over all m, by 2 l + 1: the result is C_l. */
void armilla_spectra_finish_cpu (int64_t lmax, int64_t n_spectra, double *spectra);

/* result[0] <- inner product of the real fields that the a_lm represent: the sum over fields, l and
 * m >= 0 of Re (a conj b), in which m > 0 counts twice and imaginary parts of m = 0 are ignored. If
 * @adds, it is added to the sum of earlier fields in result[0]. */
void armilla_alm_dot_cpu (const ArmillaAlmShape *shape, const double *a, const double *b, int adds,
                          double *result);

/* CUDA kernels: the same arguments, in device memory (shapes in host memory). The order of
 * additions is fixed: the same bits in every run and on every device. @parts: groups of orders,
 * whose sums are added in sequence. */
int armilla_alm_scale_launch (const ArmillaAlmShape *shape, int64_t n_copies,
                              int64_t n_windows, int64_t lmax_window,
                              const double *window, const double *in, double *out,
                              cudaStream_t stream);
int armilla_alm_spectra_launch (const ArmillaAlmShape *shape,
                                const ArmillaOrderParts *parts, int64_t n_spectra,
                                int64_t lmax, const double *a, const double *b, int add,
                                double *sums, cudaStream_t stream);
int armilla_spectra_finish_launch (int64_t lmax, int64_t n_spectra, double *spectra,
                                   cudaStream_t stream);

#define ARMILLA_DOT_SCRATCH 256 /* doubles */
int armilla_alm_dot_launch (const ArmillaAlmShape *shape, const ArmillaOrderParts *parts,
                            const double *a, const double *b, int adds, double *result,
                            double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
