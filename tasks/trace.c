/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/codelet-cost.h"
#include "tasks/trace-private.h"

/* What a tile holds: who wrote it last, and whether this rank has got it. */
typedef struct {
  gint64 writer;
  int rank;
  gboolean here;
} Holder;

/* The record of the host step that this thread is busy with, or NULL; not owned. */
static GPrivate current_step = G_PRIVATE_INIT (NULL);

static double
to_us (const struct timespec *time)
{
  return 1e6 * (double) time->tv_sec + 1e-3 * (double) time->tv_nsec;
}

/* A task of this process whose codelet or stage is @name. */
static ArmillaTraceTask *
record_new (ArmillaGraph *graph, const char *name)
{
  ArmillaTrace *trace = graph->trace;
  ArmillaTraceTask *record = g_new0 (ArmillaTraceTask, 1);
  guint number = 0;

  while (number < trace->names->len && g_ptr_array_index (trace->names, number) != name)
    number++;
  if (number == trace->names->len)
    g_ptr_array_add (trace->names, (gpointer) name);
  record->graph = graph;
  record->serial = trace->serial;
  record->label = graph->label->number;
  record->name = (gint32) number;
  record->submit = starpu_timing_now ();
  return record;
}

static void
add_message (ArmillaGraph *graph, starpu_data_handle_t handle, Holder *holder, gint64 reader)
{
  ArmillaTraceMessage message = { .bytes = (double) starpu_data_get_size (handle),
                                  .writer = holder->writer,
                                  .reader = reader,
                                  .from = holder->rank };

  if (reader < 0)
    message.came = starpu_timing_now ();
  holder->here = TRUE;
  g_array_append_val (graph->trace->messages, message);
}

/* Tiles are sent to the rank that reads them, once for every time they are written. */
static void
follow (ArmillaGraph *graph, starpu_data_handle_t handle, enum starpu_data_access_mode mode,
        int rank)
{
  ArmillaTrace *trace = graph->trace;
  Holder *holder = g_hash_table_lookup (trace->holders, handle);

  if ((mode & STARPU_R) && holder && rank == graph->runtime->rank && !holder->here)
    add_message (graph, handle, holder, trace->serial);
  if (!(mode & STARPU_W))
    return;
  if (!holder)
    {
      holder = g_new (Holder, 1);
      g_hash_table_insert (trace->holders, handle, holder);
    }
  *holder = (Holder) { trace->serial, rank, rank == graph->runtime->rank };
}

/**
 * armilla_trace_task:
 * @graph: a graph that is traced
 * @codelet: the codelet of a task
 * @rank: rank that runs it
 * @args: its arguments
 * @uses: (array length=n_uses): its buffers
 * @n_uses: how many
 *
 * To be called for every task, on every rank, before it is submitted.
 *
 * Returns: (transfer full) (nullable): the record of a task that this rank runs, for
 *   armilla_trace_task_done()
 */
ArmillaTraceTask *
armilla_trace_task (ArmillaGraph *graph, const struct starpu_codelet *codelet, int rank,
                    const void *args, const ArmillaUse *uses, int n_uses)
{
  starpu_data_handle_t *handles = g_newa (starpu_data_handle_t, (gsize) n_uses);
  ArmillaTraceTask *record = NULL;
  ArmillaCost cost;

  for (int i = 0; i < n_uses; i++)
    {
      handles[i] = uses[i].handle;
      if (graph->trace->holders && !(uses[i].mode & STARPU_SCRATCH))
        follow (graph, uses[i].handle, uses[i].mode, rank);
    }
  if (rank == graph->runtime->rank)
    {
      record = record_new (graph, codelet->name);
      armilla_codelet_cost (codelet, args, handles, &cost);
      record->flops = cost.flops;
      record->bytes = cost.bytes;
    }
  graph->trace->serial++;
  return record;
}

/**
 * armilla_trace_task_done:
 * @data: (transfer full): the record of a task
 *
 * The call-back of a task that is traced: keeps its record, and ends the piece of work.
 */
void
armilla_trace_task_done (void *data)
{
  ArmillaTraceTask *record = data;
  ArmillaTrace *trace = record->graph->trace;
  ArmillaEpoch *epoch = record->epoch;
  const struct starpu_task *task = starpu_task_get_current ();
  const struct starpu_profiling_task_info *info = task ? task->profiling_info : NULL;
  int worker = starpu_worker_get_id ();

  if (info)
    {
      record->ready = to_us (&info->push_start_time);
      record->taken = to_us (&info->acquire_data_start_time);
      record->start = to_us (&info->start_time);
      record->end = to_us (&info->end_time);
      record->place = info->workerid;
    }
  else
    {
      record->ready = record->taken = record->start = record->end = starpu_timing_now ();
      record->place = MAX (worker, 0);
    }
  record->late = armilla_fault_is_set (&record->graph->fault);
  if (worker >= 0 && worker < trace->n_workers)
    g_ptr_array_add (trace->done[worker], record);
  else
    {
      g_mutex_lock (&trace->lock);
      g_ptr_array_add (trace->host, record);
      g_mutex_unlock (&trace->lock);
    }
  armilla_work_done (epoch);
}

