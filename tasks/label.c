/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who asked for a task: labels go from the runner through the jobs to the tasks. */
#include "config.h"

#include "tasks/graph-private.h"

/* documented in armilla/runtime.h */
void
armilla_graph_set_label (ArmillaGraph *graph, const char *node, const char *stage, gint64 index)
{
  ArmillaLabel *label = g_new0 (ArmillaLabel, 1);

  label->fault.latch = &graph->fault;
  label->number = (int) graph->labels->len;
  label->node = node ? g_string_chunk_insert_const (graph->names, node) : NULL;
  label->stage = stage ? g_string_chunk_insert_const (graph->names, stage) : NULL;
  label->index = index;
  g_ptr_array_add (graph->labels, label);
  graph->label = label;
}

/**
 * armilla_graph_set_blame:
 * @graph: a graph
 * @blame: (nullable): prefixes errors
 * @user: for @blame
 *
 * Sets what armilla_graph_wait() hands the errors of this rank to before the ranks agree on one.
 */
void
armilla_graph_set_blame (ArmillaGraph *graph, ArmillaBlame blame, gpointer user)
{
  graph->blame = blame;
  graph->blame_user = user;
}

/**
 * armilla_graph_culprit:
 * @graph: a graph that has failed, and whose tasks are done
 *
 * Returns: (transfer none) (nullable): the label of the task that failed first
 */
const ArmillaLabel *
armilla_graph_culprit (ArmillaGraph *graph)
{
  const ArmillaFault *by = graph->fault.by;

  /* Views are the first member of their labels; a signal sets the latch itself. */
  return by && by != &graph->fault ? (const ArmillaLabel *) by : NULL;
}

/**
 * armilla_graph_blame:
 * @graph: a graph
 * @label: (nullable): whose error it is
 * @error: (inout): the error, set
 *
 * Puts the place of the node before the message, where the caller of the graph knows it. That the
 * user stopped the run is nobody's fault.
 */
void
armilla_graph_blame (ArmillaGraph *graph, const ArmillaLabel *label, GError **error)
{
  if (graph->blame && !g_error_matches (*error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED))
    graph->blame (graph->blame_user, label ? label->node : NULL, label ? label->index : 0, error);
}
