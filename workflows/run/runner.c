/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/base/printable.h"
#include "workflows/run/runner.h"

#include <armilla/harmonic.h>
#include <armilla/memory.h>
#include <armilla/trace.h>
#include <stdio.h>
#include <string.h>

#include "workflows/file/blame.h"
#include "workflows/run/progress.h"
#include "workflows/run/realisation.h"
#include "workflows/run/together.h"

/* From so many realisations a rank on, whole ones are dealt: what is lost at the end, when some
 * ranks have none left, is less than what ranks lose that wait for each other's tiles. */
#define MANY_A_RANK 3
/* Of so many files that several ranks write, each keeps headers (and rank 0 perhaps a descriptor)
 * until they get their names. */
#define MOST_PARTS 64

typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaGraph *graph;
  const ArmillaRunOptions *options;
  ArmillaProgress *progress;
  GArray *left;    /* gint64, realisations that are to be computed */
  gint64 together; /* how many of them at once */
} Run;

/* What the user reads instead is the graph's own error. */
static gboolean
set_stopped (GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_CANCELLED, "the run was stopped");
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

      if (context.index == ARMILLA_RUN_MOST_TRIES)
        context.index = MAX (context.index, workflow->repeat - ARMILLA_RUN_MOST_TRIES);
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

      armilla_print (stderr, "%s\n", text);
    }
  return TRUE;
}

static ArmillaRealisation *
prepare (const ArmillaWorkflow *workflow, ArmillaGraph *graph, const ArmillaRunContext *context,
         GError **error)
{
  if (armilla_graph_failed (graph))
    return set_stopped (error), NULL;
  if (context->resume != NULL && !armilla_resume_begin (context->resume, context->index, error))
    return NULL;
  return armilla_realisation_prepare (workflow, context, error);
}

/* Ranks submit the same tasks, so that none of them may turn back alone: they agree after
 * preparing, and a rank whose tasks have failed says so there. */
static gboolean
ask_shared (const Run *run, const ArmillaRunContext *context, GError **error)
{
  g_autoptr (ArmillaRealisation) realisation = NULL;
  GError *local = NULL;

  realisation = prepare (run->workflow, run->graph, context, &local);
  if (!armilla_runtime_agree (run->runtime, local, error))
    return FALSE;
  armilla_progress_realisation (run->progress, context->index);
  if (!armilla_realisation_build (realisation, run->graph, armilla_progress_node, run->progress,
                                  error))
    return FALSE;
  for (int phase = 1; phase < run->workflow->n_phases && !run->options->precompute; phase++)
    {
      if (!armilla_graph_wait (run->graph, error)) /* now what was written has its name */
        return FALSE;
      armilla_realisation_prepare_phase (realisation, phase, &local);
      if (!armilla_runtime_agree (run->runtime, local, error)
          || !armilla_realisation_build (realisation, run->graph, armilla_progress_node,
                                         run->progress, error))
        return FALSE;
    }
  return TRUE;
}

/* All ranks share each realisation. */
static void
run_shared (const Run *run, ArmillaRunContext context, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < run->left->len; i++)
    {
      const gboolean last = (i + 1) % run->together == 0 || i + 1 == run->left->len;

      context.index = g_array_index (run->left, gint64, i);
      ok = ask_shared (run, &context, error)
           && (!last
               || (armilla_graph_flush (run->graph, error)
                   && (armilla_graph_n_parts (run->graph) < MOST_PARTS
                       || armilla_graph_wait (run->graph, error))
                   && (context.resume == NULL || context.n_ranks == 1
                       || name_outputs (run->runtime, run->graph, context.resume, error))));
    }
}

static void
begin_realisation (gpointer user, gint64 index)
{
  armilla_progress_realisation (user, index);
}

