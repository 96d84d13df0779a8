/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/fields-private.h"

void
armilla_alm_drop (ArmillaData *data)
{
  ArmillaAlm *self = (ArmillaAlm *) data;

  g_clear_pointer (&self->mover, armilla_mover_free);
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
}

ArmillaAlmLayout
armilla_alm_layout (ArmillaAlm *self)
{
  return self->layout;
}

int
armilla_alm_n_fields (ArmillaAlm *self)
{
  return self->fields.n;
}

ArmillaOrderBlocks *
armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph)
{
  return armilla_graph_order_blocks (graph, self->layout, self->fields.n);
}

/* Uses memory of the caller as tiles until the tasks of the graph are done: one field after the
 * other, in healpy's order, in memory node @node of StarPU. The graph must have one rank; the a_lm
 * must have one field or one m-block. Returns FALSE if they have tiles or such memory already. */
gboolean
armilla_alm_set_in_place (ArmillaAlm *self, double *fields, int node)
{
  if (self->tiles || self->in_place)
    return FALSE;
  self->in_place = fields;
  self->node = node;
  return TRUE;
}

/* Creates the tile of m-block @b, or uses the caller's memory. */
static gboolean
new_tile (ArmillaAlm *self, ArmillaGraph *graph, const ArmillaOrderBlocks *blocks, int b,
          GError **error)
{
  const gint64 n = 2 * armilla_order_block_count (blocks, b) * self->fields.n;
  const gint64 first = armilla_alm_index (self->layout.lmax, blocks->m_first[b],
                                          blocks->m_first[b]);

  /* StarPU counts elements in 32 bits; armilla_tile_new() reports the error. */
  if (!self->in_place || n > G_MAXUINT32)
    return armilla_tile_new (graph, blocks->owner[b], n, &self->tiles[b], error);
  self->tiles[b] = (ArmillaTile) { .owner = blocks->owner[b], .n = n };
  starpu_vector_data_register (&self->tiles[b].handle, self->node,
                               (uintptr_t) (self->in_place + 2 * first), (uint32_t) n,
                               sizeof (double));
  armilla_tile_register (graph, self->tiles[b].handle, blocks->owner[b]);
  return TRUE;
}

/* Returns the tiles, one per m-block, registered at the first call. */
const ArmillaTile *
armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error)
{
  ArmillaOrderBlocks *blocks;

  if (self->tiles)
    return self->tiles;
  blocks = armilla_alm_order_blocks (self, graph);
  self->tiles = g_new0 (ArmillaTile, blocks->n);
  self->n_tiles = blocks->n;
  for (int b = 0; b < blocks->n; b++)
    if (!new_tile (self, graph, blocks, b, error))
      {
        armilla_alm_drop (&self->parent_instance);
        return NULL;
      }
  self->mover = armilla_mover_new (graph, self->tiles, blocks, NULL);
  return self->tiles;
}

const ArmillaTile *
armilla_alm_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  return armilla_alm_tiles ((ArmillaAlm *) data, graph, error);
}

gboolean
armilla_alm_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  ArmillaAlm *self = (ArmillaAlm *) data;

  if (!armilla_alm_layout_check (self->layout, error))
    return FALSE;
  cut->orders = armilla_alm_order_blocks (self, graph);
  cut->n_tiles = cut->orders->n;
  cut->n_fields = self->fields.n;
  cut->n_numbers = 2 * armilla_alm_count (self->layout);
  return TRUE;
}

/* Sets the imaginary parts of the a_l0, which all kernels ignore, to 0. */
static void
clear_imaginary (double *values, gint64 m_first, gint64 lmax)
{
  for (gint64 l = 0; m_first == 0 && l <= lmax; l++)
    values[2 * l + 1] = 0;
}

/* Enumerates the pieces of a tile: the m-block of one field each. */
gboolean
armilla_alm_pieces (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                    gpointer user, GError **error)
{
  const ArmillaOrderBlocks *orders = cut->orders;
  const gint64 count = armilla_order_block_count (orders, tile), lmax = orders->layout.lmax;
  const gint64 m_first = orders->m_first[tile], m_last = orders->m_last[tile];

  for (int f = 0; f < cut->n_fields; f++)
    {
      ArmillaPiece piece = {
        .field = f, .first = m_first, .last = m_last, .n = m_last - m_first + 1,
        .values = values + 2 * f * count, .n_values = 2 * count,
        .place = f * cut->n_numbers + 2 * armilla_alm_index (lmax, m_first, m_first)
      };

      if (!call (user, &piece, error))
        return FALSE;
      if (cut->writes)
        clear_imaginary (values + 2 * f * count, m_first, lmax);
    }
  return TRUE;
}