/**
 * armilla_trace_host_step:
 * @graph: a graph that is traced
 * @rank: rank that does a host step
 * @tiles: (array length=n_tiles): its tiles
 * @modes: (array length=n_tiles): how it accesses them
 * @n_tiles: how many
 *
 * As armilla_trace_task() for a host step.
 *
 * Returns: (transfer full) (nullable): its record on the rank that does it
 */
ArmillaTraceTask *
armilla_trace_host_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles,
                         const enum starpu_data_access_mode *modes, int n_tiles)
{
  ArmillaTraceTask *record = NULL;
  double bytes = 0;

  for (int i = 0; i < n_tiles; i++)
    {
      bytes += 8.0 * (double) tiles[i].n;
      if (graph->trace->holders)
        follow (graph, tiles[i].handle, modes[i], rank);
    }
  if (rank == graph->runtime->rank)
    {
      const char *name = graph->label->stage ? graph->label->stage : "host";

      record = record_new (graph, graph->step ? graph->step : name);
      record->bytes = bytes;
      record->host = TRUE;
    }
  graph->trace->serial++;
  return record;
}

/**
 * armilla_trace_host_ready:
 * @record: (nullable): the record of a host step whose tiles are all there
 */
void
armilla_trace_host_ready (ArmillaTraceTask *record)
{
  if (record)
    record->ready = starpu_timing_now ();
}

/**
 * armilla_trace_host_begin:
 * @record: (nullable): the record of a host step that begins, in its I/O thread
 */
void
armilla_trace_host_begin (ArmillaTraceTask *record)
{
  ArmillaTrace *trace;

  if (!record)
    return;
  trace = record->graph->trace;
  record->taken = starpu_timing_now ();
  g_mutex_lock (&trace->lock);
  record->place = 0;
  while (record->place < ARMILLA_TRACE_TRACKS - 1 && (trace->tracks >> record->place & 1))
    record->place++;
  trace->tracks |= G_GUINT64_CONSTANT (1) << record->place;
  record->start = starpu_timing_now (); /* now the track is free */
  g_mutex_unlock (&trace->lock);
  g_private_set (&current_step, record);
}

/**
 * armilla_trace_host_finish:
 * @bytes: of all tiles of a sink
 *
 * To be called in the I/O thread that was the last to take one of them: from now until the end of
 * its step it does what comes after that.
 */
void
armilla_trace_host_finish (double bytes)
{
  ArmillaTraceTask *record = g_private_get (&current_step);

  if (!record)
    return;
  record->finish = starpu_timing_now ();
  record->finish_bytes = bytes;
}

/**
 * armilla_trace_host_end:
 * @record: (nullable) (transfer full): the record of a host step that ends
 */
void
armilla_trace_host_end (ArmillaTraceTask *record)
{
  ArmillaTrace *trace;

  if (!record)
    return;
  trace = record->graph->trace;
  g_private_set (&current_step, NULL);
  record->end = starpu_timing_now ();
  record->late = armilla_fault_is_set (&record->graph->fault);
  g_mutex_lock (&trace->lock);
  trace->tracks &= ~(G_GUINT64_CONSTANT (1) << record->place);
  g_ptr_array_add (trace->host, record);
  g_mutex_unlock (&trace->lock);
}

/**
 * armilla_trace_fetched:
 * @graph: a graph that is traced
 * @tile: a tile that armilla_graph_fetch() has just brought here
 */
void
armilla_trace_fetched (ArmillaGraph *graph, const ArmillaTile *tile)
{
  Holder *holder = graph->trace->holders
                     ? g_hash_table_lookup (graph->trace->holders, tile->handle)
                     : NULL;

  if (holder && !holder->here)
    add_message (graph, tile->handle, holder, -1);
}

/**
 * armilla_trace_forget:
 * @record: (nullable) (transfer full): the record of a task that StarPU has refused
 */
void
armilla_trace_forget (ArmillaTraceTask *record)
{
  g_free (record);
}

/**
 * armilla_trace_span:
 * @graph: a graph that is traced
 * @start: when the submitting thread began with the current label's job
 */
