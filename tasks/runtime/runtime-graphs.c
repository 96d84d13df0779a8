/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graphs of a runtime, for what ends them all. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/**
 * armilla_runtime_add_graph:
 * @runtime: the runtime
 * @graph: a new graph, which signals shall cancel
 */
void
armilla_runtime_add_graph (ArmillaRuntime *runtime, ArmillaGraph *graph)
{
  g_mutex_lock (&runtime->lock);
  runtime->graphs = g_list_prepend (runtime->graphs, graph);
  if (runtime->stopped_by)
    armilla_signals_cancel (graph, runtime->stopped_by);
  runtime->stopped_by = 0;
  g_mutex_unlock (&runtime->lock);
}

/**
 * armilla_runtime_remove_graph:
 * @runtime: the runtime
 * @graph: a graph that is about to be freed
 */
void
armilla_runtime_remove_graph (ArmillaRuntime *runtime, ArmillaGraph *graph)
{
  g_mutex_lock (&runtime->lock);
  runtime->graphs = g_list_remove (runtime->graphs, graph);
  g_mutex_unlock (&runtime->lock);
}

/**
 * armilla_runtime_fail:
 * @runtime: the runtime
 * @error: why
 *
 * Makes all graphs of this rank fail.
 */
void
armilla_runtime_fail (ArmillaRuntime *runtime, const GError *error)
{
  g_mutex_lock (&runtime->lock);
  for (GList *i = runtime->graphs; i; i = i->next)
    armilla_fault_take (&((ArmillaGraph *) i->data)->fault, g_error_copy (error));
  g_mutex_unlock (&runtime->lock);
}
