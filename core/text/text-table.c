/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/text/text-table.h"

#include <string.h>

#include "core/base/printable.h"
#include "core/base/text-number.h"

/* blanks around a field; '\r' is the first half of a DOS line end */
#define BLANKS " \t\r"

/* Sets ARMILLA_ERROR_PARSE with file and line. Arguments may be any bytes. Returns FALSE. */
gboolean
armilla_text_table_error (const ArmillaTextTable *self, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s:%" G_GINT64_FORMAT ": %s", self->path,
                       self->line, armilla_ascii (what));
}

/* Sets the delimiter; a blank means any number of blanks and tabs. */
static void
set_delimiter (ArmillaTextTable *self, char delimiter)
{
  self->delimiter = delimiter;
  memset (self->stops, 0, sizeof self->stops);
  self->stops[0] = self->stops['\n'] = self->stops[(guchar) delimiter] = 1;
  if (delimiter == ' ')
    self->stops['\t'] = self->stops['\r'] = 1;
}

static char *
skip_blanks (const ArmillaTextTable *self, char *p)
{
  while (*p == ' ' || *p == '\r' || (*p == '\t' && self->delimiter != '\t'))
    p++;
  return p;
}

static char *
skip_line (char *p)
{
  p += strcspn (p, "\n");
  return p + (*p != 0);
}

/* Returns the end of a word in double quotes, in which "" means a quote; NULL without one. */
static char *
quoted_end (char *p)
{
  while ((p = strchr (p + 1, '"')) != NULL && p[1] == '"')
    p++;
  return p;
}

/* Returns the end of the field at @p: at a delimiter or the end of the line; NULL if a quote is not
 * closed. */
static char *
field_end (const ArmillaTextTable *self, char *p)
{
  if (*p == '"' && (p = quoted_end (p)) == NULL)
    return NULL;
  while (!self->stops[(guchar) *p])
    p++;
  return p;
}

/* Returns whether there is no field at @p: at the end of the line or at a comment, as in numpy's
 * loadtxt(). In CSV and ECSV only whole lines are comments. */
static gboolean
line_ends (const ArmillaTextTable *self, const char *p)
{
  return self->delimiter == ' '
         && (*p == 0 || *p == '\n' || (*p == '#' && self->ecsv == NULL));
}

/* Returns the number of fields in the line at @p, and the beginning of the next line. */
static guint
count_fields (const ArmillaTextTable *self, char *p, char **next)
{
  guint n = 0;

  for (gboolean more = TRUE; more;)
    {
      char *end;

      p = skip_blanks (self, p);
      if (line_ends (self, p))
        break;
      n++;
      end = field_end (self, p);
      p = end != NULL ? end : p + strlen (p);
      more = *p != 0 && *p != '\n';
      p += more;
    }
  *next = skip_line (p);
  return n;
}

/* Terminates a field in place, without its quotes and surrounding blanks. */
static void
end_field (char *start, char *end)
{
  const gboolean quoted = *start == '"';
  char *from = start + 1, *to = start, *last;

  if (quoted)
    {
      for (; *from != '"' || from[1] == '"'; from++)
        {
          from += *from == '"';
          *to++ = *from;
        }
      last = to;
      for (from++; from < end; from++)
        *to++ = *from;
      end = to;
    }
  else
    last = start;
  while (end > last && strchr (BLANKS, end[-1]) != NULL)
    end--;
  *end = 0;
}

/* Splits the line at self->next into words, in place, and moves to the next line. */
static gboolean
split (ArmillaTextTable *self, GError **error)
{
  char *p = self->next;
  gboolean more = TRUE;

  g_ptr_array_set_size (self->words, 0);
  self->line = self->next_line++;
  while (more)
    {
      char *start = skip_blanks (self, p), stop;

      p = start;
      if (line_ends (self, p))
        break;
      p = field_end (self, start);
      if (p == NULL)
        return armilla_text_table_error (self, error, "has a quotation mark that is not closed "
                                         "before the file ends");
      if (*start == '"')
        for (const char *q = start; q < p; q++)
          self->next_line += *q == '\n';
      stop = *p;
      end_field (start, p);
      g_ptr_array_add (self->words, start);
      more = stop != 0 && stop != '\n';
      p += stop != 0;
    }
  self->next = more ? skip_line (p) : p;
  return TRUE;
}

/* Returns whether a line that begins with '#' is a comment. As in pandas, CSV has no comments
 * between rows: a line with as many fields as a row is a row. */
static gboolean
is_comment (const ArmillaTextTable *self, char *line)
{
  char *unused;

  return self->n_columns < 2 || self->delimiter == ' ' || self->ecsv != NULL
         || count_fields (self, line, &unused) != (guint) self->n_columns;
}

/* Returns the next line from @p on that is neither blank nor a comment; %NULL without one. @n_lines
 * counts the lines before it, @comments collects them. */
