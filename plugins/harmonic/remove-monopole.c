/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "tasks/pixels/pixels.h"

struct _ArmillaRemoveMonopole {
  ArmillaStage parent_instance;
  gboolean dipole;
  double galactic_cut;
};

ARMILLA_DEFINE_STAGE (ArmillaRemoveMonopole, armilla_remove_monopole, ARMILLA, REMOVE_MONOPOLE)

static const ArmillaPort in_out[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the map minus the fit; UNSEEN stays UNSEEN" },
  { NULL, NULL, 0, NULL },
};

static gboolean
remove_monopole_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                         ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  (void) stage;
  (void) context;
  (void) error;
  outputs[0] = armilla_stage_copy (inputs[0]);
  return TRUE;
}

static gboolean
remove_monopole_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                       ArmillaData *const *outputs, GError **error)
{
  ArmillaRemoveMonopole *self = ARMILLA_REMOVE_MONOPOLE (stage);

  return armilla_graph_remove_monopole (graph, ARMILLA_MAP (inputs[0]), self->dipole,
                                        self->galactic_cut, ARMILLA_MAP (outputs[0]), error);
}

static const ArmillaProperty properties[] = {
  { "dipole", ARMILLA_BOOLEAN (ArmillaRemoveMonopole, dipole, FALSE),
    "whether the dipole is fitted and subtracted too" },
  { "galactic-cut", ARMILLA_QUANTITY (ArmillaRemoveMonopole, galactic_cut, ARMILLA_DIMENSION_ANGLE,
                                      0, G_PI / 2, 0),
    "pixels with |latitude| up to this angle are excluded from the fit" },
};

static void
armilla_remove_monopole_class_init (ArmillaRemoveMonopoleClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "remove-monopole";
  stage->summary = "Subtract the mean of a map, and optionally its dipole";
  stage->description =
    "Fits a constant (and with dipole = true a vector) by least squares to the pixels that are "
    "neither UNSEEN nor excluded, and subtracts it from all pixels that are not UNSEEN, for each "
    "scalar field separately, as healpy does. Fields with a spin have no monopole and do not "
    "change.";
  stage->ports = in_out;
  stage->prepare = remove_monopole_prepare;
  stage->build = remove_monopole_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
