/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads tables from text: ECSV, CSV, or columns delimited by blanks. */
#include <string.h>

#include "core/tables/table.h"

/* larger files should be binary tables */
#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 32)

static void
set_keys (ArmillaTable *table, const EcsvHeader *header)
{
  for (guint i = 0; i < header->is_text->len; i++)
    {
      const char *key = g_ptr_array_index (header->keys, 2 * i);
      const char *value = g_ptr_array_index (header->keys, 2 * i + 1);
      char *end;
      gint64 integer = g_ascii_strtoll (value, &end, 10);

      if (g_array_index (header->is_text, gboolean, i) || end == value || *end != 0)
        armilla_table_set_text (table, key, value, "");
      else
        armilla_table_set_integer (table, key, integer, "");
    }
}

/* @columns: (element-type GPtrArray): the words of each column, which point into the text */
static gboolean
read_rows (ArmillaTextTable *text, GPtrArray *columns, GError **error)
{
  gboolean row;

  if (text->n_columns == 0)
    return armilla_text_table_error (text, error, "the file contains no table");
  for (int i = 0; i < text->n_columns; i++)
    g_ptr_array_add (columns, g_ptr_array_new ());
  while (armilla_text_table_next (text, &row, error))
    {
      if (!row)
        return TRUE;
      for (guint i = 0; i < columns->len; i++)
        g_ptr_array_add (g_ptr_array_index (columns, i), g_ptr_array_index (text->words, i));
    }
  return FALSE;
}

/* Adds a column; columns without names, such as the index of pandas, are called COLUMN1 and so
 * on. */
static gboolean
add_column (ArmillaTable *table, const ArmillaTextTable *text, int i, const GPtrArray *words,
            GError **error)
{
  static const EcsvColumn guessed = { NULL, (char *) "", (char *) "", COLUMN_GUESSED };
  const EcsvColumn *column
    = text->ecsv != NULL ? &g_array_index (text->ecsv->columns, EcsvColumn, i) : &guessed;
  const gboolean named = text->names != NULL && *text->names[i] != 0;
  g_autofree char *number = g_strdup_printf ("COLUMN%d", i + 1);

  return armilla_table_add_words (table, column->kind, named ? text->names[i] : number,
                                  column->unit, column->blurb, (char *const *) words->pdata, error);
}

static ArmillaTable *
make_table (const ArmillaTextTable *text, const GPtrArray *columns, GError **error)
{
  const GPtrArray *first = g_ptr_array_index (columns, 0);
  const char *name = text->ecsv != NULL ? text->ecsv->name : NULL;
  g_autoptr (ArmillaTable) table = armilla_table_new (name != NULL ? name : "TABLE", first->len);

  for (guint i = 0; i < columns->len; i++)
    if (!add_column (table, text, (int) i, g_ptr_array_index (columns, i), error))
      {
        g_prefix_error (error, "%s: ", text->path);
        return NULL;
      }
  if (text->ecsv != NULL)
    set_keys (table, text->ecsv);
  return g_steal_pointer (&table);
}

ArmillaTable *
armilla_table_text_read (ArmillaFitsSource *source, GError **error)
{
  g_auto (ArmillaTextTable) text = { 0 };
  g_autoptr (GPtrArray) columns
    = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  if (!armilla_text_table_open (&text, source, SIZE_LIMIT,
                                "text exceeds 4 GiB; convert it to a FITS binary table", error)
      || !read_rows (&text, columns, error))
    return NULL;
  return make_table (&text, columns, error);
}
