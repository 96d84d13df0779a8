/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fields.h"
#include "core/fits/fits-map-writer.h"

#include <float.h>
#include <math.h>

#include "core/files/output.h"
#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

static gboolean
check_header (const char *path, const ArmillaMapHeader *header, GError **error)
{
  const ArmillaGrid *grid = header->grid;
  int max_fields = header->partial ? 998 : 999;

  if (header->fields.n < 1 || header->fields.n > max_fields)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%s: a map file must have 1 to %d fields, not "
                                                     "%d",
                         path, max_fields, header->fields.n);
  if (grid->kind != ARMILLA_GRID_HEALPIX
      && (header->partial || header->order == ARMILLA_ORDER_NESTED))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: only HEALPix maps can be NESTED or partial", path);
  if (header->order == ARMILLA_ORDER_NESTED && (grid->nside & (grid->nside - 1)) != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: nside is %" G_GINT64_FORMAT "; in NESTED order it must be a power of "
                         "2", path, grid->nside);
  return TRUE;
}

static void
copy_header (ArmillaMapHeader *to, const ArmillaMapHeader *from)
{
  *to = *from;
  to->grid = armilla_grid_ref (armilla_grid_whole (from->grid));
  armilla_fields_copy (&to->fields, &from->fields);
  if (to->fields.names == NULL)
    {
      to->fields.names = g_new0 (char *, to->fields.n + 1);
      for (int i = 0; i < to->fields.n; i++)
        to->fields.names[i] = armilla_map_default_name (i, to->fields.n);
    }
  if (to->fields.units == NULL)
    {
      to->fields.units = g_new0 (char *, to->fields.n + 1);
      armilla_fields_set_unit (&to->fields, NULL);
    }
}

/* Checks all column names, including that of pixel numbers; images name their fields in the same
 * way. */
static gboolean
check_names (const ArmillaMapWriter *writer, const char *path, GError **error)
{
  const ArmillaMapHeader *header = &writer->header;
  g_autofree ArmillaFitsField *fields = g_new0 (ArmillaFitsField, header->fields.n + 1);
  int n = 0;

  if (header->partial)
    fields[n++].name = "PIXEL";
  for (int i = 0; i < header->fields.n; i++)
    fields[n++].name = header->fields.names[i];
  return armilla_fits_fields_check (path, fields, n, error);
}

static gboolean
make_stores (ArmillaMapWriter *writer, GError **error)
{
  writer->stores = g_new0 (ArmillaPixelStore, writer->header.fields.n);
  for (int i = 0; i < writer->header.fields.n; i++)
    if (!armilla_pixel_store_init (&writer->stores[i], writer->header.grid->n_pixels,
                                   writer->header.single))
      return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                           "%s: out of memory: cannot allocate the list of pixel blocks",
                           armilla_fits_output_path (writer->out));
  return TRUE;
}

/* Marks pixels of every field from first on as UNSEEN. */
static gboolean
write_unseen (ArmillaMapWriter *writer, gint64 first, gint64 n, GError **error)
{
  double unseen[ARMILLA_STORE_BLOCK];
  gint64 n_chunk;

  for (int i = 0; i < ARMILLA_STORE_BLOCK; i++)
    unseen[i] = ARMILLA_UNSEEN;
  for (; n > 0; first += n_chunk, n -= n_chunk)
    {
      n_chunk = MIN (n, ARMILLA_STORE_BLOCK);
      for (int field = 0; field < writer->header.fields.n; field++)
        if (!armilla_map_writer_write (writer, field, first, n_chunk, unseen, error))
          return FALSE;
    }
  return TRUE;
}

/* Writes the pixels of rings that a part of a grid omits, as runs; only the process that made the
 * file does. */
