/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/fields-private.h"

/**
 * armilla_cl_n_fields:
 * @self: spectra
 *
 * Returns: number of spectra
 */
int
armilla_cl_n_fields (ArmillaCl *self)
{
  return self->n_fields;
}

/**
 * armilla_cl_tile:
 * @self: spectra
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): the one tile, owned by rank 0, made at the first call;
 *   %ARMILLA_ERROR_MEMORY when it is beyond what StarPU can hold
 */
const ArmillaTile *
armilla_cl_tile (ArmillaCl *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle
      && !armilla_tile_new (graph, 0, (self->lmax + 1) * self->n_fields, &self->tile, error))
    return NULL;
  return &self->tile;
}
