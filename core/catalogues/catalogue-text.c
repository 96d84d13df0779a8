/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues as text: columns between blanks or commas, '#' begins a comment. The names of the
 * columns are the first line that does not begin with a number (CSV, ECSV), or the last comment
 * before the first row when it has as many words. */
#include "core/catalogues/catalogue-read.h"

#include "core/fits/text-table.h"

/* More is better kept in a binary table. */
#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 32)

typedef struct {
  ArmillaTextTable text;
  const ArmillaCatalogueColumns *columns;
  ArmillaAngleUnit *units;
  int *chosen;
  char **names;
  GArray *values[CATALOGUE_ROLES];
} Reader;

/* The first row says how many columns there are; then their names and roles follow. */
static gboolean
begin (Reader *self, GError **error)
{
  ArmillaTextTable *text = &self->text;
  guint n = text->words->len;

  if (!self->names && text->comment && g_strv_length (text->comment) == n)
    self->names = g_steal_pointer (&text->comment);
  if (self->names && g_strv_length (self->names) != n)
    return armilla_text_table_error (text, error, "has %u columns, but %u names stand above", n,
                                     g_strv_length (self->names));
  if (!self->names)
    {
      self->names = g_new0 (char *, n + 1);
      for (guint i = 0; i < n; i++)
        self->names[i] = g_strdup ("");
    }
  text->n_columns = (int) n;
  if (!armilla_catalogue_resolve (self->columns, self->names, text->n_columns, text->path,
                                  self->chosen, error)
      || !armilla_catalogue_units (self->columns, self->names, NULL, self->chosen, text->path,
                                   self->units, error))
    return FALSE;
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (self->chosen[role] >= 0)
      self->values[role] = g_array_new (FALSE, FALSE, sizeof (double));
  return TRUE;
}

/* "nan" and "inf" are numbers here: what they are is told with their row. */
static gboolean
read_row (Reader *self, GError **error)
{
  ArmillaTextTable *text = &self->text;

  if (!armilla_text_table_fits (text, error))
    return FALSE;
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    {
      char *word;
      double value;

      if (self->chosen[role] < 0)
        continue;
      word = g_ptr_array_index (text->words, self->chosen[role]);
      if (!armilla_text_number (word, &value))
        return armilla_text_table_error (text, error, "'%.40s' (column %d, %s) is not a number",
                                         word, self->chosen[role],
                                         armilla_catalogue_role_name (role));
      g_array_append_val (self->values[role], value);
    }
  return TRUE;
}

static gboolean
read_lines (Reader *self, GError **error)
{
  ArmillaTextTable *text = &self->text;
  double value;

  while (armilla_text_table_next (text))
    {
      const gboolean first = text->n_columns == 0;

      if (first && !self->names
          && !armilla_text_number (g_ptr_array_index (text->words, 0), &value))
        self->names = armilla_text_table_words (text);
      else if ((first && !begin (self, error)) || !read_row (self, error))
        return FALSE;
    }
  if (text->n_columns > 0)
    return TRUE;
  return armilla_text_table_error (text, error, "the file ends without a row of numbers: the "
                                                "catalogue is empty");
}

/* Reads all columns that have a role, at once. */
gboolean
armilla_catalogue_text_read (ArmillaFitsSource *source, const ArmillaCatalogueColumns *columns,
                             ArmillaAngleUnit units[2], int chosen[CATALOGUE_ROLES],
                             ArmillaCatalogueText *out, GError **error)
{
  Reader self = { .columns = columns, .units = units, .chosen = chosen };
  const gboolean good
    = armilla_text_table_open (&self.text, source, SIZE_LIMIT,
                               "is text of more than 4 GiB; make a FITS binary table of it", error)
      && read_lines (&self, error);

  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (self.values[role])
      {
        out->n_rows = self.values[role]->len;
        out->values[role] = (double *) (gpointer) g_array_free (self.values[role], FALSE);
      }
  armilla_text_table_clear (&self.text);
  out->names = self.names;
  return good;
}

void
armilla_catalogue_text_clear (ArmillaCatalogueText *text)
{
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    g_clear_pointer (&text->values[role], g_free);
  g_clear_pointer (&text->names, g_strfreev);
}