static char *
find_line (const ArmillaTextTable *self, char *p, gint64 *n_lines, GString *comments)
{
  for (char *next; *p != 0; p = next, ++*n_lines)
    {
      const char *start = skip_blanks (self, p);

      next = skip_line (p);
      if (*start == '#' ? !is_comment (self, p) : *start != '\n' && *start != 0)
        return p;
      if (*start == '#' && comments != NULL)
        {
          start += 1 + (start[1] == ' ');
          g_string_append_len (comments, start, next - start);
        }
    }
  return NULL;
}

/* Returns the number of fields in the first line; sets whether the next line has equally many. */
static guint
try_delimiter (ArmillaTextTable *self, char delimiter, gboolean *consistent)
{
  char *next = self->next, *unused;
  gint64 lines = 0;
  guint n, n_next;

  set_delimiter (self, delimiter);
  n = count_fields (self, self->next, &next);
  next = find_line (self, next, &lines, NULL);
  n_next = next != NULL ? count_fields (self, next, &unused) : n;
  *consistent = n > 1 && (n_next == n || (n_next == n + 1 && delimiter != ' '));
  return n;
}

/* Returns whether tabs only align names; otherwise repeated tabs mean empty fields. */
static gboolean
has_two_tabs (const char *line)
{
  const char *tabs = strstr (line, "\t\t");
  const char *end = line + strcspn (line, "0123456789\n");

  return tabs != NULL && !g_ascii_isdigit (*end) && tabs < end;
}

/* Chooses the delimiter that splits the first two lines into the same, largest number of fields. */
static void
detect_delimiter (ArmillaTextTable *self)
{
  gboolean blanks_fit, fits, best_fits = FALSE;
  const guint n_blanks = try_delimiter (self, ' ', &blanks_fit);
  char best = ' ';
  guint max_fields = 1;

  for (const char *p = ",;\t"; *p != 0; p++)
    {
      const guint n = try_delimiter (self, *p, &fits);

      if (n < 2 || fits < best_fits || (n <= max_fields && fits == best_fits)
          || (*p == '\t' && blanks_fit && has_two_tabs (self->next)))
        continue;
      best = *p;
      best_fits = fits;
      max_fields = n;
    }
  set_delimiter (self, blanks_fit && !best_fits && n_blanks >= max_fields ? ' ' : best);
}

static char **
copy_words (const ArmillaTextTable *self)
{
  char **words = g_new0 (char *, self->words->len + 1);

  for (guint i = 0; i < self->words->len; i++)
    words[i] = g_utf8_make_valid (g_ptr_array_index (self->words, i), -1);
  return words;
}

/* Returns the words of the last comment, if there are as many as columns. */
static char **
comment_names (const ArmillaTextTable *self)
{
  const char *delimiters = self->n_columns > 1 ? ",;\t " : " ";

  for (const char *delimiter = delimiters; *delimiter != 0; delimiter++)
    {
      g_autofree char *copy = g_strdup (self->comment->str);
      g_autoptr (GPtrArray) words = g_ptr_array_new ();
      ArmillaTextTable part = { .next = copy, .words = words };

      set_delimiter (&part, *delimiter);
      if (split (&part, NULL) && words->len == (guint) self->n_columns)
        return copy_words (&part);
    }
  return NULL;
}

/* Returns whether the line is the header that pandas writes for an array without names: an empty
 * word, 0, 1, 2, ... */
static gboolean
numbers_columns (const ArmillaTextTable *self)
{
  for (guint i = 0; i < self->words->len; i++)
    {
      g_autofree char *number = i > 0 ? g_strdup_printf ("%u", i - 1) : g_strdup ("");

      if (strcmp (g_ptr_array_index (self->words, i), number) != 0)
        return FALSE;
    }
  return self->words->len > 1;
}

/* Returns whether the first line is a row: one of its words is a number; otherwise it names the
 * columns. */
static gboolean
is_row (const ArmillaTextTable *self)
{
  double value;

  for (guint i = 0; self->ecsv == NULL && i < self->words->len; i++)
    if (armilla_text_number (g_ptr_array_index (self->words, i), &value))
      return !numbers_columns (self);
  return FALSE;
}

static gboolean
check_ecsv (const ArmillaTextTable *self, GError **error)
{
  const GArray *columns = self->ecsv->columns;

  if (columns->len != (guint) self->n_columns)
    return armilla_text_table_error (self, error, "has %d names, but the header declares %u "
                                                  "columns",
                                     self->n_columns, columns->len);
  for (guint i = 0; i < columns->len; i++)
    if (strcmp (self->names[i], g_array_index (columns, EcsvColumn, i).name) != 0)
      return armilla_text_table_error (self, error, "names column %u \"%s\", but the header names "
                                                    "it \"%s\"",
                                       i + 1, self->names[i],
                                       g_array_index (columns, EcsvColumn, i).name);
  return TRUE;
}

