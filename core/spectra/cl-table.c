/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/cl-table.h"

#include <math.h>

/* Makes a table of zeros without units, with the column names of healpy.write_cl: TEMPERATURE,
 * GRADIENT, CURL, G-T, C-T, C-G, then COLUMN_7 and so on. Returns the table. @lmax: highest
 * multipole, at least 0; @n_fields: number of spectra, at least 1. */
ArmillaClTable *
armilla_cl_table_new (gint64 lmax, int n_fields)
{
  static const char *const names[] = { "TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G" };
  ArmillaClTable *table = g_new0 (ArmillaClTable, 1);

  table->lmax = lmax;
  table->n_fields = n_fields;
  table->names = g_new0 (char *, n_fields + 1);
  for (int i = 0; i < n_fields; i++)
    table->names[i] = i < (int) G_N_ELEMENTS (names) ? g_strdup (names[i])
                                                     : g_strdup_printf ("COLUMN_%d", i + 1);
  table->units = g_new0 (char *, n_fields + 1);
  for (int i = 0; i < n_fields; i++)
    table->units[i] = g_strdup ("");
  table->values = g_new0 (double, (lmax + 1) * n_fields);
  return table;
}

void
armilla_cl_table_free (ArmillaClTable *table)
{
  if (table == NULL)
    return;
  g_strfreev (table->names);
  g_strfreev (table->units);
  g_free (table->coordsys);
  g_free (table->values);
  g_free (table->lines);
  g_free (table);
}

/* Returns (transfer full): " (line 3)" for messages, "" unless the table was text. */
char *
armilla_cl_table_line (const ArmillaClTable *table, gint64 l)
{
  const gint64 line = table->lines != NULL ? table->lines[l] : 0;

  return line == 0 ? g_strdup ("")
                   : g_strdup_printf (line < 0 ? " (after line %" G_GINT64_FORMAT ")"
                                               : " (line %" G_GINT64_FORMAT ")", ABS (line));
}

/* Returns whether the values of a field up to lmax are finite, ARMILLA_ERROR_NUMERIC otherwise.
 * @rows: ARMILLA_CL_AS_ROWS if they are no multipoles. */
gboolean
armilla_cl_table_check (const ArmillaClTable *table, int field, gint64 lmax, ArmillaClRows rows,
                        const char *path, GError **error)
{
  const double *values = table->values + field * (table->lmax + 1);
  const gboolean as_rows = rows == ARMILLA_CL_AS_ROWS;
  g_autofree char *line = NULL;
  gint64 n_bad = 0, first = 0;

  for (gint64 l = lmax; l >= 0; l--)
    if (!isfinite (values[l]))
      {
        n_bad++;
        first = l;
      }
  if (n_bad == 0)
    return TRUE;
  line = armilla_cl_table_line (table, first);
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "%s: %" G_GINT64_FORMAT " values of column %d (%s) are NaN or infinite, the "
                       "first is %s %" G_GINT64_FORMAT "%s", path, n_bad, field,
                       table->names[field], as_rows ? "in row" : "at l =", first + as_rows, line);
}
