/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixelisations, images of the sky, and types of columns, for programs and plugins. Plain C, like
 * armilla/arrays.h. */
#pragma once

#include <stdint.h>

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
 * ArmillaCar:
 * @n_x: number of columns, along longitude
 * @n_y: number of rows, along latitude
 * @crpix: reference point, in pixels from 1 along longitude and latitude; may be outside the image
 * @cdelt: size of a pixel along longitude and latitude, degrees; negative if they decrease
 * @crval: longitude of the reference point, degrees; its latitude is 0
 *
 * An image of the sky, or of a part of it, in the projection CAR (plate carree) of FITS: longitude
 * and latitude are linear in the pixel coordinates. Its rows are rings of an equiangular grid.
 */
typedef struct {
  int64_t n_x, n_y;
  double crpix[2], cdelt[2];
  double crval;
} ArmillaCar;

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
