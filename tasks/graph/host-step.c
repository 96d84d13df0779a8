/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on the host without a codelet: reading, writing, drawing pictures. starpu_data_acquire_cb()
 * acquires the tiles in the order of submission; an I/O thread does the work and releases them. No
 * CPU worker is needed, so that runs on GPUs alone work. */
#include "config.h"

#include <string.h>

#include "tasks/graph/bundle.h"
#include "tasks/graph/in-thread.h"
#include "tasks/graph/ledger.h"
#include "tasks/runtime/runtime-private.h"

struct _ArmillaHostJob {
  ArmillaGraph *graph;
  ArmillaEpoch *epoch;
  ArmillaLabel *label;
  gpointer seen[ARMILLA_MAX_OBSERVERS]; /* [observer]: its data about this step */
  starpu_data_handle_t *handles;
  /* number of doubles of each tile of a step in a bundle; NULL: the tiles are in handles */
  gint64 *sizes;
  double *values; /* copies of these tiles; NULL if the run has failed */
  void (*done) (gpointer user); /* called at the end; may be NULL */
  gpointer done_user;
  int n_handles;
  gint64 claimed; /* bytes of tiles claimed, see claim.c */
  gint missing; /* number of handles not acquired yet, plus one until all are requested */
  ArmillaHostStep step; /* NULL: only releases the handles */
  gpointer user;
  GDestroyNotify destroy;
};

typedef struct _ArmillaHostJob HostJob;

static void
notify (const ArmillaGraph *graph, gpointer const *seen, ArmillaStepEvent event)
{
  for (int i = 0; i < graph->observers.n; i++)
    if (seen[i])
      graph->observers.list[i].kind->step_event (seen[i], event);
}

static void
job_free (HostJob *job)
{
  g_free (job->handles);
  g_free (job->sizes);
  g_free (job->values);
  if (job->done)
    job->done (job->done_user);
  g_free (job);
}

static void
run_job (gpointer data)
{
  HostJob *job = data;
  ArmillaFault *fault = &job->label->fault;
  ArmillaBound *bound = job->graph->runtime->bound;
  ArmillaEpoch *epoch = job->epoch;
  const gint64 begin = g_get_monotonic_time ();

  notify (job->graph, job->seen, ARMILLA_STEP_BEGINS);
  if (bound)
    armilla_bound_step_begins (bound);
  if (job->step && !armilla_fault_is_set (fault) && (job->values || !job->sizes))
    {
      g_autofree double **buffers = g_new (double *, job->n_handles);
      double *next = job->values;
      GError *error = NULL;

      for (int i = 0; i < job->n_handles; i++)
        if (job->sizes)
          {
            buffers[i] = next;
            next += job->sizes[i];
          }
        else
          buffers[i] = starpu_data_get_local_ptr (job->handles[i]);
      if (!job->step (job->user, buffers, &error))
        armilla_fault_take (fault, error);
    }
  for (int i = 0; i < job->n_handles && !job->sizes; i++)
    starpu_data_release (job->handles[i]);
  if (job->destroy)
    job->destroy (job->user);
  notify (job->graph, job->seen, ARMILLA_STEP_ENDS);
  armilla_ledger_note_time (job->graph, job->label->node, begin);
  if (bound)
    {
      armilla_bound_step_ends (bound);
      armilla_graph_unclaim (job->graph, job->claimed);
    }
  job_free (job);
  armilla_work_done (epoch);
}

static void
handle_acquired (void *data)
{
  HostJob *job = data;

  if (!g_atomic_int_dec_and_test (&job->missing))
    return;
  notify (job->graph, job->seen, ARMILLA_STEP_READY);
  armilla_runtime_io_push (job->graph->runtime, run_job, job);
}

/* Runs a step of a bundle in an I/O thread, and calls @done at its end. @values: (transfer full)
 * (nullable): copies of its tiles, one after the other; NULL: the run has failed. Any thread may
 * call it. */
void
armilla_host_job_come (ArmillaHostJob *job, double *values, void (*done) (gpointer user),
                       gpointer user)
{
  job->values = values;
  job->done = done;
  job->done_user = user;
  handle_acquired (job);
}

