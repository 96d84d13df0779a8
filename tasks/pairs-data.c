/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes before and after counting: catalogues sorted into cells, histograms added up. */
#include "config.h"

#include <string.h>

#include "codelets/pair-codelets.h"
#include "tasks/pairs-private.h"

/* Threads that sort: as many as there are CPU workers, or processors where there are none. */
static int
sorting_threads (void)
{
  const int workers = (int) starpu_cpu_worker_get_count ();

  return CLAMP (workers > 0 ? workers : (int) g_get_num_processors (), 1, 64);
}

/* A tile whose memory the host may write now: no task knows it yet. */
static double *
tile_memory (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  int status;

  if (!armilla_tile_new (graph, owner, n, tile, error))
    return NULL;
  status = starpu_data_acquire (tile->handle, STARPU_W);
  if (status == 0)
    return starpu_data_get_local_ptr (tile->handle);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "StarPU does not give %" G_GINT64_FORMAT " bytes: %s", 8 * n,
               g_strerror (-status));
  return NULL;
}

/**
 * armilla_tile_from_words:
 * @graph: a graph
 * @owner: rank that owns the tile, or %ARMILLA_OWNER_EACH
 * @words: (array length=n): 64-bit words
 * @n: how many
 * @tile: (out): the tile
 * @error: return location
 *
 * Returns: whether there is memory; only where this rank has the tile it is filled
 */
gboolean
armilla_tile_from_words (ArmillaGraph *graph, int owner, gconstpointer words, gint64 n,
                         ArmillaTile *tile, GError **error)
{
  double *memory;

  if (owner != ARMILLA_OWNER_EACH && owner != graph->runtime->rank)
    return armilla_tile_new (graph, owner, n, tile, error);
  memory = tile_memory (graph, owner, n, tile, error);
  if (!memory)
    return FALSE;
  if (n > 0)
    memcpy (memory, words, sizeof *memory * (gsize) n);
  starpu_data_release (tile->handle);
  return TRUE;
}

/* Tiles' memory, which is kept for the next catalogue; not pinned, where there are GPUs. */
static void *
allocate_room (int64_t size)
{
  void *at = NULL;

  return starpu_malloc_flags (&at, (size_t) size, 0) == 0 ? at : NULL;
}

static void
release_room (void *at, int64_t size)
{
  starpu_free_flags (at, (size_t) size, 0);
}

/* With as many threads as there are CPU workers. Idle workers look for tasks all the time, and
 * would take the processors away from these threads: they are stopped meanwhile. */
static gboolean
fill_cells (ArmillaCells *cells, double *points, double *nodes, GError **error)
{
  gboolean filled;

  starpu_pause ();
  filled = armilla_cells_fill (cells, points, nodes, sorting_threads ()) != 0;
  starpu_resume ();
  if (!filled)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "there is no memory to sort %" G_GINT64_FORMAT " objects", cells->n);
  return filled;
}

/**
 * armilla_sorted_new:
 * @graph: a graph
 * @catalogue: objects
 * @n_rows: rows of the points that are needed, ARMILLA_ROWS_*
 * @patches: whether objects of different patches must be in different cells
 * @sorted: (out): the cells; their arrays can be read until armilla_sorted_release()
 * @error: return location
 *
 * Sorts objects into cells.
 *
 * Returns: whether there is memory; %ARMILLA_ERROR_MEMORY otherwise
 */
gboolean
armilla_sorted_new (ArmillaGraph *graph, const ArmillaCatalogue *catalogue, int n_rows,
                    gboolean patches, ArmillaSorted *sorted, GError **error)
{
  const ArmillaCellsInput input = { .n = catalogue->n,
                                    .x = catalogue->x,
                                    .y = catalogue->y,
                                    .z = catalogue->z,
                                    .weight = catalogue->weight,
                                    .g1 = catalogue->g1,
                                    .g2 = catalogue->g2,
                                    .patch = patches ? catalogue->patch : NULL,
                                    .n_patches = catalogue->n_patches,
                                    .n_rows = n_rows,
                                    .isa = (int32_t) graph->runtime->isa,
                                    .allocate = allocate_room,
                                    .release = release_room };
  double *points = NULL, *nodes = NULL;

  sorted->cells = armilla_cells_new (&input);
  points = tile_memory (graph, ARMILLA_OWNER_EACH, sorted->cells->n_rows * sorted->cells->n_slots,
                        &sorted->points, error);
  if (points)
    nodes = tile_memory (graph, ARMILLA_OWNER_EACH,
                         ARMILLA_NODE_ROWS * sorted->cells->node_stride, &sorted->nodes, error);
  if (nodes && fill_cells (sorted->cells, points, nodes, error))
    return TRUE;
  if (points)
    starpu_data_release (sorted->points.handle);
  if (nodes)
    starpu_data_release (sorted->nodes.handle);
  armilla_tile_drop (&sorted->points);
  armilla_tile_drop (&sorted->nodes);
  g_clear_pointer (&sorted->cells, armilla_cells_free);
  return FALSE;
}

/**
 * armilla_sorted_release:
 * @sorted: cells
 *
 * Lets tasks read the arrays; the host must not any more.
 */
