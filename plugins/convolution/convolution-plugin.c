/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "convolution", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_convolve_get_type)
