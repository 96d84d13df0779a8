/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes PNG files (ISO/IEC 15948) with zlib. Strips of rows are compressed in several threads,
 * since compression takes longer than drawing. */
#include <errno.h>
#include <string.h>

#include <zlib.h>

#include "plugins/pictures/sky-private.h"

/* Rows of a strip. It does not depend on the number of threads, so that files are reproducible. */
#define ROWS_OF_STRIP 64
#define LEVEL 4

typedef struct {
  guchar *bytes;
  uLong length, adler, plain;
  gboolean ok;
} Strip;

typedef struct {
  const guchar *points; /* pixels of an RGB24 surface */
  int width, height, stride;
  Strip *strips;
  gint64 n_strips;
} Job;

static void
put_row (guchar *to, const guchar *from, int width)
{
  for (int x = 0; x < width; x++)
    {
      guint32 colour;

      memcpy (&colour, from + 4 * x, 4);
      to[3 * x] = colour >> 16 & 0xff;
      to[3 * x + 1] = colour >> 8 & 0xff;
      to[3 * x + 2] = colour & 0xff;
    }
}

/* Filters a row by Up or by Sub, whichever has the smaller sum of absolute values. */
static void
filter_row (guchar *to, const guchar *row, const guchar *above, gsize n)
{
  guint64 sums[2] = { 0, 0 };

  for (gsize i = 0; i < n; i++)
    {
      const gint8 up = (gint8) (row[i] - above[i]);
      const gint8 left = (gint8) (row[i] - (i >= 3 ? row[i - 3] : 0));

      sums[0] += (guint64) ABS (up);
      sums[1] += (guint64) ABS (left);
    }
  to[0] = sums[0] <= sums[1] ? 2 : 1;
  for (gsize i = 0; i < n; i++)
    to[i + 1] = (guchar) (row[i] - (to[0] == 2 ? above[i] : i >= 3 ? row[i - 3] : 0));
}

/* Filters the rows of a strip before compression. */
static guchar *
filter_strip (const Job *job, int first, int n_rows)
{
  const gsize n = 3 * (gsize) job->width;
  guchar *plain = g_malloc ((n + 1) * (gsize) n_rows);
  g_autofree guchar *row = g_malloc (n), *above = g_malloc0 (n);

  if (first > 0)
    put_row (above, job->points + (gsize) (first - 1) * (gsize) job->stride, job->width);
  for (int y = 0; y < n_rows; y++)
    {
      guchar *swapped = above;

      put_row (row, job->points + (gsize) (first + y) * (gsize) job->stride, job->width);
      filter_row (plain + (gsize) y * (n + 1), row, above, n);
      above = row;
      row = swapped;
    }
  return plain;
}

static gboolean
deflate_strip (Strip *strip, guchar *plain, gboolean last)
{
  z_stream stream = { .next_in = plain, .avail_in = (uInt) strip->plain };
  uLong bound;
  int status;

  if (deflateInit2 (&stream, LEVEL, Z_DEFLATED, -15, 9, Z_RLE) != Z_OK)
    return FALSE;
  bound = deflateBound (&stream, strip->plain) + 16;
  strip->bytes = g_malloc (bound);
  stream.next_out = strip->bytes;
  stream.avail_out = (uInt) bound;
  status = deflate (&stream, last ? Z_FINISH : Z_SYNC_FLUSH);
  strip->length = stream.total_out;
  deflateEnd (&stream);
  return status == (last ? Z_STREAM_END : Z_OK) && stream.avail_in == 0;
}

static void
make_strips (gpointer user, gint64 first, gint64 n)
{
  Job *job = user;

  for (gint64 i = first; i < first + n; i++)
    {
      Strip *strip = &job->strips[i];
      const int row = (int) i * ROWS_OF_STRIP, n_rows = MIN (ROWS_OF_STRIP, job->height - row);
      g_autofree guchar *plain = filter_strip (job, row, n_rows);

      strip->plain = (uLong) n_rows * (3 * (uLong) job->width + 1);
      strip->adler = adler32 (adler32 (0, NULL, 0), plain, (uInt) strip->plain);
      strip->ok = deflate_strip (strip, plain, i == job->n_strips - 1);
    }
}

static void
put_number (guchar *to, uLong value)
{
  for (int i = 0; i < 4; i++)
    to[i] = (guchar) (value >> (24 - 8 * i) & 0xff);
}

static gboolean
write_chunk (FILE *file, const char *kind, const guchar *data, uLong length)
{
  guchar number[4], sum[4];
  uLong crc = crc32 (crc32 (0, NULL, 0), (const guchar *) kind, 4);

  if (length > 0)
    crc = crc32 (crc, data, (uInt) length);
  put_number (number, length);
  put_number (sum, crc);
  return fwrite (number, 1, 4, file) == 4 && fwrite (kind, 1, 4, file) == 4
         && fwrite (data, 1, length, file) == length && fwrite (sum, 1, 4, file) == 4;
}

static gboolean
write_strips (const Job *job, FILE *file)
{
  static const guchar start[2] = { 0x78, 0x01 };
  uLong adler = adler32 (0, NULL, 0);
  guchar sum[4];
  gboolean ok = write_chunk (file, "IDAT", start, 2);

  for (gint64 i = 0; ok && i < job->n_strips; i++)
    {
      const Strip *strip = &job->strips[i];

      ok = write_chunk (file, "IDAT", strip->bytes, strip->length);
      adler = adler32_combine (adler, strip->adler, (z_off_t) strip->plain);
    }
  put_number (sum, adler);
  return ok && write_chunk (file, "IDAT", sum, 4) && write_chunk (file, "IEND", sum, 0);
}

/* Writes a CAIRO_FORMAT_RGB24 surface; FALSE, with errno set, on failure. */
gboolean
armilla_png_write (cairo_surface_t *surface, FILE *file)
{
  static const guchar signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  Job job = { .width = cairo_image_surface_get_width (surface),
              .height = cairo_image_surface_get_height (surface),
              .stride = cairo_image_surface_get_stride (surface) };
  guchar header[13] = { [8] = 8, [9] = 2 }; /* 8 bits per channel, RGB */
  gboolean ok = TRUE;

  cairo_surface_flush (surface);
  job.points = cairo_image_surface_get_data (surface);
  if (job.points == NULL)
    {
      errno = ENOMEM;
      return FALSE;
    }
  job.n_strips = (job.height + ROWS_OF_STRIP - 1) / ROWS_OF_STRIP;
  job.strips = g_new0 (Strip, job.n_strips);
  armilla_in_threads (job.n_strips, 1, make_strips, &job);
  for (gint64 i = 0; i < job.n_strips; i++)
    ok = ok && job.strips[i].ok;
  if (!ok)
    errno = ENOMEM; /* deflate fails only if it is out of memory */
  put_number (header, (uLong) job.width);
  put_number (header + 4, (uLong) job.height);
  ok = ok && fwrite (signature, 1, 8, file) == 8 && write_chunk (file, "IHDR", header, 13)
       && write_strips (&job, file);
  for (gint64 i = 0; i < job.n_strips; i++)
    g_free (job.strips[i].bytes);
  g_free (job.strips);
  return ok;
}