/* Determines the format of the text and the names of its columns. */
static gboolean
begin (ArmillaTextTable *self, GError **error)
{
  g_autoptr (GString) comments = g_string_new (NULL);
  const char *last;

  set_delimiter (self, ' ');
  self->next = find_line (self, self->next, &self->next_line, comments);
  self->line = self->next_line;
  if (self->next == NULL)
    return TRUE;
  g_strdelimit (comments->str, "\r", ' ');
  if (g_str_has_prefix (comments->str, "%ECSV"))
    {
      g_autofree char *header = g_utf8_make_valid (comments->str, (gssize) comments->len);

      self->ecsv = armilla_ecsv_header_new (header);
      set_delimiter (self, self->ecsv->delimiter);
    }
  else
    detect_delimiter (self);
  g_strchomp (comments->str);
  last = strrchr (comments->str, '\n');
  last = last != NULL ? last + 1 : comments->str;
  g_string_assign (self->comment, last + strspn (last, "# \t"));
  if (!split (self, error))
    return FALSE;
  self->n_columns = (int) self->words->len;
  self->at_first = is_row (self);
  self->names = self->at_first ? comment_names (self) : copy_words (self);
  return self->ecsv == NULL || check_ecsv (self, error);
}

/* Rejects a Parquet file, which begins with PAR1 and a binary number; a text may have a column of
 * that name. */
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
                       "%s: is a Parquet file, but must be FITS or text; convert it in Python with "
                       "astropy and pyarrow: from astropy.table import Table; "
                       "Table.read(\"FILE.parquet\").write(\"FILE.fits\")", path);
}

/* Checks that @size bytes are text; removes a byte-order mark, and converts line ends to '\n'. */
static gboolean
check_text (ArmillaTextTable *self, gint64 size, GError **error)
{
  const guchar *start = (const guchar *) self->bytes;

  if (size > 1 && (memcmp (start, "\377\376", 2) == 0 || memcmp (start, "\376\377", 2) == 0))
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "%s: is UTF-16 text; convert it by iconv -f UTF-16 -t UTF-8", self->path);
  if (memchr (start, 0, size) != NULL)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: is neither a FITS file nor text",
                         self->path);
  if (g_str_has_prefix (self->bytes, "\357\273\277"))
    self->next += 3;
  if (strchr (self->bytes, '\n') == NULL)
    g_strdelimit (self->bytes, "\r", '\n');
  return TRUE;
}

/* Reads a whole file of at most limit bytes and finds its delimiter: that of an ECSV header,
 * otherwise the one of comma, semicolon, tab or blanks that splits the first two lines into the
 * same, largest number of fields. The first line names the columns unless it contains a number;
 * then the last comment before it does, if it has as many words. The caller clears self, also after
 * an error. */
gboolean
armilla_text_table_open (ArmillaTextTable *self, ArmillaFitsSource *source, gint64 limit,
                         const char *too_long, GError **error)
{
  const char *path = armilla_fits_source_path (source);
  gint64 size;

  *self = (ArmillaTextTable) { .path = path, .words = g_ptr_array_new (),
                               .comment = g_string_new (NULL), .next_line = 1 };
  if (!refuse_parquet (source, error))
    return FALSE;
  size = armilla_fits_source_need_all (source, limit, error);
  if (size < 0)
    return FALSE;
  if (size >= limit)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s", path, too_long);
  self->bytes = self->next = g_try_malloc (size + 1);
  if (!self->bytes)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY, "%s: out of memory", path);
  if (!armilla_fits_source_read (source, 0, size, self->bytes, error))
    return FALSE;
  self->bytes[size] = 0;
  return check_text (self, size, error) && begin (self, error);
}

/* Moves to the next row, if row; an empty field after the last column is ignored.
 * ARMILLA_ERROR_PARSE unless it has as many fields as the rows before. */
gboolean
armilla_text_table_next (ArmillaTextTable *self, gboolean *row, GError **error)
{
  const guint n = (guint) self->n_columns;

  *row = self->at_first;
  if (!self->at_first && self->next != NULL)
    {
      self->next = find_line (self, self->next, &self->next_line, NULL);
      *row = self->next != NULL;
      if (*row && !split (self, error))
        return FALSE;
    }
  self->at_first = FALSE;
  if (*row && self->delimiter != ' ' && self->words->len == n + 1
      && *(const char *) g_ptr_array_index (self->words, n) == 0)
    g_ptr_array_set_size (self->words, (int) n);
  if (!*row || self->words->len == n)
    return TRUE;
  return armilla_text_table_error (self, error, "has %u columns, but the lines above have %u",
                                   self->words->len, n);
}

void
armilla_text_table_clear (ArmillaTextTable *self)
{
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_strfreev);
  g_clear_pointer (&self->ecsv, armilla_ecsv_header_free);
  if (self->comment != NULL)
    g_string_free (g_steal_pointer (&self->comment), TRUE);
  g_clear_pointer (&self->bytes, g_free);
}
