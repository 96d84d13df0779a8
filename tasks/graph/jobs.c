/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the requests of stages as jobs, and submits their tasks later in the same order.
 *
 * Submission blocks while too many tasks are in flight. If each stage submitted its tasks at once,
 * nearly all of a map would be computed before the next stage could add a sink to it. So all stages
 * make their requests first. Then the jobs are submitted, and each tile is passed to its sinks (and
 * dropped) as soon as the task that writes it is submitted.
 *
 * Requests of several realisations may be pending. Then each realisation executes its jobs up to
 * the first one with a kind (a transform); matching jobs of all realisations are executed together;
 * and so on. */
#include "config.h"

#include <string.h>

#include "tasks/graph/in-thread.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/share.h"

static void
job_free (gpointer data)
{
  ArmillaJob *job = data;

  for (int i = 0; i < ARMILLA_JOB_INPUTS; i++)
    armilla_job_done_with (job, i);
  if (job->destroy)
    job->destroy (job->user);
  g_clear_object (&job->out);
  g_free (job);
}

/* Declares that the last task that reads an input was submitted: its memory may be freed after
 * these tasks. */
void
armilla_job_done_with (ArmillaJob *job, int input)
{
  if (!job->in[input])
    return;
  armilla_data_unhold (job->in[input]);
  g_clear_object (&job->in[input]);
}

void
armilla_graph_defer (ArmillaGraph *graph, const ArmillaJob *job)
{
  ArmillaJob *copy = g_malloc (sizeof *job + job->args_size);

  *copy = *job;
  if (job->args_size > 0)
    copy->args = memcpy (copy + 1, job->args, job->args_size);
  for (int i = 0; i < ARMILLA_JOB_INPUTS; i++)
    if (copy->in[i])
      {
        g_object_ref (copy->in[i]);
        armilla_data_hold (copy->in[i]);
      }
  if (copy->out)
    g_object_ref (copy->out);
  copy->label = graph->label;
  copy->work = armilla_job_work (job);
  g_mutex_lock (&graph->lock); /* other threads read the progress of the graph */
  graph->work_asked += copy->work;
  g_mutex_unlock (&graph->lock);
  g_queue_push_tail (&graph->jobs, copy);
}

void
armilla_call_free (gpointer call)
{
  const ArmillaCall *self = call;

  if (self->destroy)
    self->destroy (self->user);
  g_free (call);
}

/* Like armilla_graph_defer(), for a job whose user data are an ArmillaCall. Returns FALSE if there
 * are more inputs than a job can have. @in: its inputs, which may be NULL. */
gboolean
armilla_graph_defer_call (ArmillaGraph *graph, const ArmillaJob *job, ArmillaData *const *in,
                          const ArmillaCall *call, const char *cannot, GError **error)
{
  ArmillaJob whole = *job;

  if (call->n < 0 || (call->n == 0 && in) || call->n > ARMILLA_JOB_INPUTS)
    {
      if (call->destroy)
        call->destroy (call->user);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%d %s together; must be at most %d",
                                                       call->n,
                           cannot, ARMILLA_JOB_INPUTS);
    }
  for (int i = 0; i < call->n; i++)
    whole.in[i] = in[i];
  whole.user = g_memdup2 (call, sizeof *call);
  whole.destroy = armilla_call_free;
  armilla_graph_defer (graph, &whole);
  return TRUE;
}

/* Returns the user data of a job, which the caller owns from now on. */
gpointer
armilla_job_steal_user (ArmillaJob *job)
{
  job->destroy = NULL;
  return g_steal_pointer (&job->user);
}

/* Records that submission failed. Most failures depend on shapes only and happen on all ranks. If
 * one happens on this rank only (for example, too little memory), the other ranks would wait
 * forever for its data, so the run is aborted on all ranks. */
static void
refuse (ArmillaGraph *graph)
{
  armilla_fault_take (armilla_graph_fault (graph), g_error_copy (graph->refused));
#ifdef HAVE_MPI
  if (graph->view.n_ranks > 1 && graph->view.mpi
      && (g_error_matches (graph->refused, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER)
          || g_error_matches (graph->refused, ARMILLA_ERROR, ARMILLA_ERROR_CUDA)
          || g_error_matches (graph->refused, ARMILLA_ERROR, ARMILLA_ERROR_MPI)))
    {
      armilla_graph_blame (graph, graph->label, &graph->refused);
      ARMILLA_OBSERVERS_CALL (&graph->observers, abandoned);
      armilla_runtime_abandon (graph->runtime, graph->refused);
    }
#endif
}

/* Submits the tasks of one job, or of several of one kind, with the label of the first, and frees
 * the jobs. */
static void
run_jobs (ArmillaGraph *graph, ArmillaJob *const *jobs, int n)
{
  graph->label = jobs[0]->label;
  armilla_graph_job_begins (graph, jobs, n);
  ARMILLA_OBSERVERS_CALL (&graph->observers, job_begins, graph);
  /* Later jobs would read data that were never written, so they are dropped. */
  if (!graph->refused
      && !(jobs[0]->kind ? jobs[0]->kind->run (graph, jobs, n, &graph->refused)
                         : jobs[0]->run (graph, jobs[0], &graph->refused)))
    refuse (graph);
  ARMILLA_OBSERVERS_CALL (&graph->observers, job_ends, graph);
  armilla_graph_job_ends (graph);
  for (int i = 0; i < n; i++)
    job_free (jobs[i]);
}

