/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/base/stage-util.h"
#include "plugins/base/stages.h"

struct _ArmillaRemoveMonopole {
  ArmillaStage parent_instance;
  gboolean dipole;
  double galactic_cut;
};

G_DECLARE_FINAL_TYPE (ArmillaRemoveMonopole, armilla_remove_monopole, ARMILLA, REMOVE_MONOPOLE,
                      ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaRemoveMonopole, armilla_remove_monopole, ARMILLA_TYPE_STAGE)

enum { PROP_DIPOLE = 1, PROP_GALACTIC_CUT, N_PROPS };
static GParamSpec *props[N_PROPS];

static const ArmillaPort in_out[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the map less its fit; UNSEEN stays UNSEEN" },
  { NULL, NULL, 0, NULL },
};

static gboolean
remove_monopole_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                         ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  ArmillaMap *out = armilla_map_new (armilla_map_grid (map), armilla_map_n_fields (map));

  (void) stage;
  (void) context;
  (void) error;
  armilla_stage_copy_header (out, map);
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (out);
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

static void
remove_monopole_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ArmillaRemoveMonopole *self = ARMILLA_REMOVE_MONOPOLE (object);

  switch (id)
    {
    case PROP_DIPOLE:
      g_value_set_boolean (value, self->dipole);
      break;
    case PROP_GALACTIC_CUT:
      g_value_set_double (value, self->galactic_cut);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
remove_monopole_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaRemoveMonopole *self = ARMILLA_REMOVE_MONOPOLE (object);

  switch (id)
    {
    case PROP_DIPOLE:
      self->dipole = g_value_get_boolean (value);
      break;
    case PROP_GALACTIC_CUT:
      self->galactic_cut = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
armilla_remove_monopole_class_init (ArmillaRemoveMonopoleClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = remove_monopole_get_property;
  object->set_property = remove_monopole_set_property;
  stage->nick = "remove-monopole";
  stage->summary = "Subtract the mean of a map, and its dipole if asked for";
  stage->description =
    "Fits a constant (and with dipole = true a vector) by least squares to the pixels that are "
    "not UNSEEN and not cut out, and subtracts it from all pixels that are not UNSEEN, each scalar "
    "field on its own, as healpy's. Fields with a spin have no monopole and stay as they are.";
  stage->ports = in_out;
  stage->prepare = remove_monopole_prepare;
  stage->build = remove_monopole_build;
  props[PROP_DIPOLE] = g_param_spec_boolean (
    "dipole", NULL, "fit and subtract the dipole too", FALSE, ARMILLA_PARAM_RW);
  props[PROP_GALACTIC_CUT] = armilla_param_spec_quantity (
    "galactic-cut", "pixels with |latitude| up to this angle are left out of the fit",
    ARMILLA_DIMENSION_ANGLE, 0, G_PI / 2, 0);
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_remove_monopole_init (ArmillaRemoveMonopole *self)
{
  (void) self;
}
