/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin of two stages that do nothing; the name of the second type is too short for GObject. */
#include <armilla/stage.h>

struct _LongStage {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (LongStage, long_stage, LONG, STAGE)

static const ArmillaPort ports[] = {
  { NULL, NULL, 0, NULL },
};

static gboolean
long_prepare (ArmillaStage *self, const ArmillaStageContext *context, ArmillaData *const *inputs,
              ArmillaData **outputs, GError **error)
{
  (void) self, (void) context, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static gboolean
long_build (ArmillaStage *self, ArmillaGraph *graph, ArmillaData *const *inputs,
            ArmillaData *const *outputs, GError **error)
{
  (void) self, (void) graph, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static void
long_stage_class_init (LongStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "long-name";
  stage->summary = "Do nothing";
  stage->ports = ports;
  stage->prepare = long_prepare;
  stage->build = long_build;
}

static GType
short_get_type (void)
{
  return g_type_register_static_simple (ARMILLA_TYPE_STAGE, "Ab", sizeof (ArmillaStageClass), NULL,
                                        sizeof (LongStage), NULL, 0);
}

static GType (*const stage_types[]) (void) = { long_stage_get_type, short_get_type, NULL };

extern const ArmillaPluginDesc armilla_plugin_desc;
const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "short-name", "1", "GPL-3.0-or-later", stage_types
};
