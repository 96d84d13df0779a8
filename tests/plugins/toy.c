/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin whose one stage does nothing, for the loading of plugins; also as it would be, had it
 * been built for the interface before this one. */
#include <armilla/stage.h>

#ifndef TOY_ABI
#define TOY_ABI ARMILLA_PLUGIN_ABI
#endif

struct _ToyStage {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (ToyStage, toy_stage, TOY, STAGE)

static const ArmillaPort ports[] = {
  { NULL, NULL, 0, NULL },
};

static gboolean
toy_prepare (ArmillaStage *self, const ArmillaStageContext *context, ArmillaData *const *inputs,
             ArmillaData **outputs, GError **error)
{
  (void) self, (void) context, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static gboolean
toy_build (ArmillaStage *self, ArmillaGraph *graph, ArmillaData *const *inputs,
           ArmillaData *const *outputs, GError **error)
{
  (void) self, (void) graph, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static void
toy_stage_class_init (ToyStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "toy";
  stage->summary = "Do nothing";
  stage->ports = ports;
  stage->prepare = toy_prepare;
  stage->build = toy_build;
}

static GType (*const stage_types[]) (void) = { toy_stage_get_type, NULL };

extern const ArmillaPluginDesc armilla_plugin_desc;
const ArmillaPluginDesc armilla_plugin_desc = {
  TOY_ABI, "toy", "1", "GPL-3.0-or-later", stage_types
};
