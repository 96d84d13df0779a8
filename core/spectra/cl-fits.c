/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/spectra/cl-table.h"
#include "core/fits/fits-input.h"
#include "core/tables/table.h"

#include <string.h>

/* Returns whether the HDU may hold spectra: a table with columns, or an image of one or two axes
 * (spectra in sequence). */
static gboolean
may_hold_spectra (const ArmillaFitsHdu *hdu)
{
  if (hdu->kind == ARMILLA_HDU_TABLE || hdu->kind == ARMILLA_HDU_TEXT_TABLE)
    return hdu->n_columns > 0;
  return hdu->kind == ARMILLA_HDU_IMAGE && (hdu->n_axes == 1 || hdu->n_axes == 2);
}

static gboolean
check_columns (const ArmillaFitsInput *input, int number, gint64 *n, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);
  gboolean text = hdu->kind == ARMILLA_HDU_TEXT_TABLE;

  *n = hdu->kind == ARMILLA_HDU_IMAGE ? hdu->axes[0]
                                      : armilla_fits_column_count (hdu, &hdu->columns[0]);
  if (*n < 1 || *n > ARMILLA_CL_LIMIT)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d has %" G_GINT64_FORMAT " values per column; must be 1 "
                                     "to %" G_GINT64_FORMAT,
                                     number, *n, ARMILLA_CL_LIMIT);
  for (int i = 0; i < hdu->n_columns; i++)
    {
      const ArmillaFitsColumn *column = &hdu->columns[i];

      if (text ? column->type == 'A' : !armilla_fits_column_is_number (column))
        return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                         "HDU %d: column %d '%s' is not numeric", number,
                                         i + 1, column->name);
      if (hdu->kind != ARMILLA_HDU_IMAGE && armilla_fits_column_count (hdu, column) != *n)
        return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                         "HDU %d: columns 1 and %d have different numbers of "
                                         "values",
                                         number, i + 1);
    }
  return TRUE;
}

static gboolean
read_spectrum (const ArmillaFitsInput *input, int number, int field, gint64 n, double *values,
               GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);
  gboolean ok;

  if (hdu->kind == ARMILLA_HDU_TEXT_TABLE)
    ok = armilla_fits_text_column_read (input, hdu, &hdu->columns[field], 0, n, values, error);
  else if (hdu->kind == ARMILLA_HDU_IMAGE)
    ok = armilla_fits_column_read (input, hdu, &hdu->columns[0], field * n, n, values, error);
  else
    ok = armilla_fits_column_read (input, hdu, &hdu->columns[field], 0, n, values, error);
  return ok;
}

static ArmillaClTable *
read_hdu (ArmillaFitsInput *input, int number, int *l, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);
  g_autoptr (ArmillaClTable) table = NULL;
  gint64 n, n_fields;

  if (!armilla_fits_input_select (input, number, error)
      || !check_columns (input, number, &n, error))
    return NULL;
  n_fields = hdu->kind == ARMILLA_HDU_IMAGE ? hdu->rows : hdu->n_columns;
  if (n_fields < 1 || n_fields > 999)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d has %" G_GINT64_FORMAT " spectra; must be 1 to 999",
                                     number, n_fields), NULL;
  table = armilla_cl_table_new (n - 1, n_fields);
  table->coordsys = armilla_fits_input_coordsys (input, NULL);
  for (int i = 0; i < n_fields; i++)
    {
      const gboolean named = i < hdu->n_columns && *hdu->columns[i].name != 0;

      if (!read_spectrum (input, number, i, n, table->values + i * n, error))
        return NULL;
      if (i < hdu->n_columns && g_ascii_strcasecmp (hdu->columns[i].unit, "unknown") != 0)
        {
          g_free (table->units[i]);
          table->units[i] = g_strdup (hdu->columns[i].unit);
        }
      table->named |= named;
      g_free (table->names[i]);
      table->names[i] = g_strdup (named ? hdu->columns[i].name : "");
      if (*l < 0 && armilla_cl_says_l (table->names[i]))
        *l = i;
    }
  return g_steal_pointer (&table);
}

static ArmillaClTable *
read_fits (ArmillaFitsSource *source, int *l, GError **error)
{
  g_autoptr (ArmillaFitsInput) input = armilla_fits_input_new (source, error);

  if (input == NULL)
    return NULL;
  for (int i = 0; i < (int) input->hdus->len; i++)
    if (may_hold_spectra (armilla_fits_input_hdu (input, i)))
      return read_hdu (input, i, l, error);
  armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                            "contains no spectra: neither a table nor an image of one or two axes");
  return NULL;
}

