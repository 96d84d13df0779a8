/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"

#include <armilla/fits.h>
#include <math.h>
#include <string.h>

/* Bytes read at once; a row longer than this is read segment by segment. */
#define CHUNK (512 * 1024)
/* Segments (the bytes of one column in one row) as long as this are worth a read of their own. */
#define SEGMENT 2048

/* What is done with a run of values that lie one behind the other, or one in each row. */
typedef struct {
  const ArmillaFitsColumn *column;
  double *values;          /* one of the two */
  gint64 *integers;
} Sink;

gboolean
armilla_fits_column_is_number (const ArmillaFitsColumn *column)
{
  return column->type != 0 && strchr ("LBIJKED", column->type) != NULL;
}

gint64
armilla_fits_column_count (const ArmillaFitsHdu *hdu, const ArmillaFitsColumn *column)
{
  return hdu->rows * column->repeat;
}

static gint64
load_int (char type, const guint8 *p)
{
  guint16 u16;
  guint32 u32;
  guint64 u64;

  switch (type)
    {
    case 'B':
      return *p;
    case 'L':
      return *p == 'T' || *p == 1;
    case 'I':
      memcpy (&u16, p, 2);
      return (gint16) GUINT16_FROM_BE (u16);
    case 'J':
      memcpy (&u32, p, 4);
      return (gint32) GUINT32_FROM_BE (u32);
    default:
      memcpy (&u64, p, 8);
      return (gint64) GUINT64_FROM_BE (u64);
    }
}

static double
load_float (char type, const guint8 *p)
{
  union { guint32 u; float f; } e;
  union { guint64 u; double d; } d;

  if (type == 'E')
    {
      memcpy (&e.u, p, 4);
      e.u = GUINT32_FROM_BE (e.u);
      return e.f;
    }
  memcpy (&d.u, p, 8);
  d.u = GUINT64_FROM_BE (d.u);
  return d.d;
}

/* Converts n values that are `stride` bytes apart. */
static void
convert (Sink *sink, const guint8 *p, gint64 stride, gint64 n)
{
  const ArmillaFitsColumn *column = sink->column;
  char type = column->type;
  gboolean scaled = column->scale != 1 || column->zero != 0;

  if (sink->integers != NULL)
    {
      for (gint64 i = 0; i < n; i++)
        *sink->integers++ = load_int (type, p + i * stride);
      return;
    }
  if (type == 'E' || type == 'D')
    for (gint64 i = 0; i < n; i++)
      {
        double x = load_float (type, p + i * stride);

        *sink->values++ = scaled ? x * column->scale + column->zero : x;
      }
  else
    for (gint64 i = 0; i < n; i++)
      {
        gint64 x = load_int (type, p + i * stride);

        if (column->has_null && x == column->null)
          *sink->values++ = ARMILLA_UNSEEN;
        else
          *sink->values++ = scaled ? (double) x * column->scale + column->zero : (double) x;
      }
}

/* Bytes that reading values first..first+n-1 needs at once. */
static gsize
walk_buffer (const ArmillaFitsHdu *hdu, const ArmillaFitsColumn *column, gboolean segments,
             gint64 first, gint64 n)
{
  gint64 rows;

  if (n < 1)
    return 1;
  if (segments)
    return MIN (CHUNK, n * armilla_fits_type_bytes (column->type));
  rows = (first + n - 1) / column->repeat - first / column->repeat + 1;
  return MIN (CHUNK, rows * hdu->row_bytes);
}

/* Values first..first+n-1, row by row or in blocks of rows, whichever reads less. */
static gboolean
column_walk (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu, Sink *sink, gint64 first,
             gint64 n, GError **error)
{
  const ArmillaFitsColumn *column = sink->column;
  gint64 size = armilla_fits_type_bytes (column->type), most, start;
  gboolean dense = column->width == hdu->row_bytes;
  gboolean segments = dense || column->width >= SEGMENT || hdu->row_bytes > CHUNK;
  g_autofree guint8 *buffer = g_malloc (walk_buffer (hdu, column, segments, first, n));

  for (; n > 0; first += most, n -= most)
    {
      gint64 row = first / column->repeat, k = first % column->repeat;
      gint64 base = hdu->data + row * hdu->row_bytes + column->offset;

      if (segments)
        {
          most = MIN (CHUNK / size, dense ? n : MIN (n, column->repeat - k));
          if (!armilla_fits_source_read (input->source, base + k * size, most * size, buffer,
                                         error))
            return FALSE;
          convert (sink, buffer, size, most);
          continue;
        }
      /* Short segments: a block of rows from the first byte wanted to the last. */
      most = MIN (n, MAX (1, CHUNK / hdu->row_bytes) * column->repeat - k);
      start = base;
      if (!armilla_fits_source_read (input->source, start,
                                     (k + most - 1) / column->repeat * hdu->row_bytes
                                       + column->width,
                                     buffer, error))
        return FALSE;
      if (column->repeat == 1)
        convert (sink, buffer, hdu->row_bytes, most);
      else
        for (gint64 i = k, next; i < k + most; i = next)
          {
            next = MIN (k + most, (i / column->repeat + 1) * column->repeat);
            convert (sink,
                     buffer + i / column->repeat * hdu->row_bytes + i % column->repeat * size,
                     size, next - i);
          }
    }
  return TRUE;
}

/**
 * armilla_fits_column_read:
 * @input: an open file
 * @hdu: a binary table or an image of it
 * @column: a column of numbers
 * @first: first value, counted through all rows
 * @n: number of values; @first + @n must not exceed armilla_fits_column_count()
 * @values: (out) (array length=n): the values, scaled
 * @error: return location
 *
 * Reads values by position. Integers that the header calls undefined (TNULL) become UNSEEN.
 *
 * Returns: whether all were read; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_fits_column_read (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                          const ArmillaFitsColumn *column, gint64 first, gint64 n, double *values,
                          GError **error)
{
  Sink sink = { .column = column, .values = values };

  return column_walk (input, hdu, &sink, first, n, error);
}

/* The same for integers: pixel numbers and indices, exact beyond 2^53. */
gboolean
armilla_fits_column_read_int (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                              const ArmillaFitsColumn *column, gint64 first, gint64 n,
                              gint64 *values, GError **error)
{
  Sink sink = { .column = column, .integers = values };

  if (strchr ("BIJK", column->type) == NULL || column->scale != 1
      || column->zero != floor (column->zero) || fabs (column->zero) > 4294967296.0)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "column '%s' must hold integers (TFORM B, I, J or K)",
                                     column->name);
  if (!column_walk (input, hdu, &sink, first, n, error))
    return FALSE;
  for (gint64 i = 0; column->zero != 0 && i < n; i++)
    if (__builtin_add_overflow (values[i], (gint64) column->zero, &values[i]))
      return armilla_fits_input_error (input, error, ARMILLA_ERROR_VALUE,
                                       "column '%s': row %" G_GINT64_FORMAT " overflows",
                                       column->name, first + i + 1);
  return TRUE;
}