/* The realisations that are dealt with @first. */
static gboolean
run_some (const Run *run, ArmillaRunContext context, gint64 first, GError **error)
{
  guint i = 0;

  while (g_array_index (run->left, gint64, i) != first)
    i++;
  for (guint end = MIN (i + (guint) run->together, run->left->len); i < end; i++)
    {
      g_autoptr (ArmillaRealisation) realisation = NULL;

      context.index = g_array_index (run->left, gint64, i);
      realisation = prepare (run->workflow, run->graph, &context, error);
      if (realisation == NULL
          || !armilla_realisation_build (realisation, run->graph, armilla_progress_node,
                                         run->progress, error))
        return FALSE;
      for (int phase = 1; phase < run->workflow->n_phases; phase++)
        if (!armilla_graph_wait (run->graph, error)
            || !armilla_realisation_prepare_phase (realisation, phase, error)
            || !armilla_realisation_build (realisation, run->graph, armilla_progress_node,
                                           run->progress, error))
          return FALSE;
    }
  return armilla_graph_flush (run->graph, error);
}

/* Each rank computes whole realisations: those that it is dealt. */
static void
run_dealt (const Run *run, ArmillaRunContext context, GError **error)
{
  g_autoptr (ArmillaDeal) deal = armilla_deal_new (run->runtime, run->graph, run->left,
                                                   run->together, begin_realisation,
                                                   run->progress, error);
  GError *local = NULL;
  gint64 first;

  if (deal == NULL)
    return;
  while ((first = armilla_deal_next (deal, local != NULL)) >= 0)
    {
      run_some (run, context, first, &local);
      armilla_deal_begun (deal);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  else if (!run->options->silent)
    {
      g_autofree char *text = armilla_deal_describe (deal);

      armilla_print (stderr, "%s\n", text);
    }
}

/* Opens the file of the trace, so that what cannot be written is known before the first task. */
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

/* @failure: (inout): why the run failed, or NULL. A trace that cannot be written fails a run that
 * did not; of a run that did, it is only told. */
static void
end_trace (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, ArmillaGraph *graph,
           const ArmillaRunOptions *options, ArmillaOutput *output, double start,
           GError **failure)
{
  ArmillaTraceInfo info = { .program = PACKAGE_STRING,
                            .command = options->command,
                            .workflow = workflow->document->path,
                            .failure = *failure != NULL ? (*failure)->message : NULL,
                            .start = start };
  g_autoptr (GError) error = NULL;

  if (*failure != NULL && armilla_runtime_most (runtime, armilla_graph_n_submitted (graph)) == 0)
    g_set_error_literal (&error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "no task was run");
  else if (armilla_graph_write_trace (graph, &info, output, &error))
    {
      if (!options->silent && armilla_runtime_paje (runtime) != NULL)
        armilla_print (stderr, "trace in %s, Paje trace in %s\n", options->trace,
                       armilla_runtime_paje (runtime));
      else if (!options->silent)
        armilla_print (stderr,
                       "trace in %s (no Paje trace: this StarPU was built without FxT)\n",
                       options->trace);
      return;
    }
  g_prefix_error (&error, "no trace in %s: ", options->trace);
  if (*failure == NULL)
    g_propagate_error (failure, g_steal_pointer (&error));
  else if (armilla_runtime_rank (runtime) == 0)
    armilla_print (stderr, "armilla: %s\n", error->message);
}

/* The realisations that are to be computed. (element-type gint64) */
static GArray *
find_left (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options,
           const ArmillaResume *resume)
{
  gint64 n = options->precompute ? 1 : workflow->repeat;
  GArray *left = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 index = 0; index < n; index++)
    if (resume == NULL || !armilla_resume_done (resume, index))
      g_array_append_val (left, index);
  return left;
}

/**
 * armilla_run_deals_whole:
 * @workflow: a workflow
 * @n_left: realisations that are to be computed
 * @n_ranks: ranks of the run
 *
 * Returns: whether each rank computes whole realisations, where one fits into the memory of each
 */
gboolean
armilla_run_deals_whole (const ArmillaWorkflow *workflow, gint64 n_left, int n_ranks)
{
  if (n_ranks == 1 || workflow->deal == ARMILLA_DEALING_BLOCKS || n_left < 2)
    return FALSE;
  return workflow->deal != ARMILLA_DEALING_AUTO || n_left >= MANY_A_RANK * n_ranks
         || n_left % n_ranks == 0;
}

