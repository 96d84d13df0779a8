/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts columns of words to numbers if possible. */
#include <errno.h>
#include <string.h>

#include "core/base/text-number.h"
#include "core/tables/table.h"

static gboolean
is_integer (const char *word, gint64 *value)
{
  char *end;

  errno = 0;
  *value = g_ascii_strtoll (word, &end, 10);
  return end != word && *end == 0 && errno == 0 && !g_ascii_isspace (*word);
}

/* Returns whether a word is in the format of armilla_int128_to_string(): no sign +, no leading
 * zero, in range. */
static gboolean
is_wide (const char *word, ArmillaInt128 *value)
{
  const gboolean minus = *word == '-';
  const gsize n = strlen (word + minus);
  g_autofree char *again = NULL;
  __extension__ unsigned __int128 sum = 0;

  if (n < 1 || n > 39 || strspn (word + minus, "0123456789") != n)
    return FALSE;
  for (const char *p = word + minus; *p != 0; p++)
    sum = 10 * sum + (unsigned) (*p - '0');
  *value = minus ? (ArmillaInt128) -sum : (ArmillaInt128) sum;
  again = armilla_int128_to_string (*value);
  return strcmp (again, word) == 0;
}

/* Returns whether a word is a number; accepts True and False, which astropy and pandas write. */
static gboolean
is_number (const char *word, double *value)
{
  const gboolean yes = g_ascii_strcasecmp (word, "true") == 0;

  if (!yes && g_ascii_strcasecmp (word, "false") != 0)
    return armilla_text_value (word, value);
  *value = yes;
  return TRUE;
}

/* Returns the most specific type of all @words. */
static ArmillaColumnType
find_type (ColumnKind kind, char *const *words, gint64 n)
{
  gboolean integers = kind != COLUMN_TEXTS && kind != COLUMN_NUMBERS && n > 0;
  gboolean wide = kind != COLUMN_NUMBERS && n > 0, numbers = kind != COLUMN_TEXTS;

  for (gint64 i = 0; i < n && (integers || wide || numbers); i++)
    {
      ArmillaInt128 large;
      gint64 integer;
      double number;

      integers = integers && is_integer (words[i], &integer);
      wide = wide && is_wide (words[i], &large);
      numbers = numbers && is_number (words[i], &number);
    }
  if (integers)
    return ARMILLA_COLUMN_INT64;
  if (wide)
    return ARMILLA_COLUMN_INT128;
  return numbers ? ARMILLA_COLUMN_DOUBLE : ARMILLA_COLUMN_STRING;
}

gboolean
armilla_table_check_name (const ArmillaTable *table, const char *name, GError **error)
{
  return armilla_table_find (table, name) == NULL
         || armilla_fail (error, ARMILLA_ERROR_PARSE, "several columns are called \"%s\"", name);
}

/* Adds a column of @table->n_rows words. Integers written as text, because they exceed 64 bits, are
 * converted to numbers again. */
gboolean
armilla_table_add_words (ArmillaTable *table, ColumnKind kind, const char *name, const char *unit,
                         const char *blurb, char *const *words, GError **error)
{
  const ArmillaColumnType type = find_type (kind, words, table->n_rows);
  ArmillaColumn *column;

  if (!armilla_table_check_name (table, name, error))
    return FALSE;
  if (type == ARMILLA_COLUMN_STRING && kind != COLUMN_TEXTS && kind != COLUMN_GUESSED)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "column \"%s\" has a value that is not a number, which its datatype "
                         "requires",
                         name);
  column = armilla_table_try_add (table, type, name, unit, blurb, error);
  if (column == NULL)
    return FALSE;
  for (gint64 i = 0; i < table->n_rows; i++)
    switch (type)
      {
      case ARMILLA_COLUMN_INT64: is_integer (words[i], &column->integers[i]); break;
      case ARMILLA_COLUMN_INT128: is_wide (words[i], &column->wide[i]); break;
      case ARMILLA_COLUMN_DOUBLE: is_number (words[i], &column->doubles[i]); break;
      default: column->strings[i] = g_utf8_make_valid (words[i], -1);
      }
  return TRUE;
}
