/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "workflows/run/runner.h"

#include <string.h>

#include "core/base/memory.h"
#include "tasks/graph/graph.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/data/need.h"
#include "tasks/runtime/share.h"
#include "tasks/trace/trace.h"
#include "workflows/file/workflow.h"
#include "workflows/file/passes.h"
#include "workflows/run/progress.h"
#include "workflows/run/realisation.h"
#include "workflows/run/run-passes.h"
#include "workflows/run/together.h"

/* Number of realisations per rank from which on each rank computes whole ones. The time lost at the
 * end, when some ranks have no more work, is then less than the time for which ranks that share
 * realisations wait for each other's tiles. */
#define MANY_PER_RANK 3

static void
blame (gpointer user, const char *name, gint64 index, GError **error)
{
  const ArmillaWorkflow *workflow = user;

  for (guint i = 0; name != NULL && i < workflow->nodes->len; i++)
    if (strcmp (armilla_workflow_node (workflow, (int) i)->name, name) == 0)
      {
        armilla_blame_node (workflow, armilla_workflow_node (workflow, (int) i), index, error);
        return;
      }
  armilla_blame_workflow (workflow, error);
}

/* Opens the journal and finds the realisations that remain. */
static gboolean
begin_resume (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
              const ArmillaRunOptions *options, ArmillaResume **resume, GError **error)
{
  if (!options->resume && workflow->checkpoint == 0)
    return TRUE;
  *resume = armilla_resume_new (workflow, runtime, options->overwrite, error);
  if (*resume == NULL)
    return FALSE;
  if (!options->silent)
    {
      g_autofree char *text = armilla_resume_describe (*resume);

      armilla_log (options->log_time, "%s\n", text);
    }
  return TRUE;
}

/* Opens the trace file, so that a failure to create it is reported before the first task. */
static gboolean
begin_trace (ArmillaRuntime *runtime, ArmillaGraph *graph, const ArmillaRunOptions *options,
             ArmillaOutput **output, double *start, GError **error)
{
  GError *local = NULL;

  *start = armilla_progress_program_seconds ();
  if (options->trace == NULL)
    return TRUE;
  if (armilla_runtime_rank (runtime) == 0)
    {
      *output = armilla_output_new (options->trace, options->overwrite, &local);
      if (local != NULL)
        g_prefix_error (&local, "--trace: ");
    }
  return armilla_runtime_agree (runtime, local, error) && armilla_graph_trace (graph, error);
}

/* Writes the trace, also of a failed run. @failure: (inout): error of the run, or NULL. If the
 * trace cannot be written, a successful run fails; a failed run stores the reason in its result. */
static void
end_trace (const ArmillaTally *tally, ArmillaRuntime *runtime, ArmillaGraph *graph,
           const ArmillaRunOptions *options, ArmillaOutput *output, double start,
           GError **failure)
{
  g_autofree char *files = *failure == NULL ? armilla_tally_json (tally) : NULL;
  ArmillaTraceInfo info = { .program = PACKAGE_STRING,
                            .command = options->command,
                            .workflow = tally->workflow->document->path,
                            .files = files,
                            .failure = *failure != NULL ? (*failure)->message : NULL,
                            .start = start };
  g_autoptr (GError) error = NULL;

  if (*failure != NULL && armilla_runtime_max (runtime, armilla_graph_n_submitted (graph)) == 0)
    g_set_error_literal (&error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "no task was run");
  else if (armilla_graph_write_trace (graph, &info, output, &error))
    {
      if (options->result != NULL)
        options->result->traced = TRUE;
      return;
    }
  if (*failure != NULL && options->result != NULL)
    options->result->untraced = g_strdup (error->message);
  if (*failure != NULL)
    return;
  g_prefix_error (&error, "no trace in %s: ", options->trace);
  g_propagate_error (failure, g_steal_pointer (&error));
}

/* Lists the realisations that remain to be computed. (element-type gint64) */
static GArray *
find_remaining (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options,
           const ArmillaResume *resume)
{
  gint64 n = options->precompute ? 1 : armilla_workflow_n_realisations (workflow);
  GArray *left = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 index = 0; index < n; index++)
    if (resume == NULL || !armilla_resume_done (resume, index))
      g_array_append_val (left, index);
  return left;
}

/* Returns whether each rank computes whole realisations, provided that one fits into its memory. */
gboolean
armilla_run_deals_whole (const ArmillaWorkflow *workflow, gint64 n_left, int n_ranks)
{
  if (n_ranks == 1 || workflow->deal == ARMILLA_DEALING_BLOCKS || n_left < 2)
    return FALSE;
  return workflow->deal != ARMILLA_DEALING_AUTO || n_left >= MANY_PER_RANK * n_ranks
         || n_left % n_ranks == 0;
}

/* Returns the number of units that are distributed to ranks: realisations, or lots if data are
 * collected. */
static gint64
count_remaining (const ArmillaWorkflow *workflow, const GArray *left)
{
  gint64 n = 0, before = -1;

  if (!armilla_workflow_collects (workflow))
    return left->len;
  for (guint i = 0; i < left->len; i++)
    {
      const gint64 lot = armilla_pass_lot (workflow, g_array_index (left, gint64, i));

      n += lot != before;
      before = lot;
    }
  return n;
}

