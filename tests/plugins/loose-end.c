/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plugin that needs a function which no library has. */
#include <armilla/stage.h>

GType armilla_test_function_of_no_library (void);

static GType (*const stage_types[]) (void) = { armilla_test_function_of_no_library, NULL };

extern const ArmillaPluginDesc armilla_plugin_desc;
const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "loose-end", "1", "GPL-3.0-or-later", stage_types
};