void
armilla_sorted_release (ArmillaSorted *sorted)
{
  starpu_data_release (sorted->points.handle);
  starpu_data_release (sorted->nodes.handle);
}

/**
 * armilla_sorted_clear:
 * @sorted: cells, released
 *
 * Frees them once the tasks submitted so far are done.
 */
void
armilla_sorted_clear (ArmillaSorted *sorted)
{
  armilla_tile_drop (&sorted->points);
  armilla_tile_drop (&sorted->nodes);
  g_clear_pointer (&sorted->cells, armilla_cells_free);
}

/**
 * armilla_partial_sums_init:
 * @sums: (out): nothing yet
 * @graph: a graph
 * @shape: of the histograms
 */
void
armilla_partial_sums_init (ArmillaPartialSums *sums, ArmillaGraph *graph,
                           const ArmillaHistogramShape *shape)
{
  *sums = (ArmillaPartialSums) { graph, shape,
                                 g_new0 (ArmillaTile, graph->runtime->n_ranks) };
}

static gboolean
merge (ArmillaPartialSums *sums, const ArmillaTile *part, const ArmillaTile *to, gboolean first,
       GError **error)
{
  const ArmillaMergeArgs args
    = { .fault = armilla_graph_fault (sums->graph),
        .n_rows = 1 + sums->shape->n_patches,
        .n_entries = armilla_histogram_entries (sums->shape),
        .n_sums = __builtin_popcount ((unsigned) sums->shape->sums),
        .first = first };
  const ArmillaUse uses[]
    = { { part->handle, STARPU_R }, { to->handle, first ? STARPU_W : STARPU_RW } };

  return armilla_submit (sums->graph, &armilla_histogram_merge_cl, to->owner, &args, sizeof args,
                         uses, G_N_ELEMENTS (uses), 1, error);
}

/**
 * armilla_partial_sums_add:
 * @sums: sums
 * @part: the histogram of a task, on whatever rank
 * @error: return location
 *
 * Adds a task's histogram to that of its rank.
 *
 * Returns: whether StarPU took it
 */
gboolean
armilla_partial_sums_add (ArmillaPartialSums *sums, const ArmillaTile *part, GError **error)
{
  ArmillaTile *sum = &sums->sum[part->owner];
  const gboolean first = sum->handle == NULL;

  if (first
      && !armilla_tile_new (sums->graph, part->owner, armilla_histogram_words (sums->shape), sum,
                            error))
    return FALSE;
  return merge (sums, part, sum, first, error);
}

/**
 * armilla_partial_sums_finish:
 * @sums: sums of at least one histogram
 * @out: the histogram of all ranks; written
 * @error: return location
 *
 * Returns: whether StarPU took it
 */
gboolean
armilla_partial_sums_finish (ArmillaPartialSums *sums, const ArmillaTile *out, GError **error)
{
  gboolean first = TRUE;

  for (int rank = 0; rank < sums->graph->runtime->n_ranks; rank++)
    if (sums->sum[rank].handle)
      {
        if (!merge (sums, &sums->sum[rank], out, first, error))
          return FALSE;
        first = FALSE;
      }
  return TRUE;
}

/**
 * armilla_partial_sums_clear:
 * @sums: sums
 */
void
armilla_partial_sums_clear (ArmillaPartialSums *sums)
{
  for (int rank = 0; rank < sums->graph->runtime->n_ranks; rank++)
    armilla_tile_drop (&sums->sum[rank]);
  g_clear_pointer (&sums->sum, g_free);
}

/* Tasks of each rank from one look at the speeds of ranks to the next, at least; and of each
 * worker: few batches are in flight. */
#define BATCH_A_RANK 16
#define BATCH_A_WORKER 4

/**
 * armilla_batches_init:
 * @batches: (out): no task yet
 * @graph: a graph
 */
void
armilla_batches_init (ArmillaBatches *batches, ArmillaGraph *graph)
{
  *batches = (ArmillaBatches) { .graph = graph };
}

/**
 * armilla_batches_next:
 * @batches: batches
 * @cost: of the next task
 *
 * Begins a new batch where it is time for that; then submission waits until few are in flight, and
 * what ranks have measured meanwhile counts. A rank alone has one batch. Every rank makes the same
 * calls.
 *
 * Returns: the rank of the next task
 */
int
armilla_batches_next (ArmillaBatches *batches, double cost)
{
  ArmillaGraph *graph = batches->graph;

  if (batches->left == 0)
    {
      armilla_batches_clear (batches);
      batches->left = G_MAXINT;
      if (graph->runtime->n_ranks > 1)
        {
          armilla_graph_next_epoch (graph);
          armilla_graph_balance (graph);
          batches->left = graph->runtime->n_ranks
                          * MAX (BATCH_A_RANK, BATCH_A_WORKER * graph->runtime->most_workers);
        }
      armilla_block_deal_init (&batches->deal, graph->runtime->n_ranks,
                               armilla_graph_speeds (graph));
    }
  batches->left--;
  return armilla_balance_deal (graph, &batches->deal, cost);
}

/**
 * armilla_batches_clear:
 * @batches: batches
 */
void
armilla_batches_clear (ArmillaBatches *batches)
{
  armilla_block_deal_clear (&batches->deal);
}