/* Returns the context of passes that all ranks share. */
static ArmillaRunContext
context_of_all (ArmillaRuntime *runtime, const ArmillaRunOptions *options)
{
  const int n_ranks = armilla_runtime_n_ranks (runtime);

  return (ArmillaRunContext) {
    .overwrite = options->overwrite,
    .n_ranks = n_ranks,
    .rank = armilla_runtime_rank (runtime),
    .memories = (double) n_ranks / armilla_runtime_n_local_ranks (runtime),
    .bound = armilla_runtime_memory (runtime),
  };
}

/* Changes the context to one of passes that this rank computes alone. */
static void
be_alone (ArmillaRunContext *context, ArmillaRuntime *runtime)
{
  context->n_ranks = 1;
  context->rank = 0;
  context->memories = 1.0 / armilla_runtime_n_local_ranks (runtime);
}

static gboolean
new_graph (ArmillaPasses *run, gboolean alone, GError **error)
{
  const ArmillaWorkflow *workflow = run->workflow;
  const ArmillaTilingOptions tiling
    = { workflow->ring_block, workflow->m_blocks, workflow->interpolation };

  run->graph = alone ? armilla_graph_new_alone (run->runtime, &tiling, error)
                     : armilla_graph_new (run->runtime, &tiling, error);
  if (run->graph != NULL)
    armilla_workflow_expect (workflow, run->graph);
  return run->graph != NULL;
}

/* Returns whether this rank has enough memory to compute a whole realisation. */
static gboolean
try_alone (ArmillaPasses *run, ArmillaRunContext context, GError **error)
{
  g_autoptr (ArmillaRealisation) first = NULL;

  be_alone (&context, run->runtime);
  context.graph = run->graph;
  run->once = armilla_tries_once (run->workflow, &context, run->left, error);
  if (run->once == NULL)
    return FALSE;
  context.once = run->once;
  context.pass = g_array_index (run->left, gint64, 0);
  context.tries = TRUE;
  first = armilla_realisation_prepare (run->workflow, &context, error);
  return first != NULL;
}

/* Creates the graph of the run. If ranks should compute whole realisations but one of them cannot
 * hold one, all ranks share each realisation. */
static gboolean
choose_deal (ArmillaPasses *run, ArmillaRunContext context, gboolean *whole, GError **error)
{
  const int n = armilla_runtime_n_ranks (run->runtime);
  g_autoptr (GError) agreed = NULL;
  GError *local = NULL;

  *whole = FALSE;
  if (!armilla_run_deals_whole (run->workflow, count_remaining (run->workflow, run->left), n))
    return new_graph (run, FALSE, error);
  if (!new_graph (run, TRUE, error))
    return FALSE;
  try_alone (run, context, &local);
  *whole = armilla_runtime_agree (run->runtime, local, &agreed);
  if (*whole)
    return TRUE;
  g_clear_pointer (&run->once, armilla_realisation_free);
  g_clear_pointer (&run->graph, armilla_graph_free);
  if (run->workflow->deal == ARMILLA_DEALING_AUTO
      && g_error_matches (agreed, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY))
    return new_graph (run, FALSE, error);
  g_propagate_error (error, g_steal_pointer (&agreed));
  return FALSE;
}

/* Finds the size of batches for this rank, and which data realisations share. */
static gboolean
count_together (const ArmillaPasses *run, const ArmillaRunContext *context, gboolean whole,
                ArmillaTogether *together, GError **error)
{
  const gboolean many
    = armilla_graph_expect_skies (run->graph, armilla_workflow_n_realisations (run->workflow));
  double memory = (double) context->bound;

  if (context->bound == 0 && !armilla_memory_available (&memory, error))
    return FALSE;
  if (context->bound == 0)
    memory *= context->memories;
  *together = armilla_realisations_together (run->workflow, run->once, memory, run->left->len,
                                             whole ? armilla_runtime_n_ranks (run->runtime) : 1,
                                             armilla_graph_bundle_workers (run->graph));
  /* with several phases, each realisation must wait for its own files */
  if (!many || armilla_pass_n_phases (run->workflow, 0) > 1)
    together->n = 1;
  return TRUE;
}

/* Chooses the size of batches, the same on all ranks, although some may have a GPU and others
 * none. */
static gboolean
choose_together (ArmillaPasses *run, const ArmillaRunContext *context, gboolean whole,
                 GError **error)
{
  GError *local = NULL;

  run->together = (ArmillaTogether) { .n = 1 };
  if (run->once == NULL)
    return TRUE;
  count_together (run, context, whole, &run->together, &local);
  if (!armilla_runtime_agree (run->runtime, local, error))
    return FALSE;
  run->together.n = -armilla_runtime_max (run->runtime, -run->together.n);
  run->together.once = -armilla_runtime_max (run->runtime, -(gint64) run->together.once) > 0;
  return TRUE;
}

