/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of a map, and who waits for them. */
#include "config.h"

#include "tasks/data/fields-private.h"

static void
forget_source (ArmillaMap *self)
{
  if (self->source.destroy)
    self->source.destroy (self->source.user);
  self->source = (ArmillaMapEnd) { NULL, NULL, NULL };
  g_clear_pointer (&self->filled, g_free);
}

/**
 * armilla_map_drop:
 * @data: a map
 *
 * Gives back its tiles.
 */
void
armilla_map_drop (ArmillaData *data)
{
  ArmillaMap *self = (ArmillaMap *) data;

  g_clear_pointer (&self->mover, armilla_mover_free);
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
  forget_source (self);
}

int
armilla_map_n_fields (ArmillaMap *self)
{
  return self->header.n_fields;
}

/**
 * armilla_map_ring_blocks:
 * @self: a map
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): its ring blocks
 */
ArmillaRingBlocks *
armilla_map_ring_blocks (ArmillaMap *self, ArmillaGraph *graph, GError **error)
{
  return armilla_graph_ring_blocks (graph, self->header.grid, self->header.n_fields, error);
}

static ArmillaMap *
base_of (ArmillaMap *self)
{
  return (ArmillaMap *) armilla_data_base (&self->parent_instance);
}

/**
 * armilla_map_lazy_tiles:
 * @self: a map
 * @graph: a graph
 * @error: return location
 *
 * As armilla_map_tiles(), for those who call armilla_map_tile_begin() and armilla_map_tile_end().
 *
 * Returns: (transfer none) (nullable): its tiles
 */
const ArmillaTile *
armilla_map_lazy_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error)
{
  ArmillaRingBlocks *blocks;

  self = base_of (self);
  if (self->tiles)
    return self->tiles;
  blocks = armilla_map_ring_blocks (self, graph, error);
  if (!blocks)
    return NULL;
  self->tiles = g_new0 (ArmillaTile, blocks->n);
  self->n_tiles = blocks->n;
  for (int b = 0; b < blocks->n; b++)
    if (!armilla_tile_new (graph, blocks->block[b].owner,
                           blocks->block[b].n_pixels * self->header.n_fields, &self->tiles[b],
                           error))
      {
        armilla_map_drop (&self->parent_instance);
        return NULL;
      }
  self->mover = armilla_mover_new (graph, self->tiles, NULL, blocks);
  return self->tiles;
}

/**
 * armilla_map_tiles:
 * @self: a map
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): its tiles, one a ring block, registered at the first call
 */
const ArmillaTile *
armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error)
{
  const ArmillaTile *tiles;

  self = base_of (self);
  tiles = armilla_map_lazy_tiles (self, graph, error);
  for (int b = 0; tiles && b < self->n_tiles; b++)
    if (!armilla_map_tile_begin (self, graph, b, error))
      return NULL;
  if (self->source.take)
    forget_source (self);
  return tiles;
}

/**
 * armilla_map_set_source:
 * @self: a map without sinks that is not a view, whose tiles are registered
 * @fill: submits what writes a tile; may be called several times for each
 * @user: for @fill
 * @destroy: (nullable): frees @user
 *
 * Says how to make the tiles of a map, now and again. It counts as one that has come.
 */
void
armilla_map_set_source (ArmillaMap *self, ArmillaMapSink fill, gpointer user,
                        GDestroyNotify destroy)
{
  g_return_if_fail (self->sinks->len == 0 && self->tiles);
  self->source = (ArmillaMapEnd) { fill, user, destroy };
  self->filled = g_new0 (gboolean, self->n_tiles);
  self->n_come = self->n_tiles;
}

/**
 * armilla_map_set_in_place:
 * @self: a map that is not a view, of a graph of one rank
 * @fields: (array): the pixels of each field, as many as the grid has, in its order, where the
 *   workers that transform rings can reach them; of the caller's, until the tasks of the graph are
 *   done
 *
 * Says where the pixels lie. An analysis reads them there; a synthesis writes them there, and no
 * tile of the map.
 */
void
armilla_map_set_in_place (ArmillaMap *self, double *const *fields)
{
  self->in_place = fields;
}

