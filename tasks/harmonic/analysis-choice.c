/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Default iterations of an analysis: one rule for stages and arrays. */
#include "config.h"

#include "core/grids/grid.h"
#include "tasks/harmonic/harmonic.h"

#define USUAL_ITERATIONS 3 /* same as healpy */

static gboolean
check_held (ArmillaGrid *grid, ArmillaAlmLayout layout, gint64 held, GError **error)
{
  const gint64 held_mmax = (grid->rings[0].n_phi - 1) / 2;
  g_autofree char *text = NULL;

  if (layout.lmax <= held && layout.mmax <= held_mmax)
    return TRUE;
  text = armilla_grid_describe (grid);
  if (layout.lmax > held)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax = %" G_GINT64_FORMAT ": the rings of the grid %s determine "
                         "multipoles up to lmax = "
                         "%" G_GINT64_FORMAT "; lower lmax, use more rings, or set "
                         "iterations or conjugate gradients", layout.lmax, text, held);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "mmax = %" G_GINT64_FORMAT ": the pixels of a ring of the grid %s resolve "
                       "orders up to mmax = %" G_GINT64_FORMAT " (n_phi must be at least 2 mmax + "
                       "1); lower mmax, use more pixels, or set iterations or conjugate gradients",
                       layout.mmax, text, held_mmax);
}

/* Chooses the iterations of an analysis unless @how requests some, or conjugate gradients. Returns
 * FALSE with ARMILLA_ERROR_VALUE if the a_lm would be wrong without them: the grid is neither
 * HEALPix nor rings of the caller, and has too few rings or pixels. */
gboolean
armilla_analysis_choose (ArmillaGrid *grid, ArmillaAlmLayout layout, ArmillaAnalysis *how,
                         GError **error)
{
  ArmillaGrid *whole = armilla_grid_whole (grid);
  const gint64 exact = armilla_grid_exact_lmax (whole->kind, whole->n_rings);

  if (how->tolerance > 0 || how->iterations > 0)
    return TRUE;
  if (exact >= 0 && !check_held (whole, layout, armilla_grid_held_lmax (whole), error))
    return FALSE;
  if (how->iterations < 0)
    how->iterations = exact < 0 ? USUAL_ITERATIONS : 0;
  return TRUE;
}

/* Returns whether an analysis without iterations is exact only because it resamples Delta in theta,
 * since the quadrature on the rings is not exact for these multipoles; see
 * codelets/theta/theta-resample.h. */
gboolean
armilla_analysis_resamples (ArmillaGrid *grid, gint64 lmax)
{
  const ArmillaGrid *whole = armilla_grid_whole (grid);

  return lmax > armilla_grid_exact_lmax (whole->kind, whole->n_rings)
         && lmax <= armilla_grid_held_lmax (whole);
}
