/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

static GType (*const render_stages[]) (void) = {
  armilla_render_get_type,
  armilla_render_patches_get_type,
  NULL,
};

extern const ArmillaPluginDesc armilla_plugin_desc;

const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "render", PACKAGE_VERSION, "GPL-3.0-or-later", render_stages,
};
