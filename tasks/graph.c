/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "tasks/graph-private.h"

/* Ring blocks whose Delta may be alive at once: one being computed, one moved, one transformed. */
#define DEFAULT_EPOCHS 3

static void
free_ring_blocks (gpointer data)
{
  ArmillaRingBlocks *blocks = data;

  for (int b = 0; b < blocks->n; b++)
    {
      if (blocks->block[b].pairs_handle)
        starpu_data_unregister (blocks->block[b].pairs_handle);
      if (blocks->block[b].slots_handle)
        starpu_data_unregister (blocks->block[b].slots_handle);
    }
  armilla_ring_blocks_free (blocks);
}

static void
free_order_blocks (gpointer data)
{
  ArmillaOrderBlocks *blocks = data;

  for (int b = 0; blocks->tables && b < blocks->n; b++)
    if (blocks->tables[b].handle)
      starpu_data_unregister_no_coherency (blocks->tables[b].handle);
  armilla_order_blocks_free (blocks);
}

/**
 * armilla_graph_new:
 * @runtime: the runtime; must outlive the graph
 * @options: (nullable): how to cut data into tiles
 * @error: return location
 *
 * Returns: (transfer full): an empty graph; %ARMILLA_ERROR_VALUE for negative options
 */
ArmillaGraph *
armilla_graph_new (ArmillaRuntime *runtime, const ArmillaTilingOptions *options, GError **error)
{
  ArmillaGraph *graph;

  if (options && (options->ring_block < 0 || options->m_blocks < 0))
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "ring-block and m-blocks must not be negative");
      return NULL;
    }
  graph = g_new0 (ArmillaGraph, 1);
  graph->runtime = runtime;
  if (options)
    graph->tiling = *options;
  graph->epoch_limit = DEFAULT_EPOCHS;
  g_queue_init (&graph->idle_tiles);
  g_mutex_init (&graph->lock);
  g_cond_init (&graph->changed);
  graph->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_output_free);
  graph->ring_blocks = g_ptr_array_new_with_free_func (free_ring_blocks);
  graph->order_blocks = g_ptr_array_new_with_free_func (free_order_blocks);
  armilla_runtime_add_graph (runtime, graph);
  return graph;
}

static void
wait_for_local (ArmillaGraph *graph)
{
  g_mutex_lock (&graph->lock);
  while (graph->done < graph->submitted)
    g_cond_wait (&graph->changed, &graph->lock);
  g_mutex_unlock (&graph->lock);
}

/**
 * armilla_graph_free:
 * @graph: (transfer full): a graph
 *
 * Waits for what was submitted, then frees the graph. Outputs that were not renamed are removed.
 */
void
armilla_graph_free (ArmillaGraph *graph)
{
  wait_for_local (graph);
  starpu_task_wait_for_all ();
  armilla_tile_pool_trim (graph, TRUE);
  armilla_runtime_remove_graph (graph->runtime, graph);
  g_ptr_array_unref (graph->outputs);
  g_ptr_array_unref (graph->ring_blocks);
  g_ptr_array_unref (graph->order_blocks);
  if (graph->epoch)
    armilla_epoch_leave (graph->epoch);
  armilla_fault_clear (&graph->fault);
  g_mutex_clear (&graph->lock);
  g_cond_clear (&graph->changed);
  g_free (graph);
}

/* Renames what waits for the agreement of all ranks. */
static GError *
commit_outputs (ArmillaGraph *graph)
{
  GError *first = NULL;

  for (guint i = 0; i < graph->outputs->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!armilla_output_commit (g_ptr_array_index (graph->outputs, i), &error) && !first)
        first = g_steal_pointer (&error);
    }
  g_ptr_array_set_size (graph->outputs, 0);
  return first;
}

