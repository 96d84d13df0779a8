/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects on the sphere: in memory, and in files. References may be taken and given back in any
 * thread. A catalogue is filled by one thread; once nobody changes it, any threads may read it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaCatalogueValue:
 * @name: name of the column
 * @unit: its unit, "" for none
 * @value: (array length=n): the values; NaN for an object without one
 *
 * A column of a catalogue that no other member is for: a magnitude, a redshift.
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
 * @coordsys: C (equatorial), G (galactic), E (ecliptic), or 0 when nobody said
 *
 * Objects on the sphere, a structure of arrays, reference-counted; not changed once it is shared.
 *
 * The basis of the shears at (x, y, z) with r = sqrt (x^2 + y^2): north is (-x z, -y z, r^2) / r,
 * east is (-y, x, 0) / r. On a pole, where x = y = 0, it is the one of longitude 0: north is
 * (-sign z, 0, 0), east is (0, 1, 0). Catalogues that count psi from west to north have -g1 and
 * -g2, which no correlation of two shears notices; psi from south to east (COSMO) has -g2.
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
} ArmillaCatalogue;

/**
 * ArmillaCatalogueParts:
 * @ARMILLA_CATALOGUE_WEIGHT: weights
 * @ARMILLA_CATALOGUE_SHEAR: shears
 * @ARMILLA_CATALOGUE_PATCH: patches
 * @ARMILLA_CATALOGUE_VALUES: further columns, which armilla_catalogue_add_value() makes
 *
 * What a catalogue has beyond positions.
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

gboolean armilla_angle_unit_parse (const char *text, ArmillaAngleUnit *unit, GError **error);
void armilla_angle_sin_cos (double angle, ArmillaAngleUnit unit, double *sine, double *cosine);

ArmillaCatalogue *armilla_catalogue_new (gint64 n, ArmillaCatalogueParts parts, GError **error);
ArmillaCatalogue *armilla_catalogue_ref (ArmillaCatalogue *self);
void armilla_catalogue_unref (ArmillaCatalogue *self);
double *armilla_catalogue_add_value (ArmillaCatalogue *self, const char *name, const char *unit,
                                     GError **error);
const ArmillaCatalogueValue *armilla_catalogue_value (const ArmillaCatalogue *self,
                                                      const char *name);
ArmillaCatalogueParts armilla_catalogue_parts (const ArmillaCatalogue *self);
gboolean armilla_catalogue_set_angles (ArmillaCatalogue *self, gint64 first, gint64 n,
                                       const double *longitude, ArmillaAngleUnit longitude_unit,
                                       const double *latitude, ArmillaAngleUnit latitude_unit,
                                       GError **error);
gboolean armilla_catalogue_set_vectors (ArmillaCatalogue *self, gint64 first, gint64 n,
                                        const double *x, const double *y, const double *z,
                                        GError **error);
gboolean armilla_catalogue_check (const ArmillaCatalogue *self, GError **error);
ArmillaCatalogue *armilla_catalogue_copy (const ArmillaCatalogue *self,
                                          ArmillaCatalogueParts parts, GError **error);
ArmillaCatalogue *armilla_catalogue_select (const ArmillaCatalogue *self, const gint64 *which,
                                            gint64 n, GError **error);
ArmillaCatalogue *armilla_catalogue_rotate (const ArmillaCatalogue *self, char to,
                                            GError **error);

/**
 * ArmillaCatalogueRole:
 * @ARMILLA_ROLE_LONGITUDE: right ascension or longitude
 * @ARMILLA_ROLE_LATITUDE: declination or latitude
 * @ARMILLA_ROLE_X: a unit vector's first component, instead of angles
 * @ARMILLA_ROLE_Y: its second
 * @ARMILLA_ROLE_Z: its third
 * @ARMILLA_ROLE_WEIGHT: weight
 * @ARMILLA_ROLE_G1: shear
 * @ARMILLA_ROLE_G2: shear
 * @ARMILLA_ROLE_PATCH: number of the patch, from 0
 * @ARMILLA_N_ROLES: how many there are
 *
 * What a column of a file is read as.
 */
typedef enum {
  ARMILLA_ROLE_LONGITUDE,
  ARMILLA_ROLE_LATITUDE,
  ARMILLA_ROLE_X,
  ARMILLA_ROLE_Y,
  ARMILLA_ROLE_Z,
  ARMILLA_ROLE_WEIGHT,
  ARMILLA_ROLE_G1,
  ARMILLA_ROLE_G2,
  ARMILLA_ROLE_PATCH,
  ARMILLA_N_ROLES
} ArmillaCatalogueRole;

/**
 * ArmillaCatalogueColumns:
 * @column: name or number (from 0) of the column for each role; %NULL or "" for none. Positions
 *   without any are looked for under the names that catalogues use
 * @unit: (nullable): units of longitude and latitude; %NULL or "": what the file says
 * @coordsys: C, G or E: what the angles are; 0: what COORDSYS of the file says, C without it
 * @flip_g2: whether to change the sign of g2
 * @n_patches: number of patches, when there is a column of them
 * @values: (nullable) (array zero-terminated=1): names or numbers of further columns to keep
 *
 * How to read a catalogue.
 */
typedef struct {
  const char *column[ARMILLA_N_ROLES];
  const char *unit[2];
  char coordsys;
  gboolean flip_g2;
  int n_patches;
  const char *const *values;
} ArmillaCatalogueColumns;

/**
 * ArmillaCatalogueReader:
 *
 * A file of objects that is open for reading; one thread at a time.
 */
typedef struct _ArmillaCatalogueReader ArmillaCatalogueReader;

ArmillaCatalogueReader *armilla_catalogue_reader_open (const char *path, int hdu,
                                                       const ArmillaCatalogueColumns *columns,
                                                       GError **error);
gint64 armilla_catalogue_reader_count (ArmillaCatalogueReader *reader);
const char *armilla_catalogue_reader_note (ArmillaCatalogueReader *reader);
ArmillaCatalogue *armilla_catalogue_reader_describe (ArmillaCatalogueReader *reader,
                                                     GError **error);
ArmillaCatalogue *armilla_catalogue_reader_read (ArmillaCatalogueReader *reader, GError **error);
void armilla_catalogue_reader_free (ArmillaCatalogueReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCatalogue, armilla_catalogue_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCatalogueReader, armilla_catalogue_reader_free)

G_END_DECLS
