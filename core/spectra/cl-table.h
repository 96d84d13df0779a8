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
  char **units;   /* (array length=n_fields): unit of each, "" where it is not known */
  char *coordsys; /* COORDSYS of what the spectra were measured on: G, E or C; may be NULL */
  double *values; /* spectra, [field][l], l = 0..lmax; NaN if the file has no value */
  gboolean named; /* whether the file names its columns */
  /* of text, the line of each l: 0 if it has none, -n if it is interpolated from line n on */
  gint64 *lines;
} ArmillaClTable;

/* What the rows of a table of spectra are. */
typedef enum {
  /* every multipole from the first to the last one has a row; a gap is an error */
  ARMILLA_CL_COMPLETE,
  ARMILLA_CL_INTERPOLATED, /* multipoles between those of the rows are interpolated linearly */
  ARMILLA_CL_AS_ROWS /* rows are no multipoles; a column of multipoles is one like any other */
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

/* No spectrum is longer than the a_lm that this program can index. */
#define ARMILLA_CL_LIMIT ((G_GINT64_CONSTANT (1) << 24) + 1)

/* cl-text.c: the columns as they are, names "" for those without; *@l: number of the column of
 * multipoles, -1 without one */
ArmillaClTable *armilla_cl_text_read (ArmillaFitsSource *source, gboolean find_l, int *l,
                                      GError **error);

/* cl-rows.c: which row belongs to which multipole */
gboolean armilla_cl_says_l (const char *name);
ArmillaClTable *armilla_cl_place (ArmillaClTable *columns, int l, ArmillaClRows rows,
                                  const char *path, GError **error);

G_END_DECLS
