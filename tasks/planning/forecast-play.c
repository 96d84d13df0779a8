/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the tasks that forecast-record.c has recorded, event by event. The submitting thread of
 * a rank submits tasks in order, and waits while too many epochs are in flight. Workers take ready
 * tasks by priority. A message is sent when sender and receiver have submitted the tasks that need
 * it: through the output port of the sender, then the input port of the receiver, one message at a
 * time. */
#include "config.h"

#include "tasks/planning/forecast-private.h"

#define IO_THREADS 4
#define EPOCH_SLOTS 64 /* size of a ring buffer; more than the epochs in flight */

/* A future event in the queue, which is ordered by time. */
typedef struct {
  double time;
  gint64 order; /* number of the entry, by which entries with equal times are ordered */
  enum { DUE_SUBMIT, DUE_ARRIVED, DUE_DONE } what;
  guint32 subject; /* number of a rank or of an event, depending on the kind */
} Due;

typedef struct {
  gint32 priority;
  guint32 event;
} Ready;

typedef struct {
  guint next;        /* index of the next task to submit in entries */
  guint next_pause;
  guint32 serial;    /* serial number of the last submitted task */
  double clock;      /* time of that submission */
  int epoch;         /* epoch of the submission; -1: none yet */
  int in_flight;
  gboolean blocked;
  gint32 pending[EPOCH_SLOTS];
  int idle, idle_io; /* idle workers, idle I/O threads */
  GArray *ready;     /* heap of tasks that wait for a worker */
  GQueue ready_io;   /* host steps that wait for an I/O thread */
  /* times at which the output port, the input port and the StarPU-MPI thread become free */
  double out_free, in_free, thread_free;
  double busy, sent, received;
} Rank;

typedef struct {
  ArmillaForecast *f;
  ArmillaForecastOptions options;
  Rank *ranks;
  gint32 *needs;
  GArray *due; /* queue of future events */
  gint64 order;
  double now, last;
  gint64 n_done, n_messages;
  double bytes;
} Play;

