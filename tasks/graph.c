/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"


#include "tasks/balance.h"
#include "tasks/forecast-private.h"
#include "tasks/jobs.h"
#include "tasks/shared-output.h"
#include "tasks/trace-private.h"

/* Ring blocks whose Delta may be alive at once: one being computed, one moved, one transformed. */
#define DEFAULT_EPOCHS 3
/* Of small ring blocks more may be: those of low resolution, one a transform, where the next sky
 * need not wait for the last one. Their tiles together are bounded. */
#define SMALL_EPOCH (8 << 20)
#define SMALL_EPOCHS_BYTES (96 << 20)
#define MOST_EPOCHS 24
/* GPUs wait for nobody as long as there are realisations under way that do not need each other; and
 * many ranks for nobody as long as each has a ring block of its own. */
#define MOST_LARGE_EPOCHS 48

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
  graph->runtime = graph->shared = runtime;
  graph->awaited = G_MAXINT64;
  if (options)
    graph->tiling = *options;
  graph->tuning = armilla_tuning_ref (runtime->tuning);
  graph->tuning_workers = runtime->tuning_workers;
  graph->cuts = g_string_new (NULL);
  graph->epoch_limit = DEFAULT_EPOCHS;
  g_queue_init (&graph->jobs);
  g_queue_init (&graph->idle_tiles);
  g_queue_init (&graph->travelling_tiles);
  g_queue_init (&graph->turning_tiles);
  g_mutex_init (&graph->lock);
  g_cond_init (&graph->changed);
  graph->labels = g_ptr_array_new_with_free_func (g_free);
  graph->notes = g_ptr_array_new_with_free_func (g_free);
  graph->names = g_string_chunk_new (256);
  armilla_graph_set_label (graph, NULL, NULL, 0);
  graph->parts = g_ptr_array_new_with_free_func (armilla_output_part_free);
  graph->apart = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  graph->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_output_free);
  /* What is spilled stays with its rank. */
  if (runtime->mpi && runtime->n_ranks > 1 && runtime->migrate != ARMILLA_MIGRATE_OFF
      && !runtime->bound)
    {
      graph->balance = armilla_balance_new (runtime);
      graph->movers = g_ptr_array_new ();
    }
  armilla_cuts_init (graph);
  graph->extras = armilla_extras_new ();
  armilla_runtime_add_graph (runtime, graph);
  /* Now, not with the first local work: ranks count epochs alike. */
  armilla_graph_next_epoch (graph);
  return graph;
}

/**
 * armilla_graph_new_alone:
 * @runtime: the runtime; must outlive the graph
 * @options: (nullable): how to cut data into tiles
 * @error: return location
 *
 * A graph that this rank has for itself: nobody else submits to it, it owns all tiles, and no call
 * is collective but armilla_graph_trace() and armilla_graph_write_trace(). Its results have the
 * bits of a graph that all ranks share.
 *
 * Returns: (transfer full): an empty graph; %ARMILLA_ERROR_VALUE for negative options
 */
