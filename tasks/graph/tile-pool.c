/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuses tiles that are passed between two stages. There are hundreds, and allocating each anew
 * costs page faults (a fifth of the time of a transform at nside 512), and on a GPU a cudaMalloc. A
 * returned tile is reused when enough later epochs have begun that its tasks have ended.
 *
 * Large tiles on CPUs of one rank are dropped instead: waiting for epochs would nearly double the
 * memory, and tile-memory.c reuses their memory sooner. Bundles reuse their tiles themselves
 * (bundle.c).
 *
 * All ranks make the same decisions, which depend only on what was submitted. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* number of epochs after which an unused tile is freed, in addition to those that may be in
 * flight */
#define IDLE_EPOCHS 13

typedef struct {
  ArmillaTile tile;
  gint64 epoch; /* epoch in which it was returned */
} Idle;

/* minimum number of tiles of one size in rotation: one is filled while another is read */
#define MIN_IN_TURN 2

/* Returns the number of tiles of a rank in rotation: its workers fill some while others are read. A
 * single worker uses few, which stay in its cache. The more epochs are in flight, the more tiles
 * are needed, or epochs would wait for each other. */
static gint64
max_in_turn (const ArmillaGraph *graph)
{
  return (2 + 2 * graph->view.max_workers) * (graph->epoch_limit / 3);
}

/* ring transforms per rank that may hold tiles of other ranks; each keeps a worker busy for long */
#define TRANSFORMS_PER_RANK 3

/* Returns the number of epochs after which a tile that ranks send to each other is reused. A
 * receiver keeps the data until its ring transform has read them, so several tiles per rank must be
 * in flight before the first is reused; but not more, so that reused tiles are still cached. */
static gint64
travel_epochs (const ArmillaGraph *graph)
{
  const ArmillaView *view = &graph->view;
  gint64 transforms = view->n_ranks * MIN (view->max_workers, TRANSFORMS_PER_RANK);

  return MAX (graph->epoch_limit, view->n_ranks == 1 ? 0 : transforms + 2);
}

/* Returns a tile of this owner and size that was returned at least @age epochs ago, or before the
 * graph was last waited for; a new one if there is none. */
static gboolean
borrow (ArmillaGraph *graph, GQueue *queue, gint64 age, int owner, gint64 n, ArmillaTile *tile,
        GError **error)
{
  const gint64 over = MAX (graph->epoch_number - age, graph->last_epoch_over);

  n = MAX (n, 1);
  for (GList *i = graph->bundling ? NULL : queue->head; i; i = i->next)
    {
      Idle *idle = i->data;

      /* The queue is sorted by epoch: all later tiles are too recent. */
      if (idle->epoch > over)
        break;
      if (idle->tile.n == n && idle->tile.owner == owner)
        {
          *tile = idle->tile;
          g_queue_delete_link (queue, i);
          g_free (idle);
          return TRUE;
        }
    }
  return armilla_tile_new (graph, owner, n, tile, error);
}

/* Like armilla_tile_new(), for a tile that is not needed beyond the epoch. Its contents are
 * undefined. Returns FALSE on error. @n: number of doubles. */
gboolean
armilla_tile_borrow (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  return borrow (graph, &graph->idle_tiles, graph->epoch_limit, owner, n, tile, error);
}

/* Like armilla_tile_borrow(), for a tile that one rank writes and another reads. It is reused after
 * more epochs, depending on the number of ranks, so that the writer need not wait for the reader.
 * Returns FALSE on error. @n: number of doubles. */
gboolean
armilla_tile_borrow_to_send (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                             GError **error)
{
  return borrow (graph, &graph->travelling_tiles, travel_epochs (graph), owner, n, tile, error);
}

/* Declares that the contents of the tile are not needed, so that a GPU that needs its memory does
 * not save them first. */
static void
forget_contents (const ArmillaTile *tile)
{
#ifdef STARPU_USE_CUDA
  if (starpu_cuda_worker_get_count () > 0)
    starpu_data_deinitialize_submit (tile->handle);
#else
  (void) tile;
#endif
}

static void
push_idle (GQueue *queue, gint64 epoch, ArmillaTile *tile)
{
  Idle *idle;

  if (!tile->handle)
    return;
  idle = g_new (Idle, 1);
  idle->tile = *tile;
  idle->epoch = epoch;
  forget_contents (tile);
  g_queue_push_tail (queue, idle);
  tile->handle = NULL;
}

/* Returns whether returned tiles are kept for reuse. If memory is limited they are not, since
 * StarPU would move their contents to the disk. */
static gboolean
is_kept (const ArmillaGraph *graph)
{
  const ArmillaView *view = &graph->view;

  return !graph->runtime->bound && !graph->bundling
         && (view->n_ranks > 1 || view->gpus || graph->small_epochs || graph->in_thread);
}

void
armilla_tile_return (ArmillaGraph *graph, ArmillaTile *tile)
{
  if (is_kept (graph))
    push_idle (&graph->idle_tiles, graph->epoch_number, tile);
  else
    armilla_tile_drop (tile);
}

void
armilla_tile_return_sent (ArmillaGraph *graph, ArmillaTile *tile)
{
  if (is_kept (graph))
    push_idle (&graph->travelling_tiles, graph->epoch_number, tile);
  else
    armilla_tile_drop (tile);
}

/* Like armilla_tile_borrow(), for a tile that the next task reads immediately. Few such tiles are
 * in rotation: a task that fills one waits for the task that reads its last contents. Returns FALSE
 * on error. @n: number of doubles. */
gboolean
armilla_tile_borrow_in_turn (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                             GError **error)
{
  GList *oldest = NULL;
  gint64 n_all = 0, n_same = 0;

  for (GList *i = graph->bundling ? NULL : graph->turning_tiles.head; i; i = i->next)
    {
      const Idle *idle = i->data;

      n_all += idle->tile.owner == owner;
      if (idle->tile.n != n || idle->tile.owner != owner)
        continue;
      n_same++;
      if (!oldest)
        oldest = i;
    }
  /* The limit is for tiles of all sizes together, since allocating a tile on a GPU takes as long as
   * a task. */
  if (graph->bundling || n_all < max_in_turn (graph) || n_same < MIN_IN_TURN)
    return armilla_tile_new (graph, owner, n, tile, error);
  *tile = ((Idle *) oldest->data)->tile;
  g_free (oldest->data);
  g_queue_delete_link (&graph->turning_tiles, oldest);
  return TRUE;
}

void
armilla_tile_return_in_turn (ArmillaGraph *graph, ArmillaTile *tile)
{
  if (graph->bundling)
    armilla_tile_drop (tile);
  else
    push_idle (&graph->turning_tiles, graph->epoch_number, tile);
}

static void
trim (GQueue *queue, gint64 before)
{
  Idle *idle;

  while ((idle = g_queue_peek_head (queue)) && idle->epoch < before)
    {
      armilla_tile_drop (&idle->tile);
      g_free (g_queue_pop_head (queue));
    }
}

void
armilla_tile_pool_trim (ArmillaGraph *graph, gboolean all)
{
  gint64 before = all ? G_MAXINT64 : graph->epoch_number - graph->epoch_limit - IDLE_EPOCHS;

  trim (&graph->idle_tiles, before);
  trim (&graph->travelling_tiles, all ? before : graph->epoch_number - travel_epochs (graph)
                                                   - IDLE_EPOCHS);
  trim (&graph->turning_tiles, before);
}
