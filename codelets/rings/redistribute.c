/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/redistribute.h"

#include <string.h>

/* Strides, in doubles, between rows of a tile and of the modes. */
typedef struct {
  int64_t n_rows, n_slots;
  int64_t tile, modes; /* strides */
  int64_t first;       /* offset, in doubles, of the tile's first order in a row of the modes */
} Rows;

static Rows
rows_of (const ArmillaRedistributeShape *shape)
{
  return (Rows){ .n_rows = shape->n_fields * 2 * shape->n_pairs,
                 .n_slots = 2 * shape->n_pairs,
                 .tile = 2 * (shape->m_last - shape->m_first + 1),
                 .modes = 2 * (shape->mmax + 1),
                 .first = 2 * shape->m_first };
}

void
armilla_redistribute_forward_cpu (const ArmillaRedistributeShape *shape,
                                  const ArmillaRingSlot *slots, const double *tile, double *modes)
{
  const Rows rows = rows_of (shape);
  const size_t bytes = sizeof (double) * (size_t) rows.tile;

  for (int64_t i = 0; i < rows.n_rows; i++)
    if (slots[i % rows.n_slots].n_phi)
      memcpy (modes + i * rows.modes + rows.first,
              tile + armilla_redistribute_tile_row (shape, i) * rows.tile, bytes);
    else
      memset (modes + i * rows.modes + rows.first, 0, bytes);
}

void
armilla_redistribute_backward_cpu (const ArmillaRedistributeShape *shape,
                                   const ArmillaRingSlot *slots, const double *modes, double *tile)
{
  const Rows rows = rows_of (shape);
  const size_t bytes = sizeof (double) * (size_t) rows.tile;

  for (int64_t i = 0; i < rows.n_rows; i++)
    if (slots[i % rows.n_slots].n_phi)
      memcpy (tile + armilla_redistribute_tile_row (shape, i) * rows.tile,
              modes + i * rows.modes + rows.first, bytes);
    else
      memset (tile + armilla_redistribute_tile_row (shape, i) * rows.tile, 0, bytes);
}
