/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-cl.h"

#include <math.h>
#include <string.h>

#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 28)

/* A table of numbers being read line by line. */
typedef struct {
  const char *path;
  GArray *values;          /* double, [row][column] */
  int n_columns;
  char **comment;          /* words of the last comment before the first row */
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
  /* What is quoted need not be text. */
  for (char *p = what; *p != 0; p++)
    if (!g_ascii_isprint (*p))
      *p = '?';
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, "%s:%" G_GINT64_FORMAT ": %s",
               text->path, line, what);
  return FALSE;
}

/* Words between blanks and commas. */
static GPtrArray *
split_words (const char *line)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  static const char *const blanks = " \t\r,";

  for (line += strspn (line, blanks); *line != 0; line += strspn (line, blanks))
    {
      gsize n = strcspn (line, blanks);

      g_ptr_array_add (words, g_strndup (line, n));
      line += n;
    }
  return words;
}

static gboolean
parse_number (char *word, double *value)
{
  char *end;

  for (char *p = word; *p != 0; p++)
    if (*p == 'D' || *p == 'd')
      *p = 'E';
  *value = g_ascii_strtod (word, &end);
  return *end == 0 && isfinite (*value);
}

static gboolean
read_row (Text *text, GPtrArray *words, gint64 line, GError **error)
{
  if (text->n_columns == 0)
    text->n_columns = words->len;
  if (words->len != (guint) text->n_columns)
    return text_error (text, line, error, "has %u columns where the lines above have %d",
                       words->len, text->n_columns);
  for (guint i = 0; i < words->len; i++)
    {
      g_autofree char *word = g_strdup (g_ptr_array_index (words, i));
      double value;

      if (!parse_number (word, &value))
        return text_error (text, line, error, "'%.40s' is not a finite number",
                           (const char *) g_ptr_array_index (words, i));
      g_array_append_val (text->values, value);
    }
  return TRUE;
}

static gboolean
read_line (Text *text, char *line, gint64 number, GError **error)
{
  char *hash = strchr (line, '#');
  g_autoptr (GPtrArray) words = NULL;

  if (hash != NULL)
    {
      if (text->n_columns == 0)
        {
          g_autoptr (GPtrArray) names = split_words (hash + 1);

          g_ptr_array_add (names, NULL);
          g_strfreev (text->comment);
          text->comment = g_strdupv ((char **) names->pdata);
        }
      *hash = 0;
    }
  words = split_words (line);
  return words->len == 0 || read_row (text, words, number, error);
}

/* The first column is l when its numbers are integers, one after the other, at least two rows. */
static gint64
first_degree (const Text *text, gint64 rows)
{
  const double *values = (const double *) text->values->data;
  double first = values[0];

  if (text->n_columns < 2 || rows < 2 || first != floor (first) || first < 0
      || first > ARMILLA_CL_LIMIT)
    return -1;
  for (gint64 i = 1; i < rows; i++)
    if (values[i * text->n_columns] != first + i)
      return -1;
  return (gint64) first;
}

static ArmillaClTable *
make_table (const Text *text, GError **error)
{
  const double *values = (const double *) text->values->data;
  gint64 rows = text->values->len / MAX (1, text->n_columns), first;
  ArmillaClTable *table;
  int skip;

  if (rows == 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, "%s: holds no numbers", text->path);
      return NULL;
    }
  first = first_degree (text, rows);
  skip = first >= 0;
  if (MAX (first, 0) + rows > ARMILLA_CL_LIMIT)
    return text_error (text, 1, error, "goes beyond l = %" G_GINT64_FORMAT, ARMILLA_CL_LIMIT - 1),
           NULL;
  table = armilla_cl_table_new (MAX (first, 0) + rows - 1, text->n_columns - skip);
  for (int c = 0; c < table->n_fields; c++)
    for (gint64 i = 0; i < rows; i++)
      table->values[c * (table->lmax + 1) + MAX (first, 0) + i]
        = values[i * text->n_columns + c + skip];
  if (text->comment != NULL && g_strv_length (text->comment) == (guint) text->n_columns)
    for (int c = 0; c < table->n_fields; c++)
      {
        g_free (table->names[c]);
        table->names[c] = g_utf8_make_valid (text->comment[c + skip], -1);
      }
  return table;
}

/* Columns of numbers, with '#' for comments. */
ArmillaClTable *
armilla_cl_text_read (ArmillaFitsSource *source, GError **error)
{
  Text text = { .path = armilla_fits_source_path (source) };
  gint64 size = armilla_fits_source_need_all (source, SIZE_LIMIT, error), number = 0;
  g_autofree char *bytes = NULL;
  ArmillaClTable *table = NULL;

  if (size < 0)
    return NULL;
  if (size >= SIZE_LIMIT)
    return text_error (&text, 1, error, "is too long for a table of spectra"), NULL;
  bytes = g_malloc (size + 1);
  if (!armilla_fits_source_read (source, 0, size, bytes, error))
    return NULL;
  bytes[size] = 0;
  if (memchr (bytes, 0, size) != NULL)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                   "%s: is neither a FITS file nor text", text.path);
      return NULL;
    }
  text.values = g_array_new (FALSE, FALSE, sizeof (double));
  for (char *line = bytes, *next; line != NULL; line = next)
    {
      next = strchr (line, '\n');
      if (next != NULL)
        *next++ = 0;
      if (!read_line (&text, line, ++number, error))
        break;
      if (next == NULL)
        table = make_table (&text, error);
    }
  g_strfreev (text.comment);
  g_array_unref (text.values);
  return table;
}