/* Prepares passes to find errors before the first task. */
static gboolean
try_run (ArmillaPasses *run, ArmillaRunContext *context, GError **error)
{
  if (armilla_workflow_n_passes (run->workflow) == 1 || run->options->precompute)
    return TRUE;
  if (run->once == NULL)
    run->once = armilla_tries_once (run->workflow, context, run->left, error);
  context->once = run->once;
  return run->once != NULL && armilla_tries_all (run->workflow, context, error);
}

static void
run_all (ArmillaPasses *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  g_autoptr (GError) building = NULL;
  g_autoptr (GError) running = NULL;
  GError *local = NULL;

  try_run (run, &context, &local);
  if (armilla_runtime_agree (run->runtime, local, &building)
      && choose_together (run, &context, whole, &building))
    {
      run->progress = armilla_progress_new (run->workflow, run->graph, run->tally,
                                            run->options->silent, run->options->log_time);
      armilla_watch_set (run->options->watch, run->progress);
      armilla_passes_run (run, &context, whole, &building);
      g_clear_pointer (&run->once, armilla_realisation_free);
      armilla_progress_all_submitted (run->progress);
      /* Also after a failure: tasks in flight use memory that is freed next. */
      armilla_graph_wait (run->graph, &running);
      armilla_watch_set (run->options->watch, NULL);
    }
  else
    {
      g_clear_pointer (&run->once, armilla_realisation_free);
      armilla_graph_wait (run->graph, &running);
    }
  /* The error of a task caused that of the pass that was being built, so it is reported. */
  if (running == NULL)
    running = g_steal_pointer (&building);
  /* Reports outputs that failed while others were written. */
  if (running == NULL)
    armilla_graph_check_apart (run->graph, &running);
  /* Graphs of single ranks do not know errors of other ranks. */
  if (whole)
    armilla_runtime_agree (run->runtime, g_steal_pointer (&running), &running);
  if (running == NULL)
    armilla_tally_gather (run->tally, run->runtime, run->graph, &running);
  if (run->progress != NULL)
    armilla_progress_free (run->progress, running == NULL);
  if (running != NULL)
    g_propagate_error (error, g_steal_pointer (&running));
}

void
armilla_run_result_clear (ArmillaRunResult *self)
{
  g_clear_pointer (&self->tally, armilla_tally_free);
  g_clear_pointer (&self->untraced, g_free);
}

/* Removes the files of collected data after all ranks have read them. */
static void
remove_collected (const ArmillaPasses *run, gboolean whole)
{
  if (armilla_workflow_collects (run->workflow) && whole)
    armilla_runtime_agree (run->runtime, NULL, NULL);
  if (armilla_runtime_rank (run->runtime) == 0)
    armilla_collecting_remove (run->collecting);
}

/* Runs all passes of a workflow in one task graph, and waits for their end. Collective, with the
 * same result on all ranks; errors of stages begin with the node's place. */
gboolean
armilla_run (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
             const ArmillaRunOptions *options, GError **error)
{
  ArmillaRunContext context = context_of_all (runtime, options);
  ArmillaPasses run
    = { .workflow = workflow, .runtime = runtime, .options = options, .together = { .n = 1 } };
  g_autoptr (GArray) left = NULL;
  g_autoptr (GError) failure = NULL;
  g_autoptr (ArmillaResume) resume = NULL;
  g_autoptr (ArmillaGraph) graph = NULL;
  g_autoptr (ArmillaRealisation) once = NULL;
  g_autoptr (ArmillaCollecting) collecting = NULL;
  g_autoptr (ArmillaOutput) trace = NULL;
  g_autoptr (ArmillaTally) tally = NULL;
  gboolean whole;
  double start;

  if (!options->precompute && !begin_resume (workflow, runtime, options, &resume, error))
    return FALSE;
  collecting = armilla_collecting_new (workflow, runtime, resume, error);
  if (collecting == NULL)
    return FALSE;
  context.resume = resume;
  context.collecting = run.collecting = collecting;
  run.left = left = find_remaining (workflow, options, resume);
  if (!choose_deal (&run, context, &whole, error))
    return FALSE;
  /* From here on a signal can stop the run. */
  context.graph = graph = run.graph;
  once = run.once;
  if (!begin_trace (runtime, graph, options, &trace, &start, error))
    return FALSE;
  run.tally = tally = armilla_tally_new (workflow, armilla_graph_rank (graph) == 0);
  if (options->precompute)
    {
      armilla_graph_set_precomputes (graph);
      context.overwrite = TRUE; /* existing outputs do not matter: precomputing writes none */
    }
  if (resume != NULL)
    armilla_graph_set_commit_hook (graph, armilla_resume_note, resume);
  if (whole)
    be_alone (&context, runtime);
  armilla_graph_set_blame (graph, blame, (gpointer) workflow);
  run.once = g_steal_pointer (&once);
  run_all (&run, context, whole, &failure);
  remove_collected (&run, whole);
  if (failure == NULL && resume != NULL)
    armilla_resume_end (resume, &failure);
  if (options->trace != NULL)
    end_trace (tally, runtime, graph, options, trace, start, &failure);
  if (options->result != NULL)
    options->result->tally = g_steal_pointer (&tally);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
