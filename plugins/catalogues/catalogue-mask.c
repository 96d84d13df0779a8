/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the stages that create catalogues. */
#include <string.h>

#include "plugins/catalogues/catalogue-private.h"

const char *const armilla_catalogue_coordinates[] = {
  [COORDINATES_EQUATORIAL] = "equatorial", [COORDINATES_GALACTIC] = "galactic",
  [COORDINATES_ECLIPTIC] = "ecliptic", NULL,
};

const char *const armilla_catalogue_coordinates_or_box[] = {
  [COORDINATES_EQUATORIAL] = "equatorial", [COORDINATES_GALACTIC] = "galactic",
  [COORDINATES_ECLIPTIC] = "ecliptic", [COORDINATES_BOX] = "box", NULL,
};

char
armilla_catalogue_coordinates_letter (Coordinates coordinates)
{
  return "CGE"[coordinates];
}

/* Sets @footprint to a new, empty one for the mask, or to NULL if @mask is NULL.
 * ARMILLA_ERROR_SHAPE unless the mask is a HEALPix map. */
gboolean
armilla_catalogue_mask_prepare (ArmillaData *mask, ArmillaFootprint **footprint, GError **error)
{
  const ArmillaMapHeader *header;

  g_clear_pointer (footprint, armilla_footprint_unref);
  if (mask == NULL)
    return TRUE;
  header = armilla_map_header (ARMILLA_MAP (mask));
  if (header->grid->kind != ARMILLA_GRID_HEALPIX)
    {
      g_autofree char *grid = armilla_grid_describe (header->grid);

      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "mask is %s; a catalogue needs a HEALPix map", grid);
    }
  *footprint = armilla_footprint_new (header->grid->nside, error);
  if (*footprint == NULL)
    return FALSE;
  if (header->fields.coordsys != NULL && strlen (header->fields.coordsys) == 1
      && strchr ("CGE", *header->fields.coordsys) != NULL)
    (*footprint)->coordsys = *header->fields.coordsys;
  return TRUE;
}
