/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of ECSV files is YAML: lists of {key: value, ...}, which may continue on the next
 * line, as written by astropy and Armilla, or columns with one line per key, as written by Gaia's
 * archive. Other YAML is ignored. */
#include <string.h>

#include "core/text/text-table.h"

static void
clear_column (gpointer data)
{
  EcsvColumn *column = data;

  g_free (column->name);
  g_free (column->unit);
  g_free (column->blurb);
}

void
armilla_ecsv_header_free (EcsvHeader *self)
{
  g_array_unref (self->columns);
  g_array_unref (self->is_text);
  g_ptr_array_unref (self->keys);
  g_free (self->name);
  g_free (self);
}

static void
put_byte (GString *text, const char *digits)
{
  const guint code = (guint) g_ascii_xdigit_value (digits[0]) * 16
                     + (guint) g_ascii_xdigit_value (digits[1]);

  g_string_append_unichar (text, code);
}

/* Reads a value in quotes; moves @p after them. */
static char *
take_quoted (const char **p)
{
  GString *text = g_string_new (NULL);
  const char quote = *(*p)++;

  for (; **p != 0; ++*p)
    {
      if (quote == '\'' && (*p)[0] == '\'' && (*p)[1] == '\'')
        ++*p;
      else if (**p == quote)
        break;
      else if (quote == '"' && **p == '\\' && (*p)[1] != 0)
        {
          ++*p;
          if (**p == 'x' && g_ascii_isxdigit ((*p)[1]) && g_ascii_isxdigit ((*p)[2]))
            {
              put_byte (text, *p + 1);
              *p += 2;
              continue;
            }
          g_string_append_c (text, **p == 'n' ? '\n' : **p == 't' ? '\t' : **p);
          continue;
        }
      g_string_append_c (text, **p);
    }
  *p += **p != 0;
  return g_string_free (text, FALSE);
}

/* Returns a value up to a comma or the closing brace; *@is_text tells whether it was in quotes. */
static char *
take_value (const char **p, gboolean *is_text)
{
  gsize n;
  char *word;

  *p += strspn (*p, " \n");
  *is_text = **p == '"' || **p == '\'';
  if (*is_text)
    return take_quoted (p);
  n = strcspn (*p, ",}");
  word = g_strstrip (g_strndup (*p, n));
  *p += n;
  return word;
}

static char *
take_key (const char **p)
{
  gsize n;
  char *key;

  *p += strspn (*p, " \n,");
  if (**p == '"' || **p == '\'')
    key = take_quoted (p);
  else
    {
      n = strcspn (*p, ":}");
      key = g_strstrip (g_strndup (*p, n));
      *p += n;
    }
  *p += **p == ':';
  return key;
}

static ColumnKind
kind_of (const char *datatype)
{
  if (g_str_has_prefix (datatype, "int") || g_str_has_prefix (datatype, "uint"))
    return COLUMN_INTEGERS;
  if (g_str_has_prefix (datatype, "float") || strcmp (datatype, "bool") == 0)
    return COLUMN_NUMBERS;
  return COLUMN_TEXTS;
}

static void
replace (char **where, char *value)
{
  g_free (*where);
  *where = value;
}

static void
set_key (EcsvColumn *column, const char *key, const char *value)
{
  if (strcmp (key, "name") == 0)
    replace (&column->name, g_strdup (value));
  else if (strcmp (key, "unit") == 0)
    replace (&column->unit, g_strdup (value));
  else if (strcmp (key, "description") == 0)
    replace (&column->blurb, g_strdup (value));
  else if (strcmp (key, "datatype") == 0)
    column->kind = kind_of (value);
}

/* Reads {name: x, unit: y, datatype: z, description: t}; moves @p after it. */
static void
take_column (EcsvHeader *self, const char **p)
{
  EcsvColumn column = { g_strdup (""), g_strdup (""), g_strdup (""), COLUMN_TEXTS };

  while (**p != 0 && **p != '}')
    {
      gboolean is_text;
      g_autofree char *key = take_key (p);
      g_autofree char *value = take_value (p, &is_text);

      set_key (&column, key, value);
      *p += strspn (*p, " \n");
    }
  g_array_append_val (self->columns, column);
}

/* Reads one "key: value" of a column that has one line per key. */
static void
take_line (EcsvHeader *self, const char *line)
{
  g_autofree char *text = g_strndup (line, strcspn (line, "\n"));
  char *value = strchr (text, ':');
  g_autofree char *quoted = NULL;

  if (value == NULL || self->columns->len == 0)
    return;
  *value++ = 0;
  value = g_strstrip (value);
  if (*value == '"' || *value == '\'')
    {
      const char *p = value;

      value = quoted = take_quoted (&p);
    }
  set_key (&g_array_index (self->columns, EcsvColumn, self->columns->len - 1), g_strstrip (text),
           value);
}

static void
begin_column (EcsvHeader *self)
{
  EcsvColumn column = { g_strdup (""), g_strdup (""), g_strdup (""), COLUMN_TEXTS };

  g_array_append_val (self->columns, column);
}

/* Reads {KEY: value} of meta. */
static void
take_meta (EcsvHeader *self, const char **p)
{
  gboolean is_text;
  g_autofree char *key = take_key (p);
  g_autofree char *value = take_value (p, &is_text);

  if (strcmp (key, "EXTNAME") == 0)
    replace (&self->name, g_steal_pointer (&value));
  else if (strcmp (key, "CREATOR") != 0)
    {
      g_ptr_array_add (self->keys, g_steal_pointer (&key));
      g_ptr_array_add (self->keys, g_steal_pointer (&value));
      g_array_append_val (self->is_text, is_text);
    }
}

/* Parses the header of an ECSV file. @yaml: the comments of the file, without their #. */
EcsvHeader *
armilla_ecsv_header_new (const char *yaml)
{
  EcsvHeader *self = g_new0 (EcsvHeader, 1);
  gboolean meta = FALSE;

  self->columns = g_array_new (FALSE, FALSE, sizeof (EcsvColumn));
  g_array_set_clear_func (self->columns, clear_column);
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->is_text = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->delimiter = ' ';
  for (const char *p = yaml, *next; *p != 0; p = next)
    {
      if (g_str_has_prefix (p, "delimiter:"))
        self->delimiter = memchr (p, ',', strcspn (p, "\n")) != NULL ? ',' : ' ';
      else if (g_str_has_prefix (p, "meta:"))
        meta = TRUE;
      else if (g_str_has_prefix (p, "- {"))
        {
          p += strlen ("- {");
          if (meta)
            take_meta (self, &p);
          else
            take_column (self, &p);
        }
      else if (!meta && *p == '-' && (p[1] == ' ' || p[1] == '\n'))
        {
          begin_column (self);
          take_line (self, p + 1);
        }
      else if (!meta && p[0] == ' ' && p[1] == ' ' && p[2] != ' ')
        take_line (self, p);
      next = strchr (p, '\n');
      next = next != NULL ? next + 1 : p + strlen (p);
    }
  return self;
}
