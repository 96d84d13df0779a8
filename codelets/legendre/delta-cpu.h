/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to delta-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/delta-recurrence.h"

/* Lanes of the polar and of the equatorial part are each padded to a multiple of this. */
#define ARMILLA_DELTA_LANES 32
#define ARMILLA_DELTA_LANE_ROWS 15
/* Maximum steps of q in the buffer, minimum doubles of the buffer (64 KiB), minimum number of steps
 * for which it has room for all lanes, and doubles of the widest vector. */
#define ARMILLA_DELTA_SEGMENT 64
#define ARMILLA_DELTA_BUFFER 8192
#define ARMILLA_DELTA_MIN_STEPS 8
#define ARMILLA_DELTA_WIDEST 8
/* Number of orders per pass over the rows of a tile. */
#define ARMILLA_DELTA_CHUNK 4

/* Returns the upper bound of the lanes for n_pairs pairs. */
static inline int64_t
armilla_delta_lanes (int64_t n_pairs)
{
  return (n_pairs / ARMILLA_DELTA_LANES + 2) * ARMILLA_DELTA_LANES;
}

/* Returns the number of doubles of the buffer for q. */
static inline int64_t
armilla_delta_q_size (int64_t n_lanes)
{
  const int64_t fewest = ARMILLA_DELTA_MIN_STEPS * n_lanes;

  return fewest > ARMILLA_DELTA_BUFFER ? fewest : ARMILLA_DELTA_BUFFER;
}

/* Columns of an order in scratch space: four hold the coefficients of the recurrence, the others
 * the prepared a_lm. */
#define ARMILLA_DELTA_COLUMNS 8

/* Returns the number of doubles between columns, in whole cache lines. */
static inline int64_t
armilla_delta_column_stride (const ArmillaDeltaShape *shape)
{
  return ((shape->lmax - shape->m_first) / 2 + 1 + 7) / 8 * 8;
}

/* Returns the first address of the scratch space at which a cache line begins. */
static inline double *
armilla_delta_aligned (double *scratch)
{
  return scratch + (64 - (uintptr_t) scratch % 64) % 64 / sizeof (double);
}

/* Returns the position of an order of the block in the prepared a_lm, or in the a_lm. */
static inline int64_t
armilla_delta_prepared_before (const ArmillaDeltaShape *shape, int64_t m)
{
  return shape->in_alm
           ? 2 * armilla_delta_alm_before (shape->lmax, shape->m_first, m)
           : 4 * shape->n_fields * armilla_delta_steps_before (shape->lmax, shape->m_first, m);
}

/* Factors that convert the a_lm of a few steps of an order to the recurrence's basis: sqrt (a_k),
 * A_k / nu_k and nu_k of delta-basis.h. */
typedef struct {
  double even[ARMILLA_DELTA_SEGMENT], odd[ARMILLA_DELTA_SEGMENT], back[ARMILLA_DELTA_SEGMENT];
} ArmillaDeltaFactors;

typedef void (*ArmillaDeltaSynthesis) (const ArmillaDeltaShape *shape, const double *basis,
                                       const double *prepared, const double *pairs,
                                       const ArmillaDeltaRows *rows, double *tile,
                                       double *scratch);
typedef void (*ArmillaDeltaAdjoint) (const ArmillaDeltaShape *shape, const double *basis,
                                     const double *tile, const double *pairs,
                                     const ArmillaDeltaRows *rows, int fresh, double *prepared,
                                     double *scratch);

/* Computes the factors of steps k .. k + n - 1 of order m, n <= ARMILLA_DELTA_SEGMENT. */
typedef void (*ArmillaDeltaMakeFactors) (const double *basis, int64_t m, int64_t k, int64_t n,
                                         ArmillaDeltaFactors *factors);

typedef struct {
  ArmillaDeltaSynthesis synthesis;
  ArmillaDeltaMakeFactors factors;
} ArmillaDeltaKernels;

extern const ArmillaDeltaKernels ARMILLA_EACH_ISA (armilla_delta_kernels);
extern const ArmillaDeltaAdjoint ARMILLA_EACH_ISA (armilla_delta_adjoint);
/* kernel for two fields, with AVX-512 */
extern const ArmillaDeltaSynthesis armilla_delta_synthesis_two_avx512;
