/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data-private.h"

struct _ArmillaMap {
  ArmillaData parent_instance;
  ArmillaMapHeader header;
  ArmillaMap *base;   /* owner of the tiles of a view, NULL for a map of its own */
  ArmillaTile *tiles;
  int n_tiles;
  int users;          /* this map until released, and its views until they are */
  gboolean released;
};

G_DEFINE_FINAL_TYPE (ArmillaMap, armilla_map, ARMILLA_TYPE_DATA)

static void
drop_user (ArmillaMap *self)
{
  if (--self->users > 0)
    return;
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
}

static void
armilla_map_release (ArmillaData *data)
{
  ArmillaMap *self = ARMILLA_MAP (data);

  if (self->released)
    return;
  self->released = TRUE;
  drop_user (self->base ? self->base : self);
}

static void
armilla_map_finalize (GObject *object)
{
  ArmillaMap *self = ARMILLA_MAP (object);

  armilla_map_release (ARMILLA_DATA (self));
  g_clear_object (&self->base);
  armilla_map_header_clear (&self->header);
  G_OBJECT_CLASS (armilla_map_parent_class)->finalize (object);
}

static void
armilla_map_class_init (ArmillaMapClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_map_finalize;
  ARMILLA_DATA_CLASS (klass)->release = armilla_map_release;
}

static void
armilla_map_init (ArmillaMap *self)
{
  self->users = 1;
}

/**
 * armilla_map_new:
 * @grid: (transfer none): the grid
 * @n_fields: number of fields, at least 1
 *
 * Describes a map. Names and units of the fields are empty.
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
  for (int f = 0; f < n_fields; f++)
    {
      header->names[f] = g_strdup ("");
      header->units[f] = g_strdup ("");
    }
  return self;
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
  ArmillaMap *base = map->base ? map->base : map;
  ArmillaMap *self = armilla_map_new (grid ? grid : map->header.grid, map->header.n_fields);
  ArmillaMapHeader *header = &self->header;

  self->base = g_object_ref (base);
  base->users++;
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
  ArmillaRingBlocks *blocks;

  if (self->base)
    return armilla_map_tiles (self->base, graph, error);
  if (self->tiles)
    return self->tiles;
  blocks = armilla_graph_ring_blocks (graph, self->header.grid, error);
  if (!blocks)
    return NULL;
  self->tiles = g_new0 (ArmillaTile, blocks->n);
  self->n_tiles = blocks->n;
  for (int b = 0; b < blocks->n; b++)
    if (!armilla_tile_new (graph, blocks->block[b].owner,
                           blocks->block[b].n_pixels * self->header.n_fields, &self->tiles[b],
                           error))
      return NULL;
  return self->tiles;
}
