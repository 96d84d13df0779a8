/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/objects.h"
#include "tasks/points/sample.h"

struct _ArmillaFindPeaks {
  ArmillaStage parent_instance;
  char *field;
  ArmillaPeaks type;
  double threshold;
  int number; /* number of the field */
};

ARMILLA_DEFINE_STAGE (ArmillaFindPeaks, armilla_find_peaks, ARMILLA, FIND_PEAKS)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map on any grid; one field is searched" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the centres of the pixels, in their order, with the columns VALUE, PIXEL (number in ring "
    "order, from 0) and TYPE (1 for a maximum, -1 for a minimum)" },
  { NULL, NULL, 0, NULL },
};

static const char *const types[] = {
  [ARMILLA_PEAKS_MAXIMA] = "maxima", [ARMILLA_PEAKS_MINIMA] = "minima",
  [ARMILLA_PEAKS_BOTH] = "both", NULL,
};

static gboolean
find_field (ArmillaFindPeaks *self, const ArmillaFields *fields, GError **error)
{
  g_autoptr (GArray) chosen
    = armilla_stage_columns (self->field, (const char *const *) fields->names, fields->n, "field",
                             "the map", error);

  if (chosen == NULL)
    return FALSE;
  if (chosen->len != 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "field = %s: selects %u fields; must be one",
                         self->field, chosen->len);
  self->number = g_array_index (chosen, int, 0);
  return TRUE;
}

static gboolean
find_peaks_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaFindPeaks *self = ARMILLA_FIND_PEAKS (stage);
  const ArmillaFields *fields = armilla_data_fields (inputs[0]);
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_new (0, 0, error);

  (void) context;
  if (like == NULL || !find_field (self, fields, error)
      || armilla_catalogue_add_value (like, "VALUE", fields->units[self->number], error) == NULL
      || armilla_catalogue_add_value (like, "PIXEL", "", error) == NULL
      || armilla_catalogue_add_value (like, "TYPE", "", error) == NULL)
    return FALSE;
  if (fields->coordsys != NULL && strlen (fields->coordsys) == 1
      && strchr ("CGE", *fields->coordsys) != NULL)
    like->coordsys = *fields->coordsys;
  outputs[0] = ARMILLA_DATA (armilla_objects_new_like (like));
  armilla_stage_inherit (outputs[0], inputs[0]);
  armilla_stage_note (outputs[0], "find-peaks: %s", types[self->type]);
  return TRUE;
}

static double
find_peaks_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  (void) stage;
  (void) outputs;
  return armilla_find_peaks_bytes (armilla_map_grid (ARMILLA_MAP (inputs[0])));
}

static gboolean
find_peaks_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  const ArmillaFindPeaks *self = ARMILLA_FIND_PEAKS (stage);
  const double threshold = armilla_stage_given (stage, "threshold") ? self->threshold : -INFINITY;

  return armilla_graph_find_peaks (graph, ARMILLA_MAP (inputs[0]), self->number, self->type,
                                   threshold, ARMILLA_OBJECTS (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "type", ARMILLA_ENUM (ArmillaFindPeaks, type, types, ARMILLA_PEAKS_MAXIMA),
    "which peaks to find" },
  { "threshold", ARMILLA_DOUBLE (ArmillaFindPeaks, threshold, -1e300, 1e300, 0),
    "minimum of maxima, in the unit of the map; minima are at most minus this; not given: all" },
  { "field", ARMILLA_TEXT (ArmillaFindPeaks, field, "0"),
    "field of the map: its name, or its number from 0" },
};

static void
armilla_find_peaks_class_init (ArmillaFindPeaksClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "find-peaks";
  armilla_stage_set_example (stage, "threshold = 1");
  stage->summary = "Find the maxima and minima of a map, as a catalogue";
  stage->description =
    "A maximum is a pixel with a higher value than all its neighbours: on HEALPix the 8 pixels (7 "
    "at some corners of base pixels) that share an edge or a corner with it, in ring and in "
    "nested order. On other grids the neighbours are those whose cells, which reach half way to "
    "the adjacent pixels and rings, touch its own: 8 on most rings. On the ring next to a pole "
    "all pixels are neighbours; on a ring at a pole the first pixel stands for all. UNSEEN pixels "
    "are no peaks and are ignored as neighbours, so peaks at the border of a mask may be higher "
    "outside it; a pixel without seen neighbours is no peak. Equal neighbours (a plateau) are no "
    "peaks. A minimum is a maximum of the map with the opposite sign. There may be no peak at "
    "all. The objects have the coordinates of the map.";
  stage->ports = ports;
  stage->prepare = find_peaks_prepare;
  stage->build = find_peaks_build;
  stage->memory = find_peaks_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
