/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues as text: columns between blanks or commas, '#' begins a comment. The names of the
 * columns are the first line that does not begin with a number (CSV, ECSV), or the last comment
 * before the first row when it has as many words. */
#include "core/catalogues/catalogue-read.h"

#include <math.h>
#include <string.h>

/* More is better kept in a binary table. */
#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 32)

typedef struct {
  const char *path;
  const ArmillaCatalogueColumns *columns;
  ArmillaAngleUnit *units;
  int *chosen;
  int n_columns;                   /* 0 before the first row */
  char **comment, **names;
  GArray *values[CATALOGUE_ROLES];
  GPtrArray *words;                /* of the line at hand: pointers into it */
} Text;

G_GNUC_PRINTF (4, 5)
static gboolean
text_error (const Text *text, gint64 line, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  for (char *p = what; *p != 0; p++)
    if (!g_ascii_isprint (*p))
      *p = '?';
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, "%s:%" G_GINT64_FORMAT ": %s",
               text->path, line, what);
  return FALSE;
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

      if (end != NULL)
        line++;
      else
        end = line + strcspn (line, blanks);
      g_ptr_array_add (words, line);
      line = end;
      if (*line != 0)
        *line++ = 0;
    }
}

static char **
dup_words (const GPtrArray *words)
{
  char **names = g_new0 (char *, words->len + 1);

  for (guint i = 0; i < words->len; i++)
    names[i] = g_utf8_make_valid (g_ptr_array_index (words, i), -1);
  return names;
}

/* Fortran writes exponents with D. "nan" and "inf" are numbers here: what they are is told with
 * their row. */
static gboolean
parse_number (char *word, double *value)
{
  char *end;

  for (char *p = word; *p != 0; p++)
    if ((*p == 'D' || *p == 'd') && p > word && (g_ascii_isdigit (p[-1]) || p[-1] == '.'))
      *p = 'E';
  *value = g_ascii_strtod (word, &end);
  return end != word && *end == 0;
}

/* The first row says how many columns there are; then their names and roles follow. */
static gboolean
begin (Text *text, gint64 line, GError **error)
{
  guint n = text->words->len;

  if (text->names == NULL && text->comment != NULL && g_strv_length (text->comment) == n)
    text->names = g_steal_pointer (&text->comment);
  if (text->names != NULL && g_strv_length (text->names) != n)
    return text_error (text, line, error, "has %u columns, but %u names stand above", n,
                       g_strv_length (text->names));
  if (text->names == NULL)
    {
      text->names = g_new0 (char *, n + 1);
      for (guint i = 0; i < n; i++)
        text->names[i] = g_strdup ("");
    }
  text->n_columns = (int) n;
  if (!armilla_catalogue_resolve (text->columns, text->names, text->n_columns, text->path,
                                  text->chosen, error)
      || !armilla_catalogue_units (text->columns, text->names, NULL, text->chosen, text->path,
                                   text->units, error))
    return FALSE;
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (text->chosen[role] >= 0)
      text->values[role] = g_array_new (FALSE, FALSE, sizeof (double));
  return TRUE;
}

static gboolean
read_row (Text *text, gint64 line, GError **error)
{
  if (text->n_columns == 0 && !begin (text, line, error))
    return FALSE;
  if (text->words->len != (guint) text->n_columns)
    return text_error (text, line, error, "has %u columns where the lines above have %d",
                       text->words->len, text->n_columns);
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    {
      char *word;
      double value;

      if (text->chosen[role] < 0)
        continue;
      word = g_ptr_array_index (text->words, text->chosen[role]);
      if (!parse_number (word, &value))
        return text_error (text, line, error, "'%.40s' (column %d, %s) is not a number", word,
                           text->chosen[role], armilla_catalogue_role_name (role));
      g_array_append_val (text->values[role], value);
    }
  return TRUE;
}

static gboolean
read_line (Text *text, char *line, gint64 number, GError **error)
{
  char *hash = strchr (line, '#');
  double value;

  if (hash != NULL && text->n_columns == 0)
    {
      split (text->words, hash + 1);
      g_strfreev (text->comment);
      text->comment = dup_words (text->words);
    }
  if (hash != NULL)
    *hash = 0;
  split (text->words, line);
  if (text->words->len == 0)
    return TRUE;
  if (text->n_columns == 0 && text->names == NULL)
    {
      g_autofree char *first = g_strdup (g_ptr_array_index (text->words, 0));

      if (!parse_number (first, &value))
        {
          text->names = dup_words (text->words);
          return TRUE;
        }
    }
  return read_row (text, number, error);
}

static char *
load (ArmillaFitsSource *source, gint64 *size, GError **error)
{
  const char *path = armilla_fits_source_path (source);
  g_autofree char *bytes = NULL;

  *size = armilla_fits_source_need_all (source, SIZE_LIMIT, error);
  if (*size < 0)
    return NULL;
  if (*size >= SIZE_LIMIT)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                   "%s: is text of more than 4 GiB; make a FITS binary table of it", path);
      return NULL;
    }
  bytes = g_try_malloc (*size + 1);
  if (bytes == NULL)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, "%s: there is no memory for it",
                   path);
      return NULL;
    }
  if (!armilla_fits_source_read (source, 0, *size, bytes, error))
    return NULL;
  bytes[*size] = 0;
  if (memchr (bytes, 0, *size) == NULL)
    return g_steal_pointer (&bytes);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: is neither a FITS file nor text", path);
  return NULL;
}

static gboolean
read_lines (Text *text, char *bytes, GError **error)
{
  gint64 number = 0;

  for (char *line = bytes, *next; line != NULL; line = next)
    {
      next = strchr (line, '\n');
      if (next != NULL)
        *next++ = 0;
      if (!read_line (text, line, ++number, error))
        return FALSE;
    }
  if (text->n_columns == 0)
    return text_error (text, number, error, "the file ends without a row of numbers: the catalogue "
                                            "is empty");
  return TRUE;
}

/* Reads all columns that have a role, at once. */
gboolean
armilla_catalogue_text_read (ArmillaFitsSource *source, const ArmillaCatalogueColumns *columns,
                             ArmillaAngleUnit units[2], int chosen[CATALOGUE_ROLES],
                             ArmillaCatalogueText *out, GError **error)
{
  Text text = { .path = armilla_fits_source_path (source), .columns = columns, .units = units,
                .chosen = chosen };
  gint64 size;
  g_autofree char *bytes = load (source, &size, error);
  gboolean good;

  if (bytes == NULL)
    return FALSE;
  text.words = g_ptr_array_new ();
  good = read_lines (&text, bytes, error);
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (text.values[role] != NULL)
      {
        out->n_rows = text.values[role]->len;
        out->values[role] = (double *) (gpointer) g_array_free (text.values[role], FALSE);
      }
  g_ptr_array_unref (text.words);
  g_strfreev (text.comment);
  out->names = text.names;
  return good;
}

void
armilla_catalogue_text_clear (ArmillaCatalogueText *text)
{
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    g_clear_pointer (&text->values[role], g_free);
  g_clear_pointer (&text->names, g_strfreev);
}