/* documented in armilla/runtime.h */
gboolean
armilla_graph_wait (ArmillaGraph *graph, GError **error)
{
  ArmillaRuntime *runtime = graph->runtime;
  GError *local = NULL;

  wait_for_local (graph);
#ifdef HAVE_MPI
  if (runtime->mpi)
    starpu_mpi_wait_for_all (MPI_COMM_WORLD);
  else
#endif
    starpu_task_wait_for_all ();
  if (armilla_fault_is_set (&graph->fault))
    local = g_error_copy (graph->fault.first);
  if (!armilla_runtime_agree (runtime, local, error))
    {
      g_ptr_array_set_size (graph->outputs, 0);
      return FALSE;
    }
  return armilla_runtime_agree (runtime, commit_outputs (graph), error);
}

/* documented in armilla/runtime.h */
void
armilla_graph_progress (ArmillaGraph *graph, gint64 *done, gint64 *submitted)
{
  g_mutex_lock (&graph->lock);
  *done = graph->done;
  *submitted = graph->submitted;
  g_mutex_unlock (&graph->lock);
}

/* documented in armilla/runtime.h */
gboolean
armilla_graph_failed (ArmillaGraph *graph)
{
  return armilla_fault_is_set (&graph->fault);
}

/**
 * armilla_graph_rank:
 * @graph: a graph
 *
 * Returns: number of this rank, from 0
 */
int
armilla_graph_rank (ArmillaGraph *graph)
{
  return graph->runtime->rank;
}

/**
 * armilla_graph_n_ranks:
 * @graph: a graph
 *
 * Returns: number of ranks of the run
 */
int
armilla_graph_n_ranks (ArmillaGraph *graph)
{
  return graph->runtime->n_ranks;
}

/* documented in armilla/graph.h */
gboolean
armilla_graph_commit (ArmillaGraph *graph, ArmillaOutput *output, GError **error)
{
  gboolean ok = TRUE;

  if (armilla_fault_is_set (&graph->fault))
    armilla_output_free (output);
  else if (graph->runtime->n_ranks == 1)
    {
      ok = armilla_output_commit (output, error);
      armilla_output_free (output);
    }
  else
    {
      /* A failure on another rank shows only when the ranks have talked. */
      g_mutex_lock (&graph->lock);
      g_ptr_array_add (graph->outputs, output);
      g_mutex_unlock (&graph->lock);
    }
  return ok;
}

/**
 * armilla_graph_next_epoch:
 * @graph: a graph
 *
 * What is submitted from now on belongs to a new epoch. Waits while too many are in flight. Ranks
 * cannot wait for each other in a circle: an epoch's tasks need only what was submitted, on every
 * rank, with it or before it.
 */
void
armilla_graph_next_epoch (ArmillaGraph *graph)
{
  ArmillaEpoch *epoch = g_new0 (ArmillaEpoch, 1);

  if (graph->epoch)
    armilla_epoch_leave (g_steal_pointer (&graph->epoch));
  epoch->graph = graph;
  epoch->pending = 1;
  g_mutex_lock (&graph->lock);
  while (graph->epochs_in_flight >= graph->epoch_limit)
    g_cond_wait (&graph->changed, &graph->lock);
  graph->epochs_in_flight++;
  g_mutex_unlock (&graph->lock);
  graph->epoch = epoch;
  graph->epoch_number++;
  armilla_tile_pool_trim (graph, FALSE);
}

/**
 * armilla_graph_enter:
 * @graph: a graph
 *
 * Counts one more piece of local work; armilla_epoch_leave() is due when it is done.
 *
 * Returns: the epoch it belongs to
 */
ArmillaEpoch *
armilla_graph_enter (ArmillaGraph *graph)
{
  if (!graph->epoch)
    armilla_graph_next_epoch (graph);
  g_mutex_lock (&graph->lock);
  graph->epoch->pending++;
  graph->submitted++;
  g_mutex_unlock (&graph->lock);
  return graph->epoch;
}

