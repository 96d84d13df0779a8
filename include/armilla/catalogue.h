/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects on the sphere, in memory. References are thread-safe. One thread fills a catalogue; any
 * number of threads may read a catalogue that no thread changes. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaCatalogueValue:
 * @name: name of the column
 * @unit: its unit, "" for none
 * @value: (array length=n): the values; NaN for an object without one
 *
 * An additional column of a catalogue, such as magnitude or redshift.
 */
typedef struct {
  char *name, *unit;
  double *value;
} ArmillaCatalogueValue;

/**
 * ArmillaCatalogue:
 * @n: number of objects, may be 0
 * @x: (array length=n): unit vectors to the objects, component by component
 * @y: (array length=n): towards longitude 90 deg
 * @z: (array length=n): towards the north pole
 * @weight: (array length=n) (nullable): finite, not negative; %NULL: all weigh 1
 * @g1: (array length=n) (nullable): shear: g1 + i g2 = |g| exp (2 i psi), psi from north to east
 * @g2: (array length=n) (nullable): present together with @g1
 * @patch: (array length=n) (nullable): patch of the sky, 0 <= patch < @n_patches
 * @n_patches: number of patches, 0 without @patch
 * @n_values: number of further columns
 * @values: (array length=n_values): these columns
 * @coordsys: C (equatorial), G (galactic), E (ecliptic), or 0 if unknown
 *
 * Objects on the sphere, a structure of arrays, reference-counted; not changed once it is shared.
 *
 * The basis of the shears at (x, y, z) with r = sqrt (x^2 + y^2): north is (-x z, -y z, r^2) / r,
 * east is (-y, x, 0) / r. On a pole, where x = y = 0, it is the one of longitude 0: north is (-sign
 * z, 0, 0), east is (0, 1, 0). Catalogues that count psi from west to north have -g1 and -g2, which
 * does not affect correlations of two shears; psi from south to east (COSMO) has -g2.
 */
typedef struct {
  gint64 n;
  double *x, *y, *z;
  double *weight;
  double *g1, *g2;
  gint32 *patch;
  int n_patches;
  int n_values;
  ArmillaCatalogueValue *values;
  char coordsys;
  /*< private >*/
  gint refs;
  gpointer lender;
} ArmillaCatalogue;

/**
 * ArmillaCatalogueParts:
 * @ARMILLA_CATALOGUE_WEIGHT: weights
 * @ARMILLA_CATALOGUE_SHEAR: shears
 * @ARMILLA_CATALOGUE_PATCH: patches
 * @ARMILLA_CATALOGUE_VALUES: further columns, added by armilla_catalogue_add_value()
 *
 * Parts that a catalogue may have in addition to positions.
 */
typedef enum {
  ARMILLA_CATALOGUE_WEIGHT = 1 << 0,
  ARMILLA_CATALOGUE_SHEAR = 1 << 1,
  ARMILLA_CATALOGUE_PATCH = 1 << 2,
  ARMILLA_CATALOGUE_VALUES = 1 << 3
} ArmillaCatalogueParts;

/**
 * ArmillaAngleUnit:
 * @ARMILLA_ANGLE_RAD: radian
 * @ARMILLA_ANGLE_DEG: degrees
 * @ARMILLA_ANGLE_ARCMIN: minutes of arc
 * @ARMILLA_ANGLE_ARCSEC: seconds of arc
 * @ARMILLA_ANGLE_HOUR: hours, 24 of which make a turn
 *
 * Unit of a column of angles.
 */
typedef enum {
  ARMILLA_ANGLE_RAD,
  ARMILLA_ANGLE_DEG,
  ARMILLA_ANGLE_ARCMIN,
  ARMILLA_ANGLE_ARCSEC,
  ARMILLA_ANGLE_HOUR
} ArmillaAngleUnit;

/**
 * armilla_catalogue_new:
 * @n: number of objects, at least 0
 * @parts: parts in addition to positions
 * @error: return location
 *
 * Allocates a catalogue whose columns are all 0; the caller fills the columns before sharing the
 * catalogue.
 *
 * Returns: (transfer full): the catalogue, or %NULL with %ARMILLA_ERROR_MEMORY
 */
ArmillaCatalogue *armilla_catalogue_new (gint64 n, ArmillaCatalogueParts parts, GError **error);

/**
 * armilla_catalogue_ref:
 * @self: a catalogue
 *
 * Returns: (transfer full): the same catalogue
 */
ArmillaCatalogue *armilla_catalogue_ref (ArmillaCatalogue *self);

/**
 * armilla_catalogue_unref:
 * @self: (transfer full) (nullable): a catalogue
 */
void armilla_catalogue_unref (ArmillaCatalogue *self);

/**
 * armilla_catalogue_add_value:
 * @self: a catalogue without other references
 * @name: name of a column
 * @unit: its unit, "" for none
 * @error: return location
 *
 * Adds a column of values, all 0, for the caller to fill.
 *
 * Returns: (transfer none) (nullable): the values, or %NULL with %ARMILLA_ERROR_MEMORY
 */
double *armilla_catalogue_add_value (ArmillaCatalogue *self, const char *name, const char *unit,
                                     GError **error);

/**
 * armilla_catalogue_set_angles:
 * @self: a catalogue without other references
 * @first: first object
 * @n: number of objects
 * @longitude: (array length=n): right ascensions or longitudes, any finite angles
 * @longitude_unit: their unit
 * @latitude: (array length=n): declinations or latitudes, from -90 to 90 deg
 * @latitude_unit: their unit
 * @error: return location
 *
 * Sets positions: x = cos (latitude) cos (longitude) and so on, within about 2 ulp. Set shears
 * first: at a pole they are rotated from the basis of the given longitude to that of longitude 0.
 *
 * Returns: whether all positions are valid; %ARMILLA_ERROR_VALUE (beyond a pole) or
 *   %ARMILLA_ERROR_NUMERIC (NaN, infinity) with the number of the object, counted from 1
 */
gboolean armilla_catalogue_set_angles (ArmillaCatalogue *self, gint64 first, gint64 n,
                                       const double *longitude, ArmillaAngleUnit longitude_unit,
                                       const double *latitude, ArmillaAngleUnit latitude_unit,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCatalogue, armilla_catalogue_unref)

G_END_DECLS
