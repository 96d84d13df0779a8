/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels for several fields at once, which share the recurrence: the sums are matrix products. */
#pragma once

#include "codelets/legendre/delta-recurrence.h"

/* Orders by which a kernel is chosen, since kernels round differently: those of a whole a_lm where
 * the block has a twentieth of them or more, so that a transform in a few blocks has the bits of
 * one in one; its own where it has less. */
static inline int64_t
delta_orders (const ArmillaDeltaShape &shape)
{
  const int64_t n = shape.m_last - shape.m_first + 1;

  return 20 * n >= shape.lmax + 1 ? shape.lmax + 1 : n;
}

/* Fields that go through one call, and from how many on that pays in synthesis. */
#define DELTA_MAX_FIELDS 16
#define DELTA_MIN_FIELDS_SYNTHESIS 3
#define DELTA_FIELDS_OF_WARPS 4

/* Fields field .. field + 15, or to the last, as armilla_delta_synthesis_launch () does. */
cudaError_t delta_synthesis_fields (const ArmillaDeltaShape *shape, int64_t field,
                                    const double *table, const double *prepared,
                                    const double *pairs, double *tile, cudaStream_t stream);

/* Whether the current device has the shared memory for delta_adjoint_fields (). */
bool delta_adjoint_fields_fits ();
cudaError_t delta_adjoint_fields (const ArmillaDeltaShape *shape, int64_t field,
                                  const double *table, const double *tile, const double *pairs,
                                  double *prepared, cudaStream_t stream);
/* Fields field .. field + 3, or to the last, for a thousand orders or more. */
cudaError_t delta_adjoint_warps (const ArmillaDeltaShape *shape, int64_t field, const double *table,
                                 const double *tile, const double *pairs, double *prepared,
                                 cudaStream_t stream);
