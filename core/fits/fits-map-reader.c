/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-map.h"
#include "core/fits/fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A listed pixel of a partial map: its number in RING order and its row. */
typedef struct {
  gint64 pixel, row;
} Listed;

/* A column kept in memory because its order in the file is not RING. */
typedef struct {
  double *values;          /* float if single */
  float *singles;
  gint64 delivered;
} Cache;

struct _ArmillaMapReader {
  ArmillaFitsInput *input;
  ArmillaMapHeader header;
  ArmillaMapLayout layout;
  Listed *listed;
  GMutex lock;             /* guards the members below */
  Cache *caches;           /* [field] */
};

static int
compare_listed (const void *a, const void *b)
{
  gint64 p = ((const Listed *) a)->pixel, q = ((const Listed *) b)->pixel;

  return (p > q) - (p < q);
}

/* Sorts pixel numbers in RING order and checks that they are unique and within the map. */
static gboolean
sort_listed (ArmillaMapReader *reader, const gint64 *pixels, gint64 n, GError **error)
{
  gint64 n_pixels = reader->header.grid->n_pixels, nside = reader->header.grid->nside;
  gboolean sorted = TRUE;

  for (gint64 i = 0; i < n; i++)
    {
      gint64 pixel = pixels[i];

      if (pixel < 0 || pixel >= n_pixels)
        return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                         "row %" G_GINT64_FORMAT ": pixel number %" G_GINT64_FORMAT
                                         " is not from 0 to %" G_GINT64_FORMAT,
                                         i + 1, pixel, n_pixels - 1);
      if (reader->header.order == ARMILLA_ORDER_NESTED)
        pixel = armilla_healpix_nest_to_ring (nside, pixel);
      reader->listed[i] = (Listed) { pixel, i };
      sorted &= i == 0 || reader->listed[i - 1].pixel < pixel;
    }
  if (sorted)
    return TRUE;
  qsort (reader->listed, n, sizeof *reader->listed, compare_listed);
  for (gint64 i = 1; i < n; i++)
    if (reader->listed[i].pixel == reader->listed[i - 1].pixel)
      return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                       "pixel number %" G_GINT64_FORMAT
                                       " is listed twice, in rows %" G_GINT64_FORMAT
                                       " and %" G_GINT64_FORMAT,
                                       pixels[reader->listed[i].row],
                                       reader->listed[i - 1].row + 1, reader->listed[i].row + 1);
  return TRUE;
}

static gboolean
read_listed (ArmillaMapReader *reader, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, reader->layout.hdu);
  gint64 n = reader->layout.n_listed;
  g_autofree gint64 *pixels = g_try_new (gint64, MAX (1, n));

  reader->listed = g_try_new (Listed, MAX (1, n));
  if (pixels == NULL || reader->listed == NULL)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_MEMORY,
                                     "out of memory: cannot allocate %" G_GINT64_FORMAT
                                     " pixel numbers", n);
  return armilla_fits_column_read_int (reader->input, hdu,
                                       &hdu->columns[reader->layout.pixel_column], 0, n, pixels,
                                       error)
         && sort_listed (reader, pixels, n, error);
}

/* Opens a map: a HEALPix binary table (full or partial sky, RING or NESTED, any numeric columns),
 * or an image on another grid (doc/file-formats.md). Checks the structure of the whole
 * file, its checksums if any, and the pixel numbers of a partial map. Returns the reader, or NULL
 * with ARMILLA_ERROR_IO (file missing, damaged, not FITS), ARMILLA_ERROR_SHAPE (not a map),
 * ARMILLA_ERROR_VALUE (pixel numbers), ARMILLA_ERROR_PARSE (a keyword) or ARMILLA_ERROR_MEMORY. */
ArmillaMapReader *
armilla_map_reader_open (const char *path, int hdu, GError **error)
{
  g_autoptr (ArmillaMapReader) reader = g_new0 (ArmillaMapReader, 1);

  g_mutex_init (&reader->lock);
  reader->input = armilla_fits_input_open (path, error);
  if (reader->input == NULL
      || !armilla_map_layout_find (reader->input, hdu, &reader->header, &reader->layout, error))
    return NULL;
  if (reader->header.partial && !read_listed (reader, error))
    return NULL;
  reader->caches = g_new0 (Cache, reader->header.fields.n);
  return g_steal_pointer (&reader);
}

/* Returns the header; order and partial describe the file, while armilla_map_reader_read() always
 * returns the full sky in RING order. */
