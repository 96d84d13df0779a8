/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-input.h"

#include <armilla/grid.h>
#include <armilla/map-header.h>

G_BEGIN_DECLS

/* Beyond this a map has more than 5e10 pixels; a header that reports it in a small file is
   damaged. */
#define ARMILLA_FITS_NSIDE_LIMIT 65536

/* Where the values of a map are in its file. */
typedef struct {
  int hdu;
  gboolean image;          /* fields one after the other in an image */
  int pixel_column;        /* column with pixel numbers, -1 with implicit indexing */
  int first_column;        /* column of field 0 */
  gint64 n_listed;         /* values in each column */
  char *note;              /* what of the header is not understood; NULL: all is */
} ArmillaMapLayout;

gboolean armilla_map_layout_find (ArmillaFitsInput *input, int hdu, ArmillaMapHeader *header,
                                  ArmillaMapLayout *layout, GError **error);

/* fits-map-grid.c: grids other than HEALPix. */
const char *armilla_grid_pixtype (ArmillaGridKind kind);
gboolean armilla_grid_kind_from_pixtype (const char *pixtype, ArmillaGridKind *kind);
ArmillaGrid *armilla_map_grid_read (ArmillaFitsInput *input, int number, ArmillaGridKind kind,
                                    GError **error);
ArmillaGrid *armilla_map_rings_read (ArmillaFitsInput *input, int number, GError **error);

/* Names that healpy gives to fields without one; caller frees. */
char *armilla_map_default_name (int field, int n_fields);

G_END_DECLS
