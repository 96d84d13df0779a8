/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels for several fields that share the recurrence: the sums are matrix products. */
#pragma once

#include "codelets/legendre/delta-recurrence.h"

/* Returns the number of orders by which a kernel is chosen. Kernels round differently: so that a
 * transform gives the same bits in one block or a few, the number is that of all orders up to lmax
 * if the block has at least a twentieth of them; otherwise that of the block. */
static inline int64_t
delta_orders (const ArmillaDeltaShape &shape)
{
  const int64_t n = shape.m_last - shape.m_first + 1;

  return 20 * n >= shape.lmax + 1 ? shape.lmax + 1 : n;
}

/* Maximum number of fields per call, and minimum for which this kernel is faster in synthesis. */
#define DELTA_MAX_FIELDS 16
#define DELTA_MIN_FIELDS_SYNTHESIS 3
#define DELTA_FIELDS_OF_WARPS 4

/* Synthesises fields field .. field + 15, or up to the last one, like
 * armilla_delta_synthesis_launch (). */
cudaError_t delta_synthesis_fields (const ArmillaDeltaShape *shape, int64_t field,
                                    const double *table, const double *prepared,
                                    const double *pairs, double *tile, cudaStream_t stream);

/* Returns whether the current device has the shared memory for delta_adjoint_fields (). */
bool delta_adjoint_fields_fits ();
cudaError_t delta_adjoint_fields (const ArmillaDeltaShape *shape, int64_t field,
                                  const double *table, const double *tile, const double *pairs,
                                  double *prepared, cudaStream_t stream);
/* Adjoint for fields field .. field + 3, or up to the last one; for a thousand orders or more. */
cudaError_t delta_adjoint_warps (const ArmillaDeltaShape *shape, int64_t field, const double *table,
                                 const double *tile, const double *pairs, double *prepared,
                                 cudaStream_t stream);
