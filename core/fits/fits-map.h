/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-input.h"

#include <armilla/grid.h>
#include <armilla/map-header.h>

G_BEGIN_DECLS

/* A map beyond this has more than 5e10 pixels; a small file whose header declares it is damaged. */
#define ARMILLA_FITS_NSIDE_LIMIT 65536

/* Layout of a map in its file. */
typedef struct {
  int hdu;
  gboolean image;          /* fields in sequence in an image */
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

/* Returns healpy's name of a field without one; the caller frees it. */
char *armilla_map_default_name (int field, int n_fields);

G_END_DECLS
