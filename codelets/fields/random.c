/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/random.h"

#include <armilla/alm.h>

#include "codelets/fields/field-ops-math.h"

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
 * Draws a block by armilla_random_alm(), a field from each spectrum, or by
 * armilla_random_alm_polarised().
 */
void
armilla_random_cpu (const ArmillaRandomShape *shape, const double *cl, double *out)
{
  const int64_t count = armilla_random_count (shape);

  if (shape->n_spectra != shape->n_fields)
    armilla_random_alm_polarised (cl, (int) shape->n_spectra, shape->lmax_cl, shape->lmax,
                                  shape->m_first, shape->m_last, shape->seed, shape->realisation,
                                  out);
  else
    for (int64_t f = 0; f < shape->n_fields; f++)
      armilla_random_alm (cl + f * (shape->lmax_cl + 1), shape->lmax_cl, shape->lmax,
                          shape->m_first, shape->m_last, shape->seed, shape->realisation,
                          (uint64_t) f, out + 2 * f * count);
}
