/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides in which kinds of passes each node runs: in realisations, after the last realisation of a
 * point, after the last point. */

#include "workflows/file/links.h"
#include "workflows/file/passes.h"

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  /* [node]: first kind of pass in which all its inputs exist: LAST if it needs collected data, END
   * if it needs joined data */
  ArmillaNodePasses *after;
  gboolean *varies; /* [node]: whether its outputs differ between realisations */
  gboolean *keyed;  /* [node]: whether its outputs differ between points of the sweep */
} Search;

static gboolean
varies_itself (const ArmillaNode *node)
{
  gboolean varies = node->klass != NULL && node->klass->draws;

  for (guint i = 0; i < node->settings->len; i++)
    varies |= g_array_index (node->settings, ArmillaSetting, i).by_index;
  return varies;
}

static gboolean
is_keyed_itself (const ArmillaNode *node)
{
  for (guint i = 0; i < node->settings->len; i++)
    if (g_array_index (node->settings, ArmillaSetting, i).by_keys != 0)
      return TRUE;
  return FALSE;
}

/* Returns the first kind of pass in which the outputs of a node exist. */
static ArmillaNodePasses
given_after (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  if (armilla_node_joins (node))
    return ARMILLA_PASS_END;
  return armilla_node_collects (node) ? MAX (ARMILLA_PASS_LAST, search->after[number])
                                      : search->after[number];
}

static void
depend (const Search *search, int number, int source, ArmillaNodePasses after)
{
  search->after[number] = MAX (search->after[number], after);
  search->varies[number] |= search->varies[source];
  search->keyed[number] |= search->keyed[source];
}

static void
find_after (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  search->after[number] = ARMILLA_PASS_EACH;
  search->varies[number] = varies_itself (node);
  search->keyed[number] = is_keyed_itself (node);
  for (int i = 0; i < node->n_inputs; i++)
    if (node->inputs[i].node >= 0)
      depend (search, number, node->inputs[i].node, given_after (search, node->inputs[i].node));
  for (guint i = 0; i < node->reads->len; i++)
    {
      const int writer = g_array_index (node->reads, ArmillaRead, i).node;

      depend (search, number, writer, search->after[writer]);
    }
}

/* Reports a node that runs after the last realisation but needs data of each realisation. */
static void
check_after (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  for (int i = 0; i < node->n_inputs; i++)
    {
      const int source = node->inputs[i].node;
      const ArmillaNode *from = source >= 0 ? armilla_workflow_node (search->workflow, source)
                                            : NULL;

      if (from == NULL || given_after (search, source) != ARMILLA_PASS_EACH
          || !search->varies[source])
        continue;
      armilla_link_complain (search->problems, node, i,
                             "this node runs once, after the last realisation, since it depends on "
                             "collected data; the output of %s differs between realisations and is "
                             "not available then: collect it too, or remove this input",
                             from->name);
    }
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (setting->by_index)
        armilla_problems_add (search->problems, setting->entry->value_place, node->name,
                              setting->entry->key,
                              "this node runs once, after the last realisation, since it depends "
                              "on collected data; ${index} cannot be used here");
    }
}

/* Reports a node that runs after the last point but needs data of each point. */
static void
check_end (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  for (int i = 0; i < node->n_inputs; i++)
    {
      const int source = node->inputs[i].node;
      const ArmillaNodePasses given = source >= 0 ? given_after (search, source)
                                                  : ARMILLA_PASS_END;

      if (given == ARMILLA_PASS_END
          || (given == ARMILLA_PASS_EACH && !search->varies[source] && !search->keyed[source]))
        continue;
      armilla_link_complain (search->problems, node, i,
                             "this node runs once, after the last point of the sweep, since it "
                             "depends on data of all points; the output of %s differs between "
                             "points or realisations and is not available then: join it too, or "
                             "remove this input",
                             armilla_workflow_node (search->workflow, source)->name);
    }
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (setting->by_index || setting->by_keys != 0)
        armilla_problems_add (search->problems, setting->entry->value_place, node->name,
                              setting->entry->key,
                              "this node runs once, after the last point of the sweep, since it "
                              "depends on data of all points; %s cannot be used here",
                              setting->by_index ? "${index}" : "a swept key");
    }
}

/* Reports a node that joins the points of a sweep but cannot: there is no sweep, or it would not
 * read one input of each point. */
static void
check_joiner (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  if (armilla_sweep_points_n_keys (search->workflow->points) == 0)
    armilla_problems_add (search->problems, node->group->place, node->name, NULL,
                          "%s joins the points of a sweep, but [workflow] has no sweep",
                          node->klass->nick);
  for (int i = 0; i < node->n_inputs; i++)
    {
      const int source = node->inputs[i].node;
      const ArmillaNodePasses given = source >= 0 ? given_after (search, source)
                                                  : ARMILLA_PASS_LAST;

      if (given == ARMILLA_PASS_END)
        armilla_link_complain (search->problems, node, i,
                               "%s reads an output of each point of the sweep, but %s runs only "
                               "once, after the last one", node->klass->nick,
                               armilla_workflow_node (search->workflow, source)->name);
      else if (given == ARMILLA_PASS_EACH && search->workflow->repeat > 1
               && search->varies[source])
        armilla_link_complain (search->problems, node, i,
                               "%s reads one table or spectra of each point, but the output of %s "
                               "differs between realisations: connect an output of collect",
                               node->klass->nick,
                               armilla_workflow_node (search->workflow, source)->name);
    }
}

