/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/catalogues/binning.h"
#include "core/catalogues/catalogue.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/objects.h"

struct _ArmillaBinCatalogue {
  ArmillaStage parent_instance;
  gint64 nside;
  ArmillaBinned what;
  char *column;
  GArray *values; /* gint: index of the further column of each field */
  ArmillaGrid *grid;
  char coordsys; /* coordinates of the map; 0: those of the objects */
  ArmillaBinning *binning;
};

ARMILLA_DEFINE_STAGE (ArmillaBinCatalogue, armilla_bin_catalogue, ARMILLA, BIN_CATALOGUE)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "like", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map whose grid, rings and coordinates are used, instead of nside; its pixels are ignored" },
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT,
    "one field, or one for each column, all scalars: COUNTS, WEIGHTS, or a column's name and "
    "unit" },
  { NULL, NULL, 0, NULL },
};

static const char *const quantities[] = {
  [ARMILLA_BINNED_COUNTS] = "counts", [ARMILLA_BINNED_WEIGHTS] = "weights",
  [ARMILLA_BINNED_MEAN] = "mean", NULL,
};

static gboolean
look_up (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaBinCatalogue *self = user;
  ArmillaCatalogue *catalogue = piece->catalogue;
  g_autoptr (ArmillaCatalogue) turned
    = self->coordsys != 0 && catalogue->coordsys != 0
        ? armilla_catalogue_rotate (catalogue, self->coordsys, error)
        : armilla_catalogue_ref (catalogue);

  if (turned != NULL)
    self->binning = armilla_binning_new (turned, self->grid, error);
  return self->binning != NULL;
}

static gboolean
fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaBinCatalogue *self = user;
  int value = self->values->len > 0 ? g_array_index (self->values, int, piece->field) : -1;

  return armilla_binning_fill (self->binning, self->what, value, piece->first, piece->n,
                               piece->values, error);
}

static ArmillaGrid *
make_grid (ArmillaBinCatalogue *self, const ArmillaStageContext *context, ArmillaData *like,
           GError **error)
{
  if (like != NULL && self->nside == 0)
    return armilla_grid_ref (armilla_map_grid (ARMILLA_MAP (like)));
  if (like == NULL && self->nside > 0)
    return armilla_stage_new_healpix (context, self->nside, 1, error);
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                       like != NULL
                         ? "the grid is given by both like and nside; connect like, or set nside"
                         : "nside is not set; set it, or connect like to a map on the grid");
  return NULL;
}

static gboolean
check_column (const ArmillaBinCatalogue *self, guint n_words, GError **error)
{
  const gboolean mean = self->what == ARMILLA_BINNED_MEAN;

  if (mean == (n_words > 0))
    return TRUE;
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                       mean ? "column is not set; quantity = mean requires a column that values of "
                              "read-catalogue lists"
                            : "column requires quantity = mean; leave it out, or set quantity");
  return FALSE;
}

static void
describe_fields (const ArmillaBinCatalogue *self, const ArmillaCatalogue *like,
                 ArmillaMapHeader *header)
{
  for (int i = 0; i < header->fields.n; i++)
    {
      const ArmillaCatalogueValue *value
        = self->values->len > 0 ? &like->values[g_array_index (self->values, int, i)] : NULL;

      g_free (header->fields.names[i]);
      g_free (header->fields.units[i]);
      header->fields.names[i] = g_strdup (value != NULL ? value->name
                                   : self->what == ARMILLA_BINNED_COUNTS ? "COUNTS" : "WEIGHTS");
      header->fields.units[i] = g_strdup (value != NULL ? value->unit : "");
    }
}

static gboolean
bin_catalogue_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaBinCatalogue *self = ARMILLA_BIN_CATALOGUE (stage);
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[0]));
  const char system[2] = { like->coordsys, 0 };
  g_auto (GStrv) names = armilla_stage_words (self->column);
  guint n_names = g_strv_length (names);
  g_autoptr (ArmillaGrid) grid = NULL;
  ArmillaMapHeader *header;
  ArmillaMap *map;

  if (!check_column (self, n_names, error))
    return FALSE;
  self->values = armilla_stage_value_columns (like, names, "column", error);
  if (self->values == NULL)
    return FALSE;
  grid = make_grid (self, context, inputs[1], error);
  if (grid == NULL)
    return FALSE;
  map = armilla_map_new (grid, (int) MAX (n_names, 1));
  header = armilla_map_header (map);
  describe_fields (self, like, header);
  if (inputs[1] != NULL)
    armilla_fields_set_coordsys (&header->fields, armilla_data_fields (inputs[1])->coordsys);
  if (header->fields.coordsys == NULL || header->fields.coordsys[0] == '\0')
    {
      g_free (header->fields.coordsys);
      header->fields.coordsys = like->coordsys != 0 ? g_strdup (system) : NULL;
    }
  armilla_stage_inherit (ARMILLA_DATA (map), inputs[0]);
  outputs[0] = ARMILLA_DATA (map);
  return TRUE;
}

static gboolean
bin_catalogue_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error)
{
  ArmillaBinCatalogue *self = ARMILLA_BIN_CATALOGUE (stage);
  ArmillaMap *out = ARMILLA_MAP (outputs[0]);
  g_autoptr (ArmillaMap) map = armilla_stage_uncropped (out);
  const char *system = armilla_map_header (out)->fields.coordsys;

  self->grid = armilla_grid_ref (armilla_map_grid (out));
  if (system != NULL && strlen (system) == 1 && strchr ("CGE", *system) != NULL)
    self->coordsys = *system;
  return armilla_graph_drain (graph, inputs[0], look_up, NULL, g_object_ref (self), g_object_unref,
                              error)
         && armilla_graph_fill (graph, ARMILLA_DATA (map), fill, g_object_ref (self),
                                g_object_unref, error)
         && armilla_stage_crop (graph, map, out, error);
}

static const ArmillaProperty properties[] = {
  { "nside", ARMILLA_INT64 (ArmillaBinCatalogue, nside, 0, G_GINT64_CONSTANT (1) << 24, 0),
    "resolution of a HEALPix map; not given: the grid of like" },
  { "quantity", ARMILLA_ENUM (ArmillaBinCatalogue, what, quantities, ARMILLA_BINNED_COUNTS),
    "quantity computed from the objects in a pixel" },
  { "column", ARMILLA_TEXT (ArmillaBinCatalogue, column, ""),
    "for quantity = mean: columns listed in values of read-catalogue, separated by commas; one "
    "field for each" },
};

static void
armilla_bin_catalogue_class_init (ArmillaBinCatalogueClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "bin-catalogue";
  armilla_stage_set_example (stage, "nside = 16");
  stage->summary = "Compute a map from a catalogue: counts, weights, or means of columns";
  stage->description =
    "A pixel is the number of objects in it, the sum of their weights, or the weighted mean of a "
    "column (UNSEEN if the sum of weights is 0). On a HEALPix grid it is the pixel that contains "
    "the object, on other grids the pixel nearest in azimuth on the ring nearest in co-latitude; "
    "objects outside the rings of the map are ignored. Sums are exact except for rounding each "
    "term once: the result has the same bits on any number of ranks and workers and for any order "
    "of the objects. The objects are converted to the coordinates of like.";
  stage->ports = ports;
  stage->prepare = bin_catalogue_prepare;
  stage->build = bin_catalogue_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaBinCatalogue, values, g_array_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaBinCatalogue, grid, armilla_grid_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaBinCatalogue, binning, armilla_binning_free);
}
