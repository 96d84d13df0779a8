/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stages.h"
#include "plugins/catalogues/catalogue-private.h"

struct _ArmillaRandomCatalogue {
  ArmillaStage parent_instance;
  gint64 number, realisation;
  guint64 seed;
  double longitude_min, longitude_max, latitude_min, latitude_max;
  Coordinates coordinates;
  ArmillaFootprint *footprint;
  ArmillaRandomSky sky;
};

G_DECLARE_FINAL_TYPE (ArmillaRandomCatalogue, armilla_random_catalogue, ARMILLA, RANDOM_CATALOGUE,
                      ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaRandomCatalogue, armilla_random_catalogue, ARMILLA_TYPE_STAGE)

enum {
  PROP_NUMBER = 1, PROP_SEED, PROP_REALISATION, PROP_LONGITUDE_MIN, PROP_LONGITUDE_MAX,
  PROP_LATITUDE_MIN, PROP_LATITUDE_MAX, PROP_COORDINATES
};

static const ArmillaPort ports[] = {
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "HEALPix map: objects are where its first field is positive" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT, "the objects, without weights" },
  { NULL, NULL, 0, NULL },
};

/* What the graph holds until the objects are drawn. */
typedef struct {
  ArmillaRandomSky sky;
  ArmillaFootprint *footprint;
} RandomSource;

static void
random_source_free (gpointer data)
{
  g_clear_pointer (&((RandomSource *) data)->footprint, armilla_footprint_unref);
  g_free (data);
}

static ArmillaCatalogue *
random_catalogue_fill (gpointer user, GError **error)
{
  RandomSource *source = user;

  source->sky.footprint = source->footprint;
  return armilla_random_catalogue (&source->sky, (int) MIN (g_get_num_processors (), 8), error);
}

static gboolean
random_catalogue_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                          ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRandomCatalogue *self = ARMILLA_RANDOM_CATALOGUE (stage);
  g_autoptr (ArmillaCatalogue) like = NULL;
  double last = self->longitude_max;

  /* across longitude 0 */
  if (last <= self->longitude_min)
    last += 2 * G_PI;
  self->sky = (ArmillaRandomSky) {
    .n = self->number, .seed = self->seed,
    .realisation = (guint64) (self->realisation >= 0 ? self->realisation : context->index),
    .longitude = { self->longitude_min, last },
    .latitude = { self->latitude_min, self->latitude_max },
    .coordsys = armilla_catalogue_coordinates_letter (self->coordinates),
  };
  if (!(self->latitude_min < self->latitude_max))
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "latitude-min = %g deg must be less than latitude-max = %g deg",
                   self->latitude_min * 180 / G_PI, self->latitude_max * 180 / G_PI);
      return FALSE;
    }
  if (!(last - self->longitude_min <= 2 * G_PI))
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "longitude-max is more than a turn from longitude-min");
      return FALSE;
    }
  if (!armilla_catalogue_mask_prepare (inputs[0], &self->footprint, error))
    return FALSE;
  like = armilla_catalogue_new (0, 0, error);
  if (like == NULL)
    return FALSE;
  like->coordsys = self->sky.coordsys;
  outputs[0] = ARMILLA_DATA (armilla_objects_new_like (like));
  armilla_stage_inherit (outputs[0], inputs[0]);
  armilla_stage_note (outputs[0],
                      "random-catalogue: Philox4x64-10, seed %" G_GUINT64_FORMAT ", realisation %"
                      G_GUINT64_FORMAT, self->sky.seed, self->sky.realisation);
  return TRUE;
}

/* Unit vectors. */
static double
random_catalogue_memory (ArmillaStage *stage, ArmillaData *const *inputs,
                         ArmillaData *const *outputs)
{
  (void) inputs;
  (void) outputs;
  return 3.0 * sizeof (double) * (double) ARMILLA_RANDOM_CATALOGUE (stage)->number;
}

static gboolean
random_catalogue_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                        ArmillaData *const *outputs, GError **error)
{
  ArmillaRandomCatalogue *self = ARMILLA_RANDOM_CATALOGUE (stage);
  RandomSource *source;

  if (inputs[0] != NULL
      && !armilla_graph_fetch_footprint (graph, ARMILLA_MAP (inputs[0]), self->footprint, error))
    return FALSE;
  source = g_new0 (RandomSource, 1);
  source->sky = self->sky;
  source->footprint = g_steal_pointer (&self->footprint);
  return armilla_graph_fill_objects (graph, ARMILLA_OBJECTS (outputs[0]), random_catalogue_fill,
                                     source, random_source_free, error);
}

