/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"
#include "tasks/points/points.h"

struct _ArmillaAlm2points {
  ArmillaStage parent_instance;
  char *columns;
  double epsilon;
};

ARMILLA_DEFINE_STAGE (ArmillaAlm2points, armilla_alm2points, ARMILLA, ALM2POINTS)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of any spins" },
  { "points", armilla_objects_get_type, ARMILLA_PORT_IN, "the points, in any order" },
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the points with all their columns and F new ones, in the unit of the a_lm" },
  { NULL, NULL, 0, NULL },
};

/* Fails if the coordinates of the a_lm and of the objects are known and differ. */
static gboolean
check_coordinates (ArmillaAlm *alm, const ArmillaCatalogue *like, GError **error)
{
  const char *system = armilla_alm_coordsys (alm);

  if (system == NULL || *system == '\0' || like->coordsys == 0 || *system == like->coordsys)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the a_lm have the coordinates %s, the points %c; convert the a_lm with "
                       "the stage rotate", system, like->coordsys);
}

static gboolean
alm2points_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaAlm2points *self = ARMILLA_ALM2POINTS (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  ArmillaObjects *points = ARMILLA_OBJECTS (inputs[1]);
  const ArmillaFields *fields = armilla_data_fields (inputs[0]);
  g_auto (GStrv) names = armilla_points_names (self->columns, fields, error);

  (void) context;
  if (names == NULL || !check_coordinates (alm, armilla_objects_like (points), error))
    return FALSE;
  outputs[0] = (ArmillaData *) armilla_points_add (points, names, fields, error);
  if (outputs[0] == NULL)
    return FALSE;
  armilla_stage_note (outputs[0], "alm2points: epsilon %g", self->epsilon);
  return TRUE;
}

/* Returns the bytes of the transform and of the new columns. */
static double
alm2points_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  const gint64 n = armilla_objects_expected (ARMILLA_OBJECTS (inputs[1]));
  const int n_fields = armilla_alm_n_fields (alm);

  (void) outputs;
  return armilla_points_bytes (armilla_alm_layout (alm), ARMILLA_ALM2POINTS (stage)->epsilon,
                               n_fields, n)
         + (double) sizeof (double) * n_fields * (double) n;
}

static gboolean
alm2points_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  return armilla_graph_points (graph, ARMILLA_ALM (inputs[0]), ARMILLA_OBJECTS (inputs[1]),
                               ARMILLA_ALM2POINTS (stage)->epsilon, ARMILLA_OBJECTS (outputs[0]),
                               error);
}

static ArmillaTransforms
alm2points_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_SYNTHESIS;
}

static const ArmillaProperty properties[] = {
  { "columns", ARMILLA_TEXT (ArmillaAlm2points, columns, ""),
    "names of the new columns, one per field, separated by commas; empty: the names of the "
    "fields, or VALUE, or VALUE_1 and so on" },
  { "epsilon", ARMILLA_DOUBLE (ArmillaAlm2points, epsilon, ARMILLA_POINTS_MIN_EPSILON,
                               ARMILLA_POINTS_MAX_EPSILON, 1e-7),
    "relative accuracy: maximum rms error, as a fraction of the rms of the values" },
};

static void
armilla_alm2points_class_init (ArmillaAlm2pointsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "alm2points";
  armilla_stage_set_example (stage, "columns = T");
  stage->summary = "Compute the values of a_lm at the objects of a catalogue";
  stage->description =
    "f = sum over l and m of a_lm Y_lm at each object, as alm2map computes it at the centres of "
    "pixels: to the accuracy epsilon, with all multipoles of the a_lm and without pixels in "
    "between. A pair of fields of spin s > 0 becomes Q and U with the signs of alm2map: Q is "
    "along the meridian of the object, in the convention COSMO, and at a pole along that of "
    "longitude 0. The values are interpolated from a grid with 1.5 times the rings and pixels "
    "that the a_lm need, or twice as many if epsilon is below 1e-9; its recurrence has lmax + 2 "
    "rings only. The result has the same bits for any number of workers and ranks. The a_lm and "
    "the objects must have the same coordinates.";
  stage->ports = ports;
  stage->prepare = alm2points_prepare;
  stage->build = alm2points_build;
  stage->memory = alm2points_memory;
  stage->transforms = alm2points_transforms;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
