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

void
armilla_delta_adjoint_cpu (const ArmillaDeltaShape *shape, const double *basis, const double *tile,
                           const double *pairs, const ArmillaDeltaRows *rows, int fresh,
                           double *prepared, double *scratch)
{
  const ArmillaDeltaAdjoint *adjoint = ARMILLA_FOR_ISA (shape->isa, armilla_delta_adjoint);

  (*adjoint) (shape, basis, tile, pairs, rows, fresh, prepared, scratch);
}
