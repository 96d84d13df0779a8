/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/shapes.h"

/* Returns whether their grids have the same pixels, whatever their quadrature weights. */
gboolean
armilla_check_same_pixels (ArmillaMap *a, ArmillaMap *b, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (armilla_grid_same_pixels (armilla_map_grid (a), armilla_map_grid (b)))
    return TRUE;
  first = armilla_grid_describe (armilla_map_grid (a));
  second = armilla_grid_describe (armilla_map_grid (b));
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "one map is %s, the other %s; they must have the same pixels", first,
                       second);
}

/* Returns whether they have the same lmax and mmax. */
gboolean
armilla_check_same_layout (ArmillaAlm *a, ArmillaAlm *b, GError **error)
{
  ArmillaAlmLayout first = armilla_alm_layout (a), second = armilla_alm_layout (b);

  if (first.lmax == second.lmax && first.mmax == second.mmax)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "a_lm of lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT " do not "
                       "match those of lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT,
                       first.lmax, first.mmax, second.lmax, second.mmax);
}
