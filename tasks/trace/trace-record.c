/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the tasks and steps of a graph. */
#include "config.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "tasks/graph/task-times.h"
#include "tasks/trace/trace-private.h"

/* Last writer of a tile, and whether this rank has received its contents. */
typedef struct {
  gint64 writer;
  int rank;
  gboolean local;
} Holder;

/* record of the host step that this thread runs, or NULL; not owned */
static GPrivate current_step = G_PRIVATE_INIT (NULL);

/* Creates the record of a task of this process with the codelet or stage @name. */
static ArmillaTraceTask *
record_new (ArmillaTrace *trace, const ArmillaGraph *graph, const char *name)
{
  ArmillaTraceTask *record = g_new0 (ArmillaTraceTask, 1);
  guint number = 0;

  while (number < trace->names->len && g_ptr_array_index (trace->names, number) != name)
    number++;
  if (number == trace->names->len)
    g_ptr_array_add (trace->names, (gpointer) name);
  record->trace = trace;
  record->serial = trace->serial;
  record->label = graph->label->number;
  record->name = (gint32) number;
  record->submit = starpu_timing_now ();
  return record;
}

static void
add_message (ArmillaTrace *trace, starpu_data_handle_t handle, Holder *holder, gint64 reader)
{
  ArmillaTraceMessage message = { .bytes = (double) starpu_data_get_size (handle),
                                  .writer = holder->writer,
                                  .reader = reader,
                                  .from = holder->rank };

  if (reader < 0)
    message.came = starpu_timing_now ();
  holder->local = TRUE;
  g_array_append_val (trace->messages, message);
}

/* Records a message: a tile is sent once after each write to a rank that reads it. */
static void
follow (ArmillaTrace *trace, starpu_data_handle_t handle, enum starpu_data_access_mode mode,
        int rank)
{
  Holder *holder = g_hash_table_lookup (trace->holders, handle);

  if ((mode & STARPU_R) && holder && rank == trace->rank && !holder->local)
    add_message (trace, handle, holder, trace->serial);
  if (!(mode & STARPU_W))
    return;
  if (!holder)
    {
      holder = g_new (Holder, 1);
      g_hash_table_insert (trace->holders, handle, holder);
    }
  *holder = (Holder) { trace->serial, rank, rank == trace->rank };
}

/* Callback of a traced task: keeps its record, and then calls the task's own callback. */
static void
task_done (void *data)
{
  ArmillaTraceTask *record = data;
  ArmillaTrace *trace = record->trace;
  void (*done) (void *) = record->done;
  gpointer work = record->work;
  int worker = starpu_worker_get_id ();
  ArmillaTaskTimes times;

  if (armilla_task_times (&times))
    {
      record->ready = times.ready;
      record->taken = times.taken;
      record->start = times.start;
      record->end = times.end;
      record->place = times.worker;
    }
  else
    {
      record->ready = record->taken = record->start = record->end = starpu_timing_now ();
      record->place = MAX (worker, 0);
    }
  record->late = armilla_fault_is_set (trace->fault);
  if (worker >= 0 && worker < trace->n_workers)
    g_ptr_array_add (trace->done[worker], record);
  else
    {
      g_mutex_lock (&trace->lock);
      g_ptr_array_add (trace->host, record);
      g_mutex_unlock (&trace->lock);
    }
  done (work);
}

static gpointer
see_task (gpointer self, ArmillaGraph *graph, const ArmillaTaskCall *call, void (**done) (void *),
          gpointer work)
{
  ArmillaTrace *trace = self;
  ArmillaTraceTask *record = NULL;

  for (int i = 0; i < call->n_uses; i++)
    if (trace->holders && !(call->uses[i].mode & STARPU_SCRATCH))
      follow (trace, call->uses[i].handle, call->uses[i].mode, call->rank);
  if (call->rank == trace->rank)
    {
      record = record_new (trace, graph, call->codelet->cl.name);
      record->flops = call->cost.flops;
      record->bytes = call->cost.bytes;
      record->done = *done;
      record->work = work;
      *done = task_done;
      work = record;
    }
  trace->serial++;
  return work;
}

/* Records a host step that the submitting thread runs itself. Returns the record for
 * armilla_trace_step_event (); NULL without a trace. */
gpointer
armilla_trace_step (ArmillaTrace *trace, const ArmillaGraph *graph, const char *name, double bytes)
{
  ArmillaTraceTask *record;

  if (!trace)
    return NULL;
  record = record_new (trace, graph, name);
  record->bytes = bytes;
  record->host = TRUE;
  trace->serial++;
  return record;
}

static gpointer
see_step (gpointer self, ArmillaGraph *graph, const ArmillaStepCall *call)
{
  ArmillaTrace *trace = self;
  double bytes = 0;

  for (int i = 0; i < call->n_tiles; i++)
    {
      bytes += 8.0 * (double) call->tiles[i].n;
      if (trace->holders)
        follow (trace, call->tiles[i].handle, call->modes[i], call->rank);
    }
  if (call->rank == trace->rank)
    return armilla_trace_step (trace, graph, graph->label->stage ? graph->label->stage : "host",
                               bytes);
  trace->serial++;
  return NULL;
}

