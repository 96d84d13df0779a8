/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of a map, and their consumers. tasks/data/tap.c calls armilla_map_pieces() for the
 * contiguous pieces of a tile. */
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
  return self->header.fields.n;
}

ArmillaRingBlocks *
armilla_map_ring_blocks (ArmillaMap *self, ArmillaGraph *graph, GError **error)
{
  return armilla_graph_ring_blocks (graph, self->header.grid, self->header.fields.n, error);
}

static ArmillaMap *
base_of (ArmillaMap *self)
{
  return (ArmillaMap *) armilla_data_base (&self->parent_instance);
}

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
                           blocks->block[b].n_pixels * self->header.fields.n, &self->tiles[b],
                           error))
      {
        armilla_map_drop (&self->parent_instance);
        return NULL;
      }
  self->mover = armilla_mover_new (graph, self->tiles, NULL, blocks);
  return self->tiles;
}

const ArmillaTile *
armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error)
{
  const ArmillaTile *tiles;

  self = base_of (self);
  tiles = armilla_map_lazy_tiles (self, graph, error);
  for (int b = 0; tiles && b < self->n_tiles; b++)
    if (!armilla_map_begin (&self->parent_instance, graph, b, error))
      return NULL;
  if (self->source.take)
    forget_source (self);
  return tiles;
}

/* Sets the addresses of the pixels of each field, in the grid's order, in memory that the workers
 * of ring transforms can access, until the tasks of the graph are done. An analysis reads them and
 * a synthesis writes them without tiles. The graph must have one rank; the map must not be a
 * view. */
void
armilla_map_set_in_place (ArmillaMap *self, double *const *fields)
{
  self->in_place = fields;
}

/* Returns the pixels of armilla_map_set_in_place (), or NULL. */
double *const *
armilla_map_in_place (ArmillaMap *self)
{
  return base_of (self)->in_place;
}

/* Submits the producer of the tile unless it has been submitted. */
gboolean
armilla_map_begin (ArmillaData *data, ArmillaGraph *graph, int ring_block, GError **error)
{
  ArmillaMap *self = base_of ((ArmillaMap *) data);

  if (!self->source.take || self->filled[ring_block])
    return TRUE;
  self->filled[ring_block] = TRUE;
  return self->source.take (graph, self->source.user, ring_block, &self->tiles[ring_block], error);
}

/* Drops a tile if it can be computed again; its readers must have been submitted. */
gboolean
armilla_map_end (ArmillaData *data, ArmillaGraph *graph, int ring_block, GError **error)
{
  ArmillaMap *self = base_of ((ArmillaMap *) data);
  ArmillaTile *tile;

  if (!self->source.take || !self->filled[ring_block])
    return TRUE;
  tile = &self->tiles[ring_block];
  self->filled[ring_block] = FALSE;
  armilla_tile_drop (tile);
  return armilla_tile_new (graph, tile->owner, tile->n, tile, error);
}

/* Passes a tile whose producer is submitted to the sinks. If only sinks use the map, the tile is
 * dropped at once: a map that is only written to a file is never complete in memory. */
gboolean
armilla_map_pass (ArmillaData *data, ArmillaGraph *graph, int ring_block, GError **error)
{
  ArmillaMap *self = base_of ((ArmillaMap *) data); /* a view has neither tiles nor sinks */
  ArmillaTile *tile;
  gboolean ok = TRUE;

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
      armilla_data_unhold (&self->parent_instance);
  return ok;
}

/* Functions of the class, see ArmillaDataVerbs. */
const ArmillaTile *
armilla_map_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  return armilla_map_lazy_tiles ((ArmillaMap *) data, graph, error);
}

gboolean
armilla_map_listen (ArmillaData *data, ArmillaTileCall take, gpointer user, GDestroyNotify destroy)
{
  ArmillaMap *self = base_of ((ArmillaMap *) data);
  const ArmillaMapEnd sink = { take, user, destroy };

  if (self->n_come > 0)
    return FALSE;
  g_array_append_val (self->sinks, sink);
  armilla_data_hold (&self->parent_instance); /* released when the sink has read the last tile */
  return TRUE;
}

gboolean
armilla_map_renew (ArmillaData *data, ArmillaTileCall fill, gpointer user, GDestroyNotify destroy)
{
  ArmillaMap *self = (ArmillaMap *) data;

  g_return_val_if_fail (self->tiles, FALSE); /* a view has no tiles */
  if (self->sinks->len > 0)
    return FALSE;
  self->source = (ArmillaMapEnd) { fill, user, destroy };
  self->filled = g_new0 (gboolean, self->n_tiles);
  self->n_come = self->n_tiles;
  return TRUE;
}

gboolean
armilla_map_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  ArmillaMap *self = (ArmillaMap *) data;

  cut->rings = armilla_map_ring_blocks (self, graph, error);
  cut->n_tiles = cut->rings ? cut->rings->n : 0;
  cut->n_fields = self->header.fields.n;
  cut->n_numbers = self->header.grid->n_pixels;
  return cut->rings != NULL;
}

/* Enumerates the pieces of a tile: runs of pixels that are contiguous both in the tile and in the
 * map. */
gboolean
armilla_map_pieces (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                    gpointer user, GError **error)
{
  const ArmillaRingBlock *block = &cut->rings->block[tile];

  for (int f = 0; f < cut->n_fields; f++)
    for (ArmillaRun run = { 0 }; armilla_ring_block_next_run (block, &run);)
      {
        ArmillaPiece piece = {
          .field = f, .first = run.first, .last = run.first + run.n - 1, .n = run.n,
          .values = values + f * block->n_pixels + run.start, .n_values = run.n,
          .place = f * cut->n_numbers + run.first
        };

        if (!call (user, &piece, error))
          return FALSE;
      }
  return TRUE;
}