const ArmillaMapHeader *
armilla_map_reader_header (ArmillaMapReader *reader)
{
  return &reader->header;
}

/* Returns a warning for the user about keywords that are not understood, and how they are treated;
 * NULL if there are none. */
const char *
armilla_map_reader_note (ArmillaMapReader *reader)
{
  return reader->layout.note;
}

static gboolean
read_column (ArmillaMapReader *reader, int field, gint64 first, gint64 n, double *values,
             GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, reader->layout.hdu);
  int column = reader->layout.image ? 0 : reader->layout.first_column + field;

  if (reader->layout.image)
    first += field * reader->header.grid->n_pixels;
  return armilla_fits_column_read (reader->input, hdu, &hdu->columns[column], first, n, values,
                                   error);
}

static void
cache_clear (Cache *cache)
{
  g_clear_pointer (&cache->values, g_free);
  g_clear_pointer (&cache->singles, g_free);
  cache->delivered = 0;
}

static gboolean
cache_fill_singles (ArmillaMapReader *reader, int field, Cache *cache, GError **error)
{
  double piece[4096];

  for (gint64 i = 0, n; i < reader->layout.n_listed; i += n)
    {
      n = MIN ((gint64) G_N_ELEMENTS (piece), reader->layout.n_listed - i);
      if (!read_column (reader, field, i, n, piece, error))
        return FALSE;
      for (gint64 k = 0; k < n; k++)
        cache->singles[i + k] = piece[k];
    }
  return TRUE;
}

/* Loads a column in the order of the file, as float32 if that is exact. */
static gboolean
cache_fill (ArmillaMapReader *reader, int field, Cache *cache, GError **error)
{
  gint64 n = reader->layout.n_listed;
  gboolean ok;

  if (cache->values != NULL || cache->singles != NULL)
    return TRUE;
  if (reader->header.single)
    cache->singles = g_try_new (float, MAX (1, n));
  else
    cache->values = g_try_new (double, MAX (1, n));
  if (cache->values == NULL && cache->singles == NULL)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_MEMORY,
                                     "out of memory: cannot allocate a column of %"
                                     G_GINT64_FORMAT " "
                                     "values", n);
  ok = reader->header.single ? cache_fill_singles (reader, field, cache, error)
                             : read_column (reader, field, 0, n, cache->values, error);
  if (!ok)
    cache_clear (cache);
  return ok;
}

