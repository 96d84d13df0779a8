/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the tasks that would be submitted. As in StarPU, dependencies follow from the order of
 * submission and the access modes; as in StarPU-MPI, messages follow from the rank that wrote a
 * value last and the ranks that have received it since. */
#include "config.h"

#include "tasks/runtime/block-deal.h"
#include "tasks/planning/forecast-private.h"

#define NO_EVENT G_MAXUINT32
#define MANY_FLOPS 1e12 /* operations of a task whose fixed cost is negligible */

/* Copy of a handle on one rank. */
typedef struct {
  int rank;
  gboolean valid;
  guint32 writer;  /* event that wrote or received it, or NO_EVENT */
  GArray *readers; /* guint32: events that have read it after writer */
} Copy;

typedef struct {
  int holder;    /* rank of the last write */
  GArray *copies;
} Holder;

static void
copy_clear (gpointer data)
{
  g_array_unref (((Copy *) data)->readers);
}

static void
holder_free (gpointer data)
{
  Holder *holder = data;

  g_array_unref (holder->copies);
  g_free (holder);
}

static ArmillaForecastEvent *
event_at (ArmillaForecast *self, guint32 number)
{
  return &g_array_index (self->events, ArmillaForecastEvent, number);
}

static void
add_edge (ArmillaForecast *self, guint32 from, guint32 to)
{
  ArmillaForecastEvent *origin;
  ArmillaForecastEdge edge;

  if (from == NO_EVENT || from == to)
    return;
  origin = event_at (self, from);
  edge = (ArmillaForecastEdge) { to, origin->follows };
  origin->follows = self->edges->len;
  g_array_append_val (self->edges, edge);
  event_at (self, to)->needs++;
}

static void
add_entry (ArmillaForecast *self, int rank, guint32 event)
{
  ArmillaForecastEntry entry = { self->serial, event };

  g_array_append_val (self->entries[rank], entry);
  event_at (self, event)->needs++;
}

static guint32
add_event (ArmillaForecast *self, gint64 index, ArmillaForecastEvent event)
{
  event.follows = ARMILLA_FORECAST_NO_EDGE;
  g_array_append_val (self->events, event);
  g_array_append_val (self->labels, index);
  return self->events->len - 1;
}

static Copy *
find_copy (Holder *holder, int rank)
{
  Copy fresh = { rank, FALSE, NO_EVENT, NULL };

  for (guint i = 0; i < holder->copies->len; i++)
    if (g_array_index (holder->copies, Copy, i).rank == rank)
      return &g_array_index (holder->copies, Copy, i);
  fresh.readers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (holder->copies, fresh);
  return &g_array_index (holder->copies, Copy, holder->copies->len - 1);
}

/* Makes an event that writes a copy wait for the previous writer and its readers. */
static void
overwrite (ArmillaForecast *self, Copy *copy, guint32 event)
{
  add_edge (self, copy->writer, event);
  for (guint i = 0; i < copy->readers->len; i++)
    add_edge (self, g_array_index (copy->readers, guint32, i), event);
  g_array_set_size (copy->readers, 0);
  copy->writer = event;
  copy->valid = TRUE;
}

/* Adds a message with the value to a rank that has no copy of it. */
static void
send (ArmillaForecast *self, gint64 index, Holder *holder, double bytes, int rank)
{
  ArmillaForecastEvent message = { .rank = rank,
                                   .from = holder->holder,
                                   .kind = FORECAST_MESSAGE,
                                   .amount = bytes };
  guint32 event = add_event (self, index, message);
  Copy *source = find_copy (holder, holder->holder);

  add_edge (self, source->writer, event);
  g_array_append_val (source->readers, event);
  overwrite (self, find_copy (holder, rank), event);
  add_entry (self, holder->holder, event);
  add_entry (self, rank, event);
}

/* Adds the dependencies of an event on accessing one tile. A tile without a writer needs no
 * message: every rank has it. */
