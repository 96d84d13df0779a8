/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads catalogues from text: the columns that have a role, as numbers. */
#include "core/catalogues/catalogue-read.h"

#include "core/base/text-number.h"
#include "core/text/text-table.h"

/* larger files should be binary tables */
#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 32)

typedef struct {
  ArmillaTextTable text;
  const int *chosen;
  GArray *values[CATALOGUE_ROLES];
} Reader;

/* Copies the names and units of all columns, "" for columns without. */
static void
take_columns (ArmillaTextTable *text, ArmillaCatalogueText *out)
{
  out->units = g_new0 (char *, text->n_columns + 1);
  if (text->names != NULL)
    out->names = g_steal_pointer (&text->names);
  else
    out->names = g_new0 (char *, text->n_columns + 1);
  for (int i = 0; i < text->n_columns; i++)
    {
      out->units[i] = g_strdup (text->ecsv != NULL
                                  ? g_array_index (text->ecsv->columns, EcsvColumn, i).unit
                                  : "");
      if (out->names[i] == NULL)
        out->names[i] = g_strdup ("");
    }
}

/* Reads a row. A field without a value becomes NaN; whether the value is needed is checked
 * later. */
static gboolean
read_row (Reader *self, GError **error)
{
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    {
      const char *word;
      double value;

      if (self->chosen[role] < 0)
        continue;
      word = g_ptr_array_index (self->text.words, self->chosen[role]);
      if (!armilla_text_value (word, &value))
        return armilla_text_table_error (&self->text, error,
                                         "'%.40s' (column %d, %s) is not a number", word,
                                         self->chosen[role], armilla_catalogue_role_name (role));
      g_array_append_val (self->values[role], value);
    }
  return TRUE;
}

static gboolean
read_rows (Reader *self, GError **error)
{
  gboolean row = TRUE;

  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (self->chosen[role] >= 0)
      self->values[role] = g_array_new (FALSE, FALSE, sizeof (double));
  while (row)
    if (!armilla_text_table_next (&self->text, &row, error) || (row && !read_row (self, error)))
      return FALSE;
  return TRUE;
}

/* Reads all columns that have a role, at once. */
gboolean
armilla_catalogue_text_read (ArmillaFitsSource *source, const ArmillaCatalogueColumns *columns,
                             ArmillaAngleUnit units[2], int chosen[CATALOGUE_ROLES],
                             ArmillaCatalogueText *out, GError **error)
{
  Reader self = { .chosen = chosen };
  gboolean good
    = armilla_text_table_open (&self.text, source, SIZE_LIMIT,
                               "text exceeds 4 GiB; convert it to a FITS binary table", error);

  if (good)
    {
      take_columns (&self.text, out);
      good = armilla_catalogue_resolve (columns, out->names, self.text.n_columns, self.text.path,
                                        chosen, error)
             && armilla_catalogue_units (columns, out->names, out->units, chosen, self.text.path,
                                         units, error)
             && read_rows (&self, error);
    }
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    if (self.values[role])
      {
        out->n_rows = self.values[role]->len;
        out->values[role] = (double *) (gpointer) g_array_free (self.values[role], FALSE);
      }
  armilla_text_table_clear (&self.text);
  return good;
}

void
armilla_catalogue_text_clear (ArmillaCatalogueText *text)
{
  for (int role = 0; role < CATALOGUE_ROLES; role++)
    g_clear_pointer (&text->values[role], g_free);
  g_clear_pointer (&text->names, g_strfreev);
  g_clear_pointer (&text->units, g_strfreev);
}
