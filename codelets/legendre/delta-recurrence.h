/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m(theta) = sum_l a_lm P_lm(cos theta) and its adjoint, for a block of orders and a block of
 * ring pairs. Raw-pointer kernels; the StarPU codelets are declared in delta-codelets.h. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/common/isa.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int64_t lmax;     /* highest multipole */
  int64_t m_first;  /* first order of the block */
  int64_t m_last;   /* last order of the block (inclusive) */
  int64_t n_fields; /* number of maps that share the recurrence, at least 1 */
  int64_t n_pairs;  /* number of ring pairs of the block */
  int32_t isa;      /* instruction set (CPU kernels only) */
  /* whether prepared a_lm are skipped: the synthesis reads a_lm themselves, in healpy's order
   * within the block, and the adjoint stores its sum in the memory of a_lm. One field only, CPU
   * kernels only */
  int32_t in_alm;
} ArmillaDeltaShape;

/* The a_lm of some fields, in one tile after the other. */
typedef struct {
  int64_t n_each;      /* fields per tile */
  double *const *tile; /* complex double, [field][m, l in healpy's order within the block] */
} ArmillaAlmTiles;

/* Returns the address of the a_lm of a field; n_alm: number of a_lm per field. */
static inline double *
armilla_alm_tiles_field (const ArmillaAlmTiles *alm, int64_t field, int64_t n_alm)
{
  return alm->tile[field / alm->n_each] + 2 * (field % alm->n_each) * n_alm;
}

/* Rows of a tile that holds other rings too. */
typedef struct {
  int64_t n_pairs;      /* ring pairs of the tile */
  const double *index;  /* (array): index in the tile of each pair of the shape */
  const double *factor; /* (array): factor of the rows of each pair of the shape */
} ArmillaDeltaRows;

/* Sizes in doubles. */
int64_t armilla_delta_table_size (const ArmillaDeltaShape *shape);    /* coefficients of the
                                                                       * recurrence */
int64_t armilla_delta_basis_size (int64_t lmax); /* factors of the coefficients */
int64_t armilla_delta_prepared_size (const ArmillaDeltaShape *shape); /* a_lm in the recurrence's
                                                                       * basis */
int64_t armilla_delta_tile_size (const ArmillaDeltaShape *shape);     /* [field][2 n_pairs][m] */
int64_t armilla_delta_scratch_size (const ArmillaDeltaShape *shape);  /* CPU kernels' scratch */

/* table <- coefficients of the recurrence, for GPUs: the same bits for any block and processor.
 * Depends only on lmax and the orders. */
void armilla_delta_table_cpu (const ArmillaDeltaShape *shape, double *table);
/* basis <- factors of the coefficients of all orders up to lmax. The kernels below accept a basis
 * for their lmax or a higher one, and compute the coefficients of each order from it. */
void armilla_delta_basis_cpu (int64_t lmax, double *basis);
/* prepared <- a_lm in the basis of the recurrence: sum_l a_lm P_lm = sum_k (even_k + cos theta
 * odd_k) q_k. */
void armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                const ArmillaAlmTiles *alm, double *prepared);
/* Adjoint of prepare: a_lm <- prepared. With shape.in_alm both may be the same memory. */
void armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *basis,
                               const double *prepared, const ArmillaAlmTiles *alm);
/* tile <- Delta_m (theta) = sum_{l=m..lmax} a_lm P_lm (cos theta), P_lm orthonormal with the
 * Condon-Shortley phase, for both rings of every pair: complex, [field][2 pair + south][m -
 * m_first]. Only rows of the shape's rings are accessed; if @rows is NULL, the tile has the shape's
 * rings and the factors are 1. With shape.in_alm @prepared holds the a_lm. Values below 2^-100 of
 * the P_lm's scale count as 0. Other rings of the block change a result by rounding errors only. */
void armilla_delta_synthesis_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                  const double *prepared, const double *pairs,
                                  const ArmillaDeltaRows *rows, double *tile, double *scratch);
/* Adds the adjoint of the synthesis, applied to @tile, to @prepared, [m - m_first][field][k][4],
 * which is uninitialised and counts as 0 if @fresh. Absent rings are 0 in tile. The order of the
 * sum over rings depends only on the rings: a field has the same bits alone and with others. */
void armilla_delta_adjoint_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                const double *tile, const double *pairs,
                                const ArmillaDeltaRows *rows, int fresh, double *prepared,
                                double *scratch);

/* CUDA kernels: the same arguments, with a table instead of a basis, a_lm in one tile, and without
 * rows and scratch space. All except the shape are in device memory, aligned to 16 bytes. A call
 * fills a GPU with a few hundred orders (adjoint), or if orders times groups of 512 pairs are a
 * hundred (synthesis). */
int armilla_delta_table_launch (const ArmillaDeltaShape *shape, double *table,
                                cudaStream_t stream);
int armilla_delta_prepare_launch (const ArmillaDeltaShape *shape, const double *table,
                                  const double *alm, double *prepared, cudaStream_t stream);
int armilla_delta_finish_launch (const ArmillaDeltaShape *shape, const double *table,
                                 const double *prepared, double *alm, cudaStream_t stream);
int armilla_delta_synthesis_launch (const ArmillaDeltaShape *shape, const double *table,
                                    const double *prepared, const double *pairs,
                                    double *tile, cudaStream_t stream);
int armilla_delta_adjoint_launch (const ArmillaDeltaShape *shape, const double *table,
                                  const double *tile, const double *pairs, double *prepared,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