/* One claim on an epoch ends: a piece of work, or its being submitted to. */
static void
leave (ArmillaEpoch *epoch, gint64 done)
{
  ArmillaGraph *graph = epoch->graph;
  gboolean last;

  g_mutex_lock (&graph->lock);
  graph->done += done;
  last = --epoch->pending == 0;
  if (last)
    graph->epochs_in_flight--;
  g_cond_broadcast (&graph->changed);
  g_mutex_unlock (&graph->lock);
  if (last)
    g_free (epoch);
}

/**
 * armilla_epoch_leave:
 * @epoch: (transfer full): the epoch that submission leaves
 */
void
armilla_epoch_leave (ArmillaEpoch *epoch)
{
  leave (epoch, 0);
}

/**
 * armilla_work_done:
 * @data: the epoch that armilla_graph_enter() gave
 *
 * Ends a piece of local work. Has the type of a StarPU call-back.
 */
void
armilla_work_done (void *data)
{
  leave (data, 1);
}

/**
 * armilla_tile_register:
 * @graph: a graph
 * @handle: a handle that StarPU knows
 * @owner: rank that owns it, or STARPU_MPI_PER_NODE
 *
 * Makes a handle known to StarPU-MPI. Every rank registers the same handles in the same order.
 */
void
armilla_tile_register (ArmillaGraph *graph, starpu_data_handle_t handle, int owner)
{
#ifdef HAVE_MPI
  if (graph->runtime->mpi)
    starpu_mpi_data_register (handle, graph->runtime->next_tag++, owner);
#else
  (void) graph;
  (void) handle;
  (void) owner;
#endif
}

/**
 * armilla_tile_new:
 * @graph: a graph
 * @owner: rank that owns the tile
 * @n: number of doubles
 * @tile: (out): the tile
 * @error: return location
 *
 * Makes a handle without memory; StarPU allocates it where it is first written.
 *
 * Returns: whether it could be made; %ARMILLA_ERROR_MEMORY when it is beyond what StarPU can hold
 */
gboolean
armilla_tile_new (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  n = MAX (n, 1); /* StarPU has no empty vectors */
  if (n > G_MAXUINT32)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                   "a tile of %" G_GINT64_FORMAT " numbers is more than StarPU can hold; choose a "
                   "smaller ring-block or more m-blocks",
                   n);
      return FALSE;
    }
  starpu_vector_data_register (&tile->handle, -1, 0, (uint32_t) n, sizeof (double));
  tile->owner = owner;
  tile->n = n;
  armilla_tile_register (graph, tile->handle, owner);
  return TRUE;
}

/**
 * armilla_tile_drop:
 * @tile: a tile
 *
 * Gives the tile back once the tasks submitted so far are done with it.
 */
void
armilla_tile_drop (ArmillaTile *tile)
{
  if (tile->handle)
    starpu_data_unregister_submit (tile->handle);
  tile->handle = NULL;
}

/**
 * armilla_submit:
 * @graph: a graph
 * @codelet: what to do
 * @rank: rank that does it
 * @args: plain struct that the codelet unpacks
 * @args_size: its size
 * @uses: (array length=n_uses): buffers, in the codelet's order
 * @n_uses: how many
 * @priority: higher goes first
 * @error: return location
 *
 * Submits one task. The same call is made on every rank; StarPU-MPI moves what @rank lacks.
 *
 * Returns: whether StarPU took it; %ARMILLA_ERROR_NO_WORKER when no worker can run it
 */
