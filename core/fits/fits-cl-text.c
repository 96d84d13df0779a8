/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-cl.h"

#include <math.h>

#include "core/fits/text-table.h"

#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 28)

static gboolean
read_row (ArmillaTextTable *text, GArray *values, GError **error)
{
  if (text->n_columns == 0)
    text->n_columns = (int) text->words->len;
  if (!armilla_text_table_fits (text, error))
    return FALSE;
  for (guint i = 0; i < text->words->len; i++)
    {
      char *word = g_ptr_array_index (text->words, i);
      double value;

      if (!armilla_text_number (word, &value) || !isfinite (value))
        return armilla_text_table_error (text, error, "'%.40s' is not a finite number", word);
      g_array_append_val (values, value);
    }
  return TRUE;
}

/* The first column is l when its numbers are integers, one after the other, at least two rows. */
static gint64
first_degree (const double *values, gint64 rows, int n_columns)
{
  double first = values[0];

  if (n_columns < 2 || rows < 2 || first != floor (first) || first < 0
      || first > ARMILLA_CL_LIMIT)
    return -1;
  for (gint64 i = 1; i < rows; i++)
    if (values[i * n_columns] != first + i)
      return -1;
  return (gint64) first;
}

static ArmillaClTable *
make_table (const ArmillaTextTable *text, const GArray *numbers, GError **error)
{
  const double *values = (const double *) numbers->data;
  gint64 rows = numbers->len / MAX (1, text->n_columns), first;
  ArmillaClTable *table;
  int skip;

  if (rows == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_PARSE, "%s: holds no numbers", text->path);
  first = first_degree (values, rows, text->n_columns);
  skip = first >= 0;
  if (MAX (first, 0) + rows > ARMILLA_CL_LIMIT)
    {
      armilla_text_table_error (text, error, "goes beyond l = %" G_GINT64_FORMAT,
                                ARMILLA_CL_LIMIT - 1);
      return NULL;
    }
  table = armilla_cl_table_new (MAX (first, 0) + rows - 1, text->n_columns - skip);
  for (int c = 0; c < table->n_fields; c++)
    for (gint64 i = 0; i < rows; i++)
      table->values[c * (table->lmax + 1) + MAX (first, 0) + i]
        = values[i * text->n_columns + c + skip];
  if (text->comment && g_strv_length (text->comment) == (guint) text->n_columns)
    for (int c = 0; c < table->n_fields; c++)
      {
        g_free (table->names[c]);
        table->names[c] = g_strdup (text->comment[c + skip]);
      }
  return table;
}

/* Columns of numbers, with '#' for comments. */
ArmillaClTable *
armilla_cl_text_read (ArmillaFitsSource *source, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (ArmillaTextTable) text = { 0 };

  if (!armilla_text_table_open (&text, source, SIZE_LIMIT, "is too long for a table of spectra",
                                error))
    return NULL;
  while (armilla_text_table_next (&text))
    if (!read_row (&text, values, error))
      return NULL;
  return make_table (&text, values, error);
}
