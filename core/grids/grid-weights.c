/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>
#include <string.h>

#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

/* Applies weights to a part of a grid: the whole grid determines which factor belongs to which
 * ring. */
static ArmillaGrid *
weigh_part (ArmillaGrid *grid, const double *factor, gint64 n_factors, GError **error)
{
  g_autoptr (ArmillaGrid) weighed
    = armilla_grid_with_ring_weights (armilla_grid_whole (grid), factor, n_factors, error);
  g_autofree gboolean *wanted = NULL;

  if (weighed == NULL)
    return NULL;
  wanted = g_new (gboolean, weighed->n_rings);
  for (gint64 i = 0; i < weighed->n_rings; i++)
    wanted[i] = armilla_grid_ring_of (grid, weighed->rings[i].offset) >= 0;
  return armilla_grid_select_rings (weighed, wanted, error);
}

/* Copies the grid with other quadrature weights: ring r from the north and its mirror image get w_r
 * times @factor[r]. HEALPix's ring weight files hold factor - 1: add 1. Returns a new grid; NULL
 * with ARMILLA_ERROR_SHAPE if the number of factors is wrong, ARMILLA_ERROR_VALUE if one is not
 * finite. */
ArmillaGrid *
armilla_grid_with_ring_weights (ArmillaGrid *grid, const double *factor, gint64 n_factors,
                                GError **error)
{
  ArmillaGrid *weighted;
  ArmillaRing *rings;
  ArmillaCar car;
  gint64 first;

  if (armilla_grid_whole (grid) != grid)
    return weigh_part (grid, factor, n_factors, error);
  if (n_factors != grid->n_pairs)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%" G_GINT64_FORMAT " ring weights for a grid that needs %"
                              G_GINT64_FORMAT ", one for each ring from the pole to the equator",
                              n_factors, grid->n_pairs);
  for (gint64 p = 0; p < n_factors; p++)
    if (!isfinite (factor[p]))
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "ring weight %" G_GINT64_FORMAT " (from 0) is not a finite number",
                                p);
  rings = armilla_rings_alloc (grid->n_rings, error);
  if (rings == NULL)
    return NULL;
  memcpy (rings, grid->rings, grid->n_rings * sizeof *rings);
  for (gint64 p = 0; p < n_factors; p++)
    {
      if (grid->pairs[p].north >= 0)
        rings[grid->pairs[p].north].weight *= factor[p];
      if (grid->pairs[p].south >= 0)
        rings[grid->pairs[p].south].weight *= factor[p];
    }
  weighted = armilla_grid_take (grid->kind, grid->nside, rings, grid->n_rings, error);
  if (weighted == NULL)
    return NULL;
  armilla_grid_set_weighted (weighted);
  if (armilla_grid_get_car (grid, &car, &first))
    armilla_grid_set_car (weighted, &car, first);
  return weighted;
}
