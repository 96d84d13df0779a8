/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the constructors of grids. */
#pragma once

#include <armilla/grid.h>

#include "core/base/double-double.h"
#include "core/grids/car.h"

/* maximum number of rings: more than any transform can use, but still accurate and fast to
 * compute */
#define ARMILLA_MAX_THETA (G_GINT64_CONSTANT (1) << 17)
/* maximum number of pixels of a ring, so that all products in this program fit into 64 bits */
#define ARMILLA_MAX_N_PHI (G_GINT64_CONSTANT (1) << 36)
#define ARMILLA_MAX_RINGS ((G_GINT64_CONSTANT (1) << 31) - 1)
#define ARMILLA_MAX_PIXELS (G_GINT64_CONSTANT (1) << 62)

ArmillaRing *armilla_rings_alloc (gint64 n_rings, GError **error);
gboolean armilla_rings_check_size (const char *kind, gint64 n_theta, gint64 min_theta, gint64 n_phi,
                                   GError **error);
gint64 armilla_rings_find_pairs (const ArmillaRing *rings, gint64 n_rings, ArmillaRingPair *pairs);
gint64 *armilla_rings_by_offset (const ArmillaRing *rings, gint64 n_rings);
ArmillaGrid *armilla_grid_take_part (ArmillaGrid *whole, ArmillaRing *rings, gint64 n_rings,
                                     GError **error);
ArmillaGrid *armilla_grid_take (ArmillaGridKind kind, gint64 nside, ArmillaRing *rings,
                                gint64 n_rings, GError **error);

/* The flag is set if the ring weights are the user's, not those of the kind of grid. */
void armilla_grid_set_weighted (ArmillaGrid *grid);
gboolean armilla_grid_is_weighted (const ArmillaGrid *grid);

/* These set and return the image from which a whole grid was made, and the ring of the northernmost
 * row of the image. */
void armilla_grid_set_car (ArmillaGrid *grid, const ArmillaCar *car, gint64 first_ring);
gboolean armilla_grid_get_car (const ArmillaGrid *grid, ArmillaCar *car, gint64 *first_ring);

/* Sets ring @i of @n and its mirror image, with @n_phi pixels each, the first at azimuth 0. @weight
 * is the ring's weight in the integral over cos (theta). */
void armilla_rings_set_mirrored (ArmillaRing *rings, gint64 n, gint64 i, gint64 n_phi,
                                 ArmillaDd cosine, ArmillaDd sine, double weight);
