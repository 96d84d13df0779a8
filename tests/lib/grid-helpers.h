/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids for tests, which must be there. */
#pragma once

#include <armilla/grid.h>

G_GNUC_UNUSED static ArmillaGrid *
healpix (gint64 nside)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *grid = armilla_grid_new_healpix (nside, &error);

  g_assert_no_error (error);
  return grid;
}

G_GNUC_UNUSED static ArmillaGrid *
from_rings (const ArmillaRing *rings, gint64 n)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *grid = armilla_grid_new_rings (rings, n, &error);

  g_assert_no_error (error);
  return grid;
}
