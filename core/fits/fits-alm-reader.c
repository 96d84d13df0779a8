/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"
#include "core/fits/fits.h"

#include <math.h>
#include <stdlib.h>

/* rows read and delivered at a time */
#define CHUNK 32768
/* A file with few rows and a huge multipole is damaged rather than sparse: no caller should
 * allocate a_lm for it. */
#define SPARSE_LMAX 65536

struct _ArmillaAlmReader {
  ArmillaFitsInput *input;
  GArray *fields; /* ArmillaAlmField */
  ArmillaAlmHeader header;
};

typedef struct {
  gint64 l[CHUNK], m[CHUNK];
  double real[CHUNK], imag[CHUNK];
  double values[2 * CHUNK];
} Rows;

/* Inverts index = l*l + l + m + 1; m is negative for negative orders in the file. */
static void
split_index (gint64 index, gint64 *l, gint64 *m)
{
  gint64 n = index - 1, root = (gint64) sqrt ((double) n);

  /* The rounded square root may be off by one. */
  while (root * root > n)
    root--;
  while ((root + 1) * (root + 1) <= n)
    root++;
  *l = root;
  *m = n - root * root - root;
}

static int
compare_int64 (const void *a, const void *b)
{
  gint64 p = *(const gint64 *) a, q = *(const gint64 *) b;

  return (p > q) - (p < q);
}

/* Checks that no row is repeated; only a file in neither of the two usual orders must be sorted for
 * that. */
static gboolean
check_repeated (ArmillaAlmReader *reader, int number, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, number);
  g_autofree gint64 *all = g_try_new (gint64, MAX (1, hdu->rows));

  if (all == NULL)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_MEMORY,
                                     "out of memory: cannot sort %" G_GINT64_FORMAT " indices",
                                     hdu->rows);
  if (!armilla_fits_column_read_int (reader->input, hdu, &hdu->columns[0], 0, hdu->rows, all,
                                     error))
    return FALSE;
  qsort (all, hdu->rows, sizeof *all, compare_int64);
  for (gint64 i = 1; i < hdu->rows; i++)
    if (all[i] == all[i - 1])
      {
        gint64 l, m;

        split_index (all[i], &l, &m);
        return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                         "HDU %d: index %" G_GINT64_FORMAT " (l = %" G_GINT64_FORMAT
                                         ", m = %" G_GINT64_FORMAT ") occurs twice",
                                         number, all[i], l, m);
      }
  return TRUE;
}

static gboolean
check_index (ArmillaAlmReader *reader, int number, gint64 row, gint64 index, gint64 *l, gint64 *m,
             GError **error)
{
  /* With lmax below 2^24 the square of l + 1 fits 64 bits. */
  if (index < 1 || index > (G_GINT64_CONSTANT (1) << 48))
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "HDU %d, row %" G_GINT64_FORMAT ": index %" G_GINT64_FORMAT
                                     " is not l*l + l + m + 1 of any l and m",
                                     number, row + 1, index);
  split_index (index, l, m);
  if (*m < 0)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "HDU %d, row %" G_GINT64_FORMAT ": index %" G_GINT64_FORMAT
                                     " means l = %" G_GINT64_FORMAT ", m = %" G_GINT64_FORMAT
                                     "; m must not be negative",
                                     number, row + 1, index, *l, *m);
  return TRUE;
}

/* First pass over the indices of an HDU: finds the highest l and m, and rejects repeated rows. */
static gboolean
scan_indices (ArmillaAlmReader *reader, int number, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, number);
  g_autofree gint64 *index = g_new (gint64, MIN (CHUNK, hdu->rows));
  gboolean by_l = TRUE, by_m = TRUE;
  gint64 last_index = 0, last_l = -1, last_m = -1;

  for (gint64 first = 0, n; first < hdu->rows; first += n)
    {
      n = MIN (CHUNK, hdu->rows - first);
      if (!armilla_fits_column_read_int (reader->input, hdu, &hdu->columns[0], first, n, index,
                                         error))
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        {
          gint64 l, m;

          if (!check_index (reader, number, first + i, index[i], &l, &m, error))
            return FALSE;
          by_l &= index[i] > last_index;
          by_m &= m > last_m || (m == last_m && l > last_l);
          last_index = index[i];
          last_l = l;
          last_m = m;
          reader->header.layout.lmax = MAX (reader->header.layout.lmax, l);
          reader->header.layout.mmax = MAX (reader->header.layout.mmax, m);
        }
    }
  return by_l || by_m || check_repeated (reader, number, error);
}

/* Returns whether the HDU is a table of a_lm: it has the columns index, real, imag; other columns,
 * such as errors, may follow. */
static gboolean
is_alm_table (const ArmillaFitsHdu *hdu)
{
  if (hdu->kind != ARMILLA_HDU_TABLE || hdu->n_columns < 3 || hdu->rows < 1)
    return FALSE;
  for (int i = 0; i < 3; i++)
    if (!armilla_fits_column_is_number (&hdu->columns[i]) || hdu->columns[i].repeat != 1)
      return FALSE;
  return TRUE;
}