ArmillaGraph *
armilla_graph_new_alone (ArmillaRuntime *runtime, const ArmillaTilingOptions *options,
                         GError **error)
{
  ArmillaGraph *graph = armilla_graph_new (runtime, options, error);

  if (!graph || runtime->n_ranks == 1)
    return graph;
  graph->alone = TRUE;
  g_clear_pointer (&graph->balance, armilla_balance_free);
  g_clear_pointer (&graph->movers, g_ptr_array_unref);
  graph->runtime = g_memdup2 (runtime, sizeof *runtime);
  graph->runtime->mpi = FALSE;
  graph->runtime->rank = 0;
  graph->runtime->n_ranks = 1;
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

/* Waits for the tasks, and for the messages of StarPU-MPI where @messages. */
static GError *
wait_for_starpu (ArmillaGraph *graph, gboolean messages)
{
  int status;

#ifdef HAVE_MPI
  if (messages && graph->runtime->mpi)
    status = starpu_mpi_wait_for_all (MPI_COMM_WORLD);
  else
#endif
    status = starpu_task_wait_for_all ();
  (void) messages;
  (void) graph;
  if (status == 0)
    return NULL;
  return g_error_new (ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER, "StarPU does not wait for tasks: %s",
                      g_strerror (-status));
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
  g_autoptr (GError) error = NULL;

  armilla_graph_drop_jobs (graph);
  wait_for_local (graph);
  error = wait_for_starpu (graph, FALSE);
  if (error)
    g_warning ("%s", error->message);
  armilla_tile_pool_trim (graph, TRUE);
  armilla_trace_free (graph->trace);
  armilla_runtime_remove_graph (graph->shared, graph);
  g_ptr_array_unref (graph->parts);
  g_hash_table_unref (graph->apart);
  g_ptr_array_unref (graph->outputs);
  armilla_extras_free (graph->extras);
  armilla_cuts_clear (graph);
  if (graph->epoch)
    armilla_epoch_leave (graph->epoch);
  g_clear_pointer (&graph->balance, armilla_balance_free);
  g_clear_pointer (&graph->movers, g_ptr_array_unref);
  armilla_tuning_unref (graph->tuning);
  g_string_free (graph->cuts, TRUE);
  armilla_fault_clear (&graph->fault);
  g_ptr_array_unref (graph->labels);
  g_ptr_array_unref (graph->notes);
  g_string_chunk_free (graph->names);
  g_clear_error (&graph->refused);
  if (graph->alone)
    g_free (graph->runtime);
  g_mutex_clear (&graph->lock);
  g_cond_clear (&graph->changed);
  g_free (graph);
}

/**
 * armilla_graph_set_commit_hook:
 * @graph: a graph without tasks
 * @hook: (nullable): what hears of outputs before they get their names
 * @user: for @hook
 */
void
armilla_graph_set_commit_hook (ArmillaGraph *graph, ArmillaCommitHook hook, gpointer user)
{
  graph->hook = hook;
  graph->hook_user = user;
}

static gboolean
commit (ArmillaGraph *graph, ArmillaOutput *output, GError **error)
{
  return (!graph->hook
          || (armilla_output_finish (output, error)
              && graph->hook (graph->hook_user, output, error)))
         && armilla_output_commit (output, error);
}

/* Renames what waits for the agreement of all ranks. */
static GError *
commit_outputs (ArmillaGraph *graph)
{
  GError *first = NULL;

  for (guint i = 0; i < graph->outputs->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!commit (graph, g_ptr_array_index (graph->outputs, i), &error) && !first)
        first = g_steal_pointer (&error);
    }
  g_ptr_array_set_size (graph->outputs, 0);
  if (first)
    armilla_graph_blame (graph, NULL, &first);
  return first;
}

