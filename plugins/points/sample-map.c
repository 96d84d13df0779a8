/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"
#include "tasks/points/sample.h"

struct _ArmillaSampleMap {
  ArmillaStage parent_instance;
  char *fields, *columns;
  ArmillaSampling method;
  GArray *chosen; /* int: number of each sampled field */
};

ARMILLA_DEFINE_STAGE (ArmillaSampleMap, armilla_sample_map, ARMILLA, SAMPLE_MAP)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "the map, on any grid" },
  { "points", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects, in any order" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the objects with all their columns and a new one for each field, in its unit" },
  { NULL, NULL, 0, NULL },
};

/* Fails if fields with a spin would be sampled in other coordinates than those of the objects. */
static gboolean
check_basis (const ArmillaSampleMap *self, const ArmillaFields *fields,
             const ArmillaCatalogue *like, GError **error)
{
  const char *system = fields->coordsys;
  gboolean spin = FALSE;

  for (guint i = 0; fields->spins != NULL && i < self->chosen->len; i++)
    spin = spin || fields->spins[g_array_index (self->chosen, int, i)] > 0;
  if (!spin || system == NULL || strlen (system) != 1 || like->coordsys == 0
      || *system == like->coordsys)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the map has the coordinates %s, the objects %c; Q and U would refer to the "
                       "meridians of the map; convert the map with rotate-map, or select scalar "
                       "fields", system, like->coordsys);
}

static gboolean
sample_map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSampleMap *self = ARMILLA_SAMPLE_MAP (stage);
  ArmillaObjects *points = ARMILLA_OBJECTS (inputs[1]);
  const ArmillaFields *all = armilla_data_fields (inputs[0]);
  g_auto (GStrv) names = NULL;
  ArmillaFields chosen;

  (void) context;
  self->chosen = armilla_stage_columns (self->fields, (const char *const *) all->names, all->n,
                                        "fields", "the map", error);
  if (self->chosen == NULL || !check_basis (self, all, armilla_objects_like (points), error))
    return FALSE;
  armilla_fields_init (&chosen, (int) self->chosen->len);
  armilla_fields_choose (&chosen, all, (const int *) (gpointer) self->chosen->data);
  names = armilla_points_names (self->columns, &chosen, error);
  if (names != NULL)
    outputs[0] = (ArmillaData *) armilla_points_add (points, names, &chosen, error);
  armilla_fields_clear (&chosen);
  if (outputs[0] == NULL)
    return FALSE;
  armilla_stage_note (outputs[0], "sample-map: %s",
                      self->method == ARMILLA_SAMPLING_NEAREST ? "nearest pixels"
                                                               : "bilinear interpolation");
  return TRUE;
}

/* Returns the bytes of two copies of the objects with all columns (one in the coordinates of the
 * map), of the sampled values, and of the order of the objects. */
static double
sample_map_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const double n = (double) armilla_objects_expected (ARMILLA_OBJECTS (inputs[1]));
  const int n_values = armilla_objects_like (ARMILLA_OBJECTS (outputs[0]))->n_values;

  return n * (sizeof (double) * (2.0 * (3 + n_values) + ARMILLA_SAMPLE_MAP (stage)->chosen->len)
              + sizeof (gint64) + sizeof (int));
}

static gboolean
sample_map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  const ArmillaSampleMap *self = ARMILLA_SAMPLE_MAP (stage);

  return armilla_graph_sample (graph, ARMILLA_MAP (inputs[0]),
                               (const int *) (gpointer) self->chosen->data,
                               (int) self->chosen->len, ARMILLA_OBJECTS (inputs[1]), self->method,
                               ARMILLA_OBJECTS (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "method", ARMILLA_ENUM (ArmillaSampleMap, method, armilla_points_methods,
                            ARMILLA_SAMPLING_BILINEAR),
    "the pixel at the object, or interpolation between four pixels" },
  { "fields", ARMILLA_TEXT (ArmillaSampleMap, fields, "all"),
    "fields of the map: names or numbers from 0, separated by commas, or all" },
  { "columns", ARMILLA_TEXT (ArmillaSampleMap, columns, ""),
    "names of the new columns, one per field, separated by commas; empty: the names of the "
    "fields, or VALUE, or VALUE_1 and so on" },
};

static void
armilla_sample_map_class_init (ArmillaSampleMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "sample-map";
  armilla_stage_set_example (stage, "columns = T");
  stage->summary = "Compute the values of a map at the objects of a catalogue";
  stage->description =
    "nearest takes the pixel that contains the object (HEALPix), or the pixel nearest in azimuth "
    "on the ring nearest in co-latitude (other grids). bilinear is healpy's get_interp_val, on "
    "all grids: linear in azimuth on the rings above and below the object, and linear in co- "
    "latitude between them; between a pole and the nearest ring, the value of the pole is the "
    "mean of that ring. UNSEEN pixels are ignored by bilinear, unless they have more than half of "
    "the weight: then the value is UNSEEN, as for nearest. Objects are converted to the "
    "coordinates of the map, unless a field has a spin: Q and U stay along the meridians of the "
    "map, so both must have the same coordinates; within some pixels of a pole, where meridians "
    "converge, interpolation blurs them. Values of the band-limited field itself, without pixels, "
    "are computed by alm2points. The result has the same bits for any number of ranks and "
    "workers.";
  stage->ports = ports;
  stage->prepare = sample_map_prepare;
  stage->build = sample_map_build;
  stage->memory = sample_map_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSampleMap, chosen, g_array_unref);
}