/* Reads spectra, beams or pixel windows. In a FITS file: the columns of the first table (binary or
 * text, one value per row or vectors), or the rows of an image. In a text file: CSV, ECSV, or
 * columns delimited by blanks, whose names are in the first line or in the last comment before it.
 * A column called l, ell or multipole, or a first column of text that holds consecutive integers,
 * is not a spectrum but gives the multipole of each row; multipoles below the first are 0. Without
 * such a column the first row is l = 0. Text without names whose first column ascends, but not by
 * 1, is an error. Returns the table, or NULL with ARMILLA_ERROR_IO, ARMILLA_ERROR_SHAPE or
 * ARMILLA_ERROR_PARSE (the message has the line, or the multipole that is missing). */
ArmillaClTable *
armilla_cl_read_rows (const char *path, ArmillaClRows rows, GError **error)
{
  g_autoptr (ArmillaFitsSource) source = armilla_fits_source_open (path, error);
  ArmillaClTable *columns;
  gboolean is_fits;
  int l = -1;

  if (source == NULL || !armilla_fits_source_is_fits (source, &is_fits, error))
    return NULL;
  columns = is_fits ? read_fits (g_steal_pointer (&source), &l, error)
                    : armilla_cl_text_read (source, rows != ARMILLA_CL_AS_ROWS, &l, error);
  if (columns == NULL)
    return NULL;
  return armilla_cl_place (columns, rows != ARMILLA_CL_AS_ROWS ? l : -1, rows, path, error);
}

/* Reads spectra with a row for every multipole, like armilla_cl_read_rows(). Returns the table, or
 * NULL with the same errors. */
ArmillaClTable *
armilla_cl_read (const char *path, GError **error)
{
  return armilla_cl_read_rows (path, ARMILLA_CL_COMPLETE, error);
}

/* Writes spectra in the format of healpy.write_cl: a binary table with one row per multipole. The
 * caller then calls armilla_output_finish() and armilla_output_commit(). Returns whether the
 * temporary file is complete; ARMILLA_ERROR_SHAPE (no or too many spectra), ARMILLA_ERROR_IO.
 * @history: lines for HISTORY (may be NULL). */
gboolean
armilla_cl_write (ArmillaOutput *output, const ArmillaClTable *table, char **history,
                  GError **error)
{
  const gint64 n = table->lmax + 1;
  g_autoptr (ArmillaTable) columns = NULL;

  if (table->n_fields < 1 || table->n_fields > 999 || n < 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s: a file of spectra must have 1 to 999 columns and at least one row",
                         armilla_output_path (output));
  columns = armilla_table_new ("SPECTRA", n);
  for (int i = 0; i < table->n_fields; i++)
    {
      ArmillaColumn *column = armilla_table_try_add (columns, ARMILLA_COLUMN_DOUBLE,
                                                     table->names[i], table->units[i], "", error);

      if (column == NULL)
        return FALSE;
      memcpy (column->doubles, table->values + i * n, (gsize) n * sizeof (double));
    }
  armilla_table_set_integer (columns, "MAX-LPOL", table->lmax, "Maximum L multipole order");
  if (table->coordsys != NULL)
    armilla_table_set_text (columns, "COORDSYS", table->coordsys, "coordinates: G, E or C");
  return armilla_table_write (output, columns, ARMILLA_TABLE_FITS, history, error);
}

/* Reads ring weights from the first column; in text files from the first one after the ring
 * numbers, which begin at 0. Files hold the weight minus 1; 1 is added here. Returns factors of the
 * quadrature weights, or NULL with ARMILLA_ERROR_SHAPE (not 2 * @nside values) and the errors of
 * armilla_cl_read(). */
double *
armilla_ring_weights_read (const char *path, gint64 nside, gint64 *n_rings, GError **error)
{
  g_autoptr (ArmillaClTable) table = armilla_cl_read (path, error);
  double *factors;

  if (table == NULL)
    return NULL;
  *n_rings = table->lmax + 1;
  if (*n_rings != 2 * nside)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%s: has %" G_GINT64_FORMAT " ring weights; nside = %" G_GINT64_FORMAT
                              " needs %" G_GINT64_FORMAT, path, *n_rings, nside, 2 * nside);
  if (!armilla_cl_table_check (table, 0, table->lmax, ARMILLA_CL_AS_ROWS, path, error))
    return NULL;
  factors = g_new (double, *n_rings);
  for (gint64 i = 0; i < *n_rings; i++)
    factors[i] = 1 + table->values[i];
  return factors;
}
