/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "workflows/runner.h"

#include <armilla/trace.h>
#include <stdio.h>
#include <string.h>

#include "workflows/blame.h"
#include "workflows/describe.h"
#include "workflows/progress.h"
#include "workflows/realisation.h"

#define MOST_TRIES 500 /* realisations at either end that are tried beforehand */

/* What the user reads instead is the graph's own error. */
static gboolean
set_stopped (GError **error)
{
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED, "the run was stopped");
  return FALSE;
}

/* Prepares realisations and forgets them again: a file that is missing for the last one is told
 * before the first task, and the memory of one realisation is enough. Of very many, only the first
 * and the last ones are tried, so that the run begins within seconds. */
static gboolean
try_all (const ArmillaWorkflow *workflow, ArmillaRunContext context, ArmillaGraph *graph,
         GError **error)
{
  for (context.index = 0; context.index < workflow->repeat; context.index++)
    {
      ArmillaRealisation *realisation;

      if (context.index == MOST_TRIES)
        context.index = MAX (context.index, workflow->repeat - MOST_TRIES);
      if (context.resume != NULL && armilla_resume_done (context.resume, context.index))
        continue;
      if (graph != NULL && armilla_graph_failed (graph))
        return set_stopped (error);
      realisation = armilla_realisation_prepare (workflow, &context, error);
      if (realisation == NULL)
        return FALSE;
      armilla_realisation_free (realisation);
    }
  return TRUE;
}

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

/* Outputs of several ranks get their names when the ranks have agreed that nothing failed, which
 * waits for all tasks. Rank 0 says when it is time for that. */
static gboolean
name_outputs (ArmillaRuntime *runtime, ArmillaGraph *graph, ArmillaResume *resume, GError **error)
{
  g_autoptr (GByteArray) due = g_byte_array_new ();
  guint8 is_due = armilla_resume_due (resume);

  g_byte_array_append (due, &is_due, 1);
  return armilla_runtime_share (runtime, due, error)
         && (due->data[0] == FALSE || armilla_graph_wait (graph, error));
}

/* Opens the journal, and says what is left to do. */
static gboolean
begin_resume (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, ArmillaGraph *graph,
              const ArmillaRunOptions *options, ArmillaResume **resume, GError **error)
{
  if (!options->resume && workflow->checkpoint == 0)
    return TRUE;
  *resume = armilla_resume_new (workflow, runtime, options->overwrite, error);
  if (*resume == NULL)
    return FALSE;
  armilla_graph_set_commit_hook (graph, armilla_resume_note, *resume);
  if (!options->silent)
    {
      g_autofree char *text = armilla_resume_describe (*resume);

      fprintf (stderr, "%s\n", text);
    }
  return TRUE;
}

/* Ranks submit the same tasks, so that none of them may turn back alone: they agree after
 * preparing, and a rank whose tasks have failed says so there. */
static gboolean
run_realisation (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, ArmillaGraph *graph,
                 const ArmillaRunContext *context, ArmillaProgress *progress, GError **error)
{
  g_autoptr (ArmillaRealisation) realisation = NULL;
  GError *local = NULL;

  if (context->resume != NULL && armilla_resume_done (context->resume, context->index))
    return TRUE;
  if (armilla_graph_failed (graph))
    set_stopped (&local);
  else if (context->resume == NULL
           || armilla_resume_begin (context->resume, context->index, &local))
    realisation = armilla_realisation_prepare (workflow, context, &local);
  if (!armilla_runtime_agree (runtime, local, error))
    return FALSE;
  armilla_progress_realisation (progress, context->index);
  return armilla_realisation_build (realisation, graph, armilla_progress_node, progress, error)
         && armilla_graph_flush (graph, error)
         && (context->resume == NULL || context->n_ranks == 1
             || name_outputs (runtime, graph, context->resume, error));
}

