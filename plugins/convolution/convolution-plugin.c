/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

static GType (*const convolution_stages[]) (void) = {
  armilla_convolve_get_type,
  NULL,
};

extern const ArmillaPluginDesc armilla_plugin_desc;

const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "convolution", PACKAGE_VERSION, "GPL-3.0-or-later", convolution_stages,
};