static gboolean
find_fields (ArmillaAlmReader *reader, GError **error)
{
  gint64 rows = 0, spin;

  for (int i = 1; i < (int) reader->input->hdus->len; i++)
    {
      const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, i);
      ArmillaAlmField field = { .hdu = i };

      if (!is_alm_table (hdu))
        continue;
      if (!armilla_fits_input_select (reader->input, i, error)
          || !scan_indices (reader, i, error)
          || !armilla_fits_input_int (reader->input, "SPIN", -1, &spin, error))
        return FALSE;
      field.spin = (int) CLAMP (spin, -1, G_MAXINT);
      field.unit = hdu->columns[1].unit;
      if (g_ascii_strcasecmp (field.unit, "unknown") == 0) /* as healpy writes */
        field.unit = "";
      field.coordsys = armilla_fits_input_coordsys (reader->input, &reader->header.note);
      g_array_append_val (reader->fields, field);
      rows += hdu->rows;
    }
  reader->header.n_fields = (int) reader->fields->len;
  reader->header.fields = (const ArmillaAlmField *) reader->fields->data;
  if (reader->fields->len == 0)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_SHAPE,
                                     "holds no a_lm: no binary table with the columns index, real "
                                     "and imag");
  if (reader->header.layout.lmax > SPARSE_LMAX
      && armilla_alm_count (reader->header.layout) / 1000 > rows)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "has an index of l = %" G_GINT64_FORMAT
                                     ", but only %" G_GINT64_FORMAT " rows; is it damaged?",
                                     reader->header.layout.lmax, rows);
  return TRUE;
}

/* Opens a file of a_lm: binary tables with the columns index = l*l + l + m + 1, real and imag, one
 * HDU per field, rows in any order. Reads all indices and checks that each is valid and unique.
 * Returns the reader, or NULL with ARMILLA_ERROR_IO, ARMILLA_ERROR_SHAPE (no such table),
 * ARMILLA_ERROR_VALUE (an index) or ARMILLA_ERROR_MEMORY. */
ArmillaAlmReader *
armilla_alm_reader_open (const char *path, GError **error)
{
  g_autoptr (ArmillaAlmReader) reader = g_new0 (ArmillaAlmReader, 1);

  reader->fields = g_array_new (FALSE, FALSE, sizeof (ArmillaAlmField));
  reader->input = armilla_fits_input_open (path, error);
  if (reader->input == NULL || !find_fields (reader, error))
    return NULL;
  return g_steal_pointer (&reader);
}

/* Returns the metadata in the headers of the file. */
const ArmillaAlmHeader *
armilla_alm_reader_header (const ArmillaAlmReader *reader)
{
  return &reader->header;
}

/* Reads and checks rows first..first+n-1. */
static gboolean
read_rows (ArmillaAlmReader *reader, int number, gint64 first, gint64 n, Rows *rows,
           GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, number);

  if (!armilla_fits_column_read_int (reader->input, hdu, &hdu->columns[0], first, n, rows->l,
                                     error)
      || !armilla_fits_column_read (reader->input, hdu, &hdu->columns[1], first, n, rows->real,
                                    error)
      || !armilla_fits_column_read (reader->input, hdu, &hdu->columns[2], first, n, rows->imag,
                                    error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      if (!check_index (reader, number, first + i, rows->l[i], &rows->l[i], &rows->m[i], error))
        return FALSE;
      if (!isfinite (rows->real[i]) || !isfinite (rows->imag[i]))
        return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_NUMERIC,
                                         "HDU %d: a_lm of l = %" G_GINT64_FORMAT
                                         ", m = %" G_GINT64_FORMAT " is %g + %gi; it must be "
                                         "finite",
                                         number, rows->l[i], rows->m[i], rows->real[i],
                                         rows->imag[i]);
      rows->values[2 * i] = rows->real[i];
      rows->values[2 * i + 1] = rows->imag[i];
    }
  return TRUE;
}

/* Passes the coefficients of a field to a callback. Coefficients that are not in the file are zero
 * and are not passed. Thread-safe. Returns whether all were delivered; ARMILLA_ERROR_VALUE,
 * ARMILLA_ERROR_NUMERIC (a NaN; the message names l and m) or ARMILLA_ERROR_IO. @visit: called with
 * several coefficients at a time, in the order of the file. */
gboolean
armilla_alm_reader_visit (ArmillaAlmReader *reader, int field, ArmillaAlmVisitor visit,
                          gpointer user, GError **error)
{
  g_autofree Rows *rows = NULL;
  gint64 n_rows;
  int number;

  if (field < 0 || field >= reader->header.n_fields)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "no field %d; must be from 0 to %d", field,
                                     reader->header.n_fields - 1);
  number = reader->header.fields[field].hdu;
  n_rows = armilla_fits_input_hdu (reader->input, number)->rows;
  rows = g_new (Rows, 1);
  for (gint64 first = 0, n; first < n_rows; first += n)
    {
      n = MIN (CHUNK, n_rows - first);
      if (!read_rows (reader, number, first, n, rows, error))
        return FALSE;
      visit (user, n, rows->l, rows->m, rows->values);
    }
  return TRUE;
}

void
armilla_alm_reader_free (ArmillaAlmReader *reader)
{
  if (reader == NULL)
    return;
  armilla_fits_input_free (reader->input);
  for (guint i = 0; i < reader->fields->len; i++)
    g_free (g_array_index (reader->fields, ArmillaAlmField, i).coordsys);
  g_array_unref (reader->fields);
  g_free (reader->header.note);
  g_free (reader);
}
