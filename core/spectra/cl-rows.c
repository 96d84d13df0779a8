/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns rows of a table of spectra to multipoles. */
#include "core/spectra/cl-table.h"

#include <math.h>
#include <string.h>

/* Returns whether a column of this name holds multipoles: "l", "ell" or "multipole", or with the
 * centres of bins "l_eff", "lmean" and the like. */
gboolean
armilla_cl_says_l (const char *name)
{
  static const char *const words[] = { "multipoles", "multipole", "ell", "el", "l" };
  static const char *const ends[]
    = { "", "eff", "mean", "mid", "center", "centre", "cen", "bin", "b", "avg" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strncasecmp (name, words[i], strlen (words[i])) == 0)
      {
        const char *end = name + strlen (words[i]);

        for (gsize k = 0; k < G_N_ELEMENTS (ends); k++)
          if (g_ascii_strcasecmp (end + (*end == '_' && k > 0), ends[k]) == 0)
            return TRUE;
      }
  return FALSE;
}

#define ADVICE "every l must have a row unless interpolation is enabled (interpolate of read-cl)"

static gboolean
check_multipoles (const ArmillaClTable *columns, const double *l, ArmillaClRows rows,
                  const char *path, GError **error)
{
  const gboolean complete = rows == ARMILLA_CL_COMPLETE;
  const gint64 n = columns->lmax + 1;

  for (gint64 i = 0; i < n; i++)
    {
      g_autofree char *line = armilla_cl_table_line (columns, i);

      if (!(l[i] >= 0 && l[i] < (double) ARMILLA_CL_LIMIT))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%s: row %" G_GINT64_FORMAT "%s: l = %.10g: must be from 0 to %"
                             G_GINT64_FORMAT, path, i + 1, line, l[i], ARMILLA_CL_LIMIT - 1);
      if (i > 0 && !(l[i] > l[i - 1]))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%s: row %" G_GINT64_FORMAT "%s: l = %.10g comes after %.10g; "
                             "multipoles must ascend", path, i + 1, line, l[i], l[i - 1]);
      if (complete && l[i] != floor (l[i]))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%s: row %" G_GINT64_FORMAT "%s: l = %.10g is not an integer; "
                             ADVICE, path, i + 1, line, l[i]);
      if (complete && i > 0 && l[i] != l[i - 1] + 1)
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%s: l = %.10g is missing: rows %" G_GINT64_FORMAT " and %"
                             G_GINT64_FORMAT " have l = %.10g and %.10g; " ADVICE, path,
                             l[i - 1] + 1, i, i + 1, l[i - 1], l[i]);
    }
  if (ceil (l[0]) <= floor (l[n - 1]))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s: no multipole is between l = %.10g and "
                                                   "%.10g", path, l[0], l[n - 1]);
}

/* Fills @out from the first multipole of @l to its last one, linearly between the rows, and
 * @lines, if it is not NULL, from those of the rows. */
static void
place (const double *l, gint64 n, const double *values, const gint64 *row_lines, double *out,
       gint64 *lines)
{
  gint64 row = 0;

  for (gint64 at = (gint64) ceil (l[0]); at <= (gint64) floor (l[n - 1]); at++)
    {
      while (row + 1 < n && l[row + 1] <= (double) at)
        row++;
      if (lines != NULL)
        lines[at] = l[row] < (double) at ? -row_lines[row] : row_lines[row];
      out[at] = values[row];
      if (l[row] < (double) at)
        out[at] += (values[row + 1] - values[row]) * (((double) at - l[row])
                                                      / (l[row + 1] - l[row]));
    }
}

/* Exchanges two texts; never leaves NULL, which would end the array for g_strfreev(). */
static void
exchange (char **one, char **other)
{
  char *kept = *one;

  *one = *other;
  *other = kept;
}

/* Makes spectra from columns and takes over the names of these. The column @l, unless it is -1,
 * gives the multipole of each row; spectra are zero below the first one. */
ArmillaClTable *
armilla_cl_place (ArmillaClTable *columns, int l, ArmillaClRows rows, const char *path,
                  GError **error)
{
  g_autoptr (ArmillaClTable) own = columns;
  const gint64 n = columns->lmax + 1;
  const double *multipoles = columns->values + MAX (l, 0) * n;
  ArmillaClTable *table;

  if (l >= 0 && columns->n_fields < 2)
    return armilla_fail_null (error, ARMILLA_ERROR_PARSE, "%s: has no column except l", path);
  if (l >= 0 && !check_multipoles (columns, multipoles, rows, path, error))
    return NULL;
  table = armilla_cl_table_new (l < 0 ? n - 1 : (gint64) floor (multipoles[n - 1]),
                                columns->n_fields - (l >= 0));
  table->coordsys = g_steal_pointer (&columns->coordsys);
  table->named = columns->named;
  if (l < 0)
    table->lines = g_steal_pointer (&columns->lines);
  else if (columns->lines != NULL)
    table->lines = g_new0 (gint64, table->lmax + 1);
  for (int i = 0; i < table->n_fields; i++)
    {
      const int c = i + (l >= 0 && i >= l);
      const double *values = columns->values + c * n;
      double *out = table->values + i * (table->lmax + 1);

      for (gint64 k = 0; l < 0 && k < n; k++)
        out[k] = values[k];
      if (l >= 0)
        place (multipoles, n, values, columns->lines, out, table->lines);
      exchange (&table->units[i], &columns->units[c]);
      if (*columns->names[c] != 0)
        exchange (&table->names[i], &columns->names[c]);
      else if (table->named)
        {
          g_free (table->names[i]);
          table->names[i] = g_strdup_printf ("COLUMN_%d", i + 1);
        }
    }
  return table;
}