/* Opens the file of the trace, so that what cannot be written is known before the first task. */
static gboolean
begin_trace (ArmillaRuntime *runtime, ArmillaGraph *graph, const ArmillaRunOptions *options,
             ArmillaOutput **output, GError **error)
{
  GError *local = NULL;

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

/* @failure: (inout): why the run failed, or NULL. A trace that cannot be written fails a run that
 * did not; of a run that did, it is only told. */
static void
end_trace (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, ArmillaGraph *graph,
           const ArmillaRunOptions *options, ArmillaOutput *output, GError **failure)
{
  ArmillaTraceInfo info = { .program = PACKAGE_STRING,
                            .command = options->command,
                            .workflow = workflow->document->path,
                            .failure = *failure != NULL ? (*failure)->message : NULL };
  g_autoptr (GError) error = NULL;

  if (*failure != NULL && armilla_graph_n_submitted (graph) == 0)
    g_set_error_literal (&error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "no task was run");
  else if (armilla_graph_write_trace (graph, &info, output, &error))
    {
      if (!options->silent && armilla_runtime_paje (runtime) != NULL)
        fprintf (stderr, "trace in %s, Paje trace in %s\n", options->trace,
                 armilla_runtime_paje (runtime));
      else if (!options->silent)
        fprintf (stderr, "trace in %s (no Paje trace: this StarPU was built without FxT)\n",
                 options->trace);
      return;
    }
  g_prefix_error (&error, "no trace in %s: ", options->trace);
  if (*failure == NULL)
    g_propagate_error (failure, g_steal_pointer (&error));
  else if (armilla_graph_rank (graph) == 0)
    fprintf (stderr, "armilla: %s\n", error->message);
}

/**
 * armilla_run:
 * @workflow: a workflow without problems
 * @runtime: the runtime
 * @options: how to run it
 * @error: return location
 *
 * Runs all realisations of a workflow in one task graph and waits for their end. Collective: every
 * rank calls it.
 *
 * Returns: whether the run went well, the same on all ranks; otherwise the error of a stage,
 *   prefixed with the place of its node, or of a task
 */
gboolean
armilla_run (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
             const ArmillaRunOptions *options, GError **error)
{
  ArmillaTilingOptions tiling = { workflow->ring_block, workflow->m_blocks,
                                  workflow->interpolation };
  ArmillaRunContext context = { options->overwrite, armilla_runtime_n_ranks (runtime),
                                armilla_runtime_rank (runtime), 0, NULL };
  g_autoptr (GError) building = NULL;
  g_autoptr (GError) running = NULL;
  g_autoptr (ArmillaResume) resume = NULL;
  g_autoptr (ArmillaGraph) graph = NULL;
  g_autoptr (ArmillaOutput) trace = NULL;
  ArmillaProgress *progress;
  GError *local = NULL;

  /* First of all: from here on a signal finds something to stop. */
  graph = armilla_graph_new (runtime, &tiling, error);
  if (graph == NULL || !begin_trace (runtime, graph, options, &trace, error)
      || (!options->precompute
          && !begin_resume (workflow, runtime, graph, options, &resume, error)))
    return FALSE;
  context.resume = resume;
  armilla_graph_set_blame (graph, blame, (gpointer) workflow);
  if (options->precompute)
    {
      armilla_graph_set_precomputes (graph);
      context.overwrite = TRUE; /* what outputs would replace stays as it is */
    }
  else if (workflow->repeat > 1)
    try_all (workflow, context, graph, &local);
  if (armilla_runtime_agree (runtime, local, &building))
    {
      progress = armilla_progress_new (workflow, graph, options->silent);
      while (context.index < (options->precompute ? 1 : workflow->repeat)
             && run_realisation (workflow, runtime, graph, &context, progress, &building))
        context.index++;
      armilla_progress_all_submitted (progress);
      /* Even after a failure: what is on its way must end before its memory goes. */
      armilla_graph_wait (graph, &running);
      armilla_progress_free (progress, building == NULL && running == NULL);
    }
  else
    armilla_graph_wait (graph, &running);
  /* The task that failed tells more than the realisation that was not begun because of it. */
  if (running == NULL)
    running = g_steal_pointer (&building);
  if (running == NULL && resume != NULL)
    armilla_resume_end (resume, &running);
  if (options->trace != NULL)
    end_trace (workflow, runtime, graph, options, trace, &running);
  if (running == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&running));
  return FALSE;
}

static void
plan_node (gpointer user, const ArmillaNode *node, ArmillaData *const *outputs)
{
  GString *text = user;

  g_string_append_printf (text, "[%s] %s\n", node->name, node->klass->nick);
  for (int i = 0; i < node->n_outputs; i++)
    {
      g_autofree char *shape = armilla_describe_data (outputs[i]);

      g_string_append_printf (text, "  %s: %s\n",
                              armilla_stage_port (node->klass, ARMILLA_PORT_OUT, i)->name, shape);
    }
}

/**
 * armilla_plan:
 * @workflow: a workflow without problems
 * @options: how it would be run
 * @error: return location
 *
 * Prepares all realisations, so that whatever can be known before the first task is found, and
 * tells what a run would do.
 *
 * Returns: (transfer full) (nullable): the nodes in the order of the run, with the shapes of their
 *   outputs; or %NULL with the first stage's error
 */
char *
armilla_plan (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options, GError **error)
{
  ArmillaRunContext context = { options->overwrite, 1, 0, 0, NULL };
  g_autoptr (ArmillaRealisation) first = armilla_realisation_prepare (workflow, &context, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (first == NULL)
    return NULL;
  if (workflow->repeat > 1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " realisations of:\n", workflow->repeat);
  armilla_realisation_visit (first, plan_node, text);
  g_clear_pointer (&first, armilla_realisation_free);
  if (workflow->repeat > 1 && !try_all (workflow, context, NULL, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
