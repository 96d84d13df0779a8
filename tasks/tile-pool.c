/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that live between two stages come and go by the hundred. Allocating each anew costs page
 * faults (a fifth of the time of a transform at nside 512), and on a GPU a cudaMalloc. So a tile
 * that was given back serves again once the epoch it was given back in is over.
 *
 * Every rank decides alike, since the decision looks at what was submitted only. */
#include "config.h"

#include "tasks/graph-private.h"

/* Epochs after which a tile that nobody took again is really given back. */
#define IDLE_EPOCHS 16

typedef struct {
  ArmillaTile tile;
  gint64 epoch; /* in which it was given back */
} Idle;

/**
 * armilla_tile_borrow:
 * @graph: a graph
 * @owner: rank that owns the tile
 * @n: number of doubles
 * @tile: (out): the tile, for armilla_tile_return()
 * @error: return location
 *
 * As armilla_tile_new(), for a tile that is not needed beyond the epoch. Its contents
 * are undefined.
 *
 * Returns: whether there is one
 */
gboolean
armilla_tile_borrow (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  n = MAX (n, 1);
  for (GList *i = graph->idle_tiles.head; i; i = i->next)
    {
      Idle *idle = i->data;

      /* Oldest first: no later one can be over either. */
      if (idle->epoch > graph->epoch_number - graph->epoch_limit)
        break;
      if (idle->tile.n == n && idle->tile.owner == owner)
        {
          *tile = idle->tile;
          g_queue_delete_link (&graph->idle_tiles, i);
          g_free (idle);
          return TRUE;
        }
    }
  return armilla_tile_new (graph, owner, n, tile, error);
}

/**
 * armilla_tile_return:
 * @graph: a graph
 * @tile: a borrowed tile; tasks submitted before may still use it
 */
void
armilla_tile_return (ArmillaGraph *graph, ArmillaTile *tile)
{
  Idle *idle;

  if (!tile->handle)
    return;
  idle = g_new (Idle, 1);
  idle->tile = *tile;
#ifdef STARPU_USE_CUDA
  /* What the tile held is of no use, so a GPU that needs its memory must not save it first. */
  if (starpu_cuda_worker_get_count () > 0)
    starpu_data_deinitialize_submit (tile->handle);
#endif
  idle->epoch = graph->epoch_number;
  g_queue_push_tail (&graph->idle_tiles, idle);
  tile->handle = NULL;
}

/**
 * armilla_tile_pool_trim:
 * @graph: a graph
 * @all: whether to give back all idle tiles, not only those idle for long
 */
void
armilla_tile_pool_trim (ArmillaGraph *graph, gboolean all)
{
  Idle *idle;

  while ((idle = g_queue_peek_head (&graph->idle_tiles))
         && (all || idle->epoch < graph->epoch_number - IDLE_EPOCHS))
    {
      armilla_tile_drop (&idle->tile);
      g_free (g_queue_pop_head (&graph->idle_tiles));
    }
}
