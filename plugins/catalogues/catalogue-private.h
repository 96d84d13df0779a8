/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/grids/footprint.h"
#include "plugins/base/stage-util.h"

G_BEGIN_DECLS

/* Coordinates of catalogues; the letters are those of COORDSYS. */
typedef enum { COORDINATES_EQUATORIAL, COORDINATES_GALACTIC, COORDINATES_ECLIPTIC } Coordinates;

extern const char *const armilla_catalogue_coordinates[];

char armilla_catalogue_coordinates_letter (Coordinates coordinates);

/* An empty footprint for the map at an optional port "mask"; *footprint is NULL without one. */
gboolean armilla_catalogue_mask_prepare (ArmillaData *mask, ArmillaFootprint **footprint,
                                         GError **error);

G_END_DECLS
