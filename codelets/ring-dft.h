/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex Fourier transforms of any length for the CPU ring kernels, as many at once as have room
 * in the lanes of ring-lanes.h. Internal to ring-*.c. */
#pragma once

#include "codelets/ring-fft.h"
#include "codelets/ring-lanes.h"
#include "codelets/ring-simd.h"

/**
 * ArmillaDftPlan:
 * @n: length
 * @radix: interleaved parts of it, each a lane
 * @q: points of a part
 * @chirp: whether parts are transformed by chirp-z
 * @fft: of the parts, or of the padded parts
 * @next: of the same bucket
 */
typedef struct _ArmillaDftPlan ArmillaDftPlan;

#define ARMILLA_DFT_TABLES 4 /* lengths whose tables are kept */

struct _ArmillaDftPlan {
  int64_t n, radix, q;
  int chirp;
  const ArmillaLaneFft *fft;
  ArmillaDftPlan *next;
};

/* Scratch of one kernel call; what it holds of lengths is kept from ring to ring while it fits. */
typedef struct {
  const ArmillaRingSimd *simd;
  const ArmillaLaneKernels *lanes;
  double *points;               /* the lanes */
  double *kernel;               /* a lane a length: transform of the conjugate chirp / padded n */
  double *chirp[ARMILLA_LANES]; /* of each length: exp (i pi j^2 / q), j < q */
  double *table[ARMILLA_DFT_TABLES]; /* what a length's parts are multiplied with in the end */
  double *roots;                /* room for some roots of unity, radix + 1 times q */
  int64_t lengths[ARMILLA_LANES], table_length[ARMILLA_DFT_TABLES];
  int n_lengths, next_table;
} ArmillaDftWork;

/* NULL: n was not added. */
const ArmillaDftPlan *armilla_fft_plans_find (const ArmillaFftPlans *plans, int64_t n);
int64_t armilla_dft_work_size (int64_t longest);
double *armilla_dft_work_init (ArmillaDftWork *work, double *scratch, int64_t points, int64_t q,
                               int64_t n);

/* Whether two lengths may meet in the lanes. */
static inline int
armilla_dft_alike (const ArmillaDftPlan *a, const ArmillaDftPlan *b)
{
  return a->fft == b->fft && a->radix == b->radix && a->chirp == b->chirp;
}

/* How many sequences the lanes hold. */
static inline int
armilla_dft_room (const ArmillaDftPlan *plan)
{
  return (int) (ARMILLA_LANES / plan->radix);
}

/* The lanes of sequence @i. */
static inline ArmillaLaneParts
armilla_dft_parts (const ArmillaDftWork *work, const ArmillaDftPlan *plan, int i)
{
  return (ArmillaLaneParts) { work->points, plan->radix, i * plan->radix, plan->q };
}

/* Chirp and kernel of up to ARMILLA_LANES lengths that are alike; the lanes must be free. */
void armilla_dft_prepare (ArmillaDftWork *work, const ArmillaDftPlan *const *plans, int n);
/* Number of the length among those prepared; -1: it is not. */
int armilla_dft_prepared (const ArmillaDftWork *work, const ArmillaDftPlan *plan);

/* Three steps for a sequence x: put (its lanes), run (all), get:
 * X[k] = sum_j x[j] exp (2 pi i j k / n). */
void armilla_dft_put (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, const double *x);
void armilla_dft_put_real (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i,
                           const double *re, const double *im, int unseen_is_zero);
void armilla_dft_run (ArmillaDftWork *work, const ArmillaDftPlan *const *plans, int n);
void armilla_dft_get (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, double *x);
void armilla_dft_get_real (ArmillaDftWork *work, const ArmillaDftPlan *plan, int i, double *re,
                           double *im);
