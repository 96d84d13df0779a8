/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/output.h>

#include <string.h>

G_BEGIN_DECLS

/* A FITS file being written: headers first, then values by position from any thread or any process
 * that joined the output, then checksums. Its bytes do not depend on the date. */
typedef struct _ArmillaFitsOutput ArmillaFitsOutput;

ArmillaFitsOutput *armilla_fits_output_new (ArmillaOutput *output, GError **error);
gboolean armilla_fits_output_is_joined (const ArmillaFitsOutput *out);
gint64 armilla_fits_output_add (ArmillaFitsOutput *out, const GString *cards, gint64 data_bytes);
gboolean armilla_fits_output_reserve (ArmillaFitsOutput *out, GError **error);
gboolean armilla_fits_output_write (ArmillaFitsOutput *out, gint64 offset, const void *bytes,
                                    gint64 n, GError **error);
gboolean armilla_fits_output_end_part (ArmillaFitsOutput *out, GError **error);
void armilla_fits_output_save (const ArmillaFitsOutput *out, GArray *words);
gsize armilla_fits_output_merge (ArmillaFitsOutput *out, const gint64 *words, gsize n,
                                 GError **error);
gboolean armilla_fits_output_close (ArmillaFitsOutput *out, GError **error);
const char *armilla_fits_output_path (const ArmillaFitsOutput *out);
void armilla_fits_output_free (ArmillaFitsOutput *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFitsOutput, armilla_fits_output_free)

/* Column of a binary table to be written, for armilla_fits_table_header(). */
typedef struct {
  const char *name, *unit; /* unit may be NULL */
  char type;
  gint64 repeat;
} ArmillaFitsField;

void armilla_fits_put_int (GString *cards, const char *keyword, gint64 value, const char *comment);
void armilla_fits_put_double (GString *cards, const char *keyword, double value,
                              const char *comment);
void armilla_fits_put_true (GString *cards, const char *keyword, const char *comment);
void armilla_fits_put_string (GString *cards, const char *keyword, const char *value,
                              const char *comment);
void armilla_fits_put_lines (GString *cards, const char *keyword, char **lines);
void armilla_fits_put_history (GString *cards, char **lines);
gboolean armilla_fits_fields_check (const char *path, const ArmillaFitsField *fields, int n_fields,
                                    GError **error);
GString *armilla_fits_table_header (gint64 rows, const ArmillaFitsField *fields, int n_fields,
                                    gint64 *row_bytes);
GString *armilla_fits_image_header (gboolean primary, gboolean single, int n_axes,
                                    const gint64 *axes);

/* Write big-endian values; each function returns the address after the value. */
static inline guint8 *
armilla_put_int32 (guint8 *p, gint32 value)
{
  guint32 u = GUINT32_TO_BE ((guint32) value);

  memcpy (p, &u, 4);
  return p + 4;
}

static inline guint8 *
armilla_put_int64 (guint8 *p, gint64 value)
{
  guint64 u = GUINT64_TO_BE ((guint64) value);

  memcpy (p, &u, 8);
  return p + 8;
}

static inline guint8 *
armilla_put_real (guint8 *p, gboolean single, double value)
{
  union { float f; gint32 u; } e = { .f = (float) value };
  union { double d; gint64 u; } d = { .d = value };

  return single ? armilla_put_int32 (p, e.u) : armilla_put_int64 (p, d.u);
}

G_END_DECLS
