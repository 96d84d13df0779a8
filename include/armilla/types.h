/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enumerations of pixelisations and of column types, for programs and plugins. Plain C, like
 * armilla/arrays.h. */
#pragma once

/**
 * ArmillaGridKind:
 * @ARMILLA_GRID_HEALPIX: HEALPix in RING order, any nside
 * @ARMILLA_GRID_GAUSS_LEGENDRE: Gauss-Legendre nodes
 * @ARMILLA_GRID_FEJER1: equiangular, theta = (i + 1/2) pi / n
 * @ARMILLA_GRID_CLENSHAW_CURTIS: equiangular with both poles, theta = i pi / (n - 1)
 * @ARMILLA_GRID_DRISCOLL_HEALY: equiangular with the north pole only, theta = i pi / n, n even
 * @ARMILLA_GRID_RINGS: rings that the caller lists
 *
 * Pixelisations.
 */
typedef enum {
  ARMILLA_GRID_HEALPIX,
  ARMILLA_GRID_GAUSS_LEGENDRE,
  ARMILLA_GRID_FEJER1,
  ARMILLA_GRID_CLENSHAW_CURTIS,
  ARMILLA_GRID_DRISCOLL_HEALY,
  ARMILLA_GRID_RINGS
} ArmillaGridKind;

/**
 * ArmillaColumnType:
 * @ARMILLA_COLUMN_INT64: int64_t
 * @ARMILLA_COLUMN_INT128: signed 128-bit integers in native byte order; files hold their decimal
 *   digits as text, exactly
 * @ARMILLA_COLUMN_DOUBLE: double; NaN for a missing value
 * @ARMILLA_COLUMN_STRING: const char *, UTF-8
 *
 * Types of the columns of a table.
 */
typedef enum {
  ARMILLA_COLUMN_INT64,
  ARMILLA_COLUMN_INT128,
  ARMILLA_COLUMN_DOUBLE,
  ARMILLA_COLUMN_STRING
} ArmillaColumnType;