static void
step_begins (ArmillaTraceTask *record)
{
  ArmillaTrace *trace = record->trace;

  record->taken = starpu_timing_now ();
  g_mutex_lock (&trace->lock);
  record->place = 0;
  while (record->place < ARMILLA_TRACE_TRACKS - 1 && (trace->tracks >> record->place & 1))
    record->place++;
  trace->tracks |= G_GUINT64_CONSTANT (1) << record->place;
  /* set while the lock is held: another step may have used the track until now */
  record->start = starpu_timing_now ();
  g_mutex_unlock (&trace->lock);
  g_private_set (&current_step, record);
}

/* Marks the end of the work for the last tile of a sink: the rest of the step is the final work of
 * the sink. Must be called in the I/O thread of the step. @bytes: of all tiles of the sink. */
void
armilla_trace_host_finish (double bytes)
{
  ArmillaTraceTask *record = g_private_get (&current_step);

  if (!record)
    return;
  record->finish = starpu_timing_now ();
  record->finish_bytes = bytes;
}

static void
step_ends (ArmillaTraceTask *record)
{
  ArmillaTrace *trace = record->trace;

  g_private_set (&current_step, NULL);
  record->end = starpu_timing_now ();
  record->late = armilla_fault_is_set (trace->fault);
  g_mutex_lock (&trace->lock);
  trace->tracks &= ~(G_GUINT64_CONSTANT (1) << record->place);
  g_ptr_array_add (trace->host, record);
  g_mutex_unlock (&trace->lock);
}

/* Records an event of a traced step (may be NULL), which the last event frees. */
void
armilla_trace_step_event (gpointer step, ArmillaStepEvent event)
{
  ArmillaTraceTask *record = step;

  if (!record)
    return;
  switch (event)
    {
    case ARMILLA_STEP_READY:
      record->ready = starpu_timing_now ();
      break;
    case ARMILLA_STEP_BEGINS:
      step_begins (record);
      break;
    case ARMILLA_STEP_ENDS:
      step_ends (record);
      break;
    case ARMILLA_STEP_REFUSED:
      g_free (record);
      break;
    }
}

static void
see_fetched (gpointer self, ArmillaGraph *graph, const ArmillaTile *tile)
{
  ArmillaTrace *trace = self;
  Holder *holder = trace->holders ? g_hash_table_lookup (trace->holders, tile->handle) : NULL;

  (void) graph;
  if (holder && !holder->local)
    add_message (trace, tile->handle, holder, -1);
}

static void
job_begins (gpointer self, ArmillaGraph *graph)
{
  (void) graph;
  ((ArmillaTrace *) self)->job_began = starpu_timing_now ();
}

static void
job_ends (gpointer self, ArmillaGraph *graph)
{
  ArmillaTrace *trace = self;
  ArmillaTraceSpan span = { trace->job_began, starpu_timing_now (), graph->label->number, 0 };

  g_array_append_val (trace->spans, span);
}

static void
abandoned (gpointer self)
{
  (void) self;
  armilla_print (stderr, "armilla: no trace is written, since all ranks end at once\n");
}

static void
note_clear (gpointer data)
{
  g_free (((ArmillaTraceNote *) data)->text);
}

static void
trace_free (gpointer self)
{
  ArmillaTrace *trace = self;

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

static const ArmillaObserver observer = { .task = see_task,
                                          .step = see_step,
                                          .step_event = armilla_trace_step_event,
                                          .make_tile = armilla_trace_vector_register,
                                          .fetched = see_fetched,
                                          .job_begins = job_begins,
                                          .job_ends = job_ends,
                                          .abandoned = abandoned,
                                          .free = trace_free };

/* Starts recording a new graph, which owns the trace. */
ArmillaTrace *
armilla_trace_new (ArmillaGraph *graph)
{
  ArmillaTrace *trace = g_new0 (ArmillaTrace, 1);

  armilla_observers_add (&graph->observers, &observer, trace);
  trace->fault = &graph->fault;
  trace->rank = graph->view.rank;
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
  if (graph->view.n_ranks > 1)
    trace->holders = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  starpu_profiling_status_set (STARPU_PROFILING_ENABLE);
  armilla_trace_transfers_begin (trace);
  trace->sampler = armilla_trace_sampler_new ();
  trace->begin = starpu_timing_now ();
  return trace;
}

ArmillaTrace *
armilla_graph_get_trace (const ArmillaGraph *graph)
{
  return armilla_observers_find (&graph->observers, &observer);
}

gboolean
armilla_graph_is_traced (const ArmillaGraph *graph)
{
  return armilla_graph_get_trace (graph) != NULL;
}

/* Adds a decision of rank 0 to the trace; name is static. Thread-safe. */
void
armilla_trace_note (ArmillaGraph *graph, const char *name, const char *text)
{
  ArmillaTraceNote note = { starpu_timing_now (), name, g_strdup (text) };
  ArmillaTrace *trace = armilla_graph_get_trace (graph);

  g_mutex_lock (&trace->lock);
  g_array_append_val (trace->notes, note);
  g_mutex_unlock (&trace->lock);
}