/**
 * armilla_map_in_place:
 * @self: a map
 *
 * Returns: (nullable): what armilla_map_set_in_place() was told
 */
double *const *
armilla_map_in_place (ArmillaMap *self)
{
  return base_of (self)->in_place;
}

/**
 * armilla_map_tile_begin:
 * @self: a map
 * @graph: the graph
 * @ring_block: number of a tile that tasks will read
 * @error: return location
 *
 * Submits what makes the tile, where nobody has.
 *
 * Returns: whether that was submitted
 */
gboolean
armilla_map_tile_begin (ArmillaMap *self, ArmillaGraph *graph, int ring_block, GError **error)
{
  self = base_of (self);
  if (!self->source.take || self->filled[ring_block])
    return TRUE;
  self->filled[ring_block] = TRUE;
  return self->source.take (graph, self->source.user, ring_block, &self->tiles[ring_block], error);
}

/**
 * armilla_map_tile_end:
 * @self: a map
 * @graph: the graph
 * @ring_block: number of a tile that was begun, and whose readers are submitted
 * @error: return location
 *
 * Gives the tile back where it can be made again.
 *
 * Returns: whether its successor could be registered
 */
gboolean
armilla_map_tile_end (ArmillaMap *self, ArmillaGraph *graph, int ring_block, GError **error)
{
  ArmillaTile *tile;

  self = base_of (self);
  if (!self->source.take || !self->filled[ring_block])
    return TRUE;
  tile = &self->tiles[ring_block];
  self->filled[ring_block] = FALSE;
  armilla_tile_drop (tile);
  return armilla_tile_new (graph, tile->owner, tile->n, tile, error);
}

/**
 * armilla_map_add_sink:
 * @self: a map whose writing is not submitted yet
 * @take: called once for every tile
 * @user: for @take
 * @destroy: (nullable): frees @user
 *
 * Adds a sink, which holds the map's tiles until it has taken the last one.
 */
void
armilla_map_add_sink (ArmillaMap *self, ArmillaMapSink take, gpointer user, GDestroyNotify destroy)
{
  ArmillaMap *base = base_of (self);
  ArmillaMapEnd sink = { take, user, destroy };

  g_array_append_val (base->sinks, sink);
  armilla_data_hold (&base->parent_instance);
}

/**
 * armilla_map_tile_comes:
 * @self: a map
 * @graph: the graph
 * @ring_block: number of a tile
 * @error: return location
 *
 * Says that the task that writes a tile is submitted: the sinks take it. Where only sinks hold the
 * map, the tile is given back at once, so that a map that is only written to a file is never whole.
 *
 * Returns: whether the sinks could take it
 */
gboolean
armilla_map_tile_comes (ArmillaMap *self, ArmillaGraph *graph, int ring_block, GError **error)
{
  ArmillaTile *tile;
  gboolean ok = TRUE;

  /* a view has neither tiles nor sinks */
  self = base_of (self);
  tile = &self->tiles[ring_block];
  for (guint i = 0; ok && i < self->sinks->len; i++)
    {
      ArmillaMapEnd *sink = &g_array_index (self->sinks, ArmillaMapEnd, i);

      ok = sink->take (graph, sink->user, ring_block, tile, error);
    }
  if (armilla_data_holds (&self->parent_instance) == (int) self->sinks->len)
    armilla_tile_drop (tile);
  if (++self->n_come == self->n_tiles)
    for (guint i = self->sinks->len; i > 0; i--)
      armilla_data_let_go (&self->parent_instance);
  return ok;
}

/**
 * armilla_map_has_sinks:
 * @self: a map
 *
 * Returns: whether somebody waits for its tiles
 */
gboolean
armilla_map_has_sinks (ArmillaMap *self)
{
  return base_of (self)->sinks->len > 0;
}

/**
 * armilla_map_has_come:
 * @self: a map
 *
 * Returns: whether the writing of its tiles is submitted, so that it is too late for a sink
 */
gboolean
armilla_map_has_come (ArmillaMap *self)
{
  return base_of (self)->n_come > 0;
}
