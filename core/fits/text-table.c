/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/text-table.h"

#include <string.h>

#include "core/base/printable.h"

/**
 * armilla_text_table_error:
 * @table: the text
 * @error: return location
 * @format: what is wrong with the line at hand, as for printf()
 * @...: its arguments
 *
 * Sets %ARMILLA_ERROR_PARSE with the place. What is quoted need not be text.
 *
 * Returns: %FALSE
 */
gboolean
armilla_text_table_error (const ArmillaTextTable *table, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s:%" G_GINT64_FORMAT ": %s", table->path,
                       table->line, armilla_ascii (what));
}

/**
 * armilla_text_number:
 * @word: a word, which is changed meanwhile
 * @value: (out): its value, which may be infinite or not a number
 *
 * Fortran writes exponents with D.
 *
 * Returns: whether all of the word is one number
 */
gboolean
armilla_text_number (char *word, double *value)
{
  char *end, letter;

  *value = g_ascii_strtod (word, &end);
  letter = *end;
  if (end > word && (letter == 'D' || letter == 'd'))
    {
      char *exponent = end;

      *exponent = 'E';
      *value = g_ascii_strtod (word, &end);
      *exponent = letter;
    }
  return end != word && *end == 0;
}

/* Cuts a line into words, in place. What is in double quotes is one word. */
static void
split (GPtrArray *words, char *line)
{
  static const char *const blanks = " \t\r,";

  g_ptr_array_set_size (words, 0);
  for (line += strspn (line, blanks); *line != 0; line += strspn (line, blanks))
    {
      char *end = *line == '"' ? strchr (line + 1, '"') : NULL;

      if (end)
        line++;
      else
        end = line + strcspn (line, blanks);
      g_ptr_array_add (words, line);
      line = end;
      if (*line != 0)
        *line++ = 0;
    }
}

/**
 * armilla_text_table_words:
 * @table: the text
 *
 * Returns: (transfer full) (array zero-terminated=1): the words of the line at hand, as UTF-8
 */
char **
armilla_text_table_words (const ArmillaTextTable *table)
{
  char **words = g_new0 (char *, table->words->len + 1);

  for (guint i = 0; i < table->words->len; i++)
    words[i] = g_utf8_make_valid (g_ptr_array_index (table->words, i), -1);
  return words;
}

/* Such a file begins with PAR1 and a binary number; a text may have a column of that name. */
static gboolean
refuse_parquet (ArmillaFitsSource *source, GError **error)
{
  const char *path = armilla_fits_source_path (source);
  guchar start[5] = { 0 };
  const gint64 size = armilla_fits_source_need (source, sizeof start, error);

  if (size < 0
      || !armilla_fits_source_read (source, 0, MIN (size, (gint64) sizeof start), start, error))
    return FALSE;
  if (memcmp (start, "PAR1", 4) != 0 || !g_ascii_iscntrl (start[4]) || g_ascii_isspace (start[4]))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: is a Parquet file, and Armilla reads FITS and text; make it FITS by "
                       "Python with astropy and pyarrow: from astropy.table import Table; "
                       "Table.read(\"FILE.parquet\").write(\"FILE.fits\")", path);
}

/**
 * armilla_text_table_open:
 * @table: (out): the text; armilla_text_table_clear() it in any case
 * @source: a file that is not FITS
 * @limit: bytes that are too many
 * @too_long: what to say of so many
 * @error: return location
 *
 * Reads a whole file.
 *
 * Returns: whether it is text; %ARMILLA_ERROR_IO, %ARMILLA_ERROR_MEMORY otherwise
 */
gboolean
armilla_text_table_open (ArmillaTextTable *table, ArmillaFitsSource *source, gint64 limit,
                         const char *too_long, GError **error)
{
  const char *path = armilla_fits_source_path (source);
  gint64 size;

  *table = (ArmillaTextTable) { .path = path, .words = g_ptr_array_new () };
  if (!refuse_parquet (source, error))
    return FALSE;
  size = armilla_fits_source_need_all (source, limit, error);
  if (size < 0)
    return FALSE;
  if (size >= limit)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s", path, too_long);
  table->bytes = table->next = g_try_malloc (size + 1);
  if (!table->bytes)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY, "%s: there is not enough memory for it",
                         path);
  if (!armilla_fits_source_read (source, 0, size, table->bytes, error))
    return FALSE;
  table->bytes[size] = 0;
  if (!memchr (table->bytes, 0, size))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: is neither a FITS file nor text", path);
}

/**
 * armilla_text_table_next:
 * @table: text that is open
 *
 * Goes on to the next line that holds more than a comment.
 *
 * Returns: whether there is one
 */
gboolean
armilla_text_table_next (ArmillaTextTable *table)
{
  for (char *line = table->next, *hash; line; line = table->next)
    {
      table->line++;
      table->next = strchr (line, '\n');
      if (table->next)
        *table->next++ = 0;
      hash = strchr (line, '#');
      if (hash)
        *hash = 0;
      if (hash && table->n_columns == 0)
        {
          split (table->words, hash + 1);
          g_strfreev (table->comment);
          table->comment = armilla_text_table_words (table);
        }
      split (table->words, line);
      if (table->words->len > 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * armilla_text_table_fits:
 * @table: text, a row of it at hand
 * @error: return location
 *
 * Returns: whether the row has as many columns as those before; %ARMILLA_ERROR_PARSE otherwise
 */
gboolean
armilla_text_table_fits (const ArmillaTextTable *table, GError **error)
{
  if (table->words->len == (guint) table->n_columns)
    return TRUE;
  return armilla_text_table_error (table, error, "has %u columns where the lines above have %d",
                                   table->words->len, table->n_columns);
}

/**
 * armilla_text_table_clear:
 * @table: the text
 *
 * Frees what it holds.
 */
void
armilla_text_table_clear (ArmillaTextTable *table)
{
  g_clear_pointer (&table->words, g_ptr_array_unref);
  g_clear_pointer (&table->comment, g_strfreev);
  g_clear_pointer (&table->bytes, g_free);
}
