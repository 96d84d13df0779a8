/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why workers were idle. */
#include "workflows/trace/trace-idle.h"

/* A stretch of time. */
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

/* (element-type Stretch): when at least one task of a rank was ready and no worker had taken it: in
 * order, and apart */
static GArray *
when_ready (const ArmillaTraceFile *file, int rank)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Stretch));
  guint n = 0;

  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);
      const Stretch waiting = { event->ready, event->taken };

      if (event->rank == rank && event->worker >= 0 && event->ready < event->taken)
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

/* Adds the idle time from @start to @end. @at: first stretch that may matter; moves on. */
static void
add_idle (ArmillaTraceUse *use, const GArray *ready, guint *at, double start, double end)
{
  double scheduling = 0;

  if (end <= start)
    return;
  while (*at < ready->len && g_array_index (ready, Stretch, *at).end <= start)
    ++*at;
  for (guint i = *at; i < ready->len && g_array_index (ready, Stretch, i).start < end; i++)
    {
      const Stretch *stretch = &g_array_index (ready, Stretch, i);

      scheduling += MIN (stretch->end, end) - MAX (stretch->start, start);
    }
  use->scheduling += scheduling;
  use->nothing += end - start - scheduling;
}

/* Tasks of one worker may overlap: a GPU gets the next one while the last one runs. */
static void
use_worker (const ArmillaTraceFile *file, const GArray *ready, ArmillaTraceEvent **events,
            guint n, ArmillaTraceUse *use)
{
  double now = 0;
  guint at = 0;

  for (guint i = 0; i < n; i++)
    {
      const double end = CLAMP (events[i]->start + events[i]->duration, 0, file->seconds);
      const double start = CLAMP (events[i]->start, now, MAX (now, end));
      const double taken = CLAMP (events[i]->taken, now, start);

      add_idle (use, ready, &at, now, taken);
      use->data += start - taken;
      use->busy += MAX (end - start, 0);
      use->n_tasks++;
      now = MAX (now, end);
    }
  add_idle (use, ready, &at, now, file->seconds);
}

/**
 * armilla_trace_uses:
 * @file: a trace
 *
 * Returns: (transfer full) (array): what each of its workers did
 */
ArmillaTraceUse *
armilla_trace_uses (const ArmillaTraceFile *file)
{
  ArmillaTraceUse *uses = g_new0 (ArmillaTraceUse, file->workers->len);
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  g_autoptr (GArray) ready = NULL;
  int rank = -1;
  guint first = 0;

  for (guint i = 0; i < file->events->len; i++)
    if (g_array_index (file->events, ArmillaTraceEvent, i).worker >= 0)
      g_ptr_array_add (events, &g_array_index (file->events, ArmillaTraceEvent, i));
  g_ptr_array_sort (events, compare_events);
  for (guint w = 0; w < file->workers->len; w++)
    {
      const ArmillaTraceWorker *worker = &g_array_index (file->workers, ArmillaTraceWorker, w);
      guint end = first;

      if (worker->rank != rank)
        {
          g_clear_pointer (&ready, g_array_unref);
          ready = when_ready (file, worker->rank);
          rank = worker->rank;
        }
      for (; end < events->len; end++)
        {
          const ArmillaTraceEvent *event = g_ptr_array_index (events, end);

          if (event->rank != worker->rank || event->worker != worker->number)
            break;
        }
      use_worker (file, ready, (ArmillaTraceEvent **) events->pdata + first, end - first,
                  &uses[w]);
      first = end;
    }
  return uses;
}
