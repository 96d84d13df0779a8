/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra and ring weights in files. */
#pragma once

#include <armilla/output.h>
#include "core/fits/fits-source.h"

G_BEGIN_DECLS

typedef struct {
  gint64 lmax;    /* highest multipole */
  int n_fields;   /* number of spectra */
  char **names;   /* (array length=n_fields): column names */
  char **units;   /* (array length=n_fields): unit of each spectrum, "" if unknown */
  char *coordsys; /* COORDSYS of the map whose spectra these are: G, E or C; may be NULL */
  double *values; /* spectra, [field][l], l = 0..lmax; NaN if the file has no value */
  gboolean named; /* whether the file names its columns */
  /* for text files: the line of each l; 0 if it has none, -n if it is interpolated from line n
   * on */
  gint64 *lines;
} ArmillaClTable;

/* Meanings of the rows of a table of spectra. */
typedef enum {
  /* one row for every multipole from the first to the last; a gap is an error */
  ARMILLA_CL_COMPLETE,
  ARMILLA_CL_INTERPOLATED, /* multipoles between the rows are interpolated linearly */
  ARMILLA_CL_AS_ROWS /* rows are not multipoles; a column of multipoles is an ordinary column */
} ArmillaClRows;

ArmillaClTable *armilla_cl_table_new (gint64 lmax, int n_fields);
void armilla_cl_table_free (ArmillaClTable *table);
char *armilla_cl_table_line (const ArmillaClTable *table, gint64 l);
gboolean armilla_cl_table_check (const ArmillaClTable *table, int field, gint64 lmax,
                                 ArmillaClRows rows, const char *path, GError **error);
ArmillaClTable *armilla_cl_read (const char *path, GError **error);
ArmillaClTable *armilla_cl_read_rows (const char *path, ArmillaClRows rows, GError **error);
gboolean armilla_cl_write (ArmillaOutput *output, const ArmillaClTable *table, char **history,
                           GError **error);
double *armilla_ring_weights_read (const char *path, gint64 nside, gint64 *n_rings,
                                   GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaClTable, armilla_cl_table_free)

/* Limit of the length of a spectrum: that of the a_lm that this program can index. */
#define ARMILLA_CL_LIMIT ((G_GINT64_CONSTANT (1) << 24) + 1)

/* In cl-text.c: reads the columns unchanged, with names "" if there are none; *@l: number of the
 * column of multipoles, -1 if there is none. */
ArmillaClTable *armilla_cl_text_read (ArmillaFitsSource *source, gboolean find_l, int *l,
                                      GError **error);

/* In cl-rows.c: assign rows to multipoles. */
gboolean armilla_cl_says_l (const char *name);
ArmillaClTable *armilla_cl_place (ArmillaClTable *columns, int l, ArmillaClRows rows,
                                  const char *path, GError **error);

G_END_DECLS