/* documented in armilla/runtime.h */
gboolean
armilla_graph_wait (ArmillaGraph *graph, GError **error)
{
  ArmillaRuntime *runtime = graph->runtime;
  g_autoptr (GError) unnamed = NULL;
  GError *local;

  armilla_graph_flush (graph, NULL); /* a failure is latched, and reported below */
  wait_for_local (graph);
  /* StarPU-MPI waits in a barrier, in the thread that sends: a rank that is there too early does
   * not pass on what it has just received. What goes wrong here goes wrong below, too. */
  armilla_runtime_barrier (runtime);
  local = wait_for_starpu (graph, TRUE);
  if (!local && armilla_fault_is_set (&graph->fault))
    {
      local = g_error_copy (graph->fault.first);
      armilla_graph_blame (graph, armilla_graph_culprit (graph), &local);
    }
  if (!armilla_runtime_agree (runtime, local, error))
    {
      g_ptr_array_set_size (graph->parts, 0);
      g_ptr_array_set_size (graph->outputs, 0);
      return FALSE;
    }
  local = armilla_graph_join_parts (graph);
  unnamed = commit_outputs (graph);
  if (!local)
    local = g_steal_pointer (&unnamed);
  return armilla_runtime_agree (runtime, local, error);
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

/**
 * armilla_graph_tuned:
 * @graph: a graph
 * @which: what it is chosen for
 * @size: highest degree, or number of ring pairs
 * @batch: number of maps; 1 for what maps of several fields share with maps of one
 * @name: what is to be chosen
 *
 * Returns: what was tuned for this machine, 0 for the default; the same on all ranks
 */
gint64
armilla_graph_tuned (const ArmillaGraph *graph, ArmillaTransforms which, gint64 size,
                     gint64 batch, ArmillaTuneName name)
{
  ArmillaTuneClass klass = { graph->tuning_workers, MAX (size, 1), batch, which };

  return graph->tuning ? armilla_tuning_get (graph->tuning, klass, name) : 0;
}

/**
 * armilla_graph_isa:
 * @graph: a graph
 * @which: direction of the transform
 * @lmax: highest degree
 * @n_fields: number of fields
 *
 * Returns: #ArmillaIsa of the CPU kernels of transforms: the best that all ranks have, or one with
 *   shorter vectors where these were found to be faster
 */
gint32
armilla_graph_isa (const ArmillaGraph *graph, ArmillaTransforms which, gint64 lmax, int n_fields)
{
  gint64 length = armilla_graph_tuned (graph, which, lmax, n_fields, ARMILLA_TUNE_VECTOR_LENGTH);
  gint32 isa = (gint32) graph->runtime->isa;

  while (length > 0 && isa > ARMILLA_ISA_PORTABLE && length < 2 << isa)
    isa--;
  return isa;
}

/* documented in armilla/runtime.h */
char *
armilla_graph_cuts (ArmillaGraph *graph)
{
  return g_strdup (graph->cuts->str);
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
      ok = commit (graph, output, error);
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
  armilla_graph_next_epoch_of (graph, G_MAXINT64, 0);
}

/* How many epochs of @bytes may be in flight, where @wanted would keep all ranks at work. Ranks
 * share the tiles of each: with three times as many epochs as there are ranks, a rank has no more
 * of them than it would have alone. */
static int
epochs_of (const ArmillaGraph *graph, gint64 bytes, gint64 wanted)
{
  const ArmillaRuntime *runtime = graph->runtime;
  gint64 limit = DEFAULT_EPOCHS;

  if (!runtime->bound)
    limit = MIN (wanted, MIN (DEFAULT_EPOCHS * (gint64) runtime->n_ranks, MOST_LARGE_EPOCHS));
  if (bytes <= SMALL_EPOCH)
    limit = MAX (limit, MIN (SMALL_EPOCHS_BYTES / MAX (bytes, 1), MOST_EPOCHS));
  limit = MAX (limit, MIN (runtime->epochs_bytes / MAX (bytes, 1), MOST_LARGE_EPOCHS));
  return (int) MAX (limit, DEFAULT_EPOCHS);
}

/**
 * armilla_graph_next_epoch_of:
 * @graph: a graph
 * @bytes: of the tiles that live in the epoch; the same on every rank
 * @wanted: how many of them should be in flight for all ranks to have tasks; 0: any number
 *
 * As armilla_graph_next_epoch(); of small epochs more may be in flight, and as many as @wanted
 * where several ranks share them.
 */
void
armilla_graph_next_epoch_of (ArmillaGraph *graph, gint64 bytes, gint64 wanted)
{
  ArmillaEpoch *epoch = g_new0 (ArmillaEpoch, 1);

  if (graph->epoch)
    armilla_epoch_leave (g_steal_pointer (&graph->epoch));
  epoch->graph = graph;
  epoch->label = graph->label;
  epoch->pending = 1;
  graph->epoch_limit = epochs_of (graph, bytes, wanted);
  if (graph->forecast)
    armilla_forecast_epoch (graph->forecast, graph->epoch_limit);
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
  if (epoch->label->begun > 0)
    epoch->label->ended = g_get_monotonic_time ();
  last = --epoch->pending == 0;
  if (last)
    graph->epochs_in_flight--;
  /* Waking the submitting thread for nothing costs more than the rest of a task's end. */
  if (last || graph->done == graph->submitted || graph->done >= graph->awaited)
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
 * armilla_work_begins:
 * @data: the epoch that armilla_graph_enter() gave
 *
 * Notes down when a node's first task begins: until then its data come from the nodes before it.
 * Has the type of a StarPU call-back.
 */
void
armilla_work_begins (void *data)
{
  ArmillaEpoch *epoch = data;

  g_mutex_lock (&epoch->graph->lock);
  if (epoch->label->begun == 0)
    epoch->label->begun = g_get_monotonic_time ();
  g_mutex_unlock (&epoch->graph->lock);
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
 * armilla_graph_wait_done:
 * @graph: a graph
 * @n: a number of tasks of this rank, all of them submitted
 *
 * Waits until so many tasks are done.
 */
void
armilla_graph_wait_done (ArmillaGraph *graph, gint64 n)
{
  g_mutex_lock (&graph->lock);
  graph->awaited = n;
  while (graph->done < n)
    g_cond_wait (&graph->changed, &graph->lock);
  graph->awaited = G_MAXINT64;
  g_mutex_unlock (&graph->lock);
}
