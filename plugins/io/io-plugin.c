/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "io", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_read_map_get_type,
  armilla_read_alm_get_type,
  armilla_read_cl_get_type,
  armilla_read_matrix_get_type,
  armilla_read_table_get_type,
  armilla_write_map_get_type,
  armilla_write_alm_get_type,
  armilla_write_cl_get_type,
  armilla_write_table_get_type,
  armilla_write_matrix_get_type)