static gboolean
due_before (const Due *a, const Due *b)
{
  return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static gboolean
ready_before (const Ready *a, const Ready *b)
{
  return a->priority > b->priority || (a->priority == b->priority && a->event < b->event);
}

/* Defines functions of a heap of TYPE in a GArray; the first element is the one before all
 * others. */
#define DEFINE_HEAP(name, Type, before)                                                            \
  static void name##_push (GArray *heap, Type value)                                               \
  {                                                                                                \
    guint i = heap->len;                                                                           \
                                                                                                   \
    g_array_append_val (heap, value);                                                              \
    for (; i > 0 && before (&value, &g_array_index (heap, Type, (i - 1) / 2)); i = (i - 1) / 2)    \
      g_array_index (heap, Type, i) = g_array_index (heap, Type, (i - 1) / 2);                     \
    g_array_index (heap, Type, i) = value;                                                         \
  }                                                                                                \
                                                                                                   \
  static Type name##_pop (GArray *heap)                                                            \
  {                                                                                                \
    Type first = g_array_index (heap, Type, 0), value = g_array_index (heap, Type, heap->len - 1); \
    guint i = 0;                                                                                   \
                                                                                                   \
    g_array_set_size (heap, heap->len - 1);                                                        \
    for (guint child = 1; child < heap->len; child = 2 * i + 1)                                    \
      {                                                                                            \
        if (child + 1 < heap->len                                                                  \
            && before (&g_array_index (heap, Type, child + 1),                                     \
                       &g_array_index (heap, Type, child)))                                        \
          child++;                                                                                 \
        if (!before (&g_array_index (heap, Type, child), &value))                                  \
          break;                                                                                   \
        g_array_index (heap, Type, i) = g_array_index (heap, Type, child);                         \
        i = child;                                                                                 \
      }                                                                                            \
    if (heap->len > 0)                                                                             \
      g_array_index (heap, Type, i) = value;                                                       \
    return first;                                                                                  \
  }

DEFINE_HEAP (due, Due, due_before)
DEFINE_HEAP (ready, Ready, ready_before)

static void
plan (Play *play, double time, int what, guint32 subject)
{
  due_push (play->due, (Due) { time, play->order++, what, subject });
}

static ArmillaForecastEvent *
event_of (const Play *play, guint32 event)
{
  return &g_array_index (play->f->events, ArmillaForecastEvent, event);
}

static gboolean
is_host (const ArmillaForecastEvent *work)
{
  return work->kind == FORECAST_HOST || work->kind == FORECAST_END;
}

static void
begin_work (Play *play, guint32 event)
{
  const ArmillaForecastEvent *work = event_of (play, event);
  Rank *rank = &play->ranks[work->rank];
  double seconds = work->amount + play->f->nodes[work->rank]->task;

  if (is_host (work))
    rank->idle_io--;
  else
    {
      rank->idle--;
      rank->busy += seconds;
    }
  plan (play, play->now + seconds, DUE_DONE, event);
}

/* Returns the extra time of a message from or to GPU memory, which passes through the host. */
static double
device_seconds (const Play *play, const ArmillaForecastEvent *message)
{
  const ArmillaNodeModel *from = play->f->nodes[message->from];
  const ArmillaNodeModel *to = play->f->nodes[message->rank];

  return (from->gpus ? message->amount / from->device : 0)
         + (to->gpus ? message->amount / to->device : 0);
}

static void
begin_message (Play *play, guint32 event)
{
  const ArmillaForecastEvent *message = event_of (play, event);
  const ArmillaNodeModel *from = play->f->nodes[message->from];
  const ArmillaNodeModel *to = play->f->nodes[message->rank];
  Rank *source = &play->ranks[message->from], *target = &play->ranks[message->rank];
  double out = message->amount / from->bandwidth, in = message->amount / to->bandwidth, start;

  play->n_messages++;
  play->bytes += message->amount;
  source->sent += message->amount;
  target->received += message->amount;
  if (play->options.no_network)
    {
      plan (play, play->now, DUE_DONE, event);
      return;
    }
  source->thread_free = MAX (play->now, source->thread_free) + from->message;
  start = MAX (source->thread_free, source->out_free);
  source->out_free = start + out;
  start += MAX (from->latency, to->latency) + device_seconds (play, message);
  target->in_free = MAX (start + MAX (in, out), target->in_free + in);
  plan (play, target->in_free, DUE_ARRIVED, event);
}

static void
message_arrived (Play *play, guint32 event)
{
  const ArmillaForecastEvent *message = event_of (play, event);
  Rank *target = &play->ranks[message->rank];

  target->thread_free
    = MAX (play->now, target->thread_free) + play->f->nodes[message->rank]->message;
  plan (play, target->thread_free, DUE_DONE, event);
}

/* Decrements the number of dependencies of an event. */
static void
satisfy (Play *play, guint32 event)
{
  const ArmillaForecastEvent *work = event_of (play, event);
  Rank *rank = &play->ranks[work->rank];

  if (--play->needs[event] > 0)
    return;
  if (work->kind == FORECAST_MESSAGE)
    begin_message (play, event);
  else if (work->kind == FORECAST_FETCH)
    plan (play, play->now, DUE_DONE, event);
  else if (is_host (work) && rank->idle_io > 0)
    begin_work (play, event);
  else if (is_host (work))
    g_queue_push_tail (&rank->ready_io, GUINT_TO_POINTER (event));
  else if (rank->idle > 0)
    begin_work (play, event);
  else
    ready_push (rank->ready, (Ready) { work->priority, event });
}

static void
leave_epoch (Rank *rank, int epoch)
{
  if (--rank->pending[epoch % EPOCH_SLOTS] == 0)
    rank->in_flight--;
}

/* Lets a rank begin its next epoch unless too many are in flight. */
static void
enter_epoch (Play *play, Rank *rank)
{
  const ArmillaForecastEpoch *epoch
    = &g_array_index (play->f->epochs, ArmillaForecastEpoch, rank->epoch + 1);

  if (rank->epoch >= 0 && !rank->blocked)
    leave_epoch (rank, rank->epoch);
  rank->blocked = rank->in_flight >= epoch->limit;
  if (rank->blocked)
    return;
  rank->epoch++;
  rank->in_flight++;
  rank->pending[rank->epoch % EPOCH_SLOTS] = 1;
}

static double
submission_seconds (const Play *play, int number, guint32 n_other, guint n_own)
{
  const ArmillaNodeModel *node = play->f->nodes[number];

  return play->options.no_submission ? 0 : n_other * node->other + n_own * node->own;
}

/* Advances the clock of a rank's submitting thread to task @serial. @n_own: number of the tasks up
 * to there that involve the rank. */
static void
pass_to (Play *play, int number, guint32 serial, guint n_own)
{
  const GArray *pauses = play->f->pauses;
  const double share = armilla_node_model_submit_share (play->f->nodes[number]);
  Rank *rank = &play->ranks[number];

  rank->clock = MAX (rank->clock, play->now)
                + submission_seconds (play, number, serial - rank->serial, n_own);
  for (; rank->next_pause < pauses->len
         && g_array_index (pauses, ArmillaForecastPause, rank->next_pause).serial <= serial;
       rank->next_pause++)
    if (!play->options.no_submission)
      rank->clock += g_array_index (pauses, ArmillaForecastPause, rank->next_pause).seconds
                     / share;
  rank->serial = serial;
}

/* Submits up to the next task that involves the rank. */
static void
advance (Play *play, int number)
{
  ArmillaForecast *f = play->f;
  Rank *rank = &play->ranks[number];
  const GArray *entries = f->entries[number];
  guint32 until = rank->next < entries->len
                    ? g_array_index (entries, ArmillaForecastEntry, rank->next).serial
                    : f->serial;

  while (rank->epoch + 1 < (int) f->epochs->len
         && g_array_index (f->epochs, ArmillaForecastEpoch, rank->epoch + 1).serial <= until)
    {
      pass_to (play, number,
               g_array_index (f->epochs, ArmillaForecastEpoch, rank->epoch + 1).serial, 0);
      enter_epoch (play, rank);
      if (rank->blocked)
        return;
    }
  pass_to (play, number, until, rank->next < entries->len);
  plan (play, rank->clock, DUE_SUBMIT, (guint32) number);
}

static void
submitted (Play *play, int number)
{
  Rank *rank = &play->ranks[number];
  const GArray *entries = play->f->entries[number];
  guint32 event;

  if (rank->next == entries->len)
    return;
  event = g_array_index (entries, ArmillaForecastEntry, rank->next++).event;
  /* The epoch is that of the submission, which may be later than the one in which the work was
   * recorded (end of a sink). */
  event_of (play, event)->epoch = rank->epoch;
  if (event_of (play, event)->kind != FORECAST_MESSAGE)
    rank->pending[rank->epoch % EPOCH_SLOTS]++;
  satisfy (play, event);
  if (event_of (play, event)->kind != FORECAST_FETCH)
    advance (play, number);
}

static void
done (Play *play, guint32 event)
{
  const ArmillaForecastEvent *work = event_of (play, event);
  Rank *rank = &play->ranks[work->rank];

  play->n_done++;
  play->last = play->now;
  play->f->ends[event] = play->now;
  if (work->kind == FORECAST_TASK)
    rank->idle++;
  else if (is_host (work))
    rank->idle_io++;
  for (guint32 i = work->follows; i != ARMILLA_FORECAST_NO_EDGE;
       i = g_array_index (play->f->edges, ArmillaForecastEdge, i).next)
    satisfy (play, g_array_index (play->f->edges, ArmillaForecastEdge, i).to);
  if (rank->idle > 0 && rank->ready->len > 0)
    begin_work (play, ready_pop (rank->ready).event);
  if (rank->idle_io > 0 && rank->ready_io.length > 0)
    begin_work (play, GPOINTER_TO_UINT (g_queue_pop_head (&rank->ready_io)));
  if (work->kind == FORECAST_MESSAGE)
    return;
  leave_epoch (rank, work->epoch);
  if (rank->blocked || work->kind == FORECAST_FETCH)
    {
      rank->clock = play->now;
      advance (play, work->rank);
    }
}

static void
run (Play *play)
{
  for (int r = 0; r < play->f->n; r++)
    advance (play, r);
  while (play->due->len > 0)
    {
      Due next = due_pop (play->due);

      play->now = next.time;
      if (next.what == DUE_SUBMIT)
        submitted (play, (int) next.subject);
      else if (next.what == DUE_ARRIVED)
        message_arrived (play, next.subject);
      else
        done (play, next.subject);
    }
}

static void
sum_up (const Play *play, ArmillaForecastResult *result)
{
  const ArmillaForecast *f = play->f;
  double busy = 0, pauses = 0;
  gint64 workers = 0;

  for (guint i = 0; i < f->pauses->len; i++)
    pauses += g_array_index (f->pauses, ArmillaForecastPause, i).seconds;

  *result = (ArmillaForecastResult) { .seconds = play->last,
                                      .n_tasks = f->n_tasks,
                                      .n_messages = play->n_messages,
                                      .bytes = play->bytes };
  for (int r = 0; r < f->n; r++)
    {
      const Rank *rank = &play->ranks[r];
      double max_bytes = MAX (rank->sent, rank->received);

      result->seconds = MAX (result->seconds, rank->clock);
      busy += rank->busy;
      workers += f->nodes[r]->workers;
      result->busiest = MAX (result->busiest, rank->busy / f->nodes[r]->workers);
      result->max_bytes = MAX (result->max_bytes, max_bytes);
      result->port = MAX (result->port, max_bytes / f->nodes[r]->bandwidth);
      result->submission = MAX (result->submission,
                                pauses + submission_seconds (play, r, f->serial,
                                                             f->entries[r]->len));
    }
  result->mean = busy / (double) workers;
}

/* Simulates the run. May be called again with other options. Returns FALSE if ranks wait for each
 * other forever, which would be a bug. @options: costs to omit (may be NULL). */
gboolean
armilla_forecast_play (ArmillaForecast *self, const ArmillaForecastOptions *options,
                       ArmillaForecastResult *result, GError **error)
{
  Play play = { .f = self };
  guint n = self->events->len;

  if (options)
    play.options = *options;
  g_free (self->ends);
  self->ends = g_new0 (double, n);
  play.ranks = g_new0 (Rank, self->n);
  play.needs = g_new (gint32, n);
  play.due = g_array_new (FALSE, FALSE, sizeof (Due));
  for (guint i = 0; i < n; i++)
    play.needs[i] = g_array_index (self->events, ArmillaForecastEvent, i).needs;
  for (int r = 0; r < self->n; r++)
    {
      play.ranks[r].epoch = -1;
      play.ranks[r].idle = self->nodes[r]->workers;
      play.ranks[r].idle_io = IO_THREADS;
      play.ranks[r].ready = g_array_new (FALSE, FALSE, sizeof (Ready));
      g_queue_init (&play.ranks[r].ready_io);
    }
  run (&play);
  sum_up (&play, result);
  for (int r = 0; r < self->n; r++)
    {
      g_array_unref (play.ranks[r].ready);
      g_queue_clear (&play.ranks[r].ready_io);
    }
  g_free (play.ranks);
  g_free (play.needs);
  g_array_unref (play.due);
  if (play.n_done == (gint64) n)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "error in the forecast: %" G_GINT64_FORMAT " of %u tasks and messages "
                       "never end", (gint64) n - play.n_done, n);
}

