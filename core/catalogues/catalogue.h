/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues read from files, checked, copied and rotated. Any number of threads may read a
 * catalogue that no thread changes. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/table.h>

#include "core/catalogues/cosmology.h"

G_BEGIN_DECLS

gboolean armilla_angle_unit_parse (const char *text, ArmillaAngleUnit *unit, GError **error);
void armilla_angle_sin_cos (double angle, ArmillaAngleUnit unit, double *sine, double *cosine);

const ArmillaCatalogueValue *armilla_catalogue_value (const ArmillaCatalogue *self,
                                                      const char *name);
ArmillaCatalogueParts armilla_catalogue_parts (const ArmillaCatalogue *self);
gboolean armilla_catalogue_set_vectors (ArmillaCatalogue *self, gint64 first, gint64 n,
                                        const double *x, const double *y, const double *z,
                                        GError **error);
gboolean armilla_catalogue_check (const ArmillaCatalogue *self, GError **error);
gboolean armilla_catalogue_check_shears (const ArmillaCatalogue *self, GError **error);
ArmillaCatalogue *armilla_catalogue_copy (const ArmillaCatalogue *self,
                                          ArmillaCatalogueParts parts, GError **error);
ArmillaCatalogue *armilla_catalogue_share (ArmillaCatalogue *self);
ArmillaCatalogue *armilla_catalogue_select (const ArmillaCatalogue *self, const gint64 *which,
                                            gint64 n, GError **error);
ArmillaCatalogue *armilla_catalogue_weigh (const ArmillaCatalogue *self, const double *values,
                                           GError **error);
ArmillaCatalogue *armilla_catalogue_rotate (const ArmillaCatalogue *self, char to,
                                            GError **error);

/* Roles of the columns of a file. */
typedef enum {
  ARMILLA_ROLE_LONGITUDE, /* right ascension or longitude */
  ARMILLA_ROLE_LATITUDE,  /* declination or latitude */
  ARMILLA_ROLE_X, /* first component of a unit vector, or of a position in a box, instead of
                   * angles */
  ARMILLA_ROLE_Y,         /* second component */
  ARMILLA_ROLE_Z,         /* third component */
  ARMILLA_ROLE_WEIGHT,    /* weight */
  ARMILLA_ROLE_G1,        /* shear */
  ARMILLA_ROLE_G2,        /* shear */
  ARMILLA_ROLE_PATCH,     /* number of the patch, from 0 */
  ARMILLA_ROLE_DISTANCE,  /* distance from the observer, which becomes a value */
  ARMILLA_ROLE_REDSHIFT,  /* redshift, from which the distance is computed */
  ARMILLA_N_ROLES         /* number of roles */
} ArmillaCatalogueRole;

/* How to read a catalogue. */
typedef struct {
  /* name or number (from 0) of the column for each role; NULL or "" for none. If no position is
   * named, columns are searched for by the usual names */
  const char *column[ARMILLA_N_ROLES];
  const char *unit[2]; /* units of longitude and latitude; NULL or "": the units in the file */
  /* C, G or E: coordinates of the angles; 0: those that COORDSYS of the file gives, C without it */
  char coordsys;
  gboolean is_box; /* whether x, y and z are positions of any length, which become values */
  ArmillaCosmology cosmology; /* for distances from redshifts */
  gboolean flip_g2;    /* whether to change the sign of g2 */
  int n_patches;       /* number of patches, if there is a column of patches */
  /* (array zero-terminated=1): names or numbers of further columns to read; may be NULL */
  const char *const *values;
} ArmillaCatalogueColumns;

/* Reader of a file of objects; for one thread at a time. */
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCatalogueReader, armilla_catalogue_reader_free)

/* In catalogue-table.c: */
ArmillaTable *armilla_catalogue_columns_table (const ArmillaCatalogue *catalogue,
                                               gboolean vectors, GError **error);

G_END_DECLS
