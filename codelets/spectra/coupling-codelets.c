/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/spectra/coupling-codelets.h"

#include <math.h>

#include "codelets/spectra/coupling-math.h"

#define ABOVE (args->shape.row != args->shape.col ? ARMILLA_BUFFER (2) : NULL)

/* Returns the approximate number of terms of the even or odd sums of a block: on each diagonal the
 * mean of the first and the last column. */
static double
count_terms (const ArmillaCouplingShape *shape, int odd)
{
  const gint64 last = armilla_coupling_last_diagonal (shape);
  double terms = 0;

  for (gint64 d = armilla_coupling_first_diagonal (shape); d <= last; d++)
    {
      const gint64 a = armilla_coupling_first_column (shape, d);
      const gint64 b = armilla_coupling_last_column (shape, d);

      terms += 0.5 * (double) (b + 1 - a)
               * (double) (armilla_coupling_terms (shape, d, a, odd)
                           + armilla_coupling_terms (shape, d, b, odd));
    }
  return terms;
}

static ArmillaCost
cost_of (const ArmillaCouplingShape *shape)
{
  const double table = (double) armilla_coupling_table_size (shape->lmax, shape->mask_lmax);
  const double entries = (shape->row == shape->col ? 1.0 : 2.0) * (double) shape->n_rows
                         * (double) shape->n_cols;
  double flops = 0;
  int n_kinds = 0;

  for (int kind = 1; kind <= ARMILLA_COUPLING_LAST; kind *= 2)
    n_kinds += (shape->kinds & kind) != 0;
  if (shape->kinds != ARMILLA_COUPLING_MM)
    flops += (shape->kinds == ARMILLA_COUPLING_00 ? 3 : 9) * count_terms (shape, 0);
  if (shape->kinds & ARMILLA_COUPLING_MM)
    flops += 6 * count_terms (shape, 1);
  return (ArmillaCost) { flops, 8 * (table + n_kinds * entries) };
}

ARMILLA_CPU_WRAPPER (coupling, ArmillaCouplingArgs,
                     armilla_coupling_cpu (&args->shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                           ABOVE))
ARMILLA_CUDA_WRAPPER (coupling, ArmillaCouplingArgs,
                      armilla_coupling_launch (&args->shape, ARMILLA_BUFFER (0),
                                               ARMILLA_BUFFER (1), ABOVE, stream))
ARMILLA_COST (coupling, ArmillaCouplingArgs, cost_of (&args->shape))
ArmillaCodelet armilla_coupling_cl = ARMILLA_CODELET (coupling, "1");
