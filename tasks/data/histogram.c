/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/histogram-private.h"
#include "tasks/data/store.h"

struct _ArmillaHistogram {
  ArmillaData parent_instance;
  ArmillaHistogramShape shape;
  ArmillaBins *bins;
  ArmillaTile tile;
};

G_DEFINE_FINAL_TYPE (ArmillaHistogram, armilla_histogram, ARMILLA_TYPE_DATA)

static void
armilla_histogram_drop (ArmillaData *data)
{
  armilla_tile_drop (&ARMILLA_HISTOGRAM (data)->tile);
}

static void
armilla_histogram_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_HISTOGRAM (object)->bins, armilla_bins_unref);
  G_OBJECT_CLASS (armilla_histogram_parent_class)->finalize (object);
}

/* Returns the tile, owned by rank 0, registered at the first call; NULL on error. */
const ArmillaTile *
armilla_histogram_tile (ArmillaHistogram *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle
      && !armilla_tile_new (graph, 0, armilla_histogram_words (&self->shape), &self->tile, error))
    return NULL;
  return &self->tile;
}

static const ArmillaTile *
armilla_histogram_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  return armilla_histogram_tile (ARMILLA_HISTOGRAM (data), graph, error);
}

static gboolean
armilla_histogram_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  (void) graph, (void) error;
  cut->n_tiles = 1;
  cut->n_rows = armilla_histogram_words (&ARMILLA_HISTOGRAM (data)->shape);
  return TRUE;
}

static const ArmillaDataVerbs verbs = {
  .is_whole = TRUE,
  .need = armilla_need_whole,
  .cut = armilla_histogram_cut,
  .pieces = armilla_whole_piece,
  .tiles = armilla_histogram_verb_tiles,
};

static void
armilla_histogram_class_init (ArmillaHistogramClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_histogram_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_histogram_drop;
  ARMILLA_DATA_CLASS (klass)->save = armilla_numbers_save;
  ARMILLA_DATA_CLASS (klass)->load = armilla_numbers_load;
  ARMILLA_DATA_CLASS (klass)->verbs = &verbs;
}

static void
armilla_histogram_init (ArmillaHistogram *self)
{
  (void) self;
}

static gboolean
check_size (const ArmillaHistogramShape *shape, GError **error)
{
  if (armilla_histogram_words (shape) <= MAX_WORDS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "a histogram of %d bins and %d patches has %" G_GINT64_FORMAT
                       " numbers; must be at most %d: use fewer bins",
                       shape->n_bins, shape->n_patches,
                       armilla_histogram_words (shape), MAX_WORDS);
}

/* Describes a histogram. Returns the histogram; NULL with ARMILLA_ERROR_VALUE for a negative size,
 * or for triangles with patches or sums, and ARMILLA_ERROR_MEMORY if it is too large. */
ArmillaHistogram *
armilla_histogram_new (ArmillaHistogramKind kind, ArmillaBins *bins, int n_patches, int sums,
                       GError **error)
{
  const ArmillaHistogramShape shape = { kind, bins->n, n_patches, sums, 0, bins->n2 };
  ArmillaHistogram *self;

  if (n_patches < 0 || n_patches > ARMILLA_PATCHES_MAX || sums < 0 || sums >= 1 << ARMILLA_N_SUMS)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%d patches; must be from 0 to %d", n_patches,
                              ARMILLA_PATCHES_MAX);
  if (kind != ARMILLA_HISTOGRAM_PAIRS && (n_patches > 0 || sums != 0))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "triangles are counted without patches and weights");
  if (!check_size (&shape, error))
    return NULL;
  self = g_object_new (ARMILLA_TYPE_HISTOGRAM, NULL);
  self->shape = shape;
  self->bins = armilla_bins_ref (bins);
  return self;
}

/* Adds a row for the pairs whose objects are in the same patch. Returns FALSE with an error if the
 * histogram becomes too large. */
gboolean
armilla_histogram_keep_within (ArmillaHistogram *self, GError **error)
{
  g_return_val_if_fail (!self->tile.handle, FALSE);
  self->shape.n_within = self->shape.n_patches;
  return check_size (&self->shape, error);
}

const ArmillaHistogramShape *
armilla_histogram_shape (ArmillaHistogram *self)
{
  return &self->shape;
}

ArmillaBins *
armilla_histogram_bins (ArmillaHistogram *self)
{
  return self->bins;
}
