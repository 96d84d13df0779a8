/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of any length for CPU kernels. Internal to ring-*.c,
 * points-delta.c and theta-resample.c. */
#pragma once

#include "codelets/rings/ring-fft.h"
#include "codelets/rings/ring-fold.h"
#include "codelets/rings/ring-simd.h"

typedef struct _ArmillaDftPlan ArmillaDftPlan;

#define ARMILLA_DFT_TABLES 4 /* number of lengths whose tables are kept in scratch */

/* Factors of the transforms of one length. */
typedef struct {
  int64_t n;      /* 0: none */
  double *factor; /* [radix][q]: exp (2 pi i s j / n), times the chirp if any */
  double *chirp;  /* [q]: exp (i pi j^2 / q) */
  double *kernel; /* [padded]: transform of the conjugate chirp / padded */
} ArmillaDftTables;

/* Scratch of one kernel call, 64-byte aligned; tables of lengths are reused from ring to ring while
 * there is room. */
typedef struct {
  const ArmillaRingSimd *simd;
  double *a, *b; /* a padded part and its transform */
  ArmillaDftTables table[ARMILLA_DFT_TABLES];
  int next_table;
} ArmillaDftWork;

/* Largest sizes for which scratch has space. */
typedef struct {
  int64_t n;      /* points of a length */
  int64_t q;      /* points of a part */
  int64_t padded; /* points of a padded part */
} ArmillaDftSizes;

/* Returns NULL if n was not added. */
const ArmillaDftPlan *armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n);
int64_t armilla_dft_length (const ArmillaDftPlan *plan);
/* Phases of orders below ARMILLA_RING_ORDERS for a ring of this length, kept for all calls; NULL if
 * the caller must compute its own. */
ArmillaRingPhases *armilla_dft_phases (const ArmillaDftPlan *plan, const ArmillaRingSlot *slot);
/* Raises @sizes to those that the plan needs. */
void armilla_dft_sizes_add (ArmillaDftSizes *sizes, const ArmillaDftPlan *plan);
/* Returns the number of doubles that rings of up to @longest pixels need. */
int64_t armilla_dft_work_size (int64_t longest);
/* Returns the remaining part of @scratch. */
double *armilla_dft_work_init (ArmillaDftWork *work, double *scratch, const ArmillaDftSizes *sizes);
/* out[k] = sum_j in[j] exp (2 pi i j k / n); in may be overwritten; both 64-byte aligned. */
void armilla_dft_run (const ArmillaDftPlan *plan, ArmillaDftWork *work, double *in, double *out);
