/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in columns: CSV, ECSV, or delimited by blanks, tabs or semicolons. Tables, catalogues and
 * spectra use this reader. */
#pragma once

#include "core/fits/fits-source.h"

G_BEGIN_DECLS

/* Type of a text column. */
typedef enum { COLUMN_GUESSED, COLUMN_INTEGERS, COLUMN_NUMBERS, COLUMN_TEXTS } ColumnKind;

typedef struct {
  char *name, *unit, *blurb;
  ColumnKind kind;
} EcsvColumn;

/* Metadata in the comment lines of an ECSV file; see ecsv.c. */
typedef struct {
  GArray *columns; /* EcsvColumn */
  char *name;      /* value of EXTNAME; NULL if missing */
  GPtrArray *keys; /* keyword, value, keyword, value, ... */
  GArray *is_text; /* gboolean: whether the value of each key is a string */
  char delimiter;
} EcsvHeader;

EcsvHeader *armilla_ecsv_header_new (const char *yaml);
void armilla_ecsv_header_free (EcsvHeader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EcsvHeader, armilla_ecsv_header_free)

/* Reader of text, row by row. */
typedef struct {
  const char *path; /* path of the file */
  gint64 line;      /* number of the current line, from 1 */
  int n_columns;    /* number of columns; 0 if the file has neither names nor rows */
  /* (array zero-terminated=1): names of the columns, "" for a column without a name; NULL if the
   * file does not name its columns */
  char **names;
  EcsvHeader *ecsv; /* the header of an ECSV file; may be NULL */
  GString *comment; /* the last comment before the first row; "" if there is none */
  /* (element-type utf8): fields of the current row, valid until the text is freed */
  GPtrArray *words;
  /*< private >*/
  char delimiter;
  guchar stops[256];
  gboolean at_first;
  gint64 next_line;
  char *bytes, *next;
} ArmillaTextTable;

gboolean armilla_text_table_open (ArmillaTextTable *self, ArmillaFitsSource *source,
                                  gint64 limit, const char *too_long, GError **error);
gboolean armilla_text_table_next (ArmillaTextTable *self, gboolean *row, GError **error);
gboolean armilla_text_table_error (const ArmillaTextTable *self, GError **error,
                                   const char *format, ...) G_GNUC_PRINTF (3, 4);
void armilla_text_table_clear (ArmillaTextTable *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaTextTable, armilla_text_table_clear)

G_END_DECLS