gboolean
armilla_submit (ArmillaGraph *graph, struct starpu_codelet *codelet, int rank, const void *args,
                gsize args_size, const ArmillaUse *uses, int n_uses, int priority, GError **error)
{
  struct starpu_data_descr descr[STARPU_NMAXBUFS];
  ArmillaEpoch *epoch = NULL;
  int status;

  g_return_val_if_fail (n_uses <= STARPU_NMAXBUFS, FALSE);
  for (int i = 0; i < n_uses; i++)
    {
      descr[i].handle = uses[i].handle;
      descr[i].mode = uses[i].mode;
    }
  if (rank == graph->runtime->rank)
    epoch = armilla_graph_enter (graph);
#ifdef HAVE_MPI
  if (graph->runtime->mpi)
    status = starpu_mpi_task_insert (MPI_COMM_WORLD, codelet, STARPU_VALUE, args, args_size,
                                     STARPU_DATA_MODE_ARRAY, descr, n_uses, STARPU_PRIORITY,
                                     priority, STARPU_CALLBACK_WITH_ARG_NFREE, armilla_work_done,
                                     epoch, STARPU_EXECUTE_ON_NODE, rank, 0);
  else
#endif
    status = starpu_task_insert (codelet, STARPU_VALUE, args, args_size, STARPU_DATA_MODE_ARRAY,
                                 descr, n_uses, STARPU_PRIORITY, priority,
                                 STARPU_CALLBACK_WITH_ARG_NFREE, armilla_work_done, epoch, 0);
  if (status == 0)
    return TRUE;
  if (epoch)
    armilla_work_done (epoch);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
               status == -ENODEV
                 ? "no worker can run a task of \"%s\": STARPU_NCPU and STARPU_NCUDA may leave out "
                   "those that can, or the GPU's memory cannot hold one tile (a smaller ring-block "
                   "helps)"
                 : "StarPU refused a task of \"%s\"",
               codelet->name);
  return FALSE;
}

static gboolean
register_ring_tables (ArmillaGraph *graph, ArmillaRingBlocks *blocks)
{
  for (int b = 0; b < blocks->n; b++)
    {
      ArmillaRingBlock *block = &blocks->block[b];

      starpu_vector_data_register (&block->pairs_handle, STARPU_MAIN_RAM, (uintptr_t) block->pairs,
                                   (uint32_t) (ARMILLA_PAIR_ROWS * block->n_pairs),
                                   sizeof (double));
      starpu_vector_data_register (&block->slots_handle, STARPU_MAIN_RAM, (uintptr_t) block->slots,
                                   (uint32_t) (2 * block->n_pairs), sizeof (ArmillaRingSlot));
      armilla_tile_register (graph, block->pairs_handle, ARMILLA_OWNER_EACH);
      armilla_tile_register (graph, block->slots_handle, ARMILLA_OWNER_EACH);
    }
  return TRUE;
}

/**
 * armilla_graph_ring_blocks:
 * @graph: a graph
 * @grid: a grid
 * @error: return location
 *
 * Returns: (transfer none) (nullable): the grid's ring blocks with their tables, made once a graph
 */
ArmillaRingBlocks *
armilla_graph_ring_blocks (ArmillaGraph *graph, ArmillaGrid *grid, GError **error)
{
  ArmillaRingBlocks *blocks;

  for (guint i = 0; i < graph->ring_blocks->len; i++)
    {
      blocks = g_ptr_array_index (graph->ring_blocks, i);
      if (blocks->grid == grid || armilla_grid_equal (blocks->grid, grid))
        return blocks;
    }
  blocks = armilla_ring_blocks_new (grid, graph->tiling.ring_block, graph->runtime->n_ranks, error);
  if (!blocks)
    return NULL;
  register_ring_tables (graph, blocks);
  g_ptr_array_add (graph->ring_blocks, blocks);
  return blocks;
}

/**
 * armilla_graph_order_blocks:
 * @graph: a graph
 * @layout: a layout
 *
 * Returns: (transfer none): the layout's m-blocks, made once a graph
 */
ArmillaOrderBlocks *
armilla_graph_order_blocks (ArmillaGraph *graph, ArmillaAlmLayout layout)
{
  ArmillaOrderBlocks *blocks;

  for (guint i = 0; i < graph->order_blocks->len; i++)
    {
      blocks = g_ptr_array_index (graph->order_blocks, i);
      if (blocks->layout.lmax == layout.lmax && blocks->layout.mmax == layout.mmax)
        return blocks;
    }
  blocks = armilla_order_blocks_new (layout, graph->tiling.m_blocks, graph->runtime->n_ranks);
  g_ptr_array_add (graph->order_blocks, blocks);
  return blocks;
}
