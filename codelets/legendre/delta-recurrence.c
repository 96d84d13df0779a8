/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-cpu.h"

#include <stddef.h>

#include "codelets/legendre/delta-math.h"

/**
 * armilla_delta_tile_size:
 * @shape: the block
 *
 * Returns: doubles of a tile, [field][2 n_pairs][m - m_first], complex
 */
int64_t
armilla_delta_tile_size (const ArmillaDeltaShape *shape)
{
  return (shape->m_last - shape->m_first + 1) * shape->n_fields * 4 * shape->n_pairs;
}

/**
 * armilla_delta_scratch_size:
 * @shape: the block
 *
 * Returns: doubles of scratch space that armilla_delta_synthesis_cpu() and
 * armilla_delta_adjoint_cpu() need; its contents need not be set
 */
int64_t
armilla_delta_scratch_size (const ArmillaDeltaShape *shape)
{
  const int64_t lanes = armilla_delta_lanes (shape->n_pairs);
  /* The synthesis' sums, or the adjoint's values; the fields' columns are rounded up to whole
   * vectors. */
  const int64_t columns = 4 * shape->n_fields + ARMILLA_DELTA_WIDEST;

  return 8 + ARMILLA_DELTA_COLUMNS * armilla_delta_column_stride (shape)
         + ARMILLA_DELTA_LANE_ROWS * lanes + ARMILLA_DELTA_CHUNK * columns * lanes
         + armilla_delta_q_size (lanes) + ARMILLA_DELTA_SEGMENT * 4 * ARMILLA_DELTA_WIDEST;
}

/**
 * armilla_delta_synthesis_cpu:
 * @shape: the block
 * @basis: (in): from armilla_delta_basis_cpu()
 * @prepared: (in): from armilla_delta_prepare_cpu(); with @shape.in_alm the a_lm
 * @pairs: (in): [ARMILLA_PAIR_ROWS][n_pairs], see #ArmillaPairRow
 * @rows: (in) (nullable): where the rings are in @tile, and factors of theirs; %NULL: the shape's
 *   are the tile's, and the factors 1
 * @tile: (out): complex, [field][2 rows->n_pairs][m - m_first]: north and south of each pair; only
 *   rows of the shape's rings are written to
 * @scratch: armilla_delta_scratch_size() doubles
 *
 * Delta_m(theta) = sum_{l=m..lmax} a_lm P_lm (cos theta), P_lm orthonormal with the Condon-Shortley
 * phase, for the orders of the block and both rings of every pair. Values below 2^-100 of the
 * P_lm's scale are taken as 0. What the other rings of the block are changes a
 * result by rounding errors only.
 */
void
armilla_delta_synthesis_cpu (const ArmillaDeltaShape *shape, const double *basis,
                             const double *prepared, const double *pairs,
                             const ArmillaDeltaRows *rows, double *tile, double *scratch)
{
  ArmillaDeltaSynthesis synthesis = ARMILLA_FOR_ISA (shape->isa, armilla_delta_kernels)->synthesis;

#ifdef HAVE_X86_KERNELS
  if (shape->isa == ARMILLA_ISA_AVX512 && shape->n_fields == 2)
    synthesis = armilla_delta_synthesis_two_avx512;
#endif
  synthesis (shape, basis, prepared, pairs, rows, tile, scratch);
}

/**
 * armilla_delta_adjoint_cpu:
 * @shape: the block
 * @basis: (in): from armilla_delta_basis_cpu()
 * @tile: (in): as armilla_delta_synthesis_cpu() writes it; 0 for rings that do not exist
 * @pairs: (in): [ARMILLA_PAIR_ROWS][n_pairs], see #ArmillaPairRow
 * @rows: (in) (nullable): see armilla_delta_synthesis_cpu()
 * @fresh: whether @prepared has no contents yet and counts as 0
 * @prepared: (inout): [m - m_first][field][k][4], the adjoint of armilla_delta_synthesis_cpu() is
 *   added; with @shape.in_alm without what lies beyond the last degree of an order
 * @scratch: armilla_delta_scratch_size() doubles
 *
 * The sum over the rings is taken in an order fixed by the rings: a field has the same bits alone
 * and among others.
 */
void
armilla_delta_adjoint_cpu (const ArmillaDeltaShape *shape, const double *basis, const double *tile,
                           const double *pairs, const ArmillaDeltaRows *rows, int fresh,
                           double *prepared, double *scratch)
{
  const ArmillaDeltaAdjoint *adjoint = ARMILLA_FOR_ISA (shape->isa, armilla_delta_adjoint);

  (*adjoint) (shape, basis, tile, pairs, rows, fresh, prepared, scratch);
}
