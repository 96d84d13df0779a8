/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which nodes are made for each realisation, and which after the last one. */
#include "workflows/file/roles.h"

#include "workflows/file/links.h"
#include "workflows/file/passes.h"
#include "workflows/file/written.h"

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  gboolean *after;  /* [node]: depends on what is collected */
  gboolean *varies; /* [node]: gives something else in each realisation */
} Search;

static gboolean
varies_itself (const ArmillaNode *node)
{
  gboolean varies = node->klass != NULL && node->klass->draws;

  for (guint i = 0; i < node->settings->len; i++)
    varies |= g_array_index (node->settings, ArmillaSetting, i).by_index;
  return varies;
}

static void
find_after (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  search->varies[number] = varies_itself (node);
  for (int i = 0; i < node->n_inputs; i++)
    {
      const int source = node->inputs[i].node;

      if (source < 0)
        continue;
      search->after[number] |= search->after[source]
                               || armilla_node_collects (armilla_workflow_node (search->workflow,
                                                                                source));
      search->varies[number] |= search->varies[source];
    }
  for (guint i = 0; i < node->reads->len; i++)
    {
      const int writer = g_array_index (node->reads, ArmillaRead, i).node;

      search->after[number] |= search->after[writer];
      search->varies[number] |= search->varies[writer];
    }
}

/* A node that runs after the last realisation finds nothing there of what each of them had. */
static void
check_after (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  for (int i = 0; i < node->n_inputs; i++)
    {
      const int source = node->inputs[i].node;
      const ArmillaNode *from = source >= 0 ? armilla_workflow_node (search->workflow, source)
                                            : NULL;

      if (from == NULL || search->after[source] || armilla_node_collects (from)
          || !search->varies[source])
        continue;
      armilla_link_complain (search->problems, node, i,
                             "this node runs once, after the last realisation, since it depends on "
                             "what is collected; %s gives something else in each realisation and "
                             "is not there any more: collect it, too, or take this input out",
                             from->name);
    }
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (setting->by_index)
        armilla_problems_add (search->problems, setting->entry->value_place, node->name,
                              setting->entry->key,
                              "this node runs once, after the last realisation, since it "
                              "depends on what is collected; ${index} cannot be used here: take "
                              "it out");
    }
}

static void
check_collector (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  for (int i = 0; i < node->n_inputs && search->after[number]; i++)
    if (node->inputs[i].node >= 0)
      armilla_link_complain (search->problems, node, i,
                             "%s collects what each realisation gives, but %s is there only once, "
                             "after the last one, since it depends on what is collected",
                             node->klass->nick,
                             armilla_workflow_node (search->workflow, node->inputs[i].node)->name);
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (setting->by_index)
        armilla_problems_add (search->problems, setting->entry->value_place, node->name,
                              setting->entry->key,
                              "%s is the same for all realisations; ${index} cannot be used here",
                              node->klass->nick);
    }
}

/* An output that is the same in all realisations: it is written once, after the last one. */
static gboolean
is_constant_output (const Search *search, int number)
{
  return search->workflow->repeat > 1 && !search->varies[number]
         && armilla_written_setting (armilla_workflow_node (search->workflow, number)) != NULL;
}

/* Which nodes the last pass needs, from the last one back. What is the same in all realisations and
 * only needed there is not made in each of them. */
static void
find_needed (const Search *search)
{
  const ArmillaWorkflow *workflow = search->workflow;
  const guint n = workflow->nodes->len;
  g_autofree gboolean *wanted_each = g_new0 (gboolean, n + 1);
  g_autofree gboolean *wanted_last = g_new0 (gboolean, n + 1);
  g_autofree gboolean *used = g_new0 (gboolean, n + 1);

  for (guint i = workflow->order->len; i-- > 0;)
    {
      const int number = g_array_index (workflow->order, int, i);
      ArmillaNode *node = armilla_workflow_node (workflow, number);
      const gboolean collects = armilla_node_collects (node);
      const gboolean after = search->after[number] || is_constant_output (search, number);

      node->passes = 0;
      if (after || collects || wanted_last[number])
        node->passes |= ARMILLA_PASS_LAST;
      if (!after && (collects || wanted_each[number] || !used[number]))
        node->passes |= ARMILLA_PASS_EACH;
      for (int k = 0; k < node->n_inputs; k++)
        {
          const int source = node->inputs[k].node;

          if (source < 0)
            continue;
          used[source] = TRUE;
          wanted_each[source] |= (node->passes & ARMILLA_PASS_EACH) != 0;
          wanted_last[source] |= (node->passes & ARMILLA_PASS_LAST) != 0 && !collects;
        }
    }
}

/* Gives the same in all passes, as far as its own properties go and what it reads. */
static gboolean
is_same (const ArmillaNode *node)
{
  if (!(node->passes & ARMILLA_PASS_EACH) || node->klass->draws || armilla_node_collects (node)
      || node->phase > 0 || node->n_outputs == 0)
    return FALSE;
  for (guint i = 0; i < node->settings->len; i++)
    if (g_array_index (node->settings, ArmillaSetting, i).varies)
      return FALSE;
  return TRUE;
}

/* What is the same in all passes, masks and their matrices, needs to be made once only. */
static void
find_once (const Search *search)
{
  const ArmillaWorkflow *workflow = search->workflow;

  for (guint i = 0; i < workflow->order->len; i++)
    {
      ArmillaNode *node = armilla_workflow_node (workflow, g_array_index (workflow->order, int, i));
      gboolean once = node->klass != NULL && is_same (node);

      for (int k = 0; k < node->n_inputs && once; k++)
        once = node->inputs[k].node < 0
               || (armilla_workflow_node (workflow, node->inputs[k].node)->passes
                   & ARMILLA_PASS_ONCE) != 0;
      if (once)
        node->passes |= ARMILLA_PASS_ONCE;
    }
}

/**
 * armilla_workflow_find_roles:
 * @self: a workflow whose connections are right
 * @problems: where problems are added
 *
 * Finds which nodes are for each realisation and which for the time after the last one, and
 * complains about those that cannot be for either.
 */
void
armilla_workflow_find_roles (ArmillaWorkflow *self, ArmillaProblems *problems)
{
  g_autofree gboolean *after = g_new0 (gboolean, self->nodes->len + 1);
  g_autofree gboolean *varies = g_new0 (gboolean, self->nodes->len + 1);
  const Search search = { self, problems, after, varies };

  for (guint i = 0; i < self->order->len; i++)
    find_after (&search, g_array_index (self->order, int, i));
  for (guint i = 0; i < self->order->len; i++)
    {
      const int number = g_array_index (self->order, int, i);

      if (armilla_node_collects (armilla_workflow_node (self, number)))
        check_collector (&search, number);
      else if (after[number])
        check_after (&search, number);
    }
  find_needed (&search);
  find_once (&search);
}
