/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes what a run would do, for armilla check and --dry-run. */
#include "workflows/file/passes.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"

typedef struct {
  GString *text;
  ArmillaNodePasses now;
} Plan;

static void
plan_node (gpointer user, const ArmillaNode *node, gint64 pass, ArmillaData *const *outputs)
{
  const Plan *plan = user;

  (void) pass;
  if (!(node->passes & plan->now))
    return;
  g_string_append_printf (plan->text, "[%s] %s\n", node->name, node->klass->nick);
  for (int i = 0; i < node->n_outputs; i++)
    {
      g_autofree char *shape = outputs[i] != NULL ? armilla_data_describe (outputs[i]) : NULL;

      /* of collecting nodes, the outputs are listed in the pass that produces them */
      if (shape != NULL && !armilla_node_takes (node, plan->now))
        g_string_append_printf (plan->text, "  %s: %s\n",
                                armilla_stage_port (node->klass, ARMILLA_PORT_OUT, i)->name, shape);
    }
}

/* Lists nodes that read files that the run itself writes. */
static void
plan_later (const ArmillaWorkflow *workflow, const Plan *plan)
{
  for (guint i = 0; i < workflow->order->len; i++)
    {
      const ArmillaNode *node
        = armilla_workflow_node (workflow, g_array_index (workflow->order, int, i));

      if (node->phase == 0 || !(node->passes & plan->now))
        continue;
      g_string_append_printf (plan->text, "[%s] %s\n", node->name, node->klass->nick);
      for (guint j = 0; j < node->reads->len; j++)
        g_string_append_printf (plan->text, "  reads what %s writes\n",
                                armilla_workflow_node (workflow,
                                                       g_array_index (node->reads, ArmillaRead, j)
                                                         .node)->name);
      if (node->reads->len == 0)
        g_string_append (plan->text, "  runs after nodes that read files of this run\n");
    }
}

static gboolean
plan_pass (const ArmillaWorkflow *workflow, ArmillaRunContext context, GString *text,
           GError **error)
{
  g_autoptr (ArmillaRealisation) pass = armilla_realisation_prepare (workflow, &context, error);
  Plan plan = { text, armilla_pass_kind (workflow, context.pass) };

  if (pass == NULL)
    return FALSE;
  armilla_realisation_visit (pass, plan_node, &plan);
  plan_later (workflow, &plan);
  return TRUE;
}

/* Prepares all realisations, to find every error that can be found before the first task. Returns a
 * list of the nodes in the order of the run, with the shapes of their outputs. */
char *
armilla_plan (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options, GError **error)
{
  ArmillaRunContext context = { .overwrite = options->overwrite, .n_ranks = 1, .memories = 1 };
  const gint64 n = armilla_workflow_n_realisations (workflow);
  const gint64 n_points = armilla_sweep_points_count (workflow->points);
  g_autoptr (ArmillaRealisation) once = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  context.tries = TRUE;
  if (armilla_workflow_n_passes (workflow) > 1)
    {
      context.once = once = armilla_tries_once (workflow, &context, NULL, error);
      if (once == NULL)
        return NULL;
    }
  if (n_points > 1)
    {
      g_autofree char *first = armilla_sweep_points_describe (workflow->points, 0);
      g_autofree char *last = armilla_sweep_points_describe (workflow->points, n_points - 1);

      g_string_append_printf (text, "%" G_GINT64_FORMAT " points of a sweep, from %s to %s\n",
                              n_points, first, last);
    }
  if (n > 1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " realisations of:\n", n);
  if (!plan_pass (workflow, context, text, error))
    return NULL;
  if (armilla_workflow_has_last (workflow))
    {
      context.pass = armilla_pass_last_of (workflow, 0);
      g_string_append_printf (text, "after the last realisation%s:\n",
                              n_points > 1 ? " of each point" : "");
      if (!plan_pass (workflow, context, text, error))
        return NULL;
    }
  if (armilla_workflow_has_end (workflow))
    {
      context.pass = armilla_workflow_n_passes (workflow) - 1;
      g_string_append (text, "after the last point:\n");
      if (!plan_pass (workflow, context, text, error))
        return NULL;
    }
  if (once != NULL && !armilla_tries_all (workflow, &context, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
