/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of grids beyond armilla/grid.h, and coordinate systems. Grids are immutable: any number
 * of threads may share them. */
#pragma once

#include <armilla/grid.h>

G_BEGIN_DECLS

ArmillaGrid *armilla_grid_with_ring_weights (ArmillaGrid *grid, const double *factor,
                                             gint64 n_factors, GError **error);
ArmillaGrid *armilla_grid_select_theta (ArmillaGrid *grid, double theta_min, double theta_max,
                                        GError **error);
gint64 armilla_grid_exact_lmax (ArmillaGridKind kind, gint64 n_rings);
gint64 armilla_grid_held_lmax (const ArmillaGrid *whole);
gint64 armilla_grid_mask_lmax (const ArmillaGrid *whole, gint64 lmax);
ArmillaGrid *armilla_grid_whole (ArmillaGrid *grid);
ArmillaGrid *armilla_grid_new_unweighted (gint64 n_theta, gint64 n_phi, GError **error);
gint64 armilla_grid_ring_of (const ArmillaGrid *grid, gint64 pixel);
void armilla_grid_fill_pairs (const ArmillaGrid *grid, gint64 first, gint64 n, double *pairs);
char armilla_coordinates_letter (const char *word);
gboolean armilla_coordinates_angles (char from, char to, double angles[3], GError **error);

G_END_DECLS
