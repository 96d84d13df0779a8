/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks are submitted in epochs, and counted until they are done. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* default number of epochs (ring blocks) in flight, whose Delta exists at the same time: one is
 * being computed, one is sent to other ranks, one is transformed to pixels */
#define DEFAULT_EPOCHS 3
/* number of cores up to which one epoch less is in flight, which saves a sixth of the memory */
#define FEW_CORES 2
/* Bytes of tiles up to which an epoch counts as small, and of all small epochs in flight. More of
 * them may be in flight, so that at low resolution, where a transform has a single ring block, the
 * next realisation need not wait for it. */
#define SMALL_EPOCH (8 << 20)
#define SMALL_EPOCHS_BYTES (96 << 20)
#define MAX_EPOCHS 24
/* maximum number of larger epochs in flight, for several ranks or GPUs: enough to keep them busy */
#define MAX_LARGE_EPOCHS 48
/* number of tasks to submit before sleeping workers are woken */
#define FEW_TASKS 100

/* Waits until the state of the graph changes, with its lock held; wakes the workers before. */
void
armilla_graph_wait_change (ArmillaGraph *graph)
{
  armilla_runtime_wake (graph->runtime);
  g_cond_wait (&graph->changed, &graph->lock);
}

/* Begins a new epoch, to which tasks submitted from now on belong. Waits while too many epochs are
 * in flight, except while bundling, since bundles in flight are bounded. Ranks cannot deadlock: the
 * tasks of an epoch depend only on tasks of the same and of earlier epochs, on all ranks. */
void
armilla_graph_next_epoch (ArmillaGraph *graph)
{
  armilla_graph_next_epoch_of (graph, G_MAXINT64, 0);
}

/* Returns the number of epochs with @bytes of tiles that may be in flight, if @wanted would keep
 * all ranks busy. Ranks share the tiles of an epoch, so that n ranks can have n times as many
 * epochs in flight, with as much memory each as one rank alone. */
static int
epochs_of (const ArmillaGraph *graph, gint64 bytes, gint64 wanted)
{
  const ArmillaView *view = &graph->view;
  const gboolean few = view->n_ranks == 1 && !view->gpus && view->max_workers <= FEW_CORES;
  const gint64 min_limit = few ? DEFAULT_EPOCHS - 1 : DEFAULT_EPOCHS;
  gint64 limit = min_limit;

  if (!graph->runtime->bound)
    limit = MIN (wanted, MIN (DEFAULT_EPOCHS * (gint64) view->n_ranks, MAX_LARGE_EPOCHS));
  if (bytes <= SMALL_EPOCH)
    limit = MAX (limit, MIN (SMALL_EPOCHS_BYTES / MAX (bytes, 1), MAX_EPOCHS));
  limit = MAX (limit, MIN (view->epochs_bytes / MAX (bytes, 1), MAX_LARGE_EPOCHS));
  return (int) MAX (limit, min_limit);
}

/* Like armilla_graph_next_epoch (), for an epoch with @bytes of tiles (the same on all ranks), of
 * which more may be in flight if they are small. @wanted: number of epochs in flight that keeps all
 * ranks busy; 0: unknown. */
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
  graph->small_epochs = bytes <= SMALL_EPOCH;
  ARMILLA_OBSERVERS_CALL (&graph->observers, epoch, graph->epoch_limit);
  g_mutex_lock (&graph->lock);
  while (!graph->bundling && graph->epochs_in_flight >= graph->epoch_limit)
    armilla_graph_wait_change (graph);
  graph->epochs_in_flight++;
  g_mutex_unlock (&graph->lock);
  graph->epoch = epoch;
  graph->epoch_number++;
  armilla_tile_pool_trim (graph, FALSE);
}

/* Returns whether to wake sleeping workers now although more tasks will be submitted. Cores are
 * woken only for many tasks: workers that wait for tasks would slow down the submitting thread.
 * GPUs and other ranks are woken at once. */
static gboolean
have_enough (const ArmillaGraph *graph)
{
  const ArmillaRuntime *runtime = graph->runtime;

  return runtime->gpus || runtime->n_ranks > 1
         || graph->submitted - graph->done >= MAX (FEW_TASKS, 4 * runtime->cpu_workers);
}

/* Counts a task or host step of this rank as submitted; armilla_work_done () must follow. Returns
 * the current epoch. */
ArmillaEpoch *
armilla_graph_enter (ArmillaGraph *graph)
{
  g_mutex_lock (&graph->lock);
  graph->epoch->pending++;
  graph->submitted++;
  if (have_enough (graph))
    armilla_runtime_wake (graph->runtime);
  g_mutex_unlock (&graph->lock);
  return graph->epoch;
}

/* Drops a reference to an epoch: that of a task or step (@done is 1), or that of its submission
 * (0). */
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
  /* Workers sleep before the waiting thread is woken, so that it finds a free core. */
  if (graph->ending && graph->rests && graph->done == graph->submitted)
    armilla_runtime_pause (graph->runtime);
  /* The waiting thread is woken only if it can continue: waking it costs more than ending a
   * task. */
  if (last || graph->done == graph->submitted || graph->done >= graph->awaited)
    g_cond_broadcast (&graph->changed);
  g_mutex_unlock (&graph->lock);
  if (last)
    g_free (epoch);
}

/* Ends submission to the epoch. */
void
armilla_epoch_leave (ArmillaEpoch *epoch)
{
  leave (epoch, 0);
}

/* StarPU callback before a task of a node that has recorded a choice, for the time that the choice
 * takes. @data: epoch of armilla_graph_enter (). */
void
armilla_work_begins (void *data)
{
  ArmillaEpoch *epoch = data;
  ArmillaLabel *label = epoch->label;

  g_mutex_lock (&epoch->graph->lock);
  if (label->running++ == 0)
    label->begun = g_get_monotonic_time ();
  g_mutex_unlock (&epoch->graph->lock);
}

/* StarPU callback after such a task; see armilla_work_done (). Counts the time while at least one
 * task of the node runs: otherwise the node waits for other nodes or for files. */
void
armilla_work_ends (void *data)
{
  ArmillaEpoch *epoch = data;
  ArmillaLabel *label = epoch->label;

  g_mutex_lock (&epoch->graph->lock);
  if (--label->running == 0)
    label->seconds += 1e-6 * (double) (g_get_monotonic_time () - label->begun);
  g_mutex_unlock (&epoch->graph->lock);
  leave (epoch, 1);
}

/* StarPU callback after a task or step of this rank. @data: epoch of armilla_graph_enter (). */
void
armilla_work_done (void *data)
{
  leave (data, 1);
}

/* Waits until @n tasks and steps of this rank, which must have been submitted, have ended. */
void
armilla_graph_wait_done (ArmillaGraph *graph, gint64 n)
{
  g_mutex_lock (&graph->lock);
  graph->awaited = n;
  while (graph->done < n)
    armilla_graph_wait_change (graph);
  graph->awaited = G_MAXINT64;
  g_mutex_unlock (&graph->lock);
}

void
armilla_graph_progress (ArmillaGraph *graph, gint64 *done, gint64 *submitted)
{
  g_mutex_lock (&graph->lock);
  *done = graph->done;
  *submitted = graph->submitted;
  g_mutex_unlock (&graph->lock);
}