static void
prepare_use (ArmillaForecast *self, gint64 index, const ArmillaUse *use, int rank)
{
  Holder *holder = g_hash_table_lookup (self->holders, use->handle);

  if (holder && (use->mode & STARPU_R) && !find_copy (holder, rank)->valid)
    send (self, index, holder, (double) starpu_data_get_size (use->handle), rank);
}

static void
note_use (ArmillaForecast *self, const ArmillaUse *use, int rank, guint32 event)
{
  Holder *holder = g_hash_table_lookup (self->holders, use->handle);
  Copy *copy;

  if (!holder && !(use->mode & STARPU_W))
    return;
  if (!holder)
    {
      holder = g_new0 (Holder, 1);
      holder->copies = g_array_new (FALSE, FALSE, sizeof (Copy));
      g_array_set_clear_func (holder->copies, copy_clear);
      g_hash_table_insert (self->holders, use->handle, holder);
    }
  copy = find_copy (holder, rank);
  if (!(use->mode & STARPU_W))
    {
      add_edge (self, copy->writer, event);
      g_array_append_val (copy->readers, event);
      return;
    }
  overwrite (self, copy, event);
  holder->holder = rank;
  for (guint i = 0; i < holder->copies->len; i++)
    g_array_index (holder->copies, Copy, i).valid
      = g_array_index (holder->copies, Copy, i).rank == rank;
}

/* Finds the duration of a task; returns FALSE if it is unknown. */
static gboolean
find_seconds (ArmillaForecast *self, int rank, ArmillaNodeWorker worker, const char *name,
              double flops, double bytes, double *seconds, GError **error)
{
  const ArmillaNodeModel *node = self->nodes[rank];
  ArmillaForecastWork fresh = { g_intern_string (name), worker, 0, 0, FALSE }, *work;
  guint i = 0;

  if (!armilla_node_model_seconds (node, worker, name, flops, bytes, seconds, error))
    return FALSE;
  while (i < self->works->len
         && (g_array_index (self->works, ArmillaForecastWork, i).name != fresh.name
             || g_array_index (self->works, ArmillaForecastWork, i).worker != worker))
    i++;
  if (i == self->works->len)
    g_array_append_val (self->works, fresh);
  work = &g_array_index (self->works, ArmillaForecastWork, i);
  work->n++;
  work->seconds += *seconds;
  if (*seconds > 0 && !armilla_node_model_has_rate (node, worker, name))
    work->estimated = TRUE;
  return TRUE;
}

static void
add_work (ArmillaForecast *self, gint64 index, const ArmillaForecastEvent *work,
          const ArmillaUse *uses, int n_uses)
{
  guint32 event;

  for (int i = 0; i < n_uses; i++)
    if (!(uses[i].mode & STARPU_SCRATCH))
      prepare_use (self, index, &uses[i], work->rank);
  event = add_event (self, index, *work);
  for (int i = 0; i < n_uses; i++)
    if (!(uses[i].mode & STARPU_SCRATCH))
      note_use (self, &uses[i], work->rank, event);
  add_entry (self, work->rank, event);
  self->serial++;
  self->n_tasks++;
}

/* Records a task. %ARMILLA_ERROR_UNKNOWN if its duration is unknown and cannot be estimated. */
static gboolean
take_task (gpointer data, ArmillaGraph *graph, const ArmillaTaskCall *call, GError **error)
{
  ArmillaForecast *self = data;
  const gboolean gpus = self->nodes[call->rank]->gpus;
  ArmillaForecastEvent work
    = { .rank = call->rank, .from = -1, .priority = call->priority, .kind = FORECAST_TASK };

  if (!find_seconds (self, call->rank, gpus ? ARMILLA_NODE_CUDA : ARMILLA_NODE_CPU,
                     call->codelet->cl.name, call->cost.flops, call->cost.bytes, &work.amount,
                     error))
    return FALSE;
  add_work (self, graph->label->index, &work, call->uses, call->n_uses);
  return TRUE;
}

