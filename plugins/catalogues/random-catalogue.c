/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/catalogues/random-catalogue.h"
#include "plugins/catalogues/catalogue-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

struct _ArmillaRandomCatalogue {
  ArmillaStage parent_instance;
  gint64 number, realisation;
  guint64 seed;
  double longitude_min, longitude_max, latitude_min, latitude_max;
  Coordinates coordinates;
  ArmillaFootprint *footprint;
  ArmillaRandomSky sky;
};

ARMILLA_DEFINE_STAGE (ArmillaRandomCatalogue, armilla_random_catalogue, ARMILLA, RANDOM_CATALOGUE)

static const ArmillaPort ports[] = {
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "HEALPix map: objects are drawn where its first field is positive" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT, "the objects, without weights" },
  { NULL, NULL, 0, NULL },
};

static gboolean
random_catalogue_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaRandomCatalogue *self = user;

  self->sky.footprint = self->footprint;
  piece->catalogue = armilla_random_catalogue (&self->sky, (int) MIN (g_get_num_processors (), 8),
                                               error);
  return piece->catalogue != NULL;
}

static gboolean
random_catalogue_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                          ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRandomCatalogue *self = ARMILLA_RANDOM_CATALOGUE (stage);
  g_autoptr (ArmillaCatalogue) like = NULL;
  double last = self->longitude_max;

  /* the range contains longitude 0 */
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
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "latitude-min = %g deg must be less than latitude-max = %g deg",
                         self->latitude_min * 180 / G_PI, self->latitude_max * 180 / G_PI);
  if (!(last - self->longitude_min <= 2 * G_PI))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "longitude-max is more than a turn from longitude-min");
  if (!armilla_catalogue_mask_prepare (inputs[0], &self->footprint, error))
    return FALSE;
  like = armilla_catalogue_new (0, 0, error);
  if (like == NULL)
    return FALSE;
  like->coordsys = self->sky.coordsys;
  outputs[0] = ARMILLA_DATA (armilla_objects_new_like (like));
  armilla_objects_expect (ARMILLA_OBJECTS (outputs[0]), self->number);
  armilla_stage_inherit (outputs[0], inputs[0]);
  armilla_stage_note (outputs[0],
                      "random-catalogue: Philox4x64-10, seed %" G_GUINT64_FORMAT ", realisation %"
                      G_GUINT64_FORMAT, self->sky.seed, self->sky.realisation);
  return TRUE;
}

/* Returns the bytes of the objects' unit vectors. */
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

  if (inputs[0] != NULL
      && !armilla_graph_fetch_footprint (graph, ARMILLA_MAP (inputs[0]), self->footprint, error))
    return FALSE;
  return armilla_graph_fill (graph, outputs[0], random_catalogue_fill, g_object_ref (self),
                             g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "number", ARMILLA_INT64 (ArmillaRandomCatalogue, number, 1, G_GINT64_CONSTANT (1) << 40, 1),
    "number of objects", ARMILLA_PROPERTY_REQUIRED },
  { "seed", ARMILLA_UINT64 (ArmillaRandomCatalogue, seed, 0, G_MAXUINT64, 0),
    "seed; other seeds give independent objects" },
  { "realisation", ARMILLA_INT64 (ArmillaRandomCatalogue, realisation, -1, G_MAXINT64, -1),
    "number of the catalogue; -1: the number of the realisation" },
  { "longitude-min", ARMILLA_QUANTITY (ArmillaRandomCatalogue, longitude_min,
                                       ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 0),
    "first longitude (right ascension)" },
  { "longitude-max", ARMILLA_QUANTITY (ArmillaRandomCatalogue, longitude_max,
                                       ARMILLA_DIMENSION_ANGLE, -2 * G_PI, 2 * G_PI, 2 * G_PI),
    "last longitude; if it is below the first, the region crosses longitude 0" },
  { "latitude-min", ARMILLA_QUANTITY (ArmillaRandomCatalogue, latitude_min,
                                      ARMILLA_DIMENSION_ANGLE, -G_PI_2, G_PI_2, -G_PI_2),
    "lowest latitude (declination)" },
  { "latitude-max", ARMILLA_QUANTITY (ArmillaRandomCatalogue, latitude_max,
                                      ARMILLA_DIMENSION_ANGLE, -G_PI_2, G_PI_2, G_PI_2),
    "highest latitude" },
  { "coordinates", ARMILLA_ENUM (ArmillaRandomCatalogue, coordinates,
                                 armilla_catalogue_coordinates, COORDINATES_EQUATORIAL),
    "coordinates of longitude and latitude" },
};

static void
armilla_random_catalogue_class_init (ArmillaRandomCatalogueClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "random-catalogue";
  armilla_stage_set_example (stage, "number = 100");
  stage->summary = "Draw objects uniformly on the sphere, between limits, or within a mask";
  stage->description =
    "Object i depends only on seed, realisation and i: the result does not depend on the number "
    "of threads and ranks, and a larger number keeps the first objects. An object outside the "
    "mask is drawn again. The mask may have other coordinates than the objects, given by its "
    "COORDSYS.";
  stage->reference = "Salmon et al. (2011), Parallel random numbers: as easy as 1, 2, 3";
  stage->ports = ports;
  stage->draws = TRUE;
  stage->prepare = random_catalogue_prepare;
  stage->build = random_catalogue_build;
  stage->memory = random_catalogue_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaRandomCatalogue, footprint, armilla_footprint_unref);
}
