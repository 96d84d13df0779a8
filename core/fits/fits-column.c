/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text-number.h"
#include "core/fits/fits-input.h"

#include <armilla/map-header.h>
#include <string.h>

/* bytes read at a time; longer rows are read segment by segment */
#define CHUNK (512 * 1024)
/* Segments (the bytes of one column in one row) of at least this length are read individually. */
#define SEGMENT 2048
/* all integers up to this one are exact as doubles */
#define EXACT (G_GINT64_CONSTANT (1) << 53)

/* Kind of the first value that cannot be stored. */
typedef enum { FAULT_NONE, FAULT_UNDEFINED, FAULT_RANGE, FAULT_INEXACT } Fault;

/* Destination of the values: one of the first three arrays. */
typedef struct {
  const ArmillaFitsColumn *column;
  double *values;
  gint64 *integers;
  ArmillaInt128 *wide;
  guint8 *undefined;       /* whether each value of wide is undefined; NULL: an undefined value is
                            * an error */
  gint64 at;               /* index of the next value */
  Fault fault;
  gint64 fault_at;
  ArmillaInt128 fault_value;
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

static void
set_fault (Sink *sink, Fault fault, gint64 at, ArmillaInt128 value)
{
  if (sink->fault != FAULT_NONE)
    return;
  sink->fault = fault;
  sink->fault_at = at;
  sink->fault_value = value;
}

/* Converts integers with an integer offset and factor, which fit 128 bits, and rounds to double
 * once, after scaling. */
static void
convert_whole (Sink *sink, const guint8 *p, gint64 stride, gint64 n)
{
  const ArmillaFitsColumn *column = sink->column;
  const gboolean plain
    = column->factor == 1 && column->shift >= -EXACT / 2 && column->shift <= EXACT / 2;
  const gint64 shift = plain ? (gint64) column->shift : 0;

  for (gint64 i = 0; i < n; i++)
    {
      const gint64 raw = load_int (column->type, p + i * stride);
      const gboolean undefined = column->has_null && raw == column->null;
      ArmillaInt128 x;

      if (plain && sink->values != NULL && raw >= -EXACT / 2 && raw <= EXACT / 2)
        {
          *sink->values++ = undefined ? ARMILLA_UNSEEN : (double) (raw + shift);
          continue;
        }
      x = raw * column->factor + column->shift;
      if (sink->values != NULL)
        {
          const double value = (double) x;

          *sink->values++ = undefined ? ARMILLA_UNSEEN : value;
          if ((ArmillaInt128) value != x && !undefined)
            set_fault (sink, FAULT_INEXACT, sink->at + i, x);
          continue;
        }
      if (undefined && sink->undefined == NULL)
        set_fault (sink, FAULT_UNDEFINED, sink->at + i, x);
      if (sink->integers != NULL && (x < G_MININT64 || x > G_MAXINT64))
        set_fault (sink, FAULT_RANGE, sink->at + i, x);
      if (sink->integers != NULL)
        *sink->integers++ = (gint64) x;
      else
        *sink->wide++ = x;
      if (sink->undefined != NULL)
        *sink->undefined++ = undefined;
    }
}

static void
convert_floats (Sink *sink, const guint8 *p, gint64 stride, gint64 n)
{
  const ArmillaFitsColumn *column = sink->column;
  const gboolean scaled = column->scale != 1 || column->zero != 0;

  for (gint64 i = 0; i < n; i++)
    {
      double x = load_float (column->type, p + i * stride);

      *sink->values++ = scaled ? x * column->scale + column->zero : x;
    }
}

/* Converts n values `stride` bytes apart. */
static void
convert (Sink *sink, const guint8 *p, gint64 stride, gint64 n)
{
  const ArmillaFitsColumn *column = sink->column;

  if (column->type == 'E' || column->type == 'D')
    convert_floats (sink, p, stride, n);
  else if (column->whole)
    convert_whole (sink, p, stride, n);
  else
    for (gint64 i = 0; i < n; i++)
      {
        const gint64 raw = load_int (column->type, p + i * stride);

        *sink->values++ = column->has_null && raw == column->null
                            ? ARMILLA_UNSEEN : (double) raw * column->scale + column->zero;
      }
  sink->at += n;
}

/* Returns the number of bytes of a read of values first..first+n-1. */
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

/* Visits values first..first+n-1, row by row or in blocks of rows, whichever reads less. */
static gboolean
column_walk (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu, Sink *sink, gint64 first,
             gint64 n, GError **error)
{
  const ArmillaFitsColumn *column = sink->column;
  gint64 size = armilla_fits_type_bytes (column->type), n_chunk, start;
  gboolean dense = column->width == hdu->row_bytes;
  gboolean segments = dense || column->width >= SEGMENT || hdu->row_bytes > CHUNK;
  g_autofree guint8 *buffer = g_malloc (walk_buffer (hdu, column, segments, first, n));

  for (; n > 0; first += n_chunk, n -= n_chunk)
    {
      gint64 row = first / column->repeat, k = first % column->repeat;
      gint64 base = hdu->data + row * hdu->row_bytes + column->offset;

      if (segments)
        {
          n_chunk = MIN (CHUNK / size, dense ? n : MIN (n, column->repeat - k));
          if (!armilla_fits_source_read (input->source, base + k * size, n_chunk * size, buffer,
                                         error))
            return FALSE;
          convert (sink, buffer, size, n_chunk);
          continue;
        }
      /* for short segments, reads a block of rows from the first byte needed to the last */
      n_chunk = MIN (n, MAX (1, CHUNK / hdu->row_bytes) * column->repeat - k);
      start = base;
      if (!armilla_fits_source_read (input->source, start,
                                     (k + n_chunk - 1) / column->repeat * hdu->row_bytes
                                       + column->width,
                                     buffer, error))
        return FALSE;
      if (column->repeat == 1)
        convert (sink, buffer, hdu->row_bytes, n_chunk);
      else
        for (gint64 i = k, next; i < k + n_chunk; i = next)
          {
            next = MIN (k + n_chunk, (i / column->repeat + 1) * column->repeat);
            convert (sink,
                     buffer + i / column->repeat * hdu->row_bytes + i % column->repeat * size,
                     size, next - i);
          }
    }
  return TRUE;
}

static gboolean
report (const ArmillaFitsInput *input, const Sink *sink, GError **error)
{
  const ArmillaFitsColumn *column = sink->column;
  const gint64 row = sink->fault_at / MAX (1, column->repeat) + 1;
  g_autofree char *value = armilla_int128_to_string (sink->fault_value);

  switch (sink->fault)
    {
    case FAULT_NONE:
      return TRUE;
    case FAULT_UNDEFINED:
      return armilla_fits_input_error (input, error, ARMILLA_ERROR_NUMERIC,
                                       "column '%s': row %" G_GINT64_FORMAT " is undefined; must "
                                       "be an integer", column->name, row);
    case FAULT_RANGE:
      return armilla_fits_input_error (input, error, ARMILLA_ERROR_VALUE,
                                       "column '%s': row %" G_GINT64_FORMAT " is %s; must be an "
                                       "integer from -2^63 to 2^63 - 1", column->name, row,
                                       value);
    default:
      return armilla_fits_input_error (input, error, ARMILLA_ERROR_NUMERIC,
                                       "column '%s': row %" G_GINT64_FORMAT " is %s, an integer "
                                       "beyond 2^53 that float64 cannot represent; read it with "
                                       "read-table, which keeps integers, or convert the column to "
                                       "float64 (D)", column->name, row, value);
    }
}

/* Reads n scaled values from value first on, counted through all rows, within
 * armilla_fits_column_count (). Undefined integers (TNULL) become UNSEEN. Integers with integral
 * scale and offset are scaled as integers; ARMILLA_ERROR_NUMERIC for one beyond 2^53 that a double
 * cannot represent. */
gboolean
armilla_fits_column_read (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                          const ArmillaFitsColumn *column, gint64 first, gint64 n, double *values,
                          GError **error)
{
  Sink sink = { .column = column, .values = values, .at = first };

  return column_walk (input, hdu, &sink, first, n, error) && report (input, &sink, error);
}

/* Like armilla_fits_column_read (), for integers: pixel numbers and indices, exact beyond 2^53.
 * None may be undefined. */
gboolean
armilla_fits_column_read_int (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                              const ArmillaFitsColumn *column, gint64 first, gint64 n,
                              gint64 *values, GError **error)
{
  Sink sink = { .column = column, .integers = values, .at = first };

  if (!column->whole)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "column '%s' must hold integers (TFORM B, I, J or K, with "
                                     "whole numbers as TSCAL and TZERO)",
                                     column->name);
  return column_walk (input, hdu, &sink, first, n, error) && report (input, &sink, error);
}

/* Reads integers of any size (ArmillaFitsColumn.whole); undefined becomes 1 for values that the
 * header declares undefined. */
gboolean
armilla_fits_column_read_wide (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                               const ArmillaFitsColumn *column, gint64 first, gint64 n,
                               ArmillaInt128 *values, guint8 *undefined, GError **error)
{
  Sink sink = { .column = column, .wide = values, .undefined = undefined, .at = first };

  return column_walk (input, hdu, &sink, first, n, error);
}
