/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins/base/stage-util.h"

/**
 * armilla_stage_need_file:
 * @path: (nullable): value of a property "file"
 * @error: return location
 *
 * Returns: whether there is a name at all; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_stage_need_file (const char *path, GError **error)
{
  if (path != NULL && path[0] != '\0')
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "file is not set; give the name of a file");
}

/**
 * armilla_stage_output_open:
 * @self: an output, zero at first; what it held is dropped
 * @path: (nullable): value of the property "file"
 * @context: the run
 * @data: what will be written
 * @error: return location
 *
 * Makes the temporary file on rank 0, and the lines for HISTORY.
 *
 * Returns: whether the file can be made; %ARMILLA_ERROR_VALUE without a name, %ARMILLA_ERROR_IO
 */
gboolean
armilla_stage_output_open (ArmillaStageOutput *self, const char *path,
                           const ArmillaStageContext *context, ArmillaData *data, GError **error)
{
  armilla_stage_output_clear (self);
  if (!armilla_stage_need_file (path, error))
    return FALSE;
  self->history = armilla_stage_history (context, data);
  if (context->rank == 0)
    self->output = armilla_output_new (path, context->overwrite, error);
  return context->rank != 0 || self->output != NULL;
}

/**
 * armilla_stage_output_take:
 * @self: an output
 * @from: an output that is empty afterwards
 * @graph: the graph that commits it
 *
 * Moves an output from a stage to what the I/O threads hold.
 */
void
armilla_stage_output_take (ArmillaStageOutput *self, ArmillaStageOutput *from, ArmillaGraph *graph)
{
  *self = (ArmillaStageOutput) { graph, armilla_graph_fault (graph),
                                 g_steal_pointer (&from->output),
                                 g_steal_pointer (&from->history) };
}

/**
 * armilla_stage_output_share:
 * @self: an output that armilla_stage_output_take() moved
 * @path: value of the property "file"
 * @can: whether what is written has its place in the file from the beginning
 * @shared: (out): whether every rank writes its rows; rank 0 writes all otherwise
 * @error: return location
 *
 * Where several ranks run the graph, has them find the same temporary file. Collective.
 *
 * Returns: %FALSE with %ARMILLA_ERROR_MPI when the ranks cannot talk
 */
gboolean
armilla_stage_output_share (ArmillaStageOutput *self, const char *path, gboolean can,
                            gboolean *shared, GError **error)
{
  *shared = FALSE;
  return !can || armilla_graph_share_output (self->graph, path, &self->output, shared, error);
}

/**
 * armilla_stage_output_commit:
 * @self: an output whose temporary file is complete
 * @error: return location
 *
 * Returns: whether the file got its name, or will when all ranks agree; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_stage_output_commit (ArmillaStageOutput *self, GError **error)
{
  return armilla_graph_commit (self->graph, self->fault, g_steal_pointer (&self->output), error);
}

/* What the I/O thread holds while it writes a table. */
typedef struct {
  ArmillaStageOutput output;
  ArmillaTableFormat format;
} TableSink;

static void
table_sink_free (gpointer data)
{
  armilla_stage_output_clear (&((TableSink *) data)->output);
  g_free (data);
}

static gboolean
table_sink_take (gpointer user, const ArmillaTable *table, GError **error)
{
  TableSink *sink = user;

  return armilla_table_write (sink->output.output, table, sink->format, sink->output.history, error)
         && armilla_stage_output_commit (&sink->output, error);
}

/**
 * armilla_stage_output_table:
 * @from: the output of a stage, empty afterwards
 * @graph: the graph
 * @table: what is written once it is there
 * @format: format of the file
 * @error: return location
 *
 * Returns: whether the graph has taken the order
 */
gboolean
armilla_stage_output_table (ArmillaStageOutput *from, ArmillaGraph *graph, ArmillaTableData *table,
                            ArmillaTableFormat format, GError **error)
{
  TableSink *sink = g_new0 (TableSink, 1);

  armilla_stage_output_take (&sink->output, from, graph);
  sink->format = format;
  return armilla_graph_drain_table (graph, table, table_sink_take, sink, table_sink_free, error);
}

/**
 * armilla_stage_output_clear:
 * @self: an output
 *
 * Removes a temporary file that was not committed.
 */
void
armilla_stage_output_clear (ArmillaStageOutput *self)
{
  g_clear_pointer (&self->output, armilla_output_free);
  g_clear_pointer (&self->history, g_strfreev);
}
