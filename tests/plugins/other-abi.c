/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin built for an interface that does not exist. */
#include <armilla/stage.h>

static GType (*const stage_types[]) (void) = { NULL };

extern const ArmillaPluginDesc armilla_plugin_desc;
const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI + 1000, "other-abi", "1", "GPL-3.0-or-later", stage_types
};
