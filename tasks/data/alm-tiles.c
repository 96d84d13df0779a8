/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/fields-private.h"

/**
 * armilla_alm_drop:
 * @data: a_lm
 *
 * Gives back their tiles.
 */
void
armilla_alm_drop (ArmillaData *data)
{
  ArmillaAlm *self = (ArmillaAlm *) data;

  g_clear_pointer (&self->mover, armilla_mover_free);
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
}

/**
 * armilla_alm_layout:
 * @self: a_lm
 *
 * Returns: lmax and mmax
 */
ArmillaAlmLayout
armilla_alm_layout (ArmillaAlm *self)
{
  return self->layout;
}

/**
 * armilla_alm_n_fields:
 * @self: a_lm
 *
 * Returns: number of fields
 */
int
armilla_alm_n_fields (ArmillaAlm *self)
{
  return self->n_fields;
}

/**
 * armilla_alm_order_blocks:
 * @self: a_lm
 * @graph: a graph
 *
 * Returns: (transfer none): its m-blocks
 */
ArmillaOrderBlocks *
armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph)
{
  return armilla_graph_order_blocks (graph, self->layout, self->n_fields);
}

/**
 * armilla_alm_tiles:
 * @self: a_lm
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): its tiles, one an m-block, registered at the first call
 */
const ArmillaTile *
armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error)
{
  ArmillaOrderBlocks *blocks;

  if (self->tiles)
    return self->tiles;
  blocks = armilla_alm_order_blocks (self, graph);
  self->tiles = g_new0 (ArmillaTile, blocks->n);
  self->n_tiles = blocks->n;
  for (int b = 0; b < blocks->n; b++)
    if (!armilla_tile_new (graph, blocks->owner[b],
                           2 * armilla_order_block_count (blocks, b) * self->n_fields,
                           &self->tiles[b], error))
      {
        armilla_alm_drop (&self->parent_instance);
        return NULL;
      }
  self->mover = armilla_mover_new (graph, self->tiles, blocks, NULL);
  return self->tiles;
}
