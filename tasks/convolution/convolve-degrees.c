/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/convolve.h>
#include <math.h>

/**
 * armilla_convolve_degrees:
 * @grid: a grid
 *
 * Returns: the degree beyond which its pixels tell nothing apart: 4 nside for HEALPix, elsewhere
 *   that of a wave of two rings
 */
gint64
armilla_convolve_degrees (const ArmillaGrid *grid)
{
  double from, to;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return 4 * grid->nside;
  if (grid->n_rings < 2)
    return 1;
  from = atan2 (grid->rings[0].sin_theta, grid->rings[0].cos_theta);
  to = atan2 (grid->rings[grid->n_rings - 1].sin_theta, grid->rings[grid->n_rings - 1].cos_theta);
  return MAX (1, (gint64) (G_PI * (double) (grid->n_rings - 1) / fabs (to - from) + 1e-6) - 1);
}
