/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/fields-private.h"

int
armilla_cl_n_fields (ArmillaCl *self)
{
  return self->fields.n;
}

/* Returns TRUE at its first call for @polarised = FALSE, and at its first call for TRUE: the caller
 * then checks the values of the spectra. */
gboolean
armilla_cl_check_once (ArmillaCl *self, gboolean polarised)
{
  const gboolean checked = self->checked[polarised];

  self->checked[polarised] = TRUE;
  return !checked;
}

const ArmillaTile *
armilla_cl_tile (ArmillaCl *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle
      && !armilla_tile_new (graph, 0, (self->lmax + 1) * self->fields.n, &self->tile, error))
    return NULL;
  return &self->tile;
}
