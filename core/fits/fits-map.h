/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-input.h"

#include "core/grids/car.h"

#include <armilla/grid.h>
#include <armilla/map-header.h>

G_BEGIN_DECLS

/* A map beyond this has more than 5e10 pixels; a small file whose header declares it is damaged. */
#define ARMILLA_FITS_NSIDE_LIMIT 65536

/* Layout of a map in its file. */
typedef struct {
  int hdu;
  gboolean image;          /* fields in sequence in an image */
  ArmillaCar car;          /* an image of a part of the sky; n_x is 0 for others */
  gint64 first_ring;       /* ring in its northernmost row */
  int pixel_column;        /* column of pixel numbers, -1 with implicit indexing */
  int first_column;        /* column of field 0 */
  gint64 n_listed;         /* number of values per column */
  char *note;              /* warning about an unknown keyword value; NULL: none */
} ArmillaMapLayout;

gboolean armilla_map_layout_find (ArmillaFitsInput *input, int hdu, ArmillaMapHeader *header,
                                  ArmillaMapLayout *layout, GError **error);

/* In fits-map-grid.c: grids other than HEALPix. */
const char *armilla_grid_pixtype (ArmillaGridKind kind);
gboolean armilla_grid_kind_from_pixtype (const char *pixtype, ArmillaGridKind *kind);
ArmillaGrid *armilla_map_grid_read (ArmillaFitsInput *input, int number, ArmillaGridKind kind,
                                    GError **error);
ArmillaGrid *armilla_map_rings_read (ArmillaFitsInput *input, int number, GError **error);

/* In fits-car.c: images in the projection CAR. */
gboolean armilla_fits_has_sky_axes (ArmillaFitsInput *input);
gboolean armilla_map_car_read (ArmillaFitsInput *input, ArmillaMapHeader *header,
                               ArmillaMapLayout *layout, GError **error);
gboolean armilla_map_stokes_read (ArmillaFitsInput *input, ArmillaFields *fields, char **note,
                                  GError **error);
gboolean armilla_car_read_cards (ArmillaCar *car, const char *cards, char *letter, GError **error);
void armilla_map_car_put (GString *cards, const ArmillaCar *car, const ArmillaFields *fields);

/* Returns healpy's name of a field without one; the caller frees it. */
char *armilla_map_default_name (int field, int n_fields);

G_END_DECLS
