/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map file that several processes write. */
#include "core/fits/fits-map-writer.h"
#include "core/fits/fits-pieces.h"

/* Returns whether each pixel has its place in the file from the beginning, so that several
 * processes can write their own; pixels in NESTED order and partial maps are held until all are
 * there. */
gboolean
armilla_map_header_can_share (const ArmillaMapHeader *header)
{
  return !header->partial && header->order == ARMILLA_ORDER_RING;
}

/* Ends the part of this process: all of it is on the disk then. Returns whether the disk took
 * it. */
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
