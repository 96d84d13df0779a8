/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/matrix.h>
#include <armilla/memory.h>

#include "core/fits/fits-input.h"
#include "core/fits/fits-output.h"
#include "core/fits/fits.h"
#include "core/tables/matrix-file.h"

#define MAX_SIZE 100000 /* maximum rows or columns, so that no product overflows */

struct _ArmillaMatrixWriter {
  ArmillaFitsOutput *out;
  gint64 n_rows, n_columns, data;
};

struct _ArmillaMatrixReader {
  ArmillaFitsInput *input;
  int number;
  ArmillaMatrixHeader *header;
};

static ArmillaMatrixAxis
axis_copy (const ArmillaMatrixAxis *axis)
{
  return (ArmillaMatrixAxis) { g_strdup (axis->label), g_strdup (axis->unit), axis->n,
                               g_memdup2 (axis->values, sizeof (double) * (gsize) axis->n) };
}

ArmillaMatrixHeader *
armilla_matrix_header_new (const ArmillaMatrixAxis *rows, const ArmillaMatrixAxis *columns,
                           const char *const *names, int n_fields)
{
  ArmillaMatrixHeader *self = g_new0 (ArmillaMatrixHeader, 1);

  self->rows = axis_copy (rows);
  self->columns = axis_copy (columns);
  self->n_fields = n_fields;
  self->names = g_new0 (char *, (gsize) n_fields + 1);
  for (int f = 0; f < n_fields; f++)
    self->names[f] = g_strdup (names[f]);
  self->unit = g_strdup ("");
  return self;
}

static void
axis_clear (ArmillaMatrixAxis *axis)
{
  g_free (axis->label);
  g_free (axis->unit);
  g_free (axis->values);
}

void
armilla_matrix_header_free (ArmillaMatrixHeader *self)
{
  if (self == NULL)
    return;
  axis_clear (&self->rows);
  axis_clear (&self->columns);
  g_strfreev (self->names);
  g_free (self->unit);
  g_free (self);
}

static GString *
image_cards (const ArmillaMatrixHeader *header, char **history)
{
  const gint64 axes[3] = { header->columns.n, header->rows.n, header->n_fields };
  GString *cards = armilla_fits_image_header (FALSE, FALSE, header->n_fields > 1 ? 3 : 2, axes);

  armilla_fits_put_string (cards, "EXTNAME", "MATRIX", "[field][row][column]");
  if (*header->unit != 0)
    armilla_fits_put_string (cards, "BUNIT", header->unit, "unit of the elements");
  for (int f = 0; f < header->n_fields; f++)
    {
      char key[16];

      g_snprintf (key, sizeof key, "FIELD%d", f + 1);
      armilla_fits_put_string (cards, key, header->names[f], f == 0 ? "name of the matrix" : NULL);
    }
  armilla_fits_put_string (cards, "CREATOR", "armilla", NULL);
  armilla_fits_put_history (cards, history);
  return cards;
}

static gint64
add_axis (ArmillaFitsOutput *out, const ArmillaMatrixAxis *axis, const char *name)
{
  const ArmillaFitsField field = { axis->label, *axis->unit != 0 ? axis->unit : NULL, 'D', 1 };
  gint64 row_bytes;
  g_autoptr (GString) cards = armilla_fits_table_header (axis->n, &field, 1, &row_bytes);

  armilla_fits_put_string (cards, "EXTNAME", name, "positions of rows or columns");
  return armilla_fits_output_add (out, cards, axis->n * row_bytes);
}

