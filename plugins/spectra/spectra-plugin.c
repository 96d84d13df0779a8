/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/stage.h>

#include "plugins/base/stages.h"

ARMILLA_DEFINE_PLUGIN (
  "spectra", PACKAGE_VERSION, "GPL-3.0-or-later",
  armilla_coupling_get_type,
  armilla_bandpowers_get_type,
  armilla_purify_get_type,
  armilla_decouple_get_type,
  armilla_covariance_get_type)