static void
random_catalogue_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_RANDOM_CATALOGUE (object)->footprint, armilla_footprint_unref);
  armilla_stage_free_properties (object);
  G_OBJECT_CLASS (armilla_random_catalogue_parent_class)->finalize (object);
}

static void
install_limits (GObjectClass *object)
{
  armilla_stage_install (
    object, PROP_LONGITUDE_MIN, G_STRUCT_OFFSET (ArmillaRandomCatalogue, longitude_min),
    armilla_param_spec_quantity ("longitude-min", "first longitude (right ascension)",
                                 ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 0));
  armilla_stage_install (
    object, PROP_LONGITUDE_MAX, G_STRUCT_OFFSET (ArmillaRandomCatalogue, longitude_max),
    armilla_param_spec_quantity (
      "longitude-max",
      "last longitude; when it is below the first, the field goes across longitude 0",
      ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 2 * G_PI));
  armilla_stage_install (
    object, PROP_LATITUDE_MIN, G_STRUCT_OFFSET (ArmillaRandomCatalogue, latitude_min),
    armilla_param_spec_quantity ("latitude-min", "lowest latitude (declination)",
                                 ARMILLA_DIMENSION_ANGLE, -G_PI_2, G_PI_2, -G_PI_2));
  armilla_stage_install (
    object, PROP_LATITUDE_MAX, G_STRUCT_OFFSET (ArmillaRandomCatalogue, latitude_max),
    armilla_param_spec_quantity ("latitude-max", "highest latitude", ARMILLA_DIMENSION_ANGLE,
                                 -G_PI_2, G_PI_2, G_PI_2));
}

static void
armilla_random_catalogue_class_init (ArmillaRandomCatalogueClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  armilla_stage_begin_properties (object);
  object->finalize = random_catalogue_finalize;
  stage->nick = "random-catalogue";
  stage->summary = "Draw objects uniformly on the sphere, between limits, or within a mask";
  stage->description =
    "Object i depends on seed, realisation and i only: the result is the same whatever the number "
    "of threads and ranks, and a larger number keeps the first objects. An object that falls out "
    "of the mask is drawn again; the mask may be in other coordinates than the objects, which its "
    "COORDSYS says.";
  stage->reference = "Salmon et al. (2011), Parallel random numbers: as easy as 1, 2, 3";
  stage->ports = ports;
  stage->prepare = random_catalogue_prepare;
  stage->build = random_catalogue_build;
  stage->memory = random_catalogue_memory;
  armilla_stage_install (
    object, PROP_NUMBER, G_STRUCT_OFFSET (ArmillaRandomCatalogue, number),
    armilla_param_spec_required (g_param_spec_int64 (
      "number", NULL, "number of objects", 1, G_GINT64_CONSTANT (1) << 40, 1, ARMILLA_PARAM_RW)));
  armilla_stage_install (
    object, PROP_SEED, G_STRUCT_OFFSET (ArmillaRandomCatalogue, seed),
    g_param_spec_uint64 ("seed", NULL, "seed; other seeds give independent objects", 0, G_MAXUINT64,
                         0, ARMILLA_PARAM_RW));
  armilla_stage_install (
    object, PROP_REALISATION, G_STRUCT_OFFSET (ArmillaRandomCatalogue, realisation),
    g_param_spec_int64 (
      "realisation", NULL, "number of the catalogue; -1 takes the realisation that runs", -1,
      G_MAXINT64, -1, ARMILLA_PARAM_RW));
  install_limits (object);
  armilla_stage_install (
    object, PROP_COORDINATES, G_STRUCT_OFFSET (ArmillaRandomCatalogue, coordinates),
    g_param_spec_enum ("coordinates", NULL, "what longitude and latitude are",
                       armilla_catalogue_coordinates_type (), COORDINATES_EQUATORIAL,
                       ARMILLA_PARAM_RW));
}

static void
armilla_random_catalogue_init (ArmillaRandomCatalogue *self)
{
  armilla_stage_defaults (self);
}
