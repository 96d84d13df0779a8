/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra from text. */
#include "core/spectra/cl-table.h"

#include <math.h>
#include <string.h>

#include "core/base/text-number.h"
#include "core/text/text-table.h"

#define SIZE_LIMIT (G_GINT64_CONSTANT (1) << 28)

/* Reads all rows. A field without a value becomes NaN, since it is not known here whether the
 * spectrum is used. */
static gboolean
read_rows (ArmillaTextTable *text, GArray *values, GArray *lines, GError **error)
{
  gboolean row;

  while (armilla_text_table_next (text, &row, error))
    {
      if (!row)
        return values->len > 0
               || armilla_fail (error, ARMILLA_ERROR_PARSE, "%s: contains no numbers", text->path);
      for (guint i = 0; i < text->words->len; i++)
        {
          const char *word = g_ptr_array_index (text->words, i);
          double value;

          if (!armilla_text_value (word, &value))
            return armilla_text_table_error (text, error, "'%.40s' is not a number", word);
          g_array_append_val (values, value);
        }
      g_array_append_val (lines, text->line);
      if (lines->len > ARMILLA_CL_LIMIT)
        return armilla_text_table_error (text, error, "goes beyond l = %" G_GINT64_FORMAT,
                                         ARMILLA_CL_LIMIT - 1);
    }
  return FALSE;
}

static void
replace (char **where, const char *value)
{
  g_free (*where);
  *where = g_strdup (value);
}

static ArmillaClTable *
make_columns (const ArmillaTextTable *text, const GArray *numbers)
{
  const double *values = (const double *) numbers->data;
  const gint64 n = text->n_columns, rows = numbers->len / n;
  ArmillaClTable *columns = armilla_cl_table_new (rows - 1, text->n_columns);

  columns->named = text->names != NULL;
  for (gint64 c = 0; c < n; c++)
    {
      const char *name = text->names != NULL ? text->names[c] : "";
      const gsize number = strspn (name, "0123456789");

      /* CLASS writes numbers before names: 1:l, 2:TT */
      replace (&columns->names[c], number > 0 && name[number] == ':' ? name + number + 1 : name);
      if (text->ecsv != NULL)
        replace (&columns->units[c], g_array_index (text->ecsv->columns, EcsvColumn, c).unit);
      for (gint64 i = 0; i < rows; i++)
        columns->values[c * rows + i] = values[i * n + c];
    }
  return columns;
}

/* Returns whether the numbers increase by @step each, or by any amount if @step is 0. */
static gboolean
ascends (const double *values, gint64 n, double step)
{
  for (gint64 i = 1; i < n; i++)
    if (step > 0 ? values[i] != values[i - 1] + step : !(values[i] > values[i - 1]))
      return FALSE;
  return TRUE;
}

static gboolean
are_whole (const double *values, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    if (values[i] != floor (values[i]))
      return FALSE;
  return TRUE;
}

/* Returns whether the name may mean edges of multipole bins: "lmin", "ell_low". */
static gboolean
begins_with_l (const char *name)
{
  return g_ascii_strncasecmp (name, "l", 1) == 0 || g_ascii_strncasecmp (name, "ell", 3) == 0;
}

/* Finds the column of multipoles: the one named l, or the first one if a comment that does not
 * match the columns begins with l, or if it contains consecutive integers. Without names, or if its
 * name begins with l, a first column that increases otherwise is an error. */
static gboolean
find_multipoles (const ArmillaTextTable *text, const ArmillaClTable *columns, int *l,
                 GError **error)
{
  const gint64 n = columns->lmax + 1;
  const double first = columns->values[0];
  g_autofree char *word = g_strndup (text->comment->str, strcspn (text->comment->str, " \t,;"));

  for (*l = 0; *l < columns->n_fields; ++*l)
    if (armilla_cl_says_l (columns->names[*l]))
      return TRUE;
  *l = -1;
  if (columns->n_fields < 2 || !(first >= 0))
    return TRUE;
  if ((!columns->named && armilla_cl_says_l (word))
      || (n > 1 && first == floor (first) && ascends (columns->values, n, 1)))
    *l = 0;
  else if (n > 1 && ascends (columns->values, n, 0)
           && (columns->named ? begins_with_l (columns->names[0]) && are_whole (columns->values, n)
                              : first >= 1 || are_whole (columns->values, n)))
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "%s: the first column increases from %g to %g in steps other than 1: it "
                         "may be l or a spectrum; name the columns in a comment before the first "
                         "row, such as '# l TT EE' or '# TT EE'",
                         text->path, first, columns->values[n - 1]);
  return TRUE;
}

ArmillaClTable *
armilla_cl_text_read (ArmillaFitsSource *source, gboolean find_l, int *l, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_auto (ArmillaTextTable) text = { 0 };
  g_autoptr (ArmillaClTable) columns = NULL;

  if (!armilla_text_table_open (&text, source, SIZE_LIMIT, "exceeds the size limit of a table of "
                                                           "spectra",
                                error)
      || !read_rows (&text, values, lines, error))
    return NULL;
  columns = make_columns (&text, values);
  columns->lines = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&lines), FALSE);
  if (find_l && !find_multipoles (&text, columns, l, error))
    return NULL;
  return g_steal_pointer (&columns);
}
