/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "core/grids/grid.h"
#include "tasks/data/fields-private.h"
#include "tasks/data/store.h"

G_DEFINE_FINAL_TYPE (ArmillaMap, armilla_map, ARMILLA_TYPE_DATA)

static void
armilla_map_finalize (GObject *object)
{
  ArmillaMap *self = ARMILLA_MAP (object);

  for (guint i = 0; i < self->sinks->len; i++)
    {
      ArmillaMapEnd *sink = &g_array_index (self->sinks, ArmillaMapEnd, i);

      if (sink->destroy)
        sink->destroy (sink->user);
    }
  g_array_unref (self->sinks);
  armilla_map_header_clear (&self->header);
  G_OBJECT_CLASS (armilla_map_parent_class)->finalize (object);
}

static char *
armilla_map_describe (ArmillaData *data)
{
  const ArmillaMapHeader *header = &ARMILLA_MAP (data)->header;
  g_autofree char *grid = armilla_grid_describe (header->grid);
  g_autoptr (GString) fields = g_string_new (NULL);
  int n = header->fields.n;

  for (int i = 0; i < n; i++)
    {
      const char *unit = header->fields.units[i];

      g_string_append_printf (fields, "%s%s%s%s%s", i > 0 ? ", " : " (", header->fields.names[i],
                              *unit ? " [" : "", unit, *unit ? "]" : "");
    }
  return g_strdup_printf ("map: %s, %d field%s%s%s", grid, n, n == 1 ? "" : "s", fields->str,
                          fields->len > 0 ? ")" : "");
}

static double
armilla_map_bytes (ArmillaData *data)
{
  const ArmillaMapHeader *header = &ARMILLA_MAP (data)->header;

  return 8.0 * (double) header->grid->n_covered * header->fields.n;
}

/* Returns the bytes, in addition to tiles, for reading (one column) or writing (all columns) a
 * HEALPix file in NESTED order: pixels are reordered in memory. */
static double
armilla_map_held (ArmillaData *data, gboolean writes)
{
  const ArmillaMapHeader *header = &ARMILLA_MAP (data)->header;

  if (header->order != ARMILLA_ORDER_NESTED || header->partial)
    return 0;
  return (header->single ? 4.0 : 8.0) * (double) header->grid->n_pixels
         * (writes ? header->fields.n : 1);
}

static gint64
count_block (const ArmillaGrid *grid, gint64 first, gint64 last)
{
  gint64 sum = 0;

  for (gint64 p = first; p < last; p++)
    {
      ArmillaRingPair pair = grid->pairs[p];

      sum += pair.north >= 0 ? grid->rings[pair.north].n_phi : 0;
      sum += pair.south >= 0 ? grid->rings[pair.south].n_phi : 0;
    }
  return sum;
}

static void
armilla_map_need (ArmillaData *data, ArmillaNeed *need)
{
  ArmillaGrid *grid = ARMILLA_MAP (data)->header.grid;
  const ArmillaGrid *whole = armilla_grid_whole (grid);
  int n_fields = ARMILLA_MAP (data)->header.fields.n;
  gint64 size = MIN (armilla_graph_block_pairs (need->graph, grid, n_fields), grid->n_pairs);
  gint64 max_pixels = 0;

  for (gint64 first = 0; size > 0 && first < grid->n_pairs; first += size)
    max_pixels = MAX (max_pixels, count_block (grid, first, MIN (first + size, grid->n_pairs)));
  need->pixels += max_pixels * n_fields;
  need->rings = MAX (need->rings, grid->n_rings);
  need->largest = MAX (need->largest, max_pixels * n_fields);
  need->block_pairs = MAX (need->block_pairs, size);
  need->pairs = MAX (need->pairs, size * n_fields);
  if (whole->kind == ARMILLA_GRID_FEJER1 || whole->kind == ARMILLA_GRID_CLENSHAW_CURTIS)
    {
      need->whole_pairs = MAX (need->whole_pairs, (whole->n_rings + 1) / 2 * n_fields);
      need->exact_lmax = armilla_grid_exact_lmax (whole->kind, whole->n_rings);
    }
  need->map_fields = n_fields;
}

