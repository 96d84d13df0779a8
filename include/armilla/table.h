/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of numbers and texts, in memory. One thread at a time may use a table. */
#pragma once

#include <armilla/output.h>
#include <armilla/types.h>

G_BEGIN_DECLS

/* gcc's 128-bit integer, signed. */
__extension__ typedef __int128 ArmillaInt128;

/**
 * ArmillaColumn:
 * @name: name
 * @unit: unit, "" for none
 * @blurb: description of the values
 * @type: type of the values; determines which of the four following members is used
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
 * @text: (nullable): value, if it is a text
 * @integer: value, if @text is %NULL
 * @blurb: description
 */
typedef struct {
  char *keyword, *text;
  gint64 integer;
  char *blurb;
} ArmillaTableKey;

/**
 * ArmillaTable:
 * @name: name of the table: "PAIR-CORRELATION"
 * @n_rows: number of rows
 * @n_columns: number of columns
 * @columns: (array length=n_columns): the columns
 * @n_keys: number of keys
 * @keys: (array length=n_keys): keywords of the whole table
 * @index: private
 *
 * Named columns with units. Names of columns do not change after they were added.
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

/**
 * armilla_table_new:
 * @name: name of the table
 * @n_rows: number of rows, at least 0
 *
 * Returns: (transfer full): a table without columns
 */
ArmillaTable *armilla_table_new (const char *name, gint64 n_rows);

/**
 * armilla_table_free:
 * @self: (transfer full) (nullable): a table
 */
void armilla_table_free (ArmillaTable *self);

/**
 * armilla_table_add:
 * @self: a table
 * @type: type of the values
 * @name: name of the column, which no other column may have
 * @unit: unit of the values, "" for none
 * @blurb: description of the column
 *
 * Adds a column of zeros (empty texts).
 *
 * Returns: (transfer none): the column, valid until another one is added
 */
ArmillaColumn *armilla_table_add (ArmillaTable *self, ArmillaColumnType type, const char *name,
                                  const char *unit, const char *blurb);

/**
 * armilla_table_find:
 * @self: a table
 * @name: name of a column
 *
 * Returns: (transfer none) (nullable): the column of that name
 */
ArmillaColumn *armilla_table_find (const ArmillaTable *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTable, armilla_table_free)

G_END_DECLS