void
armilla_trace_span (ArmillaGraph *graph, double start)
{
  ArmillaTraceSpan span = { start, starpu_timing_now (), graph->label->number, 0 };

  g_array_append_val (graph->trace->spans, span);
}

static void
note_clear (gpointer data)
{
  g_free (((ArmillaTraceNote *) data)->text);
}

/**
 * armilla_graph_trace:
 * @graph: a graph of which nothing was asked yet
 * @error: return location
 *
 * Records from now on what the graph does. Collective. One graph a process can be traced at a time.
 *
 * Returns: whether the ranks could compare their clocks; %ARMILLA_ERROR_MPI otherwise
 */
gboolean
armilla_graph_trace (ArmillaGraph *graph, GError **error)
{
  ArmillaTrace *trace = g_new0 (ArmillaTrace, 1);

  graph->trace = trace;
  trace->names = g_ptr_array_new ();
  trace->messages = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceMessage));
  trace->spans = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceSpan));
  trace->transfers = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceTransfer));
  trace->notes = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceNote));
  g_array_set_clear_func (trace->notes, note_clear);
  trace->host = g_ptr_array_new_with_free_func (g_free);
  trace->n_workers = (int) starpu_worker_get_count ();
  trace->done = g_new (GPtrArray *, trace->n_workers);
  for (int w = 0; w < trace->n_workers; w++)
    trace->done[w] = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&trace->lock);
  if (graph->runtime->n_ranks > 1)
    trace->holders = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  starpu_profiling_status_set (STARPU_PROFILING_ENABLE);
  armilla_trace_transfers_begin (trace);
  trace->sampler = armilla_trace_sampler_new ();
  trace->begin = starpu_timing_now ();
  return armilla_trace_clock (graph, 0, error);
}

/**
 * armilla_trace_free:
 * @trace: (transfer full) (nullable): a trace; no task records into it any more
 */
void
armilla_trace_free (ArmillaTrace *trace)
{
  if (!trace)
    return;
  armilla_trace_transfers_end ();
  starpu_profiling_status_set (STARPU_PROFILING_DISABLE);
  armilla_trace_sampler_free (trace->sampler);
  for (int w = 0; w < trace->n_workers; w++)
    g_ptr_array_unref (trace->done[w]);
  g_free (trace->done);
  g_array_unref (trace->notes);
  g_ptr_array_unref (trace->host);
  g_ptr_array_unref (trace->names);
  g_array_unref (trace->messages);
  g_array_unref (trace->spans);
  g_array_unref (trace->transfers);
  g_clear_pointer (&trace->holders, g_hash_table_unref);
  g_mutex_clear (&trace->lock);
  g_free (trace);
}

/**
 * armilla_trace_note:
 * @graph: a graph that is traced
 * @name: what kind of decision, a static string
 * @text: what was decided, and why
 *
 * Puts a decision of rank 0 into the trace. May be called from any thread.
 */
void
armilla_trace_note (ArmillaGraph *graph, const char *name, const char *text)
{
  ArmillaTraceNote note = { starpu_timing_now (), name, g_strdup (text) };

  g_mutex_lock (&graph->trace->lock);
  g_array_append_val (graph->trace->notes, note);
  g_mutex_unlock (&graph->trace->lock);
}

/**
 * armilla_graph_n_submitted:
 * @graph: a graph that is traced
 *
 * Returns: tasks and host steps that were submitted on all ranks together; the same on every rank
 */
gint64
armilla_graph_n_submitted (ArmillaGraph *graph)
{
  return graph->trace->serial;
}

/**
 * armilla_graph_write_trace:
 * @graph: a graph that is traced, after armilla_graph_wait()
 * @info: what to say of the run
 * @output: (nullable): where to write; used on rank 0
 * @error: return location
 *
 * Gathers what the ranks have recorded and writes it as Chrome trace events. Collective.
 *
 * Returns: whether the file is there, the same on all ranks
 */
gboolean
armilla_graph_write_trace (ArmillaGraph *graph, const ArmillaTraceInfo *info,
                           ArmillaOutput *output, GError **error)
{
  ArmillaRuntime *runtime = graph->shared;
  ArmillaTraceRank *ranks;
  GError *local = NULL;

  armilla_trace_sampler_stop (graph->trace->sampler);
  if (!armilla_trace_clock (graph, 1, error))
    return FALSE;
  ranks = armilla_trace_gather (graph, &local);
  if (!local && runtime->rank == 0
      && armilla_trace_write (graph, ranks, info, armilla_output_temporary (output), &local))
    armilla_output_commit (output, &local);
  armilla_trace_ranks_free (ranks, runtime->n_ranks);
  runtime->traced = armilla_runtime_agree (runtime, local, error);
  return runtime->traced;
}
