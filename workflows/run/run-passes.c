/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs all passes: builds realisations in batches, lets nodes collect their results in order, and
 * then runs the passes after them. */
#include "workflows/run/run-passes.h"

#include "tasks/graph/graph.h"
#include "tasks/ranks/deal.h"
#include "tasks/ranks/parts.h"
#include "tasks/runtime/share.h"
#include "workflows/file/passes.h"
#include "workflows/run/progress.h"

/* Maximum number of files that several ranks write and that have no final name yet: each needs
 * memory for headers, and on rank 0 perhaps a file descriptor. */
#define MAX_PARTS 64

/* Sets the error of a rank that stops because the graph has failed, whose error is reported
 * instead. Returns FALSE. */
gboolean
armilla_passes_stopped (GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_CANCELLED, "the run was stopped");
}

/* Gives files that several ranks write their final names: waits for all tasks, and agrees with the
 * other ranks that nothing failed. Does nothing until the checkpoint interval of rank 0 is over. */
static gboolean
name_outputs (ArmillaRuntime *runtime, ArmillaGraph *graph, ArmillaResume *resume, GError **error)
{
  g_autoptr (GByteArray) due = g_byte_array_new ();
  guint8 is_due = armilla_resume_due (resume);

  g_byte_array_append (due, &is_due, 1);
  return armilla_runtime_share (runtime, due, error)
         && (due->data[0] == FALSE || armilla_graph_wait (graph, error));
}

static ArmillaRealisation *
prepare (const ArmillaWorkflow *workflow, ArmillaGraph *graph, const ArmillaRunContext *context,
         GError **error)
{
  if (armilla_graph_failed (graph))
    return armilla_passes_stopped (error), NULL;
  if (context->resume != NULL && !armilla_resume_begin (context->resume, context->pass, error))
    return NULL;
  return armilla_realisation_prepare (workflow, context, error);
}

/* Returns the number of phases of a pass; 1 when tables are precomputed, since no files are written
 * that later phases could read. */
static int
n_phases (const ArmillaPasses *run, gint64 pass)
{
  return run->options->precompute ? 1 : armilla_pass_n_phases (run->workflow, pass);
}

/* Moves the error @local to @error. If @shared, all ranks get an error if one has: none may stop
 * alone. */
