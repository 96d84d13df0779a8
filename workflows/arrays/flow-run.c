/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread of its own runs the workflow: the one that called tells its caller how far the run is,
 * and is free to stop it. */
#include "config.h"

#include "tasks/arrays/ranks.h"
#include "tasks/runtime/runtime.h"
#include "workflows/arrays/flow.h"
#include "workflows/arrays/hand-out.h"
#include "workflows/file/passes.h"
#include "workflows/run/runner.h"

#define INTERVAL (G_USEC_PER_SEC / 10)
#define SOON (G_USEC_PER_SEC / 100) /* while a run is being stopped */

typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaRunOptions options;
  ArmillaWatch watch;
  GMutex lock;
  GCond changed;
  gboolean done;   /* guarded by lock */
  gboolean well;
  GError *error;
} Run;

static gpointer
run_thread (gpointer data)
{
  Run *run = data;
  GError *error = NULL;
  gboolean well = armilla_run (run->workflow, run->runtime, &run->options, &error);

  g_mutex_lock (&run->lock);
  run->well = well;
  run->error = error;
  run->done = TRUE;
  g_cond_signal (&run->changed);
  g_mutex_unlock (&run->lock);
  return NULL;
}

static gboolean
wait_for (Run *run, gint64 interval)
{
  const gint64 end = g_get_monotonic_time () + interval;
  gboolean done;

  g_mutex_lock (&run->lock);
  while (!run->done && g_cond_wait_until (&run->changed, &run->lock, end))
    ;
  done = run->done;
  g_mutex_unlock (&run->lock);
  return done;
}

static ArmillaFlowProgress
progress_of (Run *run)
{
  ArmillaProgressState state;

  armilla_watch_read (&run->watch, &state);
  return (ArmillaFlowProgress) { .realisation = state.index,
                                 .n_realisations = armilla_workflow_n_realisations (run->workflow),
                                 .n_done = state.n_done,
                                 .share = state.share,
                                 .seconds = state.seconds };
}

/* Until the run has ended. */
static void
watch_run (Run *run, ArmillaFlowTell tell, void *user)
{
  ArmillaFlowProgress progress;
  gboolean stops = FALSE, stopped = FALSE;

  while (!wait_for (run, stops && !stopped ? SOON : INTERVAL))
    {
      if (!stops && tell)
        {
          progress = progress_of (run);
          stops = tell (user, &progress) != 0;
        }
      if (stops && !stopped)
        stopped = armilla_runtime_cancel (run->runtime, "the caller");
    }
  if (!run->well || !tell)
    return;
  progress = progress_of (run);
  progress.realisation = progress.n_realisations - 1;
  progress.share = 1;
  tell (user, &progress);
}

/* What a session decides for all that it computes cannot be had for one workflow. */
static gboolean
check_settings (const ArmillaWorkflow *workflow, gint64 memory, GError **error)
{
  if (workflow->checkpoint > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: arrays cannot be brought back from checkpoints; set "
                         "workflow.checkpoint to 0 s, or use armilla run",
                         workflow->document->path);
  if (workflow->spill)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: spill: tiles of a session go to TMPDIR or /var/tmp; leave it out, or "
                         "use armilla run", workflow->document->path);
  if (workflow->report)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: report: only armilla run writes a page of a run; leave it out, or "
                         "use armilla run", workflow->document->path);
  if (workflow->memory > 0 && (memory == 0 || (double) memory > workflow->memory))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: memory: the workflow wants to take no more than %.0f bytes; start "
                         "the session with that much memory or less", workflow->document->path,
                         workflow->memory);
  return TRUE;
}

/* With the session's workers. */
static gboolean
run_loaded (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, gboolean overwrite,
            ArmillaFlowTell tell, void *user, GError **error)
{
  Run run = { .workflow = workflow, .runtime = runtime };
  g_autoptr (GError) no_thread = NULL;
  GThread *thread;

  run.options = (ArmillaRunOptions) { .overwrite = overwrite, .silent = TRUE,
                                      .watch = &run.watch };
  armilla_watch_init (&run.watch);
  g_mutex_init (&run.lock);
  g_cond_init (&run.changed);
  thread = g_thread_try_new ("armilla-run", run_thread, &run, &no_thread);
  if (thread)
    {
      watch_run (&run, tell, user);
      g_thread_join (thread);
      armilla_runtime_uncancel (runtime);
    }
  else
    g_set_error (&run.error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
                 "the run's thread cannot be started: %s", no_thread->message);
  if (run.error)
    g_propagate_error (error, run.error);
  g_cond_clear (&run.changed);
  g_mutex_clear (&run.lock);
  armilla_watch_clear (&run.watch);
  return run.well;
}

ArmillaStatus
armilla_flow_run (ArmillaFlow *flow, ArmillaSession *session, int overwrite, ArmillaFlowTell tell,
                  void *user, ArmillaFailure *failure)
{
  g_autoptr (ArmillaWorkflow) workflow = NULL;
  GError *error = NULL, *wrong = NULL;
  gboolean well = FALSE;

  g_ptr_array_set_size (flow->results, 0);
  workflow = armilla_flow_load (flow, &wrong);
  if (workflow)
    check_settings (workflow, session->options.memory, &wrong);
  if (armilla_ranks_enter (session, "a run of a workflow", wrong, &error))
    {
      well = run_loaded (workflow, session->runtime, overwrite != 0, tell, user, &error)
             && armilla_results_hand_out (flow->results, session->runtime, &error);
      armilla_session_let_go (session);
    }
  if (!well)
    g_ptr_array_set_size (flow->results, 0);
  return armilla_flow_end (flow, failure, error);
}
