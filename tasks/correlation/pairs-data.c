/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes before and after counting: words that tasks read, histograms added up. */
#include "config.h"

#include <string.h>

#include "codelets/correlation/pair-codelets.h"
#include "tasks/correlation/pairs-private.h"

/**
 * armilla_tile_memory:
 * @graph: a graph
 * @owner: rank that owns the tile: this one, or %ARMILLA_OWNER_EACH
 * @n: 64-bit words
 * @tile: (out): the tile
 * @error: return location
 *
 * Makes a tile whose memory the host may write until starpu_data_release(): no task knows it yet.
 *
 * Returns: (transfer none) (nullable): the memory; %ARMILLA_ERROR_MEMORY when there is none
 */
double *
armilla_tile_memory (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
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

  if (owner != ARMILLA_OWNER_EACH && owner != graph->view.rank)
    return armilla_tile_new (graph, owner, n, tile, error);
  memory = armilla_tile_memory (graph, owner, n, tile, error);
  if (!memory)
    return FALSE;
  if (n > 0)
    memcpy (memory, words, sizeof *memory * (gsize) n);
  starpu_data_release (tile->handle);
  return TRUE;
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
                                 g_new0 (ArmillaTile, graph->view.n_ranks) };
}

static gboolean
merge (ArmillaPartialSums *sums, const ArmillaTile *part, const ArmillaTile *to, gboolean first,
       GError **error)
{
  const ArmillaMergeArgs args
    = { .fault = armilla_graph_fault (sums->graph),
        .n_rows = armilla_histogram_rows (sums->shape),
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

  for (int rank = 0; rank < sums->graph->view.n_ranks; rank++)
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
  for (int rank = 0; rank < sums->graph->view.n_ranks; rank++)
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
      if (graph->view.n_ranks > 1)
        {
          armilla_graph_next_epoch (graph);
          armilla_graph_balance (graph);
          batches->left = graph->view.n_ranks
                          * MAX (BATCH_A_RANK, BATCH_A_WORKER * graph->view.most_workers);
        }
      armilla_block_deal_init (&batches->deal, graph->view.n_ranks,
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