static gboolean
write_gaps (ArmillaMapWriter *writer, const ArmillaGrid *part, GError **error)
{
  const ArmillaGrid *whole = writer->header.grid;
  g_autofree gint64 *order = NULL;
  gint64 first = 0, end = 0; /* of the current run */

  if (part == whole || armilla_fits_output_is_joined (writer->out))
    return TRUE;
  order = armilla_rings_by_offset (whole->rings, whole->n_rings);
  for (gint64 i = 0; i < whole->n_rings; i++)
    {
      const ArmillaRing *ring = &whole->rings[order[i]];

      if (armilla_grid_ring_of (part, ring->offset) >= 0)
        {
          if (!write_unseen (writer, first, end - first, error))
            return FALSE;
          first = ring->offset + ring->n_phi;
        }
      end = ring->offset + ring->n_phi;
    }
  return write_unseen (writer, first, end - first, error);
}

/* Begins a map file: a HEALPix binary table in the format of healpy.write_map, an image in the
 * projection CAR for an equiangular grid, or an image extension for another grid
 * (doc/file-formats.md). Allocates the space at once if the file system
 * can. If another process made the file, for which armilla_map_header_can_share() must hold, only
 * the data of armilla_map_writer_write() are written. Returns the writer, or NULL with
 * ARMILLA_ERROR_SHAPE, ARMILLA_ERROR_VALUE, ARMILLA_ERROR_IO or ARMILLA_ERROR_MEMORY. */
ArmillaMapWriter *
armilla_map_writer_open (ArmillaOutput *output, const ArmillaMapHeader *header, GError **error)
{
  g_autoptr (ArmillaMapWriter) writer = NULL;

  g_return_val_if_fail (!armilla_output_is_joined (output)
                          || armilla_map_header_can_share (header), NULL);
  if (!check_header (armilla_output_path (output), header, error))
    return NULL;
  writer = g_new0 (ArmillaMapWriter, 1);
  g_mutex_init (&writer->lock);
  copy_header (&writer->header, header);
  armilla_grid_car (header->grid, &writer->car, &writer->first_ring);
  writer->buffered = header->partial || header->order == ARMILLA_ORDER_NESTED;
  writer->pieces = g_new0 (ArmillaPieces, header->fields.n);
  for (int i = 0; i < header->fields.n; i++)
    armilla_pieces_init (&writer->pieces[i]);
  if (!check_names (writer, armilla_output_path (output), error))
    return NULL;
  writer->out = armilla_fits_output_new (output, error);
  if (writer->out == NULL || (writer->buffered && !make_stores (writer, error))
      || !armilla_map_writer_begin (writer, error) || !write_gaps (writer, header->grid, error))
    return NULL;
  return g_steal_pointer (&writer);
}

/* Checks that values fit float32, in which larger ones would silently become infinite. */
static gboolean
check_range (const ArmillaMapWriter *writer, int field, gint64 first, gint64 n,
             const double *pixels, GError **error)
{
  for (gint64 i = 0; writer->header.single && i < n; i++)
    if (isfinite (pixels[i]) && fabs (pixels[i]) > FLT_MAX)
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "%s: field %d, pixel %" G_GINT64_FORMAT ": %g does not fit float32; "
                           "write float64", armilla_fits_output_path (writer->out), field,
                           first + i, pixels[i]);
  return TRUE;
}

/* Writes a complete NESTED full-sky field, whose blocks are in the order of the file. */
static gboolean
flush_field (ArmillaMapWriter *writer, int field, GError **error)
{
  ArmillaPixelStore *store = &writer->stores[field];
  gint64 n_pixels = writer->header.grid->n_pixels;
  double values[ARMILLA_STORE_BLOCK];

  for (gint64 first = 0; first < n_pixels; first += ARMILLA_STORE_BLOCK)
    {
      gint64 n = MIN (ARMILLA_STORE_BLOCK, n_pixels - first);

      for (gint64 i = 0; i < n; i++)
        values[i] = armilla_pixel_store_get (store, first + i);
      if (!armilla_map_writer_put_values (writer, field, first, n, values, error))
        return FALSE;
    }
  armilla_pixel_store_clear (store);
  return TRUE;
}

