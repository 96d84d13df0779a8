/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

static GType (*const correlation_stages[]) (void) = {
  armilla_pair_correlation_get_type,
  armilla_shear_correlation_get_type,
  armilla_triple_correlation_get_type,
  NULL,
};

extern const ArmillaPluginDesc armilla_plugin_desc;

const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "correlation", PACKAGE_VERSION, "GPL-3.0-or-later", correlation_stages,
};
