/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and keys of tables; tables in files. While one thread changes a table, no other may use
 * it. */
#pragma once

#include <armilla/output.h>
#include <armilla/table.h>
#include "core/fits/fits-output.h"
#include "core/text/text-table.h"

G_BEGIN_DECLS

/* Like armilla_table_add(), but fails instead of aborting if out of memory: for tables as large as
 * an input. Returns the column, valid until another one is added; NULL on error. @unit: unit of the
 * column, "" if it has none. */
ArmillaColumn *armilla_table_try_add (ArmillaTable *self, ArmillaColumnType type, const char *name,
                                      const char *unit, const char *blurb, GError **error);
ArmillaColumn *armilla_table_add_copy (ArmillaTable *self, const ArmillaColumn *column,
                                       const gint64 *rows);
gboolean armilla_table_check_columns (const ArmillaTable *self, GError **error);
ArmillaTable *armilla_table_ref (ArmillaTable *self);
void armilla_table_copy_keys (ArmillaTable *self, const ArmillaTable *from);
void armilla_table_set_text (ArmillaTable *self, const char *keyword, const char *value,
                             const char *blurb);
void armilla_table_set_integer (ArmillaTable *self, const char *keyword, gint64 value,
                                const char *blurb);
const ArmillaTableKey *armilla_table_key (const ArmillaTable *self, const char *keyword);

typedef enum {
  ARMILLA_TABLE_FITS, /* binary table */
  ARMILLA_TABLE_ECSV, /* text with the header of astropy's enhanced character-separated values */
  ARMILLA_TABLE_CSV,  /* text: a row of names, then the values, separated by commas */
  ARMILLA_TABLE_TEXT  /* text: values separated by blanks, names in a comment before them, as CAMB
                       * writes them */
} ArmillaTableFormat;

gboolean armilla_table_format (const char *path, ArmillaTableFormat *format, GError **error);
gboolean armilla_table_write (ArmillaOutput *output, const ArmillaTable *table,
                              ArmillaTableFormat format, char **history, GError **error);
ArmillaTable *armilla_table_read (const char *path, int hdu, GError **error);
gint64 armilla_table_add_to_fits (const ArmillaTable *table, ArmillaFitsOutput *out,
                                  const char *mark, char **history, GError **error);
gboolean armilla_table_write_rows (const ArmillaTable *table, ArmillaFitsOutput *out,
                                   gint64 offset, GError **error);

/* In table-columns.c: columns of strings. */
gboolean armilla_table_add_words (ArmillaTable *table, ColumnKind kind, const char *name,
                                  const char *unit, const char *blurb, char *const *words,
                                  GError **error);
gboolean armilla_table_check_name (const ArmillaTable *table, const char *name, GError **error);

/* In table-reader.c: whether a FITS card can store a key of this name. */
gboolean armilla_table_key_is_card (const char *keyword);

/* In table-text.c: */
ArmillaTable *armilla_table_text_read (ArmillaFitsSource *source, GError **error);

G_END_DECLS
