/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

static GType (*const io_stages[]) (void) = {
  armilla_read_map_get_type,
  armilla_read_alm_get_type,
  armilla_read_cl_get_type,
  armilla_read_matrix_get_type,
  armilla_read_table_get_type,
  armilla_write_map_get_type,
  armilla_write_alm_get_type,
  armilla_write_cl_get_type,
  armilla_write_table_get_type,
  armilla_write_matrix_get_type,
  NULL,
};

extern const ArmillaPluginDesc armilla_plugin_desc;

const ArmillaPluginDesc armilla_plugin_desc = {
  ARMILLA_PLUGIN_ABI, "io", PACKAGE_VERSION, "GPL-3.0-or-later", io_stages,
};
