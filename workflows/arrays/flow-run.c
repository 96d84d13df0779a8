/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs workflows with the workers of a session. */
#include "config.h"

#include "tasks/arrays/ranks.h"
#include "workflows/arrays/flow.h"
#include "workflows/arrays/result.h"
#include "workflows/run/runner.h"

/* Rejects settings of the workflow that a session determines for all that it computes. */
static gboolean
check_settings (const ArmillaWorkflow *workflow, gint64 memory, GError **error)
{
  if (workflow->checkpoint > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: arrays cannot be restored from checkpoints; set workflow.checkpoint "
                         "to 0 s, or use armilla run",
                         workflow->document->path);
  if (workflow->spill)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: spill: a session stores tiles in TMPDIR or /var/tmp; leave it out, "
                         "or use armilla run", workflow->document->path);
  if (workflow->report)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: report: only armilla run writes a report; leave it out, or use "
                         "armilla run", workflow->document->path);
  if (workflow->memory > 0 && (memory == 0 || (double) memory > workflow->memory))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: memory: the workflow allows at most %.0f bytes; start the session "
                         "with that much memory or less", workflow->document->path,
                         workflow->memory);
  return TRUE;
}

ArmillaStatus
armilla_flow_run (ArmillaFlow *flow, ArmillaSession *session, int overwrite,
                  ArmillaFailure *failure)
{
  const ArmillaRunOptions options
    = { .overwrite = overwrite != 0, .silent = TRUE, .calls = flow->nodes->len > 0,
        .watch = &flow->watch };
  g_autoptr (ArmillaWorkflow) workflow = NULL;
  GError *error = NULL, *wrong = NULL;
  gboolean well = FALSE;

  g_ptr_array_set_size (flow->results, 0);
  workflow = armilla_flow_load (flow, &wrong);
  if (workflow)
    check_settings (workflow, session->options.memory, &wrong);
  if (armilla_ranks_enter (session, "a run of a workflow", wrong, &error))
    {
      well = armilla_run (workflow, session->runtime, &options, &error)
             && armilla_results_broadcast (flow->results, session->runtime, &error);
      armilla_session_leave (session);
    }
  if (!well)
    g_ptr_array_set_size (flow->results, 0);
  return armilla_flow_end (flow, failure, error);
}

void
armilla_flow_progress (ArmillaFlow *flow, ArmillaFlowProgress *progress)
{
  ArmillaProgressState state;

  armilla_watch_read (&flow->watch, &state);
  *progress = (ArmillaFlowProgress) { .realisation = state.index, .n_realisations = state.n,
                                      .n_done = state.n_done, .share = state.share,
                                      .seconds = state.seconds };
}
