/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/cl-table.h"

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

/* Frees a table. @table: a table (may be NULL). */
void
armilla_cl_table_free (ArmillaClTable *table)
{
  if (table == NULL)
    return;
  g_strfreev (table->names);
  g_strfreev (table->units);
  g_free (table->coordsys);
  g_free (table->values);
  g_free (table);
}