/* Returns the work of the realisations from @index on. */
ArmillaForecastShare
armilla_forecast_share_from (ArmillaForecast *self, gint64 index)
{
  g_autofree double *busy = g_new0 (double, self->n), *host = g_new0 (double, self->n);
  ArmillaForecastShare share = { 0, 0, 0 };
  gint64 workers = 0;

  for (guint i = 0; i < self->events->len; i++)
    {
      const ArmillaForecastEvent *work = &g_array_index (self->events, ArmillaForecastEvent, i);
      const double seconds = work->amount + self->nodes[work->rank]->task;

      if (g_array_index (self->labels, gint64, i) < index)
        continue;
      if (is_host (work))
        host[work->rank] += seconds;
      else if (work->kind == FORECAST_TASK)
        busy[work->rank] += seconds;
    }
  for (int r = 0; r < self->n; r++)
    {
      share.busiest = MAX (share.busiest, busy[r] / self->nodes[r]->workers);
      share.min_seconds = MAX (share.min_seconds, host[r] / IO_THREADS);
      share.mean += busy[r];
      workers += self->nodes[r]->workers;
    }
  share.min_seconds = MAX (share.min_seconds, share.busiest);
  share.mean /= (double) workers;
  return share;
}

/* Returns the end of the last task of realisation @index, s; 0 if there is none. */
double
armilla_forecast_end_of (ArmillaForecast *self, gint64 index)
{
  double end = 0;

  for (guint i = 0; i < self->events->len; i++)
    if (g_array_index (self->labels, gint64, i) == index)
      end = MAX (end, self->ends[i]);
  return end;
}
