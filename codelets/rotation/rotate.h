/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rotation of a_lm: one output block of orders from one input block. Raw-pointer kernels. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Seeds are double, [m - m_first][n = 0..n_max][4]: magnitude and binary exponent of d_{mn} and of
 * d_{m,-n} at l = max (m, n). */
typedef struct {
  int64_t lmax;     /* highest multipole */
  int64_t m_first;  /* first order of the output block */
  int64_t m_last;   /* last one */
  int64_t n_first;  /* first order of the input block */
  int64_t n_last;   /* last one */
  int64_t n_max;    /* highest order of the input */
  int64_t n_fields; /* number of fields */
  double beta;      /* angle about y, radian */
  double psi;       /* angle about z before it */
  double phi;       /* angle about z after it */
  int first;        /* whether the output is written for the first time */
  int last; /* whether this is the last input block, after which the output is rotated by phi */
} ArmillaRotateShape;

/* Returns the number of doubles of the seeds of an output block. */
int64_t armilla_rotate_seeds_count (const ArmillaRotateShape *shape);
/* Computes the start values of the recurrence in extended precision; on the host only. */
void armilla_rotate_seeds (const ArmillaRotateShape *shape, double *seeds);
/* out_lm <- out_lm + sum_n (d_mn x_ln + d_m,-n (-1)^n conj x_ln), x_ln = exp (-i n psi) in_ln, with
 * d = d^l (beta); after the last input block, times exp (-i m phi). The orders n are added in
 * sequence. 12 flops per term and multipole; 2/3 lmax^3 terms for a whole rotation. */
void armilla_rotate_cpu (const ArmillaRotateShape *shape, const double *seeds, const double *in,
                         double *out);

/* CUDA kernel: all arguments except the shape in device memory. */
/* Returns the number of doubles of scratch. */
int64_t armilla_rotate_scratch_size (const ArmillaRotateShape *shape);
int armilla_rotate_launch (const ArmillaRotateShape *shape, const ArmillaOrderParts *parts,
                           const double *seeds, const double *in, double *out,
                           double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