static void
check_collector (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);

  for (int i = 0; i < node->n_inputs && search->after[number] != ARMILLA_PASS_EACH; i++)
    if (node->inputs[i].node >= 0)
      armilla_link_complain (search->problems, node, i,
                             "%s collects an output of each realisation, but %s runs only once, "
                             "after the last one, since it depends on collected data",
                             node->klass->nick,
                             armilla_workflow_node (search->workflow, node->inputs[i].node)->name);
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (setting->by_index)
        armilla_problems_add (search->problems, setting->entry->value_place, node->name,
                              setting->entry->key,
                              "%s must be the same in all realisations; ${index} cannot be used "
                              "here",
                              node->klass->nick);
    }
}

/* Returns whether a node writes a file that is equal in all realisations; it is written once, after
 * the last one. */
static gboolean
is_constant_output (const Search *search, int number)
{
  return search->workflow->repeat > 1 && !search->varies[number]
         && armilla_written_setting (armilla_workflow_node (search->workflow, number)) != NULL;
}

/* Returns the kinds of passes in which a node runs, whatever its readers need. A node that joins
 * points reads its input after the last realisation of each point or, if points have one
 * realisation, in that. */
static ArmillaNodePasses
own_passes (const Search *search, int number)
{
  const ArmillaNode *node = armilla_workflow_node (search->workflow, number);
  const ArmillaNodePasses after = search->after[number];

  if (armilla_node_joins (node))
    return ARMILLA_PASS_END
           | (after == ARMILLA_PASS_EACH && search->workflow->repeat == 1 ? ARMILLA_PASS_EACH
                                                                          : ARMILLA_PASS_LAST);
  if (armilla_node_collects (node) && after == ARMILLA_PASS_EACH)
    return ARMILLA_PASS_EACH | ARMILLA_PASS_LAST;
  if (after == ARMILLA_PASS_EACH && is_constant_output (search, number))
    return ARMILLA_PASS_LAST;
  return after == ARMILLA_PASS_EACH ? 0 : after;
}

/* Sets the kinds of passes in which each node runs, from the last node back to the first. A node
 * whose outputs are equal in all realisations does not run in each of them if only later passes
 * need its outputs. */
static void
find_needed (const Search *search)
{
  const ArmillaWorkflow *workflow = search->workflow;
  const guint n = workflow->nodes->len;
  g_autofree ArmillaNodePasses *wanted = g_new0 (ArmillaNodePasses, n + 1);
  g_autofree gboolean *used = g_new0 (gboolean, n + 1);

  for (guint i = workflow->order->len; i-- > 0;)
    {
      const int number = g_array_index (workflow->order, int, i);
      ArmillaNode *node = armilla_workflow_node (workflow, number);

      node->passes = own_passes (search, number);
      if (node->passes == 0)
        node->passes = used[number] ? wanted[number] : ARMILLA_PASS_EACH;
      for (int k = 0; k < node->n_inputs; k++)
        {
          const int source = node->inputs[k].node;

          if (source < 0)
            continue;
          used[source] = TRUE;
          for (guint kind = ARMILLA_PASS_EACH; kind <= ARMILLA_PASS_END; kind <<= 1)
            if (!armilla_node_gives (node, kind))
              wanted[source] |= node->passes & kind;
        }
    }
}

/* Returns whether all properties of the node are equal in all passes, and it draws no random
 * numbers and reads no files that the run writes. */
static gboolean
is_same (const ArmillaNode *node)
{
  if (node->klass->draws || armilla_node_collects (node) || node->phase > 0
      || node->n_outputs == 0)
    return FALSE;
  for (guint i = 0; i < node->settings->len; i++)
    if (g_array_index (node->settings, ArmillaSetting, i).varies)
      return FALSE;
  return TRUE;
}

/* Marks nodes that are equal in all passes, such as masks and their matrices: they are prepared and
 * computed once. */
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

/* Decides which nodes run in realisations, after the last one and after the last point; reports
 * nodes that cannot run in any of these. The connections must be valid. */
void
armilla_workflow_find_roles (ArmillaWorkflow *self, ArmillaProblems *problems)
{
  g_autofree ArmillaNodePasses *after = g_new0 (ArmillaNodePasses, self->nodes->len + 1);
  g_autofree gboolean *varies = g_new0 (gboolean, self->nodes->len + 1);
  g_autofree gboolean *keyed = g_new0 (gboolean, self->nodes->len + 1);
  const Search search = { self, problems, after, varies, keyed };

  for (guint i = 0; i < self->order->len; i++)
    find_after (&search, g_array_index (self->order, int, i));
  for (guint i = 0; i < self->order->len; i++)
    {
      const int number = g_array_index (self->order, int, i);

      if (armilla_node_joins (armilla_workflow_node (self, number)))
        check_joiner (&search, number);
      else if (armilla_node_collects (armilla_workflow_node (self, number)))
        check_collector (&search, number);
      else if (after[number] == ARMILLA_PASS_END)
        check_end (&search, number);
      else if (after[number] == ARMILLA_PASS_LAST)
        check_after (&search, number);
    }
  find_needed (&search);
  find_once (&search);
}
