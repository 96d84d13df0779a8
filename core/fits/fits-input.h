/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/fits/fits-scan.h"

G_BEGIN_DECLS

/* A FITS file whose structure was verified. Keywords of one HDU at a time are read, by one thread;
 * values (fits-column.c) are read by position, without a lock. */
typedef struct {
  ArmillaFitsSource *source;
  GPtrArray *hdus;         /* ArmillaFitsHdu */
  int selected;            /* HDU whose keywords are read */
  char *cards;             /* header of that HDU */
  gint64 n_cards;
} ArmillaFitsInput;

ArmillaFitsInput *armilla_fits_input_new (ArmillaFitsSource *source, GError **error);
ArmillaFitsInput *armilla_fits_input_open (const char *path, GError **error);
ArmillaFitsInput *armilla_fits_input_new_header (const char *cards);
gboolean armilla_fits_input_select (ArmillaFitsInput *input, int number, GError **error);
ArmillaFitsHdu *armilla_fits_input_hdu (const ArmillaFitsInput *input, int number);
gboolean armilla_fits_input_find_table (const ArmillaFitsInput *input, int wanted, int *number,
                                        GError **error);
gboolean armilla_fits_input_has (ArmillaFitsInput *input, const char *keyword);
char *armilla_fits_input_string (ArmillaFitsInput *input, const char *keyword);
char *armilla_fits_input_coordsys (ArmillaFitsInput *input, char **note);
char **armilla_fits_input_strings (ArmillaFitsInput *input, const char *keyword);
gboolean armilla_fits_input_int (ArmillaFitsInput *input, const char *keyword, gint64 fallback,
                                 gint64 *value, GError **error);
gboolean armilla_fits_input_double (ArmillaFitsInput *input, const char *keyword, double fallback,
                                    double *value, GError **error);
char **armilla_fits_input_history (ArmillaFitsInput *input);
void armilla_fits_input_free (ArmillaFitsInput *input);

G_GNUC_PRINTF (4, 5)
gboolean armilla_fits_input_error (const ArmillaFitsInput *input, GError **error,
                                   int code, const char *format, ...);


/* In fits-column.c: */
gboolean armilla_fits_column_is_number (const ArmillaFitsColumn *column);
gint64 armilla_fits_column_count (const ArmillaFitsHdu *hdu, const ArmillaFitsColumn *column);
gboolean armilla_fits_column_read (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                                   const ArmillaFitsColumn *column, gint64 first, gint64 n,
                                   double *values, GError **error);
gboolean armilla_fits_column_read_int (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                                       const ArmillaFitsColumn *column, gint64 first, gint64 n,
                                       gint64 *values, GError **error);
gboolean armilla_fits_column_read_wide (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                                        const ArmillaFitsColumn *column, gint64 first, gint64 n,
                                        ArmillaInt128 *values, guint8 *undefined, GError **error);

/* In fits-text-column.c: the same for a text table. */
gboolean armilla_fits_text_column_read (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                                        const ArmillaFitsColumn *column, gint64 first, gint64 n,
                                        double *values, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFitsInput, armilla_fits_input_free)

G_END_DECLS