/* Records a step on the host. On a node with GPUs its tiles are copied between host and GPU. */
static gboolean
take_step (gpointer data, ArmillaGraph *graph, const ArmillaStepCall *call, GError **error)
{
  ArmillaForecast *self = data;
  const ArmillaNodeModel *node = self->nodes[call->rank];
  g_autofree ArmillaUse *uses = g_new (ArmillaUse, call->n_tiles);
  ArmillaForecastEvent work = { .rank = call->rank, .from = -1, .kind = FORECAST_HOST };
  double bytes = 0;

  if (self->no_io)
    return TRUE;
  for (int i = 0; i < call->n_tiles; i++)
    {
      uses[i] = (ArmillaUse) { call->tiles[i].handle, call->modes[i] };
      bytes += 8.0 * (double) call->tiles[i].n;
    }
  if (!find_seconds (self, call->rank, ARMILLA_NODE_HOST,
                     graph->label->stage ? graph->label->stage : "host", 0, bytes, &work.amount,
                     error))
    return FALSE;
  if (node->gpus)
    work.amount += bytes / node->device;
  add_work (self, graph->label->index, &work, uses, call->n_tiles);
  return TRUE;
}

/* Appends the host step that was recorded last to @steps (ArmillaForecastStep). */
void
armilla_forecast_host_note (ArmillaGraph *graph, int rank, const ArmillaTile *tile, GArray *steps)
{
  ArmillaForecast *self = armilla_graph_get_forecast (graph);
  ArmillaForecastStep step = { self->events->len - 1, rank, 8.0 * (double) tile->n };

  if (!self->no_io)
    g_array_append_val (steps, step);
}

/* Records the work of each rank after its last step of a sink, in an I/O thread. @steps: all steps
 * of the sink. ARMILLA_ERROR_UNKNOWN if the duration is unknown and cannot be estimated. */
gboolean
armilla_forecast_host_end (ArmillaGraph *graph, const GArray *steps, GError **error)
{
  ArmillaForecast *self = armilla_graph_get_forecast (graph);
  g_autofree char *name = g_strconcat (graph->label->stage ? graph->label->stage : "host", "-end",
                                       NULL);

  for (int r = 0; r < self->n; r++)
    {
      ArmillaForecastEvent end = { .rank = r, .from = -1, .kind = FORECAST_END };
      guint32 event = add_event (self, graph->label->index, end);
      double bytes = 0;

      for (guint i = 0; i < steps->len; i++)
        {
          const ArmillaForecastStep *step = &g_array_index (steps, ArmillaForecastStep, i);

          if (step->rank == r)
            {
              add_edge (self, step->event, event);
              bytes += step->bytes;
            }
        }
      add_entry (self, r, event);
      if (bytes > 0
          && !find_seconds (self, r, ARMILLA_NODE_HOST, name, 0, bytes,
                            &event_at (self, event)->amount, error))
        return FALSE;
    }
  return TRUE;
}

/* Records that the submitting thread of every rank waits for a tile. The tile gets no value. */
void
armilla_forecast_fetch (ArmillaGraph *graph, const ArmillaTile *tile)
{
  ArmillaForecast *self = armilla_graph_get_forecast (graph);
  const ArmillaUse use = { tile->handle, STARPU_R };

  for (int r = 0; r < self->n; r++)
    {
      ArmillaForecastEvent fetch = { .rank = r, .from = -1, .kind = FORECAST_FETCH };
      guint32 event;

      prepare_use (self, graph->label->index, &use, r);
      event = add_event (self, graph->label->index, fetch);
      note_use (self, &use, r, event);
      add_entry (self, r, event);
    }
  self->serial++; /* Later tasks wait for this event. */
}

/* Returns the work by name of the codelet or stage and kind of worker. */
const ArmillaForecastWork *
armilla_forecast_works (ArmillaForecast *self, guint *n)
{
  *n = self->works->len;
  return (const ArmillaForecastWork *) (gconstpointer) self->works->data;
}

