/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/grids/footprint.h"
#include "plugins/base/stage-util.h"

G_BEGIN_DECLS

/* Coordinates of catalogues; the letters are the values of COORDSYS. A box has none. */
typedef enum {
  COORDINATES_EQUATORIAL,
  COORDINATES_GALACTIC,
  COORDINATES_ECLIPTIC,
  COORDINATES_BOX
} Coordinates;

/* coordinates on the sky, and those of read-catalogue */
extern const char *const armilla_catalogue_coordinates[];
extern const char *const armilla_catalogue_coordinates_or_box[];

char armilla_catalogue_coordinates_letter (Coordinates coordinates);

/* Creates an empty footprint for the map at the optional port "mask"; NULL without one. */
gboolean armilla_catalogue_mask_prepare (ArmillaData *mask, ArmillaFootprint **footprint,
                                         GError **error);

G_END_DECLS
