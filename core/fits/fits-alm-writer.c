/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-pieces.h"
#include "core/fits/fits.h"

#include <float.h>
#include <math.h>

#define CHUNK 32768
/* from here on l*l + l + m + 1 can exceed 2^31 - 1 */
#define LMAX_INT64 46340

struct _ArmillaAlmWriter {
  ArmillaFitsOutput *out;
  ArmillaAlmLayout layout;
  int n_fields;
  gboolean single;
  gint64 row_bytes;
  gint64 *data;            /* [field]: offset of its rows */
  GMutex lock;             /* guards the members below */
  gboolean failed;
  ArmillaPieces *pieces;   /* [field] */
};

/* Adds one HDU per field, with the columns of healpy.write_alm. */
static gboolean
add_fields (ArmillaAlmWriter *writer, const int *spins, const char *unit, const char *coordsys,
            char **history, GError **error)
{
  char type = writer->single ? 'E' : 'D';
  const char *known = unit != NULL && *unit != 0 ? unit : "unknown";
  gint64 rows = armilla_alm_count (writer->layout);
  const ArmillaFitsField fields[] = {
    { "index", "l*l+l+m+1", writer->layout.lmax >= LMAX_INT64 ? 'K' : 'J', 1 },
    { "real", known, type, 1 },
    { "imag", known, type, 1 },
  };

  for (int i = 0; i < writer->n_fields; i++)
    {
      g_autoptr (GString) cards
        = armilla_fits_table_header (rows, fields, G_N_ELEMENTS (fields), &writer->row_bytes);

      armilla_fits_put_int (cards, "MAX-LPOL", writer->layout.lmax, "Maximum L multipole order");
      armilla_fits_put_int (cards, "MAX-MPOL", writer->layout.mmax, "Maximum M multipole degree");
      armilla_fits_put_int (cards, "SPIN", spins != NULL ? spins[i] : 0,
                            "0: scalar; else a pair, gradient and curl");
      if (coordsys != NULL && *coordsys != 0)
        armilla_fits_put_string (cards, "COORDSYS", coordsys, "coordinates: G, E or C");
      armilla_fits_put_string (cards, "CREATOR", "armilla", NULL);
      armilla_fits_put_history (cards, history);
      writer->data[i] = armilla_fits_output_add (writer->out, cards, rows * writer->row_bytes);
    }
  return armilla_fits_output_reserve (writer->out, error);
}

/* Begins a file of a_lm in the format of healpy.write_alm: one HDU per field with the columns index
 * = l*l + l + m + 1 (64 bits from lmax = 46340 on), real and imag, with their unit ("unknown"
 * without one, as in healpy); and the keywords SPIN and COORDSYS. Returns the writer, or NULL with
 * ARMILLA_ERROR_VALUE (layout), ARMILLA_ERROR_SHAPE (number of fields) or ARMILLA_ERROR_IO. */
ArmillaAlmWriter *
armilla_alm_writer_open (ArmillaOutput *output, ArmillaAlmLayout layout, int n_fields,
                         const int *spins, const char *unit, const char *coordsys,
                         gboolean single, char **history, GError **error)
{
  g_autoptr (ArmillaAlmWriter) writer = NULL;

  if (!armilla_alm_layout_check (layout, error))
    return NULL;
  if (n_fields < 1 || n_fields > 999)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%s: a file of a_lm must have 1 to 999 fields, not %d",
                              armilla_output_path (output), n_fields);
  writer = g_new0 (ArmillaAlmWriter, 1);
  g_mutex_init (&writer->lock);
  writer->layout = layout;
  writer->n_fields = n_fields;
  writer->single = single;
  writer->data = g_new0 (gint64, n_fields);
  writer->pieces = g_new0 (ArmillaPieces, n_fields);
  for (int i = 0; i < n_fields; i++)
    armilla_pieces_init (&writer->pieces[i]);
  writer->out = armilla_fits_output_new (output, error);
  if (writer->out == NULL || !add_fields (writer, spins, unit, coordsys, history, error))
    return NULL;
  return g_steal_pointer (&writer);
}

/* Finds multipole and order at a position of healpy's order. */
static void
locate (gint64 lmax, gint64 position, gint64 *l, gint64 *m)
{
  gint64 low = 0, high = lmax;

  /* The last m whose first coefficient (l = m) is not after the position. */
  while (low < high)
    {
      gint64 middle = (low + high + 1) / 2;

      if (armilla_alm_index (lmax, middle, middle) <= position)
        low = middle;
      else
        high = middle - 1;
    }
  *m = low;
  *l = low + position - armilla_alm_index (lmax, low, low);
}

