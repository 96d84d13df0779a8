/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/runtime/share.h"
#include "tasks/trace/trace-private.h"

/* Starts recording what the graph does. Collective. One graph per process can be traced at a time.
 * Returns whether the ranks could compare their clocks. */
gboolean
armilla_graph_trace (ArmillaGraph *graph, GError **error)
{
  armilla_trace_new (graph);
  return armilla_trace_clock (graph, 0, error);
}

/* Returns the tasks and host steps submitted on all ranks together; the same on every rank. */
gint64
armilla_graph_n_submitted (ArmillaGraph *graph)
{
  return armilla_graph_get_trace (graph)->serial;
}

/* Gathers the records of all ranks and writes them as Chrome trace events. Collective. Returns
 * whether the file was written, the same on all ranks. @output: used on rank 0 (may be NULL). */
gboolean
armilla_graph_write_trace (ArmillaGraph *graph, const ArmillaTraceInfo *info,
                           ArmillaOutput *output, GError **error)
{
  ArmillaRuntime *runtime = graph->runtime;
  ArmillaTraceRank *ranks;
  GError *local = NULL;
  gboolean written;

  armilla_trace_sampler_stop (armilla_graph_get_trace (graph)->sampler);
  /* Otherwise workers would poll for tasks while the file is written. */
  armilla_runtime_pause (runtime);
  if (!armilla_trace_clock (graph, 1, error))
    return FALSE;
  ranks = armilla_trace_gather (graph, &local);
  if (!local && runtime->rank == 0
      && armilla_trace_write (graph, ranks, info, armilla_output_temporary (output), &local))
    armilla_output_commit (output, &local);
  armilla_trace_ranks_free (ranks, runtime->n_ranks);
  written = armilla_runtime_agree (runtime, local, error);
  /* After a failure or Ctrl-C no Paje trace is made, for which StarPU needs long. */
  runtime->traced = written && !info->failure;
  return written;
}