/* Returns whether the grids of two maps have the same pixels, regardless of their quadrature
 * weights. */
static gboolean
armilla_map_same_shape (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                        GError **error)
{
  const ArmillaGrid *one = ARMILLA_MAP (a)->header.grid, *other = ARMILLA_MAP (b)->header.grid;
  g_autofree char *first = NULL, *second = NULL;

  if (armilla_grid_same_pixels (one, other))
    return TRUE;
  first = armilla_grid_describe (one);
  second = armilla_grid_describe (other);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s is %s, but %s is %s; must have the same pixels: convert one of them to "
                       "those of the other with ud-grade, or alm2map and like", name_a,
                       first, name_b, second);
}

static const ArmillaDataVerbs verbs = {
  .has_pixels = TRUE,
  .need = armilla_map_need,
  .cut = armilla_map_cut,
  .pieces = armilla_map_pieces,
  .tiles = armilla_map_verb_tiles,
  .begin = armilla_map_begin,
  .end = armilla_map_end,
  .pass = armilla_map_pass,
  .listen = armilla_map_listen,
  .renew = armilla_map_renew,
  .same_shape = armilla_map_same_shape,
};

static ArmillaData *
armilla_map_new_like (ArmillaData *data, int n_fields)
{
  ArmillaMap *map = armilla_map_new (ARMILLA_MAP (data)->header.grid, n_fields);

  map->header.order = ARMILLA_MAP (data)->header.order;
  return ARMILLA_DATA (map);
}

static void
armilla_map_class_init (ArmillaMapClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = armilla_map_finalize;
  data->in_pieces = TRUE;
  data->drop = armilla_map_drop;
  data->describe = armilla_map_describe;
  data->bytes = armilla_map_bytes;
  data->held = armilla_map_held;
  data->save = armilla_numbers_save;
  data->load = armilla_numbers_load;
  data->new_like = armilla_map_new_like;
  data->verbs = &verbs;
}

static void
armilla_map_init (ArmillaMap *self)
{
  armilla_data_set_fields (ARMILLA_DATA (self), &self->header.fields);
  self->sinks = g_array_new (FALSE, FALSE, sizeof (ArmillaMapEnd));
}

ArmillaMap *
armilla_map_new (ArmillaGrid *grid, int n_fields)
{
  ArmillaMap *self = g_object_new (ARMILLA_TYPE_MAP, NULL);
  ArmillaMapHeader *header = &self->header;

  header->grid = armilla_grid_ref (grid);
  armilla_fields_init (&header->fields, n_fields);
  return self;
}

ArmillaMap *
armilla_map_new_view (ArmillaMap *map, ArmillaGrid *grid)
{
  ArmillaMap *self = armilla_map_new (grid ? grid : map->header.grid, map->header.fields.n);
  ArmillaMapHeader *header = &self->header;

  armilla_data_set_base (ARMILLA_DATA (self), armilla_data_base (ARMILLA_DATA (map)));
  header->order = map->header.order;
  header->partial = map->header.partial;
  header->single = map->header.single;
  armilla_fields_clear (&header->fields);
  armilla_fields_copy (&header->fields, &map->header.fields);
  g_clear_pointer (&header->fields.history, g_strfreev); /* see armilla_stage_inherit() */
  return self;
}

ArmillaGrid *
armilla_map_grid (ArmillaMap *self)
{
  return self->header.grid;
}

ArmillaMapHeader *
armilla_map_header (ArmillaMap *self)
{
  return &self->header;
}

const int *
armilla_map_spins (ArmillaMap *self)
{
  return self->header.fields.spins;
}

void
armilla_map_set_spins (ArmillaMap *self, const int *spins)
{
  armilla_fields_set_spins (&self->header.fields, spins);
}
