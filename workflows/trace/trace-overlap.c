/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/trace/trace-reader.h"

#include <string.h>

/* Beginning or end of a transfer or a task. */
typedef struct {
  double at;
  int traffic, tasks; /* change of the number of transfers and of tasks in progress: +1 or -1 */
} Change;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *x = a, *y = b;

  return (x->at > y->at) - (x->at < y->at);
}

static void
add_stretch (GArray *changes, double start, double duration, gboolean traffic)
{
  const Change begin = { start, traffic, !traffic };
  const Change end = { start + duration, -traffic, -!traffic };

  if (duration <= 0)
    return;
  g_array_append_val (changes, begin);
  g_array_append_val (changes, end);
}

/* Returns the changes of transfers to a rank and of tasks on its workers, in the order of time. */
static GArray *
changes_of (const ArmillaTraceFile *file, int rank, ArmillaTraceTraffic traffic)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));

  for (guint i = 0; i < file->copies->len; i++)
    {
      const ArmillaTraceCopy *copy = &g_array_index (file->copies, ArmillaTraceCopy, i);

      if (traffic == ARMILLA_TRACE_MESSAGES && copy->message && copy->rank == rank)
        add_stretch (changes, copy->start, copy->duration, TRUE);
    }
  for (guint i = 0; i < file->events->len; i++)
    {
      const ArmillaTraceEvent *event = &g_array_index (file->events, ArmillaTraceEvent, i);

      if (event->rank == rank && event->worker >= 0)
        add_stretch (changes, event->start, event->duration, FALSE);
      else if (event->rank == rank && traffic == ARMILLA_TRACE_TABLES
               && strcmp (event->name, "table") == 0)
        add_stretch (changes, event->start, event->duration, TRUE);
    }
  g_array_sort (changes, compare_changes);
  return changes;
}

/* Returns the time in which transfers are in progress, and how much of it no task runs. A message
 * lasts from the end of the task that wrote the tile until the task that reads it is ready, so it
 * includes waiting. */
ArmillaTraceOverlap
armilla_trace_overlap (const ArmillaTraceFile *file, ArmillaTraceTraffic traffic)
{
  ArmillaTraceOverlap overlap = { 0, 0 };

  for (int rank = 0; rank < file->n_ranks; rank++)
    {
      g_autoptr (GArray) changes = changes_of (file, rank, traffic);
      int under_way = 0, tasks = 0;
      double last = 0;

      for (guint i = 0; i < changes->len; i++)
        {
          const Change *change = &g_array_index (changes, Change, i);

          if (under_way > 0)
            {
              overlap.under_way += change->at - last;
              overlap.exposed += tasks == 0 ? change->at - last : 0;
            }
          under_way += change->traffic;
          tasks += change->tasks;
          last = change->at;
        }
    }
  return overlap;
}