static void
begin_epoch (gpointer data, int limit)
{
  ArmillaForecast *self = data;
  ArmillaForecastEpoch epoch = { self->serial, limit };

  g_array_append_val (self->epochs, epoch);
}

/* Makes the submission of later tasks wait until all earlier ones are done. */
void
armilla_forecast_wait (ArmillaForecast *self)
{
  self->serial++; /* the ends of sinks belong to the task before */
  begin_epoch (self, 1);
}

static void
see_tile (gpointer data, starpu_data_handle_t handle)
{
  g_hash_table_remove (((ArmillaForecast *) data)->holders, handle);
}

/* The forecast outlives its graphs. */
static void
leave_graph (gpointer data)
{
  (void) data;
}

const ArmillaObserver armilla_forecast_observer = { .take_task = take_task,
                                                    .take_step = take_step,
                                                    .tile_made = see_tile,
                                                    .epoch = begin_epoch,
                                                    .free = leave_graph };

/* Returns the forecast that records the graph's tasks; NULL if they are run. */
ArmillaForecast *
armilla_graph_get_forecast (const ArmillaGraph *graph)
{
  return armilla_observers_find (&graph->observers, &armilla_forecast_observer);
}

/* Returns the flop/s of a node in the recurrence; 0: its file does not contain them. */
static double
recurrence_flops (const ArmillaNodeModel *node)
{
  double seconds = 0;

  if (!armilla_node_model_seconds (node, node->gpus ? ARMILLA_NODE_CUDA : ARMILLA_NODE_CPU,
                                   "delta_synthesis", MANY_FLOPS, 0, &seconds, NULL))
    return 0;
  return seconds > 0 ? MANY_FLOPS * node->workers / seconds : 0;
}

/* Estimates the speeds as a run does; see armilla_launch_speeds(). */
static void
find_speeds (ArmillaForecast *self)
{
  gboolean gpus = FALSE, known = TRUE;

  self->speeds = g_new (double, self->n);
  for (int r = 0; r < self->n; r++)
    gpus = gpus || self->nodes[r]->gpus;
  for (int r = 0; r < self->n; r++)
    {
      self->speeds[r] = gpus ? recurrence_flops (self->nodes[r])
                             : self->nodes[r]->speed * self->nodes[r]->workers;
      known = known && self->speeds[r] > 0;
    }
  for (int r = 0; !known && r < self->n; r++)
    self->speeds[r] = 1;
  armilla_block_deal_round (self->speeds, self->n);
}

/* Returns a forecast without tasks. */
ArmillaForecast *
armilla_forecast_new (ArmillaNodeModel *const *nodes, int n_nodes, gboolean no_io)
{
  ArmillaForecast *self = g_new0 (ArmillaForecast, 1);

  self->n = n_nodes;
  self->no_io = no_io;
  self->nodes = g_new (ArmillaNodeModel *, n_nodes);
  self->entries = g_new (GArray *, n_nodes);
  for (int r = 0; r < n_nodes; r++)
    {
      self->nodes[r] = armilla_node_model_ref (nodes[r]);
      self->entries[r] = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastEntry));
    }
  find_speeds (self);
  self->events = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastEvent));
  self->edges = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastEdge));
  self->epochs = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastEpoch));
  self->pauses = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastPause));
  self->works = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastWork));
  self->labels = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->holders = g_hash_table_new_full (NULL, NULL, NULL, holder_free);
  begin_epoch (self, 1);
  return self;
}

void
armilla_forecast_free (ArmillaForecast *self)
{
  for (int r = 0; r < self->n; r++)
    {
      armilla_node_model_unref (self->nodes[r]);
      g_array_unref (self->entries[r]);
    }
  g_free (self->nodes);
  g_free (self->entries);
  g_free (self->speeds);
  g_free (self->ends);
  g_array_unref (self->events);
  g_array_unref (self->edges);
  g_array_unref (self->epochs);
  g_array_unref (self->pauses);
  g_array_unref (self->works);
  g_array_unref (self->labels);
  g_hash_table_unref (self->holders);
  g_free (self);
}
