/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "render", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_render_get_type,
  armilla_panel_get_type,
  armilla_render_panels_get_type,
  armilla_render_patches_get_type)
