/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of any length for the CPU ring kernels. Internal to ring-*.c. */
#pragma once

#include "codelets/ring-fft.h"
#include "codelets/ring-simd.h"

typedef struct _ArmillaDftPlan ArmillaDftPlan;

/* Scratch of one kernel call, all parts 64-byte aligned; what it holds is kept from ring to ring
 * while it fits. */
typedef struct {
  const ArmillaRingSimd *simd;
  double *a, *b;             /* padded parts and their transforms */
  double *chirp;             /* exp (i pi j^2 / q) */
  double *kernel;            /* transform of the conjugate chirp / padded length */
  double *twiddle;           /* exp (2 pi i j / n), j < q */
  int64_t prepared;          /* length that chirp, kernel and twiddle are for */
} ArmillaDftWork;

/* NULL: n was not added. */
const ArmillaDftPlan *armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n);
int64_t armilla_dft_work_size (int64_t longest);
void armilla_dft_work_init (ArmillaDftWork *work, double *scratch, int64_t longest);
/* out[k] = sum_j in[j] exp (2 pi i j k / n); in may be overwritten; both 64-byte aligned. */
void armilla_dft_run (const ArmillaDftPlan *plan, ArmillaDftWork *work, double *in, double *out);
