/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-cpu.h"

#include <stddef.h>

#include "codelets/legendre/delta-math.h"

/* Returns the number of doubles of a tile, [field][2 n_pairs][m - m_first], complex. */
int64_t
armilla_delta_tile_size (const ArmillaDeltaShape *shape)
{
  return (shape->m_last - shape->m_first + 1) * shape->n_fields * 4 * shape->n_pairs;
}

/* Returns the number of doubles of uninitialised scratch space that synthesis and adjoint need. */
int64_t
armilla_delta_scratch_size (const ArmillaDeltaShape *shape)
{
  const int64_t lanes = armilla_delta_lanes (shape->n_pairs);
  /* Sums of the synthesis, or values of the adjoint; the fields' columns are rounded up to whole
   * vectors. */
  const int64_t columns = 4 * shape->n_fields + ARMILLA_DELTA_WIDEST;

  return 8 + ARMILLA_DELTA_COLUMNS * armilla_delta_column_stride (shape)
         + ARMILLA_DELTA_LANE_ROWS * lanes + ARMILLA_DELTA_CHUNK * columns * lanes
         + armilla_delta_q_size (lanes) + ARMILLA_DELTA_SEGMENT * 4 * ARMILLA_DELTA_WIDEST;
}

/* Delta_m(theta) = sum_{l=m..lmax} a_lm P_lm (cos theta), P_lm orthonormal with the Condon-Shortley
 * phase, for both rings of every pair: tile is complex, [field][2 rows->n_pairs][m - m_first], of
 * which only rows of the shape's rings are written. If rows is NULL, the tile has the shape's rings
 * and the factors are 1. prepared holds the a_lm with shape.in_alm. Values below 2^-100 of the
 * P_lm's scale count as 0. Other rings of the block change a result by rounding errors only. */
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

/* Adds the adjoint of the synthesis to prepared[m - m_first][field][k][4], which counts as 0 if
 * fresh; absent rings are 0 in tile. The order of the sum over rings depends only on the rings: a
 * field has the same bits alone and with others. */
void
armilla_delta_adjoint_cpu (const ArmillaDeltaShape *shape, const double *basis, const double *tile,
                           const double *pairs, const ArmillaDeltaRows *rows, int fresh,
                           double *prepared, double *scratch)
{
  const ArmillaDeltaAdjoint *adjoint = ARMILLA_FOR_ISA (shape->isa, armilla_delta_adjoint);

  (*adjoint) (shape, basis, tile, pairs, rows, fresh, prepared, scratch);
}
