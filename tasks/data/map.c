/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/data-private.h"
#include "tasks/ranks/balance.h"

typedef struct {
  ArmillaMapSink take;
  gpointer user;
  GDestroyNotify destroy;
} Sink;

struct _ArmillaMap {
  ArmillaData parent_instance;
  ArmillaMapHeader header;
  ArmillaTile *tiles;
  ArmillaMover *mover;
  int n_tiles, n_come; /* tiles, and those whose writing is submitted */
  GArray *sinks;       /* Sink */
  Sink source;         /* take is NULL where tiles cannot be made again */
  gboolean *filled;    /* of tiles with a source */
};

G_DEFINE_FINAL_TYPE (ArmillaMap, armilla_map, ARMILLA_TYPE_DATA)

static void
forget_source (ArmillaMap *self)
{
  if (self->source.destroy)
    self->source.destroy (self->source.user);
  self->source = (Sink) { NULL, NULL, NULL };
  g_clear_pointer (&self->filled, g_free);
}

static void
armilla_map_drop (ArmillaData *data)
{
  ArmillaMap *self = ARMILLA_MAP (data);

  g_clear_pointer (&self->mover, armilla_mover_free);
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
  forget_source (self);
}

static void
armilla_map_finalize (GObject *object)
{
  ArmillaMap *self = ARMILLA_MAP (object);

  forget_source (self);
  for (guint i = 0; i < self->sinks->len; i++)
    {
      Sink *sink = &g_array_index (self->sinks, Sink, i);

      if (sink->destroy)
        sink->destroy (sink->user);
    }
  g_array_unref (self->sinks);
  armilla_map_header_clear (&self->header);
  G_OBJECT_CLASS (armilla_map_parent_class)->finalize (object);
}

static void
armilla_map_class_init (ArmillaMapClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_map_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_map_drop;
}

static void
armilla_map_init (ArmillaMap *self)
{
  self->sinks = g_array_new (FALSE, FALSE, sizeof (Sink));
}

/**
 * armilla_map_new:
 * @grid: (transfer none): the grid
 * @n_fields: number of fields, at least 1
 *
 * Describes a map. Names and units of the fields are empty, their spins 0.
 *
 * Returns: (transfer full): the map
 */
ArmillaMap *
armilla_map_new (ArmillaGrid *grid, int n_fields)
{
  ArmillaMap *self = g_object_new (ARMILLA_TYPE_MAP, NULL);
  ArmillaMapHeader *header = &self->header;

  header->grid = armilla_grid_ref (grid);
  header->n_fields = n_fields;
  header->names = g_new0 (char *, (gsize) n_fields + 1);
  header->units = g_new0 (char *, (gsize) n_fields + 1);
  header->spins = g_new0 (int, (gsize) n_fields);
  for (int f = 0; f < n_fields; f++)
    {
      header->names[f] = g_strdup ("");
      header->units[f] = g_strdup ("");
    }
  return self;
}

/**
 * armilla_map_bytes:
 * @data: (nullable): data
 *
 * Returns: bytes of the pixels of all its rings and fields, together; 0 where it is no map
 */
double
armilla_map_bytes (ArmillaData *data)
{
  ArmillaMap *map = data != NULL && ARMILLA_IS_MAP (data) ? ARMILLA_MAP (data) : NULL;

  if (map == NULL)
    return 0;
  return 8.0 * (double) map->header.grid->n_covered * map->header.n_fields;
}

/**
 * armilla_map_new_view:
 * @map: a map
 * @grid: (nullable) (transfer none): a grid with the rings of @map and weights of its own
 *
 * The same tiles (shared, not copied) under a header of its own and, unless @grid is %NULL, with
 * the quadrature weights of @grid. Keeps @map alive.
 *
 * Returns: (transfer full): the view
 */
ArmillaMap *
armilla_map_new_view (ArmillaMap *map, ArmillaGrid *grid)
{
  ArmillaMap *self = armilla_map_new (grid ? grid : map->header.grid, map->header.n_fields);
  ArmillaMapHeader *header = &self->header;

  armilla_data_set_base (ARMILLA_DATA (self), armilla_data_base (ARMILLA_DATA (map)));
  header->order = map->header.order;
  header->partial = map->header.partial;
  header->single = map->header.single;
  for (int f = 0; f < header->n_fields; f++)
    {
      g_free (header->names[f]);
      g_free (header->units[f]);
      header->names[f] = g_strdup (map->header.names[f]);
      header->units[f] = g_strdup (map->header.units[f]);
    }
  armilla_map_set_spins (self, map->header.spins);
  header->coordsys = g_strdup (map->header.coordsys);
  header->polcconv = g_strdup (map->header.polcconv);
  header->extra = g_strdupv (map->header.extra);
  return self;
}

/**
 * armilla_map_grid:
 * @self: a map
 *
 * Returns: (transfer none): its grid
 */
ArmillaGrid *
armilla_map_grid (ArmillaMap *self)
{
  return self->header.grid;
}

/**
 * armilla_map_n_fields:
 * @self: a map
 *
 * Returns: number of fields
 */
int
armilla_map_n_fields (ArmillaMap *self)
{
  return self->header.n_fields;
}

/**
 * armilla_map_header:
 * @self: a map
 *
 * Returns: (transfer none): names, units and coordinates, to be read or changed while the workflow
 *   is prepared
 */
ArmillaMapHeader *
armilla_map_header (ArmillaMap *self)
{
  return &self->header;
}

/**
 * armilla_map_spins:
 * @self: a map
 *
 * Returns: (transfer none) (array): spin of each field, see armilla_fields_part()
 */
const int *
armilla_map_spins (ArmillaMap *self)
{
  return self->header.spins;
}

/**
 * armilla_map_set_spins:
 * @self: a map
 * @spins: (array) (nullable): spin of each field, for which armilla_fields_check() holds; %NULL
 *   sets all to 0
 */
void
armilla_map_set_spins (ArmillaMap *self, const int *spins)
{
  g_return_if_fail (armilla_fields_check (spins, self->header.n_fields, NULL));
  for (int f = 0; f < self->header.n_fields; f++)
    self->header.spins[f] = spins ? spins[f] : 0;
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
  return ARMILLA_MAP (armilla_data_base (ARMILLA_DATA (self)));
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
        armilla_map_drop (ARMILLA_DATA (self));
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
  self->source = (Sink) { fill, user, destroy };
  self->filled = g_new0 (gboolean, self->n_tiles);
  self->n_come = self->n_tiles;
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
  Sink sink = { take, user, destroy };

  g_array_append_val (base->sinks, sink);
  armilla_data_hold (ARMILLA_DATA (base));
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
      Sink *sink = &g_array_index (self->sinks, Sink, i);

      ok = sink->take (graph, sink->user, ring_block, tile, error);
    }
  if (armilla_data_holds (ARMILLA_DATA (self)) == (int) self->sinks->len)
    armilla_tile_drop (tile);
  if (++self->n_come == self->n_tiles)
    for (guint i = self->sinks->len; i > 0; i--)
      armilla_data_let_go (ARMILLA_DATA (self));
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