/* Returns the first job of the next realisation. */
static GList *
next_sky (GList *link)
{
  const gint64 index = ((ArmillaJob *) link->data)->label->index;

  while (link && ((ArmillaJob *) link->data)->label->index == index)
    link = link->next;
  return link;
}

/* Executes the jobs of each realisation up to its next job that has a kind. */
static void
run_alone (ArmillaGraph *graph)
{
  for (GList *link = graph->jobs.head, *next; link; link = next)
    {
      ArmillaJob *job = link->data;

      next = job->kind ? next_sky (link) : link->next;
      if (job->kind)
        continue;
      g_queue_delete_link (&graph->jobs, link);
      run_jobs (graph, &job, 1);
    }
}

/* Executes the first job, which has a kind, together with the matching first jobs of other
 * realisations. */
static void
run_together (ArmillaGraph *graph)
{
  g_autofree ArmillaJob **jobs = g_new (ArmillaJob *, g_queue_get_length (&graph->jobs));
  int n = 0;

  for (GList *link = graph->jobs.head, *next; link; link = next)
    {
      ArmillaJob *job = link->data;

      next = next_sky (link);
      if (n > 0
          && (!job->kind || job->kind != jobs[0]->kind || !job->kind->alike (graph, jobs[0], job)))
        continue;
      g_queue_delete_link (&graph->jobs, link);
      jobs[n++] = job;
    }
  run_jobs (graph, jobs, n);
}

/* Executes all requests so far, which submits their tasks, by calling the run function of each job:
 * run_fill() of tasks/data/tap.c, run_analysis() of tasks/harmonic/analysis.c and so on. Blocks
 * while too many tasks are in flight. Every rank calls it at the same point. Returns whether StarPU
 * accepted all tasks; after a failure the rest is dropped and the graph fails, and so does every
 * later call. */
gboolean
armilla_graph_flush (ArmillaGraph *graph, GError **error)
{
  ArmillaLabel *label = graph->label;

  while (!g_queue_is_empty (&graph->jobs))
    {
      run_alone (graph);
      if (!g_queue_is_empty (&graph->jobs))
        run_together (graph);
    }
  graph->label = label;
  if (!graph->bundling) /* an open bundle still uses the tiles */
    armilla_extras_trim (graph->extras, graph);
  if (!graph->refused)
    return TRUE;
  g_propagate_error (error, g_error_copy (graph->refused));
  return FALSE;
}

static void
wait_for_local (ArmillaGraph *graph)
{
  if (graph->in_thread)
    armilla_in_thread_finish (graph->in_thread);
  g_mutex_lock (&graph->lock);
  graph->ending = TRUE;
  while (graph->done < graph->submitted)
    armilla_graph_wait_change (graph);
  graph->ending = FALSE;
  g_mutex_unlock (&graph->lock);
}

/* Waits for the tasks and, if @messages, for the messages of StarPU-MPI. Returns the error. */
GError *
armilla_graph_wait_for_tasks (ArmillaGraph *graph, gboolean messages)
{
  int status;

  wait_for_local (graph);
  /* StarPU-MPI waits in a barrier, in the thread that sends: a rank that reaches it too early does
   * not forward data that it has just received. The ranks find errors of the barrier when they
   * agree. */
  if (messages && graph->view.mpi)
    armilla_runtime_barrier (graph->runtime);
  /* StarPU counts a task until its worker has handled its end; the worker sleeps after that. */
  for (int i = 0; i < 1000 && starpu_task_nsubmitted () > 0 && graph->rests; i++)
    g_thread_yield ();
  if (starpu_task_nsubmitted () > 0)
    armilla_runtime_wake (graph->runtime);
#ifdef HAVE_MPI
  if (messages && graph->view.mpi)
    status = starpu_mpi_wait_for_all (graph->view.comm);
  else
#endif
    status = starpu_task_wait_for_all ();
  (void) messages;
  if (status == 0)
    return NULL;
  return g_error_new (ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER, "StarPU cannot wait for tasks: %s",
                      g_strerror (-status));
}

gboolean
armilla_graph_wait (ArmillaGraph *graph, GError **error)
{
  g_autoptr (GError) unnamed = NULL;
  GError *local;

  armilla_graph_flush (graph, NULL); /* a failure is recorded in the graph, and reported below */
  armilla_graph_unbundle (graph, NULL);
  local = armilla_graph_wait_for_tasks (graph, TRUE);
  graph->last_epoch_over = graph->epoch_number;
  if (!local && armilla_fault_is_set (&graph->fault))
    {
      local = g_error_copy (graph->fault.first);
      armilla_graph_blame (graph, armilla_graph_culprit (graph), &local);
    }
  if (!armilla_graph_agree (graph, local, error))
    {
      g_ptr_array_set_size (graph->parts, 0);
      g_ptr_array_set_size (graph->outputs, 0);
      return FALSE;
    }
  local = armilla_graph_join_parts (graph);
  unnamed = armilla_graph_name_outputs (graph);
  if (!local)
    local = g_steal_pointer (&unnamed);
  return armilla_graph_agree (graph, local, error);
}

/* Drops the requests that have not been executed. */
void
armilla_graph_drop_jobs (ArmillaGraph *graph)
{
  ArmillaJob *job;

  while ((job = g_queue_pop_head (&graph->jobs)))
    job_free (job);
}
