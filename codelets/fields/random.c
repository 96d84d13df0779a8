/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/random.h"

#include "codelets/fields/field-ops-math.h"
#include "codelets/fields/noise.h"
#include "codelets/fields/random-cpu.h"

/* Returns the number of complex coefficients of one field of the block. */
int64_t
armilla_random_count (const ArmillaRandomShape *shape)
{
  return armilla_block_offset (shape->lmax, shape->m_first, shape->m_last + 1);
}

void
armilla_random_cpu (const ArmillaRandomShape *shape, const double *factor, double *out)
{
  ArmillaRandomKernel *const draw = ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_random_draw);

  draw (shape, armilla_random_count (shape), factor, out);
}

/* Draws white noise. The numbers of pixel p come from Philox4x64-10 (Salmon et al. 2011) with the
 * key {seed, realisation} and the counter {p, 0, 0, 3}; its words are made uniform by u = ((x >>
 * 11) + 0.5) 2^-53 and Gaussian by Box-Muller: field 0 has sqrt (-2 ln u0) cos (2 pi u1), field 1
 * the sine, field 2 the cosine of words 2 and 3. So a number depends only on seed, realisation,
 * pixel and field, not on tiles or ranks. All operations are those of core/base/random-draw.h: all
 * machines draw the same bits. Thread-safe. */
void
armilla_random_noise (guint64 seed, guint64 realisation, int n_fields, gint64 first, gint64 n,
                      double *const *out)
{
  ArmillaNoiseKernel *const draw = ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_noise_draw);

  draw (seed, realisation, n_fields, first, n, out);
}
