/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps and a_lm in FITS files. Any thread may read and write its own file. */
#pragma once

#include <armilla/alm.h>
#include <armilla/map-header.h>

G_BEGIN_DECLS

void armilla_map_header_clear (ArmillaMapHeader *header);
gboolean armilla_pixels_check_finite (const double *pixels, gint64 n, gint64 first_pixel,
                                      gint64 *n_bad, gint64 *first_bad);

/* Reader of a map file; for one thread at a time. */
typedef struct _ArmillaMapReader ArmillaMapReader;

/* Writer of a map file; pieces may be written in any order, by one thread at a time. */
typedef struct _ArmillaMapWriter ArmillaMapWriter;

ArmillaMapReader *armilla_map_reader_open (const char *path, int hdu, GError **error);
const ArmillaMapHeader *armilla_map_reader_header (ArmillaMapReader *reader);
const char *armilla_map_reader_note (ArmillaMapReader *reader);
gboolean armilla_map_reader_read (ArmillaMapReader *reader, int field, gint64 first, gint64 n,
                                  double *pixels, GError **error);
void armilla_map_reader_free (ArmillaMapReader *reader);

ArmillaMapWriter *armilla_map_writer_open (ArmillaOutput *output, const ArmillaMapHeader *header,
                                           GError **error);
gboolean armilla_map_writer_write (ArmillaMapWriter *writer, int field, gint64 first, gint64 n,
                                   const double *pixels, GError **error);
gboolean armilla_map_header_can_share (const ArmillaMapHeader *header);
gboolean armilla_map_writer_end_part (ArmillaMapWriter *writer, GByteArray *summary,
                                      GError **error);
gboolean armilla_map_writer_merge (ArmillaMapWriter *writer, const guint8 *summary, gsize size,
                                   GError **error);
gboolean armilla_map_writer_close (ArmillaMapWriter *writer, GError **error);
void armilla_map_writer_free (ArmillaMapWriter *writer);

/* Receives n coefficients, real and imaginary parts interleaved. */
typedef void (*ArmillaAlmVisitor) (gpointer user, gint64 n, const gint64 *l, const gint64 *m,
                                   const double *values);

/* Metadata of one a_lm field of a file. */
typedef struct {
  int hdu;          /* number of its HDU */
  int spin;         /* value of SPIN; -1 if it is missing */
  const char *unit; /* unit of the real parts; "" if unknown */
  char *coordsys;   /* G, E or C; NULL if unknown */
} ArmillaAlmField;

/* Metadata of a file of a_lm. */
typedef struct {
  ArmillaAlmLayout layout; /* maximum l and m of all fields */
  int n_fields;            /* number of fields */
  const ArmillaAlmField *fields;
  char *note; /* note to the user about unknown keyword values and how they are interpreted; may be
               * NULL */
} ArmillaAlmHeader;

/* Reader of a file of a_lm; for one thread at a time. */
typedef struct _ArmillaAlmReader ArmillaAlmReader;

/* Writer of a file of a_lm; for one thread at a time. */
typedef struct _ArmillaAlmWriter ArmillaAlmWriter;

ArmillaAlmReader *armilla_alm_reader_open (const char *path, GError **error);
const ArmillaAlmHeader *armilla_alm_reader_header (const ArmillaAlmReader *reader);
gboolean armilla_alm_reader_visit (ArmillaAlmReader *reader, int field, ArmillaAlmVisitor visit,
                                   gpointer user, GError **error);
void armilla_alm_reader_free (ArmillaAlmReader *reader);

ArmillaAlmWriter *armilla_alm_writer_open (ArmillaOutput *output, ArmillaAlmLayout layout,
                                           int n_fields, const int *spins, const char *unit,
                                           const char *coordsys, gboolean single, char **history,
                                           GError **error);
gboolean armilla_alm_writer_write (ArmillaAlmWriter *writer, int field, gint64 first, gint64 n,
                                   const double *values, GError **error);
gboolean armilla_alm_writer_end_part (ArmillaAlmWriter *writer, GByteArray *summary,
                                      GError **error);
gboolean armilla_alm_writer_merge (ArmillaAlmWriter *writer, const guint8 *summary, gsize size,
                                   GError **error);
gboolean armilla_alm_writer_close (ArmillaAlmWriter *writer, GError **error);
void armilla_alm_writer_free (ArmillaAlmWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapReader, armilla_map_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapWriter, armilla_map_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaAlmReader, armilla_alm_reader_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaAlmWriter, armilla_alm_writer_free)

G_END_DECLS