static gboolean
agree (const ArmillaPasses *run, gboolean shared, GError *local, GError **error)
{
  if (shared)
    return armilla_runtime_agree (run->runtime, local, error);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* Prepares a realisation and requests its work: on this rank only or, if @shared, on all ranks. A
 * rank whose tasks have failed reports it here. */
static gboolean
ask (const ArmillaPasses *run, const ArmillaRunContext *context, GPtrArray *batch, gboolean shared,
     GError **error)
{
  GError *local = NULL;
  ArmillaRealisation *realisation
    = prepare (run->workflow, run->graph, context, &local);

  if (realisation != NULL)
    g_ptr_array_add (batch, realisation);
  if (!agree (run, shared, local, error))
    return FALSE;
  if (shared)
    armilla_progress_realisation (run->progress, context->pass);
  for (int phase = 0; phase < n_phases (run, context->pass); phase++)
    {
      if (phase > 0)
        {
          /* the files of this phase get their final names */
          if (!armilla_graph_wait (run->graph, error))
            return FALSE;
          armilla_realisation_prepare_phase (realisation, phase, &local);
          if (!agree (run, shared, local, error))
            return FALSE;
        }
      if (!armilla_realisation_build (realisation, run->graph, armilla_progress_node,
                                      run->progress, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
submit_batch (const ArmillaPasses *run, GPtrArray *batch, GError **error)
{
  return armilla_realisations_submit (batch, run->graph, armilla_progress_node, run->progress,
                                      error);
}

/* Submits a batch of realisations; as one bundle, for one worker, if they are small. */
static gboolean
submit_realisations (const ArmillaPasses *run, GPtrArray *batch, GError **error)
{
  gboolean ok;

  if (run->together.small)
    armilla_graph_bundle_begin (run->graph);
  ok = submit_batch (run, batch, error);
  return armilla_graph_bundle_end (run->graph, ok ? error : NULL) && ok;
}

/* Computes the remaining realisations one batch after the other, shared by all ranks. */
static void
run_shared (const ArmillaPasses *run, ArmillaRunContext context, GError **error)
{
  g_autoptr (GPtrArray) batch = armilla_realisations_new ();
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < run->left->len; i++)
    {
      const gboolean last = (i + 1) % run->together.n == 0 || i + 1 == run->left->len;

      context.pass = g_array_index (run->left, gint64, i);
      ok = ask (run, &context, batch, TRUE, error);
      if (ok && run->options->calls && armilla_workflow_n_passes (run->workflow) == 1)
        armilla_graph_run_small_in_thread (run->graph);
      if (ok && last)
        ok = submit_realisations (run, batch, error)
             && (armilla_graph_n_parts (run->graph) < MAX_PARTS
                 || armilla_graph_wait (run->graph, error))
             && (context.resume == NULL || context.n_ranks == 1
                 || name_outputs (run->runtime, run->graph, context.resume, error));
    }
}

static void
begin_realisation (gpointer user, gint64 pass)
{
  armilla_progress_realisation (user, pass);
}

/* Computes @n of the remaining realisations on this rank, from realisation @first on. */
static gboolean
run_some (const ArmillaPasses *run, ArmillaRunContext context, gint64 first, gint64 n,
          GError **error)
{
  g_autoptr (GPtrArray) batch = armilla_realisations_new ();
  guint i = 0;

  while (g_array_index (run->left, gint64, i) != first)
    i++;
  for (; n > 0; n--, i++)
    {
      context.pass = g_array_index (run->left, gint64, i);
      if (!ask (run, &context, batch, FALSE, error)
          || (batch->len == run->together.n && !submit_realisations (run, batch, error)))
        return FALSE;
    }
  return submit_realisations (run, batch, error);
}

/* Returns the ends, in the list of remaining realisations, of the groups that one rank must
 * compute: single realisations, or lots if data are collected. */
static GArray *
cut_lots (const ArmillaPasses *run)
{
  const gboolean collects = armilla_workflow_collects (run->workflow);
  GArray *lots = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint end = 1; end <= run->left->len; end++)
    {
      const gboolean last = end == run->left->len;
      const gint64 index = g_array_index (run->left, gint64, end - 1);
      const gint64 next = last ? -1 : g_array_index (run->left, gint64, end);

      if (last || !collects
          || armilla_pass_lot (run->workflow, index) != armilla_pass_lot (run->workflow, next))
        g_array_append_val (lots, end);
    }
  return lots;
}

/* Computes the realisations that this rank gets during the run, in batches. */
static void
run_dealt (ArmillaPasses *run, ArmillaRunContext context, GError **error)
{
  g_autoptr (GArray) lots = cut_lots (run);
  g_autoptr (ArmillaDeal) deal
    = armilla_deal_new (run->runtime, run->graph, run->left, lots, run->together.n,
                        begin_realisation, run->progress, error);
  GError *local = NULL;
  gint64 first, n;

  if (deal == NULL)
    return;
  while ((first = armilla_deal_next (deal, local != NULL, &n)) >= 0)
    {
      run_some (run, context, first, n, &local);
      armilla_deal_begun (deal);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  else if (!run->options->silent)
    {
      g_autofree char *text = armilla_deal_describe (deal);

      armilla_log (run->options->log_time, "%s\n", text);
    }
}

/* Runs the pass after the last realisation of a point: on this rank alone if @whole, otherwise on
 * all ranks. */
static gboolean
run_last_pass (const ArmillaPasses *run, const ArmillaRunContext *context, gboolean whole,
               GError **error)
{
  g_autoptr (GPtrArray) batch = armilla_realisations_new ();

  if (whole)
    armilla_progress_realisation (run->progress, context->pass);
  return ask (run, context, batch, !whole, error) && submit_batch (run, batch, error);
}

/* Runs the passes after the last realisation of each point, when all data are collected. If ranks
 * compute whole realisations (@whole), rank r runs the passes of the points r, r + n_ranks, ... */
static void
run_last (const ArmillaPasses *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  const ArmillaWorkflow *workflow = run->workflow;
  const int n_ranks = whole ? armilla_runtime_n_ranks (run->runtime) : 1;
  const int rank = whole ? armilla_runtime_rank (run->runtime) : 0;
  gboolean ok = TRUE;

  for (gint64 point = 0; ok && point < armilla_sweep_points_count (workflow->points); point++)
    {
      context.pass = armilla_pass_last_of (workflow, point);
      if (point % n_ranks == rank
          && (context.resume == NULL || !armilla_resume_done (context.resume, context.pass)))
        ok = run_last_pass (run, &context, whole, error);
    }
}

/* Submits the shared pass: the work that is equal in all realisations. A resumed run needs all of
 * it, too. */
static gboolean
make_once (const ArmillaPasses *run, GError **error)
{
  GError *local = NULL;

  if (armilla_realisation_build (run->once, run->graph, armilla_progress_node, run->progress,
                                 &local))
    armilla_graph_flush (run->graph, &local);
  return armilla_runtime_agree (run->runtime, local, error);
}

/* Runs the pass after the last point; on one rank only if ranks compute whole realisations
 * (@whole). */
static void
run_end (const ArmillaPasses *run, ArmillaRunContext context, gboolean whole, GError **error)
{
  context.pass = armilla_workflow_n_passes (run->workflow) - 1;
  if ((!whole || armilla_runtime_rank (run->runtime) == 0)
      && (context.resume == NULL || !armilla_resume_done (context.resume, context.pass)))
    run_last_pass (run, &context, whole, error);
}

/* Waits until the files of all lots are complete, then runs the passes that read them. @failure:
 * (inout): error of this rank; on return, error of any rank. */
static void
run_after (const ArmillaPasses *run, const ArmillaRunContext *context, gboolean whole,
           void (*after) (const ArmillaPasses *run, ArmillaRunContext context, gboolean whole,
                          GError **error), GError **failure)
{
  GError *local = g_steal_pointer (failure);

  if (local == NULL)
    armilla_graph_wait (run->graph, &local);
  if (armilla_runtime_agree (run->runtime, local, failure))
    after (run, *context, whole, failure);
}

static void
run_passes (ArmillaPasses *run, const ArmillaRunContext *context, gboolean whole, GError **error)
{
  GError *local = NULL;

  if (whole)
    run_dealt (run, *context, &local);
  else
    run_shared (run, *context, &local);
  if (armilla_workflow_has_last (run->workflow) && !run->options->precompute)
    run_after (run, context, whole, run_last, &local);
  if (armilla_workflow_has_end (run->workflow) && !run->options->precompute)
    run_after (run, context, whole, run_end, &local);
  if (local != NULL)
    g_propagate_error (error, local);
}

/* Runs all passes. @whole: whether ranks compute whole realisations. Collective. */
void
armilla_passes_run (ArmillaPasses *self, const ArmillaRunContext *context, gboolean whole,
                    GError **error)
{
  if (self->together.once && !make_once (self, error))
    return;
  if (self->once != NULL)
    armilla_realisation_keep_same (self->once);
  run_passes (self, context, whole, error);
}
