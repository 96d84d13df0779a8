/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "catalogue", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_read_catalogue_get_type,
  armilla_random_catalogue_get_type,
  armilla_bin_catalogue_get_type,
  armilla_select_rows_get_type,
  armilla_write_catalogue_get_type)