/* Whether each rank computes whole realisations. A rank that cannot hold one decides for all. */
static gboolean
choose_deal (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, ArmillaRunContext context,
             const GArray *left, gboolean *whole, GError **error)
{
  int n = armilla_runtime_n_ranks (runtime);
  g_autoptr (ArmillaRealisation) first = NULL;
  g_autoptr (GError) agreed = NULL;
  GError *local = NULL;

  *whole = FALSE;
  if (!armilla_run_deals_whole (workflow, left->len, n))
    return TRUE;
  context.index = g_array_index (left, gint64, 0);
  context.n_ranks = 1;
  context.rank = 0;
  context.memories = 1.0 / armilla_runtime_n_ranks_here (runtime);
  first = armilla_realisation_prepare (workflow, &context, &local);
  *whole = armilla_runtime_agree (runtime, local, &agreed);
  if (*whole || (workflow->deal == ARMILLA_DEALING_AUTO
                 && g_error_matches (agreed, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&agreed));
  return FALSE;
}

/* How many realisations can be computed together on this rank. */
static gint64
count_together (const Run *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  g_autoptr (ArmillaRealisation) first = NULL;
  double memory = (double) context.bound;

  if (!armilla_graph_expect_skies (run->graph, run->workflow->repeat) || run->left->len < 2)
    return 1;
  if (context.bound == 0 && !armilla_memory_there (&memory, error))
    return 1;
  if (context.bound == 0)
    memory *= context.memories;
  context.index = g_array_index (run->left, gint64, 0);
  first = armilla_realisation_prepare (run->workflow, &context, error);
  if (first == NULL)
    return 1;
  return armilla_realisations_together (run->workflow, first, memory, run->left->len,
                                        whole ? armilla_runtime_n_ranks (run->runtime) : 1);
}

/* The same on all ranks, of which one may have a GPU and another none. */
static gboolean
choose_together (Run *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  GError *local = NULL;

  run->together = 1;
  if (run->workflow->repeat == 1)
    return TRUE;
  run->together = count_together (run, context, whole, &local);
  if (!armilla_runtime_agree (run->runtime, local, error))
    return FALSE;
  run->together = MAX (1, -armilla_runtime_most (run->runtime, -run->together));
  if (run->workflow->n_phases > 1) /* each waits for its own files */
    run->together = 1;
  return TRUE;
}

/* Submits everything and waits for it. */
static void
run_all (Run *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  g_autoptr (GError) building = NULL;
  g_autoptr (GError) running = NULL;
  GError *local = NULL;

  if (run->workflow->repeat > 1 && !run->options->precompute)
    try_all (run->workflow, context, run->graph, &local);
  if (armilla_runtime_agree (run->runtime, local, &building)
      && choose_together (run, context, whole, &building))
    {
      run->progress = armilla_progress_new (run->workflow, run->graph, run->options->silent);
      armilla_watch_set (run->options->watch, run->progress);
      if (whole)
        run_dealt (run, context, &building);
      else
        run_shared (run, context, &building);
      armilla_progress_all_submitted (run->progress);
      /* Even after a failure: what is on its way must end before its memory goes. */
      armilla_graph_wait (run->graph, &running);
      armilla_watch_set (run->options->watch, NULL);
      armilla_progress_free (run->progress, building == NULL && running == NULL);
    }
  else
    armilla_graph_wait (run->graph, &running);
  /* The task that failed tells more than the realisation that was not begun because of it. */
  if (running == NULL)
    running = g_steal_pointer (&building);
  /* Graphs of one rank do not know of the others. */
  if (whole)
    armilla_runtime_agree (run->runtime, g_steal_pointer (&running), &running);
  if (running != NULL)
    g_propagate_error (error, g_steal_pointer (&running));
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
  int n_ranks = armilla_runtime_n_ranks (runtime);
  ArmillaRunContext context = { options->overwrite, n_ranks, armilla_runtime_rank (runtime),
                                (double) n_ranks / armilla_runtime_n_ranks_here (runtime), 0,
                                NULL, armilla_runtime_memory (runtime), NULL };
  Run run = { .workflow = workflow, .runtime = runtime, .options = options, .together = 1 };
  g_autoptr (GArray) left = NULL;
  g_autoptr (GError) failure = NULL;
  g_autoptr (ArmillaResume) resume = NULL;
  g_autoptr (ArmillaGraph) graph = NULL;
  g_autoptr (ArmillaOutput) trace = NULL;
  gboolean whole;
  double start;

  if (!options->precompute && !begin_resume (workflow, runtime, options, &resume, error))
    return FALSE;
  context.resume = resume;
  left = find_left (workflow, options, resume);
  if (!choose_deal (workflow, runtime, context, left, &whole, error))
    return FALSE;
  /* From here on a signal finds something to stop. */
  graph = whole ? armilla_graph_new_alone (runtime, &tiling, error)
                : armilla_graph_new (runtime, &tiling, error);
  if (graph == NULL || !begin_trace (runtime, graph, options, &trace, &start, error))
    return FALSE;
  run.graph = context.graph = graph;
  run.left = left;
  armilla_workflow_expect (workflow, graph);
  if (options->precompute)
    {
      armilla_graph_set_precomputes (graph);
      context.overwrite = TRUE; /* what outputs would replace stays as it is */
    }
  if (resume != NULL)
    armilla_graph_set_commit_hook (graph, armilla_resume_note, resume);
  if (whole)
    {
      context.n_ranks = 1;
      context.rank = 0;
      context.memories = 1.0 / armilla_runtime_n_ranks_here (runtime);
    }
  armilla_graph_set_blame (graph, blame, (gpointer) workflow);
  run_all (&run, context, whole, &failure);
  if (failure == NULL && resume != NULL)
    armilla_resume_end (resume, &failure);
  if (options->trace != NULL)
    end_trace (workflow, runtime, graph, options, trace, start, &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static void
plan_node (gpointer user, const ArmillaNode *node, ArmillaData *const *outputs)
{
  GString *text = user;

  g_string_append_printf (text, "[%s] %s\n", node->name, node->klass->nick);
  for (int i = 0; i < node->n_outputs; i++)
    {
      g_autofree char *shape = armilla_data_describe (outputs[i]);

      g_string_append_printf (text, "  %s: %s\n",
                              armilla_stage_port (node->klass, ARMILLA_PORT_OUT, i)->name, shape);
    }
}

/* Nodes whose inputs the run will write. */
static void
plan_later (const ArmillaWorkflow *workflow, GString *text)
{
  for (guint i = 0; i < workflow->order->len; i++)
    {
      const ArmillaNode *node
        = armilla_workflow_node (workflow, g_array_index (workflow->order, int, i));

      if (node->phase == 0)
        continue;
      g_string_append_printf (text, "[%s] %s\n", node->name, node->klass->nick);
      for (guint j = 0; j < node->reads->len; j++)
        g_string_append_printf (text, "  reads what %s writes\n",
                                armilla_workflow_node (workflow,
                                                       g_array_index (node->reads, ArmillaRead, j)
                                                         .node)->name);
      if (node->reads->len == 0)
        g_string_append (text, "  comes after files that the run writes and reads\n");
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
  ArmillaRunContext context = { options->overwrite, 1, 0, 1, 0, NULL, 0, NULL };
  g_autoptr (ArmillaRealisation) first = armilla_realisation_prepare (workflow, &context, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (first == NULL)
    return NULL;
  if (workflow->repeat > 1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " realisations of:\n", workflow->repeat);
  armilla_realisation_visit (first, plan_node, text);
  plan_later (workflow, text);
  g_clear_pointer (&first, armilla_realisation_free);
  if (workflow->repeat > 1 && !try_all (workflow, context, NULL, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