static gboolean
check_value (const ArmillaAlmWriter *writer, int field, gint64 l, gint64 m, double value,
             GError **error)
{
  gboolean finite = isfinite (value);

  if (finite && !(writer->single && fabs (value) > FLT_MAX))
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
               "%s: field %d: a_lm of l = %" G_GINT64_FORMAT ", m = %" G_GINT64_FORMAT
               " has a part of %g%s",
               armilla_fits_output_path (writer->out), field, l, m, value,
               finite ? ", which does not fit float32; write float64" : "; it must be finite");
  return FALSE;
}

static gboolean
put_rows (ArmillaAlmWriter *writer, int field, gint64 first, gint64 n, const double *values,
          GError **error)
{
  gint64 lmax = writer->layout.lmax, l, m, n_chunk;
  g_autofree guint8 *buffer = g_malloc (CHUNK * writer->row_bytes);

  locate (lmax, first, &l, &m);
  for (; n > 0; first += n_chunk, n -= n_chunk)
    {
      guint8 *p = buffer;

      n_chunk = MIN (n, CHUNK);
      for (gint64 i = 0; i < n_chunk; i++, values += 2)
        {
          gint64 index = l * l + l + m + 1;

          if (!check_value (writer, field, l, m, values[0], error)
              || !check_value (writer, field, l, m, values[1], error))
            return FALSE;
          p = lmax >= LMAX_INT64 ? armilla_put_int64 (p, index) : armilla_put_int32 (p, index);
          p = armilla_put_real (p, writer->single, values[0]);
          p = armilla_put_real (p, writer->single, values[1]);
          if (++l > lmax)
            l = ++m;
        }
      if (!armilla_fits_output_write (writer->out, writer->data[field] + first * writer->row_bytes,
                                      buffer, n_chunk * writer->row_bytes, error))
        return FALSE;
    }
  return TRUE;
}

/* Writes some coefficients. Calls may be in any order and from several threads; each coefficient
 * must be written once. Returns whether they were written; ARMILLA_ERROR_VALUE,
 * ARMILLA_ERROR_NUMERIC or ARMILLA_ERROR_IO. */
gboolean
armilla_alm_writer_write (ArmillaAlmWriter *writer, int field, gint64 first, gint64 n,
                          const double *values, GError **error)
{
  const char *path = armilla_fits_output_path (writer->out);
  gboolean ok;

  if (field < 0 || field >= writer->n_fields)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: no field %d; must be from 0 to %d", path, field,
                         writer->n_fields - 1);
  g_mutex_lock (&writer->lock);
  ok = armilla_pieces_add (&writer->pieces[field], armilla_alm_count (writer->layout), first, n,
                           path, field, "coefficients", error);
  g_mutex_unlock (&writer->lock);
  ok = ok && (n == 0 || put_rows (writer, field, first, n, values, error));
  if (!ok)
    {
      g_mutex_lock (&writer->lock);
      writer->failed = TRUE;
      g_mutex_unlock (&writer->lock);
    }
  return ok;
}

/* Checks that every coefficient was written, and completes the temporary file, checksums included.
 * The caller then calls armilla_output_finish() and armilla_output_commit(). Returns whether the
 * file is complete; ARMILLA_ERROR_VALUE (coefficients missing) or ARMILLA_ERROR_IO. */
gboolean
armilla_alm_writer_close (ArmillaAlmWriter *writer, GError **error)
{
  const char *path = armilla_fits_output_path (writer->out);

  if (writer->failed)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "%s: cannot be completed: writing a part of it failed", path);
  for (int i = 0; i < writer->n_fields; i++)
    if (!armilla_pieces_complete (&writer->pieces[i], armilla_alm_count (writer->layout), path, i,
                                  "coefficients", error))
      return FALSE;
  return armilla_fits_output_close (writer->out, error);
}

/* Flushes the data of this process to the disk. Returns FALSE on a write error. */
gboolean
armilla_alm_writer_end_part (ArmillaAlmWriter *writer, GByteArray *summary, GError **error)
{
  return armilla_fits_part_end (writer->out, writer->pieces, writer->n_fields, summary, error);
}

/* Adds the part of another process; armilla_alm_writer_close() follows the last one. Returns
 * whether the part fits; ARMILLA_ERROR_IO or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_alm_writer_merge (ArmillaAlmWriter *writer, const guint8 *summary, gsize size,
                          GError **error)
{
  return armilla_fits_part_merge (writer->out, writer->pieces, writer->n_fields,
                                  armilla_alm_count (writer->layout), "coefficients", summary,
                                  size, error);
}

/* Frees a writer. Without armilla_alm_writer_close() the temporary file remains incomplete.
 * @writer: a writer (may be NULL). */
void
armilla_alm_writer_free (ArmillaAlmWriter *writer)
{
  if (writer == NULL)
    return;
  for (int i = 0; i < writer->n_fields; i++)
    armilla_pieces_clear (&writer->pieces[i]);
  g_free (writer->pieces);
  g_free (writer->data);
  armilla_fits_output_free (writer->out);
  g_mutex_clear (&writer->lock);
  g_free (writer);
}
