/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/fields-private.h"

int
armilla_cl_n_fields (ArmillaCl *self)
{
  return self->fields.n;
}

const ArmillaTile *
armilla_cl_tile (ArmillaCl *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle
      && !armilla_tile_new (graph, 0, (self->lmax + 1) * self->fields.n, &self->tile, error))
    return NULL;
  return &self->tile;
}

/* Returns a tile of @n numbers that are computed from the spectra, which all realisations share: it
 * lives as long as the spectra's own. @by: how they are computed; @is_new: set to whether the
 * caller must fill the tile */
const ArmillaTile *
armilla_cl_derived_tile (ArmillaCl *self, ArmillaGraph *graph, gint64 n, GBytes *by,
                         gboolean *is_new, GError **error)
{
  *is_new = !self->derived_by || !g_bytes_equal (by, self->derived_by);
  if (!*is_new)
    return &self->derived;
  armilla_tile_drop (&self->derived);
  g_clear_pointer (&self->derived_by, g_bytes_unref);
  if (!armilla_tile_new (graph, 0, n, &self->derived, error))
    return NULL;
  self->derived_by = g_bytes_ref (by);
  return &self->derived;
}
