/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "arithmetic", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_collect_get_type,
  armilla_map_statistics_get_type,
  armilla_mask_get_type,
  armilla_combine_get_type,
  armilla_combine_alm_get_type,
  armilla_expression_map_get_type,
  armilla_expression_cl_get_type,
  armilla_expression_table_get_type,
  armilla_noise_map_get_type,
  armilla_rotate_map_get_type,
  armilla_set_fields_get_type,
  armilla_set_fields_alm_get_type,
  armilla_sweep_table_get_type,
  armilla_ud_grade_get_type)
