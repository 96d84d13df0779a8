/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "harmonic", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_random_alm_get_type,
  armilla_alm2map_get_type,
  armilla_map2alm_get_type,
  armilla_smooth_alm_get_type,
  armilla_rotate_get_type,
  armilla_gradient_get_type,
  armilla_filter_alm_get_type,
  armilla_resize_alm_get_type,
  armilla_alm2cl_get_type,
  armilla_remove_monopole_get_type,
  armilla_change_order_get_type)