static gboolean
write_buffered (ArmillaMapWriter *writer, int field, gint64 first, gint64 n, const double *pixels,
                GError **error)
{
  const ArmillaGrid *grid = writer->header.grid;
  gboolean nested = writer->header.order == ARMILLA_ORDER_NESTED;

  for (gint64 i = 0; i < n; i++)
    armilla_pixel_store_set (&writer->stores[field],
                             nested ? armilla_healpix_ring_to_nest (grid->nside, first + i)
                                    : first + i,
                             pixels[i]);
  if (writer->header.partial || writer->pieces[field].covered < grid->n_pixels)
    return TRUE;
  return flush_field (writer, field, error);
}

/* Writes a range of pixels. Calls may be in any order and from several threads; each pixel of each
 * field must be written once. Full-sky RING maps and images are written at once; a field of a
 * NESTED map is kept in memory until it is complete, the observed pixels of a partial map until the
 * end. Returns whether the range was accepted; ARMILLA_ERROR_VALUE, ARMILLA_ERROR_NUMERIC (too
 * large for float32) or ARMILLA_ERROR_IO. */
gboolean
armilla_map_writer_write (ArmillaMapWriter *writer, int field, gint64 first, gint64 n,
                          const double *pixels, GError **error)
{
  const char *path = armilla_fits_output_path (writer->out);
  gint64 n_pixels = writer->header.grid->n_pixels;
  gboolean ok;

  if (field < 0 || field >= writer->header.fields.n)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: no field %d; must be from 0 to %d", path, field,
                         writer->header.fields.n - 1);
  if (!check_range (writer, field, first, n, pixels, error))
    return FALSE;
  g_mutex_lock (&writer->lock);
  ok = armilla_pieces_add (&writer->pieces[field], n_pixels, first, n, path, field, "pixels",
                           error);
  if (ok && writer->buffered)
    ok = write_buffered (writer, field, first, n, pixels, error);
  writer->failed |= !ok;
  g_mutex_unlock (&writer->lock);
  if (!ok || writer->buffered)
    return ok;
  ok = armilla_map_writer_put_values (writer, field, first, n, pixels, error);
  if (!ok)
    {
      g_mutex_lock (&writer->lock);
      writer->failed = TRUE;
      g_mutex_unlock (&writer->lock);
    }
  return ok;
}

/* Checks that every pixel of every field was written, and completes the temporary file, checksums
 * included. The caller then calls armilla_output_finish() and armilla_output_commit(). Returns
 * whether the file is complete; ARMILLA_ERROR_VALUE (pixels missing) or ARMILLA_ERROR_IO. */
gboolean
armilla_map_writer_close (ArmillaMapWriter *writer, GError **error)
{
  const char *path = armilla_fits_output_path (writer->out);

  if (writer->failed)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "%s: cannot be completed: writing a part of it failed", path);
  for (int i = 0; i < writer->header.fields.n; i++)
    if (!armilla_pieces_complete (&writer->pieces[i], writer->header.grid->n_pixels, path, i,
                                  "pixels", error))
      return FALSE;
  if (writer->header.partial && !armilla_map_writer_put_partial (writer, error))
    return FALSE;
  return armilla_fits_output_close (writer->out, error);
}

/* Frees a writer. Without armilla_map_writer_close() the temporary file remains incomplete, and the
 * ArmillaOutput must be freed without commit. @writer: a writer (may be NULL). */
void
armilla_map_writer_free (ArmillaMapWriter *writer)
{
  if (writer == NULL)
    return;
  for (int i = 0; i < writer->header.fields.n; i++)
    {
      armilla_pieces_clear (&writer->pieces[i]);
      if (writer->stores != NULL)
        armilla_pixel_store_clear (&writer->stores[i]);
    }
  g_free (writer->pieces);
  g_free (writer->stores);
  armilla_map_header_clear (&writer->header);
  armilla_fits_output_free (writer->out);
  g_mutex_clear (&writer->lock);
  g_free (writer);
}
