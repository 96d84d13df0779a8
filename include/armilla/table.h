/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of numbers and texts, in memory and in files. One thread at a time for a table. */
#pragma once

#include <armilla/output.h>

G_BEGIN_DECLS

/* gcc's 128-bit integer, signed. */
__extension__ typedef __int128 ArmillaInt128;

/**
 * ArmillaColumnType:
 * @ARMILLA_COLUMN_INT64: 64-bit integers
 * @ARMILLA_COLUMN_INT128: 128-bit integers; files hold their decimal digits as text, exactly
 * @ARMILLA_COLUMN_DOUBLE: doubles; NaN where there is no value
 * @ARMILLA_COLUMN_STRING: texts
 */
typedef enum {
  ARMILLA_COLUMN_INT64,
  ARMILLA_COLUMN_INT128,
  ARMILLA_COLUMN_DOUBLE,
  ARMILLA_COLUMN_STRING
} ArmillaColumnType;

/**
 * ArmillaColumn:
 * @name: name
 * @unit: unit, "" for none
 * @blurb: what it holds
 * @type: which of the four that follow has the values
 * @integers: (array length=n_rows): for %ARMILLA_COLUMN_INT64
 * @wide: (array length=n_rows): for %ARMILLA_COLUMN_INT128
 * @doubles: (array length=n_rows): for %ARMILLA_COLUMN_DOUBLE
 * @strings: (array length=n_rows): for %ARMILLA_COLUMN_STRING; a %NULL reads as ""
 */
typedef struct {
  char *name, *unit, *blurb;
  ArmillaColumnType type;
  gint64 *integers;
  ArmillaInt128 *wide;
  double *doubles;
  char **strings;
} ArmillaColumn;

/**
 * ArmillaTableKey:
 * @keyword: name: at most 8 capitals, digits, - and _
 * @text: (nullable): its value, when it is a text
 * @integer: its value otherwise
 * @blurb: what it says
 */
typedef struct {
  char *keyword, *text;
  gint64 integer;
  char *blurb;
} ArmillaTableKey;

/**
 * ArmillaTable:
 * @name: what it is called: "PAIR-CORRELATION"
 * @n_rows: number of rows
 * @n_columns: number of columns
 * @columns: (array length=n_columns): the columns
 * @n_keys: number of keys
 * @keys: (array length=n_keys): what holds for the whole table
 * @index: private
 *
 * Named columns with units. Names of columns stay what they were when they were added.
 */
typedef struct {
  char *name;
  gint64 n_rows;
  int n_columns;
  ArmillaColumn *columns;
  int n_keys;
  ArmillaTableKey *keys;
  GHashTable *index;
} ArmillaTable;

ArmillaTable *armilla_table_new (const char *name, gint64 n_rows);
void armilla_table_free (ArmillaTable *self);
ArmillaColumn *armilla_table_add (ArmillaTable *self, ArmillaColumnType type, const char *name,
                                  const char *unit, const char *blurb);

/**
 * armilla_table_try_add:
 * @self: a table
 * @type: type of the column
 * @name: name of the column
 * @unit: unit of the column, "" for none
 * @blurb: description of the column
 * @error: return location
 *
 * As armilla_table_add(), which aborts if memory is short: for tables with as many rows as an input
 * has.
 *
 * Returns: (transfer none) (nullable): the column, until another one is added; %NULL with
 *   %ARMILLA_ERROR_MEMORY
 */
ArmillaColumn *armilla_table_try_add (ArmillaTable *self, ArmillaColumnType type, const char *name,
                                      const char *unit, const char *blurb, GError **error);
ArmillaColumn *armilla_table_add_copy (ArmillaTable *self, const ArmillaColumn *column,
                                       const gint64 *rows);
void armilla_table_copy_keys (ArmillaTable *self, const ArmillaTable *from);
ArmillaColumn *armilla_table_find (const ArmillaTable *self, const char *name);
void armilla_table_set_text (ArmillaTable *self, const char *keyword, const char *value,
                             const char *blurb);
void armilla_table_set_integer (ArmillaTable *self, const char *keyword, gint64 value,
                                const char *blurb);
const ArmillaTableKey *armilla_table_key (const ArmillaTable *self, const char *keyword);
char *armilla_int128_to_string (ArmillaInt128 value);

/**
 * ArmillaTableFormat:
 * @ARMILLA_TABLE_FITS: binary table
 * @ARMILLA_TABLE_ECSV: text with the header of astropy's enhanced character-separated values
 * @ARMILLA_TABLE_CSV: names and rows between commas, without anything else
 * @ARMILLA_TABLE_TEXT: rows between blanks, names in a comment before them, as CAMB writes them
 */
typedef enum { ARMILLA_TABLE_FITS, ARMILLA_TABLE_ECSV, ARMILLA_TABLE_CSV,
               ARMILLA_TABLE_TEXT } ArmillaTableFormat;

gboolean armilla_table_format (const char *path, ArmillaTableFormat *format, GError **error);
gboolean armilla_table_write (ArmillaOutput *output, const ArmillaTable *table,
                              ArmillaTableFormat format, char **history, GError **error);
ArmillaTable *armilla_table_read (const char *path, int hdu, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTable, armilla_table_free)

G_END_DECLS