/* Returns the first listed pixel that is at least `pixel`. */
static gint64
find_listed (const ArmillaMapReader *reader, gint64 pixel)
{
  gint64 low = 0, high = reader->layout.n_listed;

  while (low < high)
    {
      gint64 middle = low + (high - low) / 2;

      if (reader->listed[middle].pixel < pixel)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
read_cached (ArmillaMapReader *reader, int field, gint64 first, gint64 n, double *pixels,
             GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&reader->lock);
  gint64 nside = reader->header.grid->nside;
  Cache *cache = &reader->caches[field];

  if (!cache_fill (reader, field, cache, error))
    return FALSE;
  if (reader->header.partial)
    {
      for (gint64 i = 0; i < n; i++)
        pixels[i] = ARMILLA_UNSEEN;
      for (gint64 k = find_listed (reader, first);
           k < reader->layout.n_listed && reader->listed[k].pixel < first + n; k++)
        {
          gint64 row = reader->listed[k].row;

          pixels[reader->listed[k].pixel - first]
            = cache->singles != NULL ? cache->singles[row] : cache->values[row];
        }
    }
  else
    for (gint64 i = 0; i < n; i++)
      {
        gint64 row = armilla_healpix_ring_to_nest (nside, first + i);

        pixels[i] = cache->singles != NULL ? cache->singles[row] : cache->values[row];
      }
  cache->delivered += n;
  /* Most callers read each pixel once; reading it again loads the column again. */
  if (cache->delivered >= reader->header.grid->n_pixels)
    cache_clear (cache);
  return TRUE;
}

/* Reads a range of pixels of an image of a part of the sky, row by row. */
static gboolean
read_car (ArmillaMapReader *reader, int field, gint64 first, gint64 n, double *pixels,
          GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (reader->input, reader->layout.hdu);
  const ArmillaCar *car = &reader->layout.car;
  const gint64 n_phi = reader->header.grid->rings[0].n_phi;

  for (gint64 count; n > 0; first += count, n -= count, pixels += count)
    {
      const gint64 row = first / n_phi - reader->layout.first_ring, k = first % n_phi;
      const gint64 inside = row >= 0 && row < car->n_y ? CLAMP (car->n_x - k, 0, n) : 0;
      const gint64 start = armilla_car_column (car, car->cdelt[0] < 0 ? k + inside - 1 : k);

      count = MIN (n, n_phi - k);
      if (inside > 0
          && !armilla_fits_column_read (reader->input, hdu, &hdu->columns[0],
                                        (field * car->n_y + armilla_car_row (car, row)) * car->n_x
                                          + start,
                                        inside, pixels, error))
        return FALSE;
      for (gint64 i = 0; car->cdelt[0] < 0 && i < inside / 2; i++)
        {
          const double value = pixels[i];

          pixels[i] = pixels[inside - 1 - i];
          pixels[inside - 1 - i] = value;
        }
      for (gint64 i = inside; i < count; i++)
        pixels[i] = ARMILLA_UNSEEN;
    }
  return TRUE;
}

/* Reads a range of pixels. Thread-safe. Full-sky RING maps and images are read range by range; for
 * NESTED and partial maps a whole column is kept in memory from the first range of a field to the
 * last. Returns whether all was read; ARMILLA_ERROR_VALUE, ARMILLA_ERROR_IO or
 * ARMILLA_ERROR_MEMORY. */
gboolean
armilla_map_reader_read (ArmillaMapReader *reader, int field, gint64 first, gint64 n,
                         double *pixels, GError **error)
{
  gint64 n_pixels = reader->header.grid->n_pixels;
  gboolean cached = reader->header.partial || reader->header.order == ARMILLA_ORDER_NESTED;

  if (field < 0 || field >= reader->header.fields.n)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "no field %d; must be from 0 to %d", field,
                                     reader->header.fields.n - 1);
  if (first < 0 || n < 0 || first > n_pixels || n > n_pixels - first)
    return armilla_fits_input_error (reader->input, error, ARMILLA_ERROR_VALUE,
                                     "%" G_GINT64_FORMAT " pixels from %" G_GINT64_FORMAT
                                     " are not within the %" G_GINT64_FORMAT " of the map",
                                     n, first, n_pixels);
  if (reader->layout.car.n_x > 0 ? !read_car (reader, field, first, n, pixels, error)
      : cached ? !read_cached (reader, field, first, n, pixels, error)
               : !read_column (reader, field, first, n, pixels, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (armilla_is_unseen (pixels[i]))
      pixels[i] = ARMILLA_UNSEEN;
  return TRUE;
}

void
armilla_map_reader_free (ArmillaMapReader *reader)
{
  if (reader == NULL)
    return;
  for (int i = 0; reader->caches != NULL && i < reader->header.fields.n; i++)
    cache_clear (&reader->caches[i]);
  g_free (reader->caches);
  g_free (reader->listed);
  g_free (reader->layout.note);
  armilla_map_header_clear (&reader->header);
  armilla_fits_input_free (reader->input);
  g_mutex_clear (&reader->lock);
  g_free (reader);
}

#define GROUP 16 /* numbers that are checked together */

/* Returns whether all of @n numbers are finite: x - x is 0 if x is, and NaN otherwise. The sums of
 * a group of numbers are independent, so that the compiler can use vectors. */
static gboolean
all_finite (const double *numbers, gint64 n)
{
  double sums[GROUP] = { 0.0 }, sum = 0.0;
  gint64 i = 0;

  for (; i + GROUP <= n; i += GROUP)
    for (int j = 0; j < GROUP; j++)
      sums[j] += numbers[i + j] - numbers[i + j];
  for (; i < n; i++)
    sum += numbers[i] - numbers[i];
  for (int j = 0; j < GROUP; j++)
    sum += sums[j];
  return sum == 0.0;
}

/* Looks for non-finite values, range after range. Returns whether all values of this range are
 * finite. @first_bad: set to the lowest such pixel number if that is lower, or if @n_bad was 0. */
gboolean
armilla_pixels_check_finite (const double *pixels, gint64 n, gint64 first_pixel, gint64 *n_bad,
                             gint64 *first_bad)
{
  gint64 bad = 0;

  if (all_finite (pixels, n))
    return TRUE;
  for (gint64 i = 0; i < n; i++)
    if (!isfinite (pixels[i]))
      {
        if (bad++ == 0 && (*n_bad == 0 || first_pixel + i < *first_bad))
          *first_bad = first_pixel + i;
      }
  *n_bad += bad;
  return bad == 0;
}
