/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m(theta) = sum_l a_lm P_lm(cos theta) and its adjoint, for a block of orders and a block of
 * ring pairs. Raw-pointer kernels; the StarPU codelets are declared in delta-codelets.h. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/common/isa.h"
#include "codelets/rings/ring-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaDeltaShape:
 * @lmax: highest degree
 * @m_first: first order of the block
 * @m_last: last order of the block (inclusive)
 * @n_fields: number of maps that share the recurrence, at least 1
 * @n_pairs: number of ring pairs of the block
 * @isa: instruction set (CPU kernels only)
 * @in_alm: whether there are no prepared a_lm: the synthesis reads a_lm themselves, in healpy's
 *   order within the block, and the adjoint takes its sum where a_lm will be. Of one field
 *   (CPU kernels only)
 */
typedef struct {
  int64_t lmax, m_first, m_last;
  int64_t n_fields;
  int64_t n_pairs;
  int32_t isa;
  int32_t in_alm;
} ArmillaDeltaShape;

/* Where the a_lm of some fields are: those of one after those of the other tile. */
typedef struct {
  int64_t n_each;      /* fields of each tile */
  double *const *tile; /* complex double, [field][m, l in healpy's order within the block] */
} ArmillaAlmTiles;

/* Where the a_lm of a field are; n_alm: of a field. */
static inline double *
armilla_alm_tiles_field (const ArmillaAlmTiles *alm, int64_t field, int64_t n_alm)
{
  return alm->tile[field / alm->n_each] + 2 * (field % alm->n_each) * n_alm;
}

/**
 * ArmillaDeltaRows:
 * @n_pairs: ring pairs of the tile
 * @index: (array): which of them each pair of the shape is
 * @factor: (array): what rows of each pair of the shape are multiplied by
 *
 * Rows of a tile that holds other rings, too.
 */
typedef struct {
  int64_t n_pairs;
  const double *index, *factor;
} ArmillaDeltaRows;

/* Sizes in doubles. */
int64_t armilla_delta_table_size (const ArmillaDeltaShape *shape);    /* the recurrence's numbers */
int64_t armilla_delta_basis_size (int64_t lmax);                      /* what those are made of */
int64_t armilla_delta_prepared_size (const ArmillaDeltaShape *shape); /* a_lm in its basis */
int64_t armilla_delta_tile_size (const ArmillaDeltaShape *shape);     /* [field][2 n_pairs][m] */
int64_t armilla_delta_scratch_size (const ArmillaDeltaShape *shape);  /* CPU kernels' scratch */

/* table <- coefficients; depends on lmax and the orders only. */
void armilla_delta_table_cpu (const ArmillaDeltaShape *shape, double *table);
/* basis <- what coefficients of all orders up to lmax are made of. The kernels below take one for
 * their lmax or a higher one, and make the coefficients of an order when it comes. */
void armilla_delta_basis_cpu (int64_t lmax, double *basis);
/* prepared <- a_lm. */
void armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                const ArmillaAlmTiles *alm, double *prepared);
/* Adjoint of prepare: a_lm <- prepared. */
void armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *basis,
                               const double *prepared, const ArmillaAlmTiles *alm);
/* tile <- Delta_m: complex, [field][2 pair + south][m - m_first]. The rings may be some of the
 * tile's; the others' rows are not looked at. */
void armilla_delta_synthesis_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                  const double *prepared, const double *pairs,
                                  const ArmillaDeltaRows *rows, double *tile, double *scratch);
/* prepared += adjoint of the synthesis applied to tile; fresh: prepared has no contents yet. */
void armilla_delta_adjoint_cpu (const ArmillaDeltaShape *shape, const double *basis,
                                const double *tile, const double *pairs,
                                const ArmillaDeltaRows *rows, int fresh, double *prepared,
                                double *scratch);

/* CUDA kernels: the same arguments, in device memory (the shape in host memory), but a table
 * instead of a basis, a_lm in one tile, and no rows and scratch space. A call fills a GPU when it
 * has some hundreds of orders (adjoint) or some hundred times an order and 512 pairs (synthesis).
 * */
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
