/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Map files that several processes write. */
#include "core/fits/fits-map-writer.h"
#include "core/fits/fits-pieces.h"

/* Returns whether the position of each pixel in the file is known from the beginning, so that
 * several processes can write; maps in NESTED order and partial maps are kept in memory until they
 * are complete. */
gboolean
armilla_map_header_can_share (const ArmillaMapHeader *header)
{
  return !header->partial && header->order == ARMILLA_ORDER_RING;
}

/* Flushes the data of this process to the disk. Returns FALSE on a write error. */
gboolean
armilla_map_writer_end_part (ArmillaMapWriter *writer, GByteArray *summary, GError **error)
{
  return armilla_fits_part_end (writer->out, writer->pieces, writer->header.fields.n, summary,
                                error);
}

/* Adds the part of another process; armilla_map_writer_close() follows the last one. Returns
 * whether the part fits; ARMILLA_ERROR_IO or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_map_writer_merge (ArmillaMapWriter *writer, const guint8 *summary, gsize size,
                          GError **error)
{
  return armilla_fits_part_merge (writer->out, writer->pieces, writer->header.fields.n,
                                  writer->header.grid->n_pixels, "pixels", summary, size, error);
}
