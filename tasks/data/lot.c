/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts tables to numbers and a description of their columns ("pattern"), and back. */
#include "core/tables/table.h"
#include "tasks/data/lot.h"

#include <armilla/memory.h>
#include <string.h>

/* name, rows, keys (keyword, text, number, blurb; no text is a number), columns (type, name, unit,
 * blurb, numbers as bytes, texts) */
#define PATTERN "(sxa(smsxs)a(isssayas))"

static gboolean
is_number (const ArmillaColumn *column)
{
  return column->type != ARMILLA_COLUMN_STRING;
}

static void
column_bytes (const ArmillaColumn *column, gsize n_rows, gconstpointer *bytes, gsize *size)
{
  *size = n_rows * (column->type == ARMILLA_COLUMN_INT128 ? 16 : 8);
  *bytes = column->type == ARMILLA_COLUMN_INT64    ? (gconstpointer) column->integers
           : column->type == ARMILLA_COLUMN_INT128 ? (gconstpointer) column->wide
                                                   : (gconstpointer) column->doubles;
  if (column->type == ARMILLA_COLUMN_STRING)
    *size = 0;
}

GBytes *
armilla_lot_pattern (const ArmillaTable *table)
{
  GVariantBuilder keys, columns;
  g_autoptr (GVariant) all = NULL;

  g_variant_builder_init (&keys, G_VARIANT_TYPE ("a(smsxs)"));
  for (int k = 0; k < table->n_keys; k++)
    g_variant_builder_add (&keys, "(smsxs)", table->keys[k].keyword, table->keys[k].text,
                           table->keys[k].integer, table->keys[k].blurb);
  g_variant_builder_init (&columns, G_VARIANT_TYPE ("a(isssayas)"));
  for (int c = 0; c < table->n_columns; c++)
    {
      const ArmillaColumn *column = &table->columns[c];
      GVariantBuilder texts;
      gconstpointer bytes;
      gsize size;

      column_bytes (column, (gsize) table->n_rows, &bytes, &size);
      g_variant_builder_init (&texts, G_VARIANT_TYPE ("as"));
      for (gint64 r = 0; !is_number (column) && r < table->n_rows; r++)
        g_variant_builder_add (&texts, "s", column->strings[r] ? column->strings[r] : "");
      g_variant_builder_add (&columns, "(isss@ayas)", (gint32) column->type, column->name,
                             column->unit, column->blurb,
                             g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes, size, 1),
                             &texts);
    }
  all = g_variant_ref_sink (g_variant_new (PATTERN, table->name, table->n_rows, &keys, &columns));
  return g_variant_get_data_as_bytes (all);
}

static void
parse_column (ArmillaTable *table, GVariant *from)
{
  g_autoptr (GVariant) numbers = NULL;
  g_autoptr (GVariantIter) texts = NULL;
  const char *name, *unit, *blurb;
  ArmillaColumn *column;
  gconstpointer bytes;
  gsize size, given;
  gint32 type;
  char *text;

  g_variant_get (from, "(i&s&s&s@ayas)", &type, &name, &unit, &blurb, &numbers, &texts);
  column = armilla_table_add (table, (ArmillaColumnType) type, name, unit, blurb);
  column_bytes (column, (gsize) table->n_rows, &bytes, &size);
  bytes = g_variant_get_fixed_array (numbers, &given, 1);
  if (size > 0 && given == size)
    memcpy (type == ARMILLA_COLUMN_INT64    ? (gpointer) column->integers
            : type == ARMILLA_COLUMN_INT128 ? (gpointer) column->wide
                                            : (gpointer) column->doubles,
            bytes, size);
  for (gint64 r = 0; type == ARMILLA_COLUMN_STRING && r < table->n_rows
                     && g_variant_iter_next (texts, "s", &text); r++)
    column->strings[r] = text;
}

/* Restores the table of armilla_lot_pattern (). */
ArmillaTable *
armilla_lot_parse_pattern (GBytes *bytes)
{
  g_autoptr (GVariant) all
    = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (PATTERN), bytes, FALSE));
  g_autoptr (GVariantIter) keys = NULL, columns = NULL;
  const char *name, *keyword, *text, *blurb;
  ArmillaTable *table;
  GVariant *column;
  gint64 n_rows, integer;

  g_variant_get (all, "(&sxa(smsxs)a(isssayas))", &name, &n_rows, &keys, &columns);
  table = armilla_table_new (name, n_rows);
  while (g_variant_iter_next (keys, "(&sm&sx&s)", &keyword, &text, &integer, &blurb))
    if (text)
      armilla_table_set_text (table, keyword, text, blurb);
    else
      armilla_table_set_integer (table, keyword, integer, blurb);
  while ((column = g_variant_iter_next_value (columns)))
    {
      parse_column (table, column);
      g_variant_unref (column);
    }
  return table;
}

/* Returns the numbers of all numeric columns, [column][row]. */
double *
armilla_lot_numbers (const ArmillaTable *table, gint64 *n, GError **error)
{
  double *values, *next;

  *n = 0;
  for (int c = 0; c < table->n_columns; c++)
    *n += is_number (&table->columns[c]) ? table->n_rows : 0;
  next = values = armilla_try_new (double, *n, "the numbers that are collected", error);
  if (values == NULL)
    return NULL;
  for (int c = 0; c < table->n_columns; c++)
    for (gint64 r = 0; is_number (&table->columns[c]) && r < table->n_rows; r++)
      {
        const ArmillaColumn *column = &table->columns[c];

        *next++ = column->type == ARMILLA_COLUMN_INT64    ? (double) column->integers[r]
                  : column->type == ARMILLA_COLUMN_INT128 ? (double) column->wide[r]
                                                          : column->doubles[r];
      }
  return values;
}

/* Returns a checksum of the rows, columns and units of a table, to detect differences. */
guint
armilla_lot_shape (const ArmillaTable *table)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "%" G_GINT64_FORMAT, table->n_rows);
  for (int c = 0; c < table->n_columns; c++)
    g_string_append_printf (text, "\n%d %s\n%s", (int) table->columns[c].type,
                            table->columns[c].name, table->columns[c].unit);
  return g_string_hash (text);
}
