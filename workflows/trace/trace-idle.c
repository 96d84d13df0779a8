/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines why workers were idle. */
#include "workflows/trace/trace-reader.h"

#include <string.h>

/* A task without pending inputs is ready at its submission: within this time in s, or within this
 * fraction of the time in which no task was ready. */
#define AT_ONCE 1e-4
#define AT_ONCE_SHARE 0.1

typedef struct {
  double start, end;
} Stretch;

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const ArmillaTraceEvent *x = *(const ArmillaTraceEvent *const *) a;
  const ArmillaTraceEvent *y = *(const ArmillaTraceEvent *const *) b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->worker != y->worker)
    return x->worker < y->worker ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

/* Returns (element-type Stretch) the intervals, ordered and disjoint, in which a task of a rank was
 * ready but not taken. @kind: counts only tasks that workers of this kind ran; %NULL: all. */
static GArray *
when_ready (const ArmillaTraceFile *file, int rank, const char *kind)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Stretch));
  guint n = 0;

  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);
      const Stretch waiting = { event->ready, event->taken };

      if (event->rank == rank && event->worker >= 0 && event->ready < event->taken
          && (!kind || strcmp (event->kind, kind) == 0))
        g_array_append_val (all, waiting);
    }
  g_array_sort (all, compare_stretches);
  for (guint i = 0; i < all->len; i++)
    {
      Stretch *last = n > 0 ? &g_array_index (all, Stretch, n - 1) : NULL;
      const Stretch next = g_array_index (all, Stretch, i);

      if (last && next.start <= last->end)
        last->end = MAX (last->end, next.end);
      else
        g_array_index (all, Stretch, n++) = next;
    }
  g_array_set_size (all, n);
  return all;
}

static int
compare_ready (gconstpointer a, gconstpointer b)
{
  const ArmillaTraceEvent *x = *(const ArmillaTraceEvent *const *) a;
  const ArmillaTraceEvent *y = *(const ArmillaTraceEvent *const *) b;

  return (x->ready > y->ready) - (x->ready < y->ready);
}

/* Returns (element-type Stretch) the intervals, ordered and disjoint, in which no task of a rank
 * was ready since the next one, which was ready when submitted, was not submitted yet. */
static GArray *
when_behind (const ArmillaTraceFile *file, int rank)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Stretch));
  double end = 0;

  for (guint i = 0; i < file->events->len; i++)
    {
      ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);

      if (event->rank == rank && event->worker >= 0)
        g_ptr_array_add (events, event);
    }
  g_ptr_array_sort (events, compare_ready);
  for (guint i = 0; i < events->len; i++)
    {
      const ArmillaTraceEvent *event = g_ptr_array_index (events, i);
      const Stretch gap = { end, event->ready };

      if (gap.end > gap.start && event->submit != 0 /* submit is 0 if it is unknown */
          && event->ready - event->submit
               < MAX (AT_ONCE, AT_ONCE_SHARE * (gap.end - gap.start)))
        g_array_append_val (all, gap);
      end = MAX (end, MAX (event->ready, event->taken));
    }
  return all;
}

/* Intervals, and the index of the first one that ends after the time reached so far. */
typedef struct {
  GArray *stretches;
  guint at;
} Cursor;

/* Returns how much of the time from @start to @end is in the intervals. Times must increase from
 * call to call. */
static double
overlap (Cursor *self, double start, double end)
{
  double sum = 0;

  while (self->at < self->stretches->len
         && g_array_index (self->stretches, Stretch, self->at).end <= start)
    self->at++;
  for (guint i = self->at; i < self->stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (self->stretches, Stretch, i);

      if (stretch->start >= end)
        break;
      sum += MIN (stretch->end, end) - MAX (stretch->start, start);
    }
  return sum;
}

/* Intervals in which workers of a rank may be idle: tasks are ready for workers of a kind; tasks
 * are ready for any worker; the next task is not submitted yet. */
typedef struct {
  Cursor own, any, behind;
} Reasons;

static void
add_idle (ArmillaTraceUse *use, Reasons *reasons, double start, double end)
{
  double own, any, behind;

  if (end <= start)
    return;
  own = overlap (&reasons->own, start, end);
  any = overlap (&reasons->any, start, end);
  behind = overlap (&reasons->behind, start, end);
  use->scheduling += own;
  use->unworthy += MAX (any - own, 0);
  use->behind += behind;
  use->nothing += MAX (end - start - any - behind, 0);
}

/* Adds the activity of a worker. Its tasks may overlap: a GPU gets the next task while one runs. */
static void
use_worker (const ArmillaTraceFile *file, Reasons *reasons, ArmillaTraceEvent **events, guint n,
            ArmillaTraceUse *use)
{
  double now = 0;

  for (guint i = 0; i < n; i++)
    {
      const double end = CLAMP (events[i]->start + events[i]->duration, 0, file->seconds);
      const double start = CLAMP (events[i]->start, now, MAX (now, end));
      const double taken = CLAMP (events[i]->taken, now, start);

      add_idle (use, reasons, now, taken);
      use->data += start - taken;
      use->busy += MAX (end - start, 0);
      use->n_tasks++;
      now = MAX (now, end);
    }
  add_idle (use, reasons, now, file->seconds);
}

/* Returns the activity of each worker of the trace. */
ArmillaTraceUse *
armilla_trace_uses (const ArmillaTraceFile *file)
{
  ArmillaTraceUse *uses = g_new0 (ArmillaTraceUse, file->workers->len);
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  guint first = 0;

  for (guint i = 0; i < file->events->len; i++)
    if (g_array_index (file->events, ArmillaTraceEvent, i).worker >= 0)
      g_ptr_array_add (events, &g_array_index (file->events, ArmillaTraceEvent, i));
  g_ptr_array_sort (events, compare_events);
  for (guint w = 0; w < file->workers->len; w++)
    {
      const ArmillaTraceWorker *worker = &g_array_index (file->workers, ArmillaTraceWorker, w);
      guint end = first;

      g_autoptr (GArray) own = when_ready (file, worker->rank, worker->kind);
      g_autoptr (GArray) any = when_ready (file, worker->rank, NULL);
      g_autoptr (GArray) behind = when_behind (file, worker->rank);
      Reasons reasons = { { own, 0 }, { any, 0 }, { behind, 0 } };

      for (; end < events->len; end++)
        {
          const ArmillaTraceEvent *event = g_ptr_array_index (events, end);

          if (event->rank != worker->rank || event->worker != worker->number)
            break;
        }
      use_worker (file, &reasons, (ArmillaTraceEvent **) events->pdata + first, end - first,
                  &uses[w]);
      first = end;
    }
  return uses;
}
