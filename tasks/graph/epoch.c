/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks are submitted in epochs, and counted until they are done. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* epochs (ring blocks) whose Delta may exist at the same time: one being computed, one moved, one
 * transformed */
#define DEFAULT_EPOCHS 3
/* on few cores one epoch less suffices, and saves a sixth of the memory of a transform */
#define FEW_CORES 2
/* More small ring blocks may be in flight: at low resolution a transform has one ring block, and
 * the transform of the next realisation should not wait for it. The total size of their tiles is
 * bounded. */
#define SMALL_EPOCH (8 << 20)
#define SMALL_EPOCHS_BYTES (96 << 20)
#define MAX_EPOCHS 24
/* With so many epochs, GPUs do not wait as long as independent realisations are in flight, and
 * ranks do not wait as long as each has a ring block of its own. */
#define MAX_LARGE_EPOCHS 48
/* number of tasks to submit before sleeping workers are woken */
#define FEW_TASKS 100

/* Waits for a change, with the graph's lock held; the workers stay awake. */
void
armilla_graph_wait_change (ArmillaGraph *graph)
{
  armilla_runtime_wake (graph->runtime);
  g_cond_wait (&graph->changed, &graph->lock);
}

/* Begins a new epoch for later submissions, waiting while too many are in flight; tasks of bundles
 * do not wait, since the bundles in flight are bounded. Ranks cannot
 * deadlock: an epoch's tasks need only what was submitted, on every rank, with it or before it. */
void
armilla_graph_next_epoch (ArmillaGraph *graph)
{
  armilla_graph_next_epoch_of (graph, G_MAXINT64, 0);
}

/* Returns the number of epochs of @bytes that may be in flight if @wanted keep all ranks busy.
 * Ranks share the tiles of each: with three times as many epochs as there are ranks, a rank has no
 * more of them than it would have alone. */
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

/* Like armilla_graph_next_epoch (); more small epochs may be in flight (bytes of tiles each, equal
 * on all ranks), and as many as wanted (0: any) if several ranks share them. */
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

/* Returns whether sleeping workers should start although more tasks will be submitted. GPUs and
 * other ranks should; cores only if each has much work: until then they would compete with the
 * submitting thread, for milliseconds. */
static gboolean
have_enough (const ArmillaGraph *graph)
{
  const ArmillaRuntime *runtime = graph->runtime;

  return runtime->gpus || runtime->n_ranks > 1
         || graph->submitted - graph->done >= MAX (FEW_TASKS, 4 * runtime->cpu_workers);
}

/* Counts a new piece of local work, which armilla_work_done () ends. Returns its epoch. */
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

/* Drops a reference to an epoch: that of a piece of work, or of its submission. */
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
  /* Sleep before the waiting thread is woken, which then finds its core free. */
  if (graph->ending && graph->rests && graph->done == graph->submitted)
    armilla_runtime_pause (graph->runtime);
  /* A needless wake-up of the submitting thread costs more than the end of a task. */
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

/* StarPU callback at the beginning of a task whose node has recorded a choice. data is the epoch of
 * armilla_graph_enter (). */
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

/* StarPU callback: ends armilla_work_begins () and the piece of work. Time in which no task of the
 * node runs is not counted: the node waits for other nodes or files. */
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

/* StarPU callback: ends a piece of local work. data is the epoch of armilla_graph_enter (). */
void
armilla_work_done (void *data)
{
  leave (data, 1);
}

/* Waits until n tasks of this rank, all submitted, are done. */
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
