/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/graph/bundle.h"
#include "tasks/graph/in-thread.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"

/* Returns an empty graph for the ranks of @view; the runtime must outlive it. */
ArmillaGraph *
armilla_graph_new_with_view (ArmillaRuntime *runtime, const ArmillaView *view,
                             const ArmillaTilingOptions *options, GError **error)
{
  ArmillaGraph *graph;

  if (options && (options->ring_block < 0 || options->m_blocks < 0))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "ring-block and m-blocks must not be negative");
  graph = g_new0 (ArmillaGraph, 1);
  graph->runtime = runtime;
  graph->view = *view;
  graph->awaited = G_MAXINT64;
  if (options)
    graph->tiling = *options;
  graph->tuning = armilla_tuning_ref (runtime->tuning);
  graph->tuning_workers = runtime->tuning_workers;
  graph->cuts = g_string_new (NULL);
  g_queue_init (&graph->jobs);
  g_queue_init (&graph->idle_tiles);
  g_queue_init (&graph->travelling_tiles);
  g_queue_init (&graph->turning_tiles);
  g_mutex_init (&graph->lock);
  g_cond_init (&graph->changed);
  graph->labels = g_ptr_array_new_with_free_func (armilla_graph_label_free);
  graph->notes = g_ptr_array_new_with_free_func (g_free);
  graph->names = g_string_chunk_new (256);
  armilla_graph_set_label (graph, NULL, NULL, 0);
  graph->parts = g_ptr_array_new_with_free_func (armilla_output_part_free);
  graph->gpu_worker = -1;
  graph->apart = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  graph->outputs = armilla_graph_due_new ();
  graph->ledger = armilla_ledger_new ();
  /* Tiles that StarPU has moved to the disk cannot move to another rank. */
  if (view->mpi && view->n_ranks > 1 && runtime->migrate != ARMILLA_MIGRATE_OFF
      && !runtime->bound)
    armilla_balance_watch (graph);
  graph->worth.workers[ARMILLA_KIND_CORE] = runtime->cpu_workers;
  graph->worth.workers[ARMILLA_KIND_GPU] = runtime->n_gpus;
  if (runtime->n_gpus > 0)
    armilla_graph_watch_rates (graph);
  armilla_cuts_init (graph);
  graph->extras = armilla_extras_new ();
  armilla_runtime_add_graph (runtime, graph);
  if (runtime->bound)
    armilla_bound_resume (runtime->bound);
  /* The first epoch begins here on all ranks, so that all number epochs alike. */
  armilla_graph_next_epoch (graph);
  return graph;
}

ArmillaGraph *
armilla_graph_new (ArmillaRuntime *runtime, const ArmillaTilingOptions *options, GError **error)
{
  ArmillaView view;

  armilla_view_init (&view, runtime);
  return armilla_graph_new_with_view (runtime, &view, options, error);
}

/* Returns an empty graph of this rank alone: it owns all tiles, and no call is collective except
 * armilla_graph_trace() and armilla_graph_write_trace(). Its results have the bits of a graph that
 * all ranks share. %ARMILLA_ERROR_VALUE for negative options. */
ArmillaGraph *
armilla_graph_new_alone (ArmillaRuntime *runtime, const ArmillaTilingOptions *options,
                         GError **error)
{
  ArmillaView view;

  armilla_view_init (&view, runtime);
  if (runtime->n_ranks > 1)
    armilla_view_leave (&view);
  return armilla_graph_new_with_view (runtime, &view, options, error);
}

void
armilla_graph_free (ArmillaGraph *graph)
{
  g_autoptr (GError) error = NULL;

  armilla_graph_drop_jobs (graph);
  error = armilla_graph_wait_for_tasks (graph, FALSE);
  if (error)
    g_warning ("%s", error->message);
  /* The GPU's worker must be awake to copy data back. */
  if (graph->runtime->gpus)
    armilla_runtime_wake (graph->runtime);
  armilla_tile_pool_trim (graph, TRUE);
  armilla_bundles_free (graph->bundles);
  armilla_observers_free (&graph->observers);
  armilla_runtime_remove_graph (graph->runtime, graph);
  g_ptr_array_unref (graph->parts);
  g_hash_table_unref (graph->apart);
  g_ptr_array_unref (graph->outputs);
  g_hash_table_unref (graph->ledger);
  armilla_extras_free (graph->extras);
  armilla_cuts_clear (graph);
  if (graph->epoch)
    armilla_epoch_leave (graph->epoch);
  g_clear_pointer (&graph->movers, g_ptr_array_unref);
  armilla_tuning_unref (graph->tuning);
  g_string_free (graph->cuts, TRUE);
  armilla_fault_clear (&graph->fault);
  armilla_in_thread_free (graph->in_thread);
  g_ptr_array_unref (graph->labels);
  g_ptr_array_unref (graph->notes);
  g_string_chunk_free (graph->names);
  g_clear_error (&graph->refused);
  g_mutex_clear (&graph->lock);
  g_cond_clear (&graph->changed);
  g_free (graph);
}

gboolean
armilla_graph_failed (ArmillaGraph *graph)
{
  return armilla_fault_is_set (&graph->fault);
}

int
armilla_graph_rank (ArmillaGraph *graph)
{
  return graph->view.rank;
}

int
armilla_graph_n_ranks (ArmillaGraph *graph)
{
  return graph->view.n_ranks;
}

char *
armilla_graph_cuts (ArmillaGraph *graph)
{
  return g_strdup (graph->cuts->str);
}
