/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "correlation", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_pair_correlation_get_type,
  armilla_shear_correlation_get_type,
  armilla_triple_correlation_get_type)
