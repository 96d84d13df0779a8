/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to delta-*.c. */
#pragma once

#include "codelets/delta-recurrence.h"

/* Scratch space: lanes are padded to this for the polar and the equatorial part each. */
#define ARMILLA_DELTA_LANES 32
#define ARMILLA_DELTA_LANE_ROWS 14
/* Steps that share a buffer, lanes whose q is buffered at once, doubles of the widest vector. */
#define ARMILLA_DELTA_SEGMENT 64
#define ARMILLA_DELTA_GANG 128
#define ARMILLA_DELTA_WIDEST 8

/* Upper bound of the lanes for n_pairs pairs. */
static inline int64_t
armilla_delta_lanes (int64_t n_pairs)
{
  return (n_pairs / ARMILLA_DELTA_LANES + 2) * ARMILLA_DELTA_LANES;
}

typedef void (*ArmillaDeltaSynthesis) (const ArmillaDeltaShape *shape, const double *table,
                                       const double *prepared, const double *pairs, double *tile,
                                       double *scratch);
typedef void (*ArmillaDeltaAdjoint) (const ArmillaDeltaShape *shape, const double *table,
                                     const double *tile, const double *pairs, double *prepared,
                                     double *scratch);

typedef struct {
  ArmillaDeltaSynthesis synthesis;
  ArmillaDeltaAdjoint adjoint;
} ArmillaDeltaKernels;

extern const ArmillaDeltaKernels armilla_delta_kernels_portable;
#ifdef __x86_64__
extern const ArmillaDeltaKernels armilla_delta_kernels_avx2;
extern const ArmillaDeltaKernels armilla_delta_kernels_avx512;
#endif
