/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin whose one stage does nothing, for the loading of plugins; also as it would be, had it
 * been built for another interface, and with a second type, whose name is too short for GObject. */
#include "tests/lib/idle-stage.h"

#ifndef TOY_ABI
#define TOY_ABI ARMILLA_PLUGIN_ABI
#endif
#ifndef TOY_NAME
#define TOY_NAME "toy"
#endif

struct _ToyStage {
  ArmillaStage parent_instance;
};

ARMILLA_DEFINE_STAGE (ToyStage, toy_stage, TOY, STAGE)

static const ArmillaPort ports[] = {
  { NULL, NULL, 0, NULL },
};

static void
toy_stage_class_init (ToyStageClass *klass)
{
  idle_class (ARMILLA_STAGE_CLASS (klass), TOY_NAME, ports);
}

#ifdef TOY_SECOND
static GType
TOY_SECOND (void)
{
  return g_type_register_static_simple (ARMILLA_TYPE_STAGE, "Ab", sizeof (ArmillaStageClass), NULL,
                                        sizeof (ToyStage), NULL, 0);
}
#else
#define TOY_SECOND NULL
#endif

static GType (*const stage_types[]) (void) = { toy_stage_get_type, TOY_SECOND, NULL };

extern const ArmillaPluginDesc armilla_plugin_desc;
const ArmillaPluginDesc armilla_plugin_desc = {
  TOY_ABI, TOY_NAME, "1", "GPL-3.0-or-later", stage_types
};
