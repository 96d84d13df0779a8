/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"

#include <math.h>

/* Returns the multipole above which the pixels of the grid alias completely: 4 nside for HEALPix,
 * otherwise the multipole whose wavelength is two ring distances. */
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

/* Returns whether the pixels of @grid sample the kernel: at the finest scale that they resolve, b_l
 * must be at most half of its maximum. */
gboolean
armilla_convolve_check_width (const ArmillaKernel *kernel, const ArmillaGrid *grid, GError **error)
{
  const gint64 finest = armilla_convolve_degrees (grid);
  g_autofree double *window = g_new (double, finest + 1);
  double largest = 0;

  armilla_kernel_window (kernel, finest, window);
  for (gint64 l = 0; l <= finest; l++)
    largest = MAX (largest, fabs (window[l]));
  if (fabs (window[finest]) <= 0.5 * largest)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the kernel (%s) is narrower than a pixel: %.0f %% of b_l are left at l = %"
                       G_GINT64_FORMAT ", the highest multipole that this grid resolves; use a "
                                       "finer map, or smooth-alm", armilla_kernel_describe (kernel),
                       100 * fabs (window[finest]) / largest, finest);
}
