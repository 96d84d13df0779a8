/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text: ECSV, CSV, or columns between blanks. */
#include <string.h>

#include "core/fits/text-table.h"
#include "core/tables/table-read.h"

/* More is better kept in a binary table. */
#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 32)

/* The words of all rows lie in the bytes of the file. */
typedef struct {
  ArmillaTextTable text;
  EcsvHeader *header; /* NULL where the file is no ECSV */
  GString *comments;
  char **names;
  char delimiter;     /* 0 before the first line of words */
  GPtrArray *columns; /* of GPtrArrays of words */
} Reader;

/* A word in double quotes, in which "" stands for one of them; in place. */
static char *
take_quoted (char **p, char **word)
{
  char *to = ++*p;

  *word = to;
  for (; **p != 0; ++*p)
    {
      if ((*p)[0] == '"' && (*p)[1] == '"')
        ++*p;
      else if (**p == '"')
        break;
      *to++ = **p;
    }
  *p += **p != 0;
  return to;
}

/* Cuts a line into words. Between commas there may be nothing. */
static void
split (Reader *self, char *line)
{
  const gboolean commas = self->delimiter == ',';
  gboolean more = TRUE;
  char *p = line;

  g_ptr_array_set_size (self->text.words, 0);
  while (more)
    {
      char *word, *end;

      p += strspn (p, " \t");
      if (!commas && *p == 0)
        break;
      if (*p == '"')
        {
          end = take_quoted (&p, &word);
          p += strcspn (p, commas ? "," : " \t");
        }
      else
        {
          word = p;
          end = p += strcspn (p, commas ? "," : " \t");
          while (end > word && strchr (" \t", end[-1]) != NULL)
            end--;
        }
      more = *p != 0;
      p += more;
      *end = 0;
      g_ptr_array_add (self->text.words, word);
    }
}

/* The next line that holds more than a comment; comments before it are kept. */
static gboolean
next_line (Reader *self)
{
  ArmillaTextTable *text = &self->text;

  for (char *line = text->next; line != NULL; line = text->next)
    {
      gsize n;

      text->line++;
      text->next = strchr (line, '\n');
      n = text->next != NULL ? (gsize) (text->next - line) : strlen (line);
      if (text->next != NULL)
        *text->next++ = 0;
      if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = 0;
      if (*line == '#' && self->delimiter == 0)
        g_string_append_printf (self->comments, "%s\n", line + 1 + (line[1] == ' '));
      else if (*line != '#' && line[strspn (line, " \t")] != 0)
        {
          if (self->delimiter == 0 && g_str_has_prefix (self->comments->str, "%ECSV"))
            self->header = armilla_ecsv_header_new (self->comments->str);
          if (self->delimiter == 0)
            self->delimiter = self->header != NULL ? self->header->delimiter
                              : strchr (line, ',') != NULL ? ',' : ' ';
          split (self, line);
          return TRUE;
        }
    }
  return FALSE;
}

/* Without a line of names columns are called COLUMN1 and so on. */
static void
invent_names (Reader *self)
{
  const guint n = self->text.words->len;

  self->names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    self->names[i] = g_strdup_printf ("COLUMN%u", i + 1);
}

static gboolean
is_row (Reader *self)
{
  double value;

  return self->header == NULL
         && armilla_text_number (g_ptr_array_index (self->text.words, 0), &value);
}

static gboolean
check_names (Reader *self, GError **error)
{
  const guint n = self->text.words->len;

  for (guint i = 0; i < n; i++)
    if (*self->names[i] == 0)
      return armilla_text_table_error (&self->text, error, "column %u has no name", i + 1);
  if (self->header == NULL)
    return TRUE;
  if (self->header->columns->len != n)
    return armilla_text_table_error (&self->text, error, "has %u names, but the header says %u "
                                     "columns", n, self->header->columns->len);
  for (guint i = 0; i < n; i++)
    if (strcmp (self->names[i], g_array_index (self->header->columns, EcsvColumn, i).name) != 0)
      return armilla_text_table_error (&self->text, error, "calls column %u \"%s\", the header "
                                       "\"%s\"", i + 1, self->names[i],
                                       g_array_index (self->header->columns, EcsvColumn, i).name);
  return TRUE;
}

static void
keep_row (Reader *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    g_ptr_array_add (g_ptr_array_index (self->columns, i),
                     g_ptr_array_index (self->text.words, i));
}

static gboolean
read_lines (Reader *self, GError **error)
{
  gboolean row;

  if (!next_line (self))
    return armilla_text_table_error (&self->text, error, "the file ends before there is a table");
  row = is_row (self);
  if (row)
    invent_names (self);
  else
    self->names = armilla_text_table_words (&self->text);
  self->text.n_columns = (int) self->text.words->len;
  if (!check_names (self, error))
    return FALSE;
  for (int i = 0; i < self->text.n_columns; i++)
    g_ptr_array_add (self->columns, g_ptr_array_new ());
  if (row)
    keep_row (self);
  while (next_line (self))
    {
      if (!armilla_text_table_fits (&self->text, error))
        return FALSE;
      keep_row (self);
    }
  return TRUE;
}

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

static ArmillaTable *
make_table (const Reader *self, GError **error)
{
  const GPtrArray *first = g_ptr_array_index (self->columns, 0);
  const EcsvHeader *header = self->header;
  g_autoptr (ArmillaTable) table
    = armilla_table_new (header != NULL && header->name != NULL ? header->name : "TABLE",
                         first->len);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const EcsvColumn *column
        = header != NULL ? &g_array_index (header->columns, EcsvColumn, i) : NULL;
      const GPtrArray *words = g_ptr_array_index (self->columns, i);

      if (!armilla_table_add_words (table, column != NULL ? column->kind : COLUMN_GUESSED,
                                    self->names[i], column != NULL ? column->unit : "",
                                    column != NULL ? column->blurb : "",
                                    (char *const *) words->pdata, error))
        {
          g_prefix_error (error, "%s: ", self->text.path);
          return NULL;
        }
    }
  if (header != NULL)
    set_keys (table, header);
  return g_steal_pointer (&table);
}

ArmillaTable *
armilla_table_text_read (ArmillaFitsSource *source, GError **error)
{
  Reader self = { .comments = g_string_new (NULL),
                  .columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref) };
  ArmillaTable *table = NULL;

  if (armilla_text_table_open (&self.text, source, SIZE_LIMIT,
                               "is text of more than 4 GiB; make a FITS binary table of it", error)
      && read_lines (&self, error))
    table = make_table (&self, error);
  armilla_text_table_clear (&self.text);
  g_clear_pointer (&self.header, armilla_ecsv_header_free);
  g_ptr_array_unref (self.columns);
  g_string_free (self.comments, TRUE);
  g_strfreev (self.names);
  return table;
}
