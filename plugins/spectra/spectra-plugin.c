/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

static GType (*const spectra_stages[]) (void) = {
  armilla_coupling_get_type,
  armilla_bandpowers_get_type,
  armilla_purify_get_type,
  armilla_decouple_get_type,
  armilla_covariance_get_type,
  NULL,
};

extern const ArmillaPluginDesc armilla_plugin_desc;

const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "spectra", PACKAGE_VERSION, "GPL-3.0-or-later", spectra_stages,
};
