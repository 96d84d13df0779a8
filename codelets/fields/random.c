/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/random.h"

#include "codelets/fields/field-ops-math.h"
#include "codelets/fields/random-cpu.h"

/**
 * armilla_random_count:
 * @shape: shape of the block
 *
 * Returns: complex coefficients of one of its fields
 */
int64_t
armilla_random_count (const ArmillaRandomShape *shape)
{
  return armilla_block_offset (shape->lmax, shape->m_first, shape->m_last + 1);
}

/**
 * armilla_random_cpu:
 * @shape: shape of the block
 * @cl: double, [n_spectra][lmax_cl + 1]
 * @out: (out): complex double, [field][healpy's order within the block]
 *
 * Draws a block: a field from each spectrum as armilla_random_alm() does, or T, E and B as
 * armilla_random_alm_polarised() does, to the same bits.
 */
void
armilla_random_cpu (const ArmillaRandomShape *shape, const double *cl, double *out)
{
  ArmillaRandomKernel *const draw = ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_random_draw);

  draw (shape, armilla_random_count (shape), cl, out);
}