/* Frees a step of a bundle that StarPU has rejected. */
void
armilla_host_job_drop (ArmillaHostJob *job)
{
  notify (job->graph, job->seen, ARMILLA_STEP_REFUSED);
  if (job->destroy)
    job->destroy (job->user);
  armilla_work_done (job->epoch);
  job_free (job);
}

/* Claims memory for the tiles of a step of this rank, see claim.c. Waits until the claims of other
 * steps leave enough. */
static gboolean
claim (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles, gint64 *bytes,
       GError **error)
{
  *bytes = 0;
  if (!graph->runtime->bound)
    return TRUE;
  if (!armilla_graph_can_claim (graph, tiles, n_tiles, error))
    return FALSE;
  for (int i = 0; rank == graph->view.rank && i < n_tiles; i++)
    *bytes += (gint64) sizeof (double) * tiles[i].n;
  armilla_graph_claim (graph, *bytes);
  return TRUE;
}

#ifdef HAVE_MPI
/* Memory claimed for a message until it is sent. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaEpoch *epoch;
  starpu_data_handle_t handle;
  gint64 bytes;
} Sending;

static void
sent (void *data)
{
  Sending *sending = data;
  ArmillaEpoch *epoch = sending->epoch;

  starpu_data_release (sending->handle);
  armilla_graph_unclaim (sending->graph, sending->bytes);
  g_free (sending);
  armilla_work_done (epoch);
}

/* Claims a tile while it is being sent; no task may write to it until then. */
static int
claim_while_sent (ArmillaGraph *graph, const ArmillaTile *tile)
{
  Sending *sending = g_new (Sending, 1);
  int status;

  *sending = (Sending) { graph, armilla_graph_enter (graph), tile->handle,
                         (gint64) sizeof (double) * tile->n };
  armilla_graph_claim (graph, sending->bytes);
  status = starpu_data_acquire_cb (tile->handle, STARPU_RW, sent, sending);
  if (status != 0)
    {
      armilla_graph_unclaim (graph, sending->bytes);
      armilla_work_done (sending->epoch);
      g_free (sending);
    }
  return status;
}

static gboolean
transfer (ArmillaGraph *graph, const ArmillaTile *tiles, const enum starpu_data_access_mode *modes,
          int n_tiles, int rank, GError **error)
{
  int status = 0;

  for (int i = 0; status == 0 && i < n_tiles; i++)
    if (tiles[i].owner != rank && (modes[i] & STARPU_R))
      {
        status = armilla_mpi_bring (graph->view.comm, tiles[i].handle, rank);
        if (status == 0 && graph->runtime->bound && tiles[i].owner == graph->view.rank)
          status = claim_while_sent (graph, &tiles[i]);
      }
  if (status != 0)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MPI, "StarPU-MPI cannot move a buffer: %s",
                 g_strerror (-status));
  return status == 0;
}
#endif

static gboolean
acquire (HostJob *job, const ArmillaTile *tiles, const enum starpu_data_access_mode *modes,
         GError **error)
{
  int n_tiles = job->n_handles;

  for (int i = 0; i < n_tiles; i++)
    {
      int status;

      job->handles[i] = tiles[i].handle;
      status = starpu_data_acquire_cb (tiles[i].handle, modes[i], handle_acquired, job);
      if (status != 0)
        {
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
                       "StarPU cannot provide a buffer: %s", g_strerror (-status));
          /* StarPU acquires the handles requested before nevertheless; the job only releases
           * them. */
          job->step = NULL;
          job->n_handles = i;
          g_atomic_int_add (&job->missing, i - n_tiles);
          handle_acquired (job);
          return FALSE;
        }
    }
  handle_acquired (job);
  return TRUE;
}

/* Creates the job of a host step of this rank, in the current epoch. */
static HostJob *
job_new (ArmillaGraph *graph, const ArmillaStepCall *call, gboolean bundled)
{
  HostJob *job = g_new0 (HostJob, 1);

  job->graph = graph;
  job->epoch = armilla_graph_enter (graph);
  job->label = graph->label;
  job->n_handles = call->n_tiles;
  if (!bundled)
    job->handles = g_new (starpu_data_handle_t, call->n_tiles);
  else
    job->sizes = g_new (gint64, call->n_tiles);
  for (int i = 0; bundled && i < call->n_tiles; i++)
    job->sizes[i] = call->tiles[i].n;
  /* plus one until acquire() has requested all handles: the step must not run before */
  job->missing = bundled ? 1 : call->n_tiles + 1;
  return job;
}

