/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution with a radial kernel, ring by ring (Elsner and Wandelt 2011): the kernel on the rings
 * around each ring, its Fourier modes, and their products with those of the map, summed over rings.
 * Raw-pointer kernels; doc/convolution.md has the formulae. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* input rings whose kernel modes are computed together */
#define ARMILLA_CONVOLVE_ROWS 8
/* rows of cosines are padded to a multiple of this number of orders */
#define ARMILLA_CONVOLVE_PAD 16
/* coefficients per interval of the kernel's table, as in ArmillaKernelTable */
#define ARMILLA_CONVOLVE_TERMS 8

/* Up to eight input pairs around an output pair, whose samples have the same azimuths. By symmetry
 * the same samples serve the southern ring of the output pair. */
typedef struct {
  int64_t values; /* index of the first kernel sample, [n_samples][ARMILLA_CONVOLVE_ROWS] */
  /* position in the table of the cosines that transform samples to modes, [n_samples][stride] */
  int64_t cosines;
  int64_t squares; /* position in the table of sin^2 (phi / 2) of the samples, [n_samples] */
  int32_t stride;                        /* padded number of orders of a row of cosines */
  int32_t n_samples;                     /* samples per row */
  int32_t n_rows;                        /* rows in use */
  int32_t out;                           /* index of the output pair in its block */
  /* indices of the input pairs in their block; unused ones repeat the first */
  int32_t pair[ARMILLA_CONVOLVE_ROWS];
  int32_t across[ARMILLA_CONVOLVE_ROWS]; /* whether the input ring is in the other hemisphere */
  /* number of orders to which the row contributes; 0 for unused rows */
  int32_t n_modes[ARMILLA_CONVOLVE_ROWS];
} ArmillaConvolveGroup;

typedef struct {
  int64_t n_groups;    /* number of groups */
  int64_t n_values;    /* number of samples of all groups */
  int64_t n_out;       /* pairs of the output block */
  int64_t n_in;        /* pairs of the input block */
  int64_t n_intervals; /* intervals of the kernel's table */
  double scale;        /* intervals per unit of the chord */
  /* square of the chord beyond which the kernel is 0; infinite for kernels without a bound */
  double chord2;
} ArmillaGriddingShape;

/* Modes are complex double, [field][slot][mmax + 1], as for ring transforms. */
typedef struct {
  int64_t n_groups;    /* number of groups */
  double coefficients; /* multiply-adds that transform samples to kernel modes */
  double products;     /* number of kernel modes; each multiplies two complex modes per field */
  int64_t n_fields;    /* number of fields */
  int64_t out_first;   /* first output pair */
  int64_t out_last;    /* last output pair, inclusive */
  int64_t n_out;       /* pairs of the output block */
  int64_t mmax_out;    /* its highest order */
  int64_t n_in;        /* pairs of the input block */
  int64_t mmax_in;     /* its highest order */
  int32_t fresh;       /* whether the output pairs are written for the first time */
  int32_t isa;         /* ArmillaIsa of the CPU kernel */
} ArmillaReductionShape;

typedef struct {
  int64_t n_fields;     /* number of fields */
  int64_t n_rings;      /* number of output pairs to compute, the first ones of their block */
  int64_t n_out;        /* pairs of the output block */
  int64_t n_out_pixels; /* pixels of the output block */
  int64_t n_in;         /* pairs of the input block */
  int64_t n_in_pixels;  /* pixels of the input block */
  int64_t n_intervals;  /* intervals of the kernel's table */
  double scale;         /* intervals per unit of the chord */
  /* square of the chord beyond which the kernel is 0; infinite for kernels without a bound */
  double chord2;
  int32_t fresh;        /* whether the output pixels are written for the first time */
  int32_t isa;          /* ArmillaIsa of the CPU kernel */
} ArmillaPolarShape;

/* values <- the kernel, 1 / steradian, at the samples of all groups (Elsner and Wandelt 2011, eq.
 * 9, as a chord). pairs_out, pairs_in: pair tables of the blocks; terms: table of the kernel;
 * table: cosines and squares, to which the groups refer by position. */
void armilla_kernel_gridding_cpu (const ArmillaGriddingShape *shape,
                                  const ArmillaConvolveGroup *groups, const double *table,
                                  const double *terms, const double *pairs_out,
                                  const double *pairs_in, double *values);

/* For each order m: out_m <- out_m + sum over groups and rows of k_m in_m, where the kernel mode
 * k_m is the sum over samples of value times cosine. Kernel modes are real and shared by all fields
 * and both hemispheres. The groups of output pair p are first[p - out_first] .. first[p + 1 -
 * out_first] - 1. */
void armilla_theta_reduction_cpu (const ArmillaReductionShape *shape,
                                  const ArmillaConvolveGroup *groups, const int32_t *first,
                                  const double *table, const double *values, const double *in,
                                  double *out);

/* Adds to the pixels of the first n_rings output pairs, or sets them if fresh, the sum over input
 * pixels within the kernel's support, one by one (Elsner and Wandelt 2011, eq. 6); UNSEEN counts as
 * 0. Both rings of a pair must have pixels at the same azimuths. Only the CPU kernel needs scratch
 * space. */
int64_t armilla_polar_scratch_size (int64_t longest_ring, int64_t n_fields);
void armilla_polar_sum_cpu (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                            const ArmillaRingSlot *slots_in, const double *pairs_out,
                            const double *pairs_in, const double *terms, const double *in,
                            double *out, double *scratch);

/* Sets pixels of out to UNSEEN that are UNSEEN in in, like the last step of healpy's smoothing. */
void armilla_unseen_back_cpu (int64_t n, const double *in, double *out);

/* CUDA kernels: the same arguments; all except the shape are in device memory. */
int armilla_kernel_gridding_launch (const ArmillaGriddingShape *shape,
                                    const ArmillaConvolveGroup *groups,
                                    const double *table, const double *terms,
                                    const double *pairs_out, const double *pairs_in,
                                    double *values, cudaStream_t stream);
int armilla_theta_reduction_launch (const ArmillaReductionShape *shape,
                                    const ArmillaConvolveGroup *groups,
                                    const int32_t *first, const double *table,
                                    const double *values, const double *in, double *out,
                                    cudaStream_t stream);
int armilla_polar_sum_launch (const ArmillaPolarShape *shape,
                              const ArmillaRingSlot *slots_out,
                              const ArmillaRingSlot *slots_in, const double *pairs_out,
                              const double *pairs_in, const double *terms,
                              const double *in, double *out, cudaStream_t stream);
int armilla_unseen_back_launch (int64_t n, const double *in, double *out,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
