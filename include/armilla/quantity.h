/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of the properties of stages. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaDimension:
 * @ARMILLA_DIMENSION_NONE: a bare number
 * @ARMILLA_DIMENSION_ANGLE: rad, deg, arcmin, arcsec; in radian
 * @ARMILLA_DIMENSION_BYTES: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB; in bytes
 * @ARMILLA_DIMENSION_TIME: ms, s, min, h; in seconds
 */
typedef enum {
  ARMILLA_DIMENSION_NONE,
  ARMILLA_DIMENSION_ANGLE,
  ARMILLA_DIMENSION_BYTES,
  ARMILLA_DIMENSION_TIME
} ArmillaDimension;

G_END_DECLS
