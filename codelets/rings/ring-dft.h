/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of any length for the CPU ring kernels. Internal to ring-*.c. */
#pragma once

#include "codelets/rings/ring-fft.h"
#include "codelets/rings/ring-fold.h"
#include "codelets/rings/ring-simd.h"

typedef struct _ArmillaDftPlan ArmillaDftPlan;

#define ARMILLA_DFT_TABLES 4 /* lengths whose tables are kept */

/* What the transforms of one length are multiplied with. */
typedef struct {
  int64_t n;      /* 0: none */
  double *factor; /* [radix][q]: exp (2 pi i s j / n), times the chirp where there is one */
  double *chirp;  /* [q]: exp (i pi j^2 / q) */
  double *kernel; /* [padded]: transform of the conjugate chirp / padded */
} ArmillaDftTables;

/* Scratch of one kernel call, everything 64-byte aligned; what it holds of lengths is kept from
 * ring to ring while it fits. */
typedef struct {
  const ArmillaRingSimd *simd;
  double *a, *b; /* a padded part and its transform */
  ArmillaDftTables table[ARMILLA_DFT_TABLES];
  int next_table;
} ArmillaDftWork;

/**
 * ArmillaDftSizes:
 * @n: points of a length
 * @q: points of a part
 * @padded: points of a padded part
 *
 * The most of each that scratch has room for.
 */
typedef struct {
  int64_t n, q, padded;
} ArmillaDftSizes;

/* NULL: n was not added. */
const ArmillaDftPlan *armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n);
int64_t armilla_dft_length (const ArmillaDftPlan *plan);
/* Phases of a ring of this length that are kept for all calls, for orders below
 * ARMILLA_RING_ORDERS; NULL: the caller makes its own. */
ArmillaRingPhases *armilla_dft_phases (const ArmillaDftPlan *plan, const ArmillaRingSlot *slot);
/* Raises @sizes to what the plan needs. */
void armilla_dft_sizes_add (ArmillaDftSizes *sizes, const ArmillaDftPlan *plan);
/* Doubles that rings of up to @longest pixels need. */
int64_t armilla_dft_work_size (int64_t longest);
/* Returns what is left of @scratch. */
double *armilla_dft_work_init (ArmillaDftWork *work, double *scratch, const ArmillaDftSizes *sizes);
/* out[k] = sum_j in[j] exp (2 pi i j k / n); in may be overwritten; both 64-byte aligned. */
void armilla_dft_run (const ArmillaDftPlan *plan, ArmillaDftWork *work, double *in, double *out);