gboolean
armilla_host_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles,
                   const enum starpu_data_access_mode *modes, int n_tiles, ArmillaHostStep step,
                   gpointer user, GDestroyNotify destroy, GError **error)
{
  const ArmillaStepCall call = { rank, tiles, modes, n_tiles };
  gpointer seen[ARMILLA_MAX_OBSERVERS] = { NULL };
  gboolean bundled;
  gint64 claimed;
  HostJob *job;

  if (graph->taker.kind || graph->in_thread)
    {
      const gboolean ok = graph->in_thread
                            ? armilla_in_thread_step (graph->in_thread, &call, step, user,
                                                      error)
                            : graph->taker.kind->take_step (graph->taker.self, graph, &call, error);

      if (destroy)
        destroy (user);
      return ok;
    }
  bundled = graph->bundling && graph->bundling->takes_step (graph, &call);
  if ((!bundled && !armilla_graph_unbundle (graph, error))
      || !claim (graph, rank, tiles, n_tiles, &claimed, error))
    {
      if (destroy)
        destroy (user);
      return FALSE;
    }
  for (int i = 0; i < graph->observers.n; i++)
    if (graph->observers.list[i].kind->step)
      seen[i] = graph->observers.list[i].kind->step (graph->observers.list[i].self, graph, &call);
#ifdef HAVE_MPI
  if (graph->view.mpi && !transfer (graph, tiles, modes, n_tiles, rank, error))
    {
      notify (graph, seen, ARMILLA_STEP_REFUSED);
      armilla_graph_unclaim (graph, claimed);
      if (destroy)
        destroy (user);
      return FALSE;
    }
#endif
  if (rank != graph->view.rank)
    {
      if (destroy)
        destroy (user);
      return TRUE;
    }
  job = job_new (graph, &call, bundled);
  memcpy (job->seen, seen, sizeof seen);
  job->claimed = claimed;
  job->step = step;
  job->user = user;
  job->destroy = destroy;
  if (!bundled)
    return acquire (job, tiles, modes, error);
  graph->bundling->add_step (graph, &call, job);
  return TRUE;
}

void
armilla_graph_use_cores (ArmillaGraph *graph, gint64 n_tasks, ArmillaTeamRun run, gpointer user)
{
  if (graph->in_thread) /* the team must be idle */
    armilla_in_thread_finish (graph->in_thread);
  armilla_runtime_use_cores (graph->runtime, n_tasks, run, user);
}

const double *
armilla_graph_hold (ArmillaGraph *graph, const ArmillaTile *tile, GError **error)
{
  int status;

  if (graph->taker.kind)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "the value of a tile is known only in a run, not in a forecast");
#ifdef HAVE_MPI
  if (graph->view.mpi)
    starpu_mpi_get_data_on_all_nodes_detached (graph->view.comm, tile->handle);
#endif
  if (!armilla_graph_unbundle (graph, error))
    return NULL;
  if (graph->in_thread)
    armilla_in_thread_finish (graph->in_thread);
  else
    armilla_runtime_wake (graph->runtime);
  status = starpu_data_acquire (tile->handle, STARPU_R);
  if (status != 0)
    return armilla_fail_null (error, ARMILLA_ERROR_NO_WORKER, "StarPU cannot provide a buffer: %s",
                              g_strerror (-status));
  ARMILLA_OBSERVERS_CALL (&graph->observers, fetched, graph, tile);
  return starpu_data_get_local_ptr (tile->handle);
}

gboolean
armilla_graph_fetch (ArmillaGraph *graph, const ArmillaTile *tile, double *values, GError **error)
{
  const double *from = armilla_graph_hold (graph, tile, error);

  if (!from)
    return FALSE;
  for (gint64 i = 0; i < tile->n; i++)
    values[i] = from[i];
  starpu_data_release (tile->handle);
  return TRUE;
}