static gboolean
write_reals (ArmillaFitsOutput *out, gint64 offset, const double *values, gint64 n, GError **error)
{
  g_autofree guint8 *bytes = armilla_try_new (guint8, 8 * n, "the values of a matrix", error);
  guint8 *p = bytes;

  if (bytes == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    p = armilla_put_real (p, FALSE, values[i]);
  return armilla_fits_output_write (out, offset, bytes, 8 * n, error);
}

/* Begins a file of the final length. Returns the writer, or NULL with ARMILLA_ERROR_SHAPE (too
 * large) or ARMILLA_ERROR_IO. @header: shape, names, units, axes; @history: lines for HISTORY (may
 * be NULL). */
ArmillaMatrixWriter *
armilla_matrix_writer_new (ArmillaOutput *output, const ArmillaMatrixHeader *header,
                           char **history, GError **error)
{
  g_autoptr (ArmillaMatrixWriter) self = g_new0 (ArmillaMatrixWriter, 1);
  g_autoptr (GString) cards = NULL;
  gint64 rows, columns;

  if (header->rows.n > MAX_SIZE || header->columns.n > MAX_SIZE || header->n_fields > 999)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%s: a file of matrices may have at most %d rows and columns, and "
                              "999 fields", armilla_output_path (output), MAX_SIZE);
  self->n_rows = header->rows.n;
  self->n_columns = header->columns.n;
  self->out = armilla_fits_output_new (output, error);
  if (self->out == NULL)
    return NULL;
  cards = image_cards (header, history);
  self->data = armilla_fits_output_add (self->out, cards,
                                        8 * self->n_rows * self->n_columns * header->n_fields);
  rows = add_axis (self->out, &header->rows, "ROWS");
  columns = add_axis (self->out, &header->columns, "COLUMNS");
  if (!armilla_fits_output_reserve (self->out, error)
      || !write_reals (self->out, rows, header->rows.values, self->n_rows, error)
      || !write_reals (self->out, columns, header->columns.values, self->n_columns, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Writes a block. Each element must be written once, in any order, from any thread. Returns
 * whether it was written. @values: [row][column]. */
gboolean
armilla_matrix_writer_put (ArmillaMatrixWriter *self, int field, gint64 row, gint64 n_rows,
                           gint64 column, gint64 n_columns, const double *values, GError **error)
{
  gboolean ok = TRUE;

  for (gint64 i = 0; ok && i < n_rows; i++)
    ok = write_reals (self->out,
                      self->data
                        + 8 * ((field * self->n_rows + row + i) * self->n_columns + column),
                      values + i * n_columns, n_columns, error);
  return ok;
}

/* Returns whether the temporary file is complete. */
gboolean
armilla_matrix_writer_end (ArmillaMatrixWriter *self, GError **error)
{
  return armilla_fits_output_close (self->out, error);
}

void
armilla_matrix_writer_free (ArmillaMatrixWriter *self)
{
  if (self == NULL)
    return;
  armilla_fits_output_free (self->out);
  g_free (self);
}

/* Returns the first image of two axes, or three. */
static int
find_image (const ArmillaFitsInput *input)
{
  for (int i = 0; i < (int) input->hdus->len; i++)
    {
      const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, i);

      if (hdu->kind == ARMILLA_HDU_IMAGE && (hdu->n_axes == 2 || hdu->n_axes == 3))
        return i;
    }
  return -1;
}

/* Reads the positions of rows or columns: from the table @name, otherwise their numbers. */
static gboolean
read_axis (ArmillaFitsInput *input, const char *name, gint64 n, ArmillaMatrixAxis *axis,
           GError **error)
{
  axis->n = n;
  axis->values = armilla_try_new (double, n, "the axis of a matrix", error);
  if (axis->values == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    axis->values[i] = (double) i;
  for (int h = 0; h < (int) input->hdus->len; h++)
    {
      const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, h);
      g_autofree char *found = NULL;

      if (hdu->kind != ARMILLA_HDU_TABLE || hdu->n_columns < 1
          || !armilla_fits_column_is_number (&hdu->columns[0]))
        continue;
      if (!armilla_fits_input_select (input, h, error))
        return FALSE;
      found = armilla_fits_input_string (input, "EXTNAME");
      if (g_strcmp0 (found, name) != 0)
        continue;
      if (armilla_fits_column_count (hdu, &hdu->columns[0]) != n)
        return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                         "HDU %d: %s has %" G_GINT64_FORMAT " values, but the "
                                         "matrix has %" G_GINT64_FORMAT, h, name,
                                         armilla_fits_column_count (hdu, &hdu->columns[0]), n);
      axis->label = g_strdup (hdu->columns[0].name);
      axis->unit = g_strdup (hdu->columns[0].unit);
      return armilla_fits_column_read (input, hdu, &hdu->columns[0], 0, n, axis->values, error);
    }
  axis->label = g_strdup ("");
  axis->unit = g_strdup ("");
  return TRUE;
}

/* Reads names and unit from the header of the image. */
static gboolean
read_names (ArmillaMatrixReader *self, GError **error)
{
  ArmillaMatrixHeader *header = self->header;

  if (!armilla_fits_input_select (self->input, self->number, error))
    return FALSE;
  header->unit = armilla_fits_input_string (self->input, "BUNIT");
  if (header->unit == NULL)
    header->unit = g_strdup ("");
  header->names = g_new0 (char *, (gsize) header->n_fields + 1);
  for (int f = 0; f < header->n_fields; f++)
    {
      char key[16];

      g_snprintf (key, sizeof key, "FIELD%d", f + 1);
      header->names[f] = armilla_fits_input_string (self->input, key);
      if (header->names[f] == NULL)
        header->names[f] = g_strdup_printf ("FIELD%d", f + 1);
    }
  return TRUE;
}

/* Opens a file and reads everything except the elements of the first image with two or three axes.
 * Axes without a table are numbered from 0. Returns the reader, or NULL with ARMILLA_ERROR_IO or
 * ARMILLA_ERROR_SHAPE. */
ArmillaMatrixReader *
armilla_matrix_reader_open (const char *path, GError **error)
{
  g_autoptr (ArmillaMatrixReader) self = g_new0 (ArmillaMatrixReader, 1);
  const ArmillaFitsHdu *hdu;

  self->header = g_new0 (ArmillaMatrixHeader, 1);
  self->input = armilla_fits_input_open (path, error);
  if (self->input == NULL)
    return NULL;
  self->number = find_image (self->input);
  if (self->number < 0)
    return armilla_fits_input_error (self->input, error, ARMILLA_ERROR_SHAPE,
                                     "contains no matrix: no image of two or three axes"), NULL;
  hdu = armilla_fits_input_hdu (self->input, self->number);
  self->header->n_fields = hdu->n_axes == 3 ? (int) CLAMP (hdu->axes[2], 0, 1000) : 1;
  if (hdu->axes[0] < 1 || hdu->axes[1] < 1 || hdu->axes[0] > MAX_SIZE || hdu->axes[1] > MAX_SIZE
      || self->header->n_fields < 1 || self->header->n_fields > 999)
    return armilla_fits_input_error (self->input, error, ARMILLA_ERROR_SHAPE,
                                     "HDU %d has %" G_GINT64_FORMAT " columns and %"
                                     G_GINT64_FORMAT " rows; must be 1 to %d of each, and 1 to 999 "
                                                     "fields",
                                                     self->number, hdu->axes[0], hdu->axes[1],
                                     MAX_SIZE), NULL;
  if (!read_names (self, error)
      || !read_axis (self->input, "ROWS", hdu->axes[1], &self->header->rows, error)
      || !read_axis (self->input, "COLUMNS", hdu->axes[0], &self->header->columns, error))
    return NULL;
  return g_steal_pointer (&self);
}

const ArmillaMatrixHeader *
armilla_matrix_reader_header (const ArmillaMatrixReader *self)
{
  return self->header;
}

/* Reads a block. Thread-safe. Returns whether all elements were read and are finite;
 * ARMILLA_ERROR_IO or ARMILLA_ERROR_NUMERIC otherwise. @values: [row][column]. */
gboolean
armilla_matrix_reader_get (ArmillaMatrixReader *self, int field, gint64 row, gint64 n_rows,
                           gint64 column, gint64 n_columns, double *values, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (self->input, self->number);
  const gint64 all_rows = self->header->rows.n, width = self->header->columns.n;
  gint64 n_bad = 0, first = 0;

  for (gint64 i = 0; i < n_rows; i++, values += n_columns)
    {
      if (!armilla_fits_column_read (self->input, hdu, &hdu->columns[0],
                                     (field * all_rows + row + i) * width + column, n_columns,
                                     values, error))
        return FALSE;
      if (!armilla_pixels_check_finite (values, n_columns, column, &n_bad, &first))
        return armilla_fits_input_error (self->input, error, ARMILLA_ERROR_NUMERIC,
                                         "%s: the element of row %" G_GINT64_FORMAT ", column %"
                                         G_GINT64_FORMAT " is not finite",
                                         self->header->names[field], row + i, first);
    }
  return TRUE;
}

void
armilla_matrix_reader_free (gpointer self)
{
  ArmillaMatrixReader *reader = self;

  if (reader == NULL)
    return;
  g_clear_pointer (&reader->input, armilla_fits_input_free);
  armilla_matrix_header_free (reader->header);
  g_free (reader);
}
