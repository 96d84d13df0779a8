/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>

#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

/* Tolerance (radian) of the ends of a range, since angles are rounded. */
#define SLACK 1e-12

ArmillaGrid *
armilla_grid_select_rings (ArmillaGrid *grid, const gboolean *wanted, GError **error)
{
  g_autofree ArmillaRing *rings = armilla_rings_alloc (grid->n_rings, error);
  gint64 n = 0;

  if (rings == NULL)
    return NULL;
  for (gint64 i = 0; i < grid->n_rings; i++)
    if (wanted[i])
      rings[n++] = grid->rings[i];
  if (n == grid->n_rings)
    return armilla_grid_ref (grid);
  if (n == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "none of the %" G_GINT64_FORMAT " rings is selected; must be at "
                                                              "least one", grid->n_rings);
  return armilla_grid_take_part (armilla_grid_whole (grid), g_steal_pointer (&rings), n, error);
}

/* Selects the rings of @grid from one co-latitude to another, both included (to 1e-12). Returns
 * like armilla_grid_select_rings(). @theta_min: minimum co-latitude, radian; @theta_max: maximum
 * co-latitude, radian. */
ArmillaGrid *
armilla_grid_select_theta (ArmillaGrid *grid, double theta_min, double theta_max, GError **error)
{
  g_autofree gboolean *wanted = g_new (gboolean, grid->n_rings);
  g_autofree char *what = NULL;
  gint64 n = 0;

  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      double theta = atan2 (grid->rings[i].sin_theta, grid->rings[i].cos_theta);

      wanted[i] = theta >= theta_min - SLACK && theta <= theta_max + SLACK;
      n += wanted[i];
    }
  if (n > 0)
    return armilla_grid_select_rings (grid, wanted, error);
  what = armilla_grid_describe (grid);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "theta-min = %g deg and theta-max = %g deg: %s has no ring between "
                            "them", theta_min * 180 / G_PI, theta_max * 180 / G_PI, what);
}
