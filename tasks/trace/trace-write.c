/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes Chrome trace events, for Perfetto and chrome://tracing; see doc/traces.md. */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "core/base/json-writer.h"
#include "tasks/trace/trace-private.h"

/* numbers of tracks that are not workers; those of workers are smaller */
enum { TRACK_SUBMIT = 10000, TRACK_HOST = 10001 };

typedef struct {
  ArmillaJson json;
  const ArmillaGraph *graph;
  const ArmillaTraceRank *ranks;
  int n_ranks;
  GHashTable **ends; /* [rank]: serial -> record; only with several ranks */
  gint64 n_copies;
} Writer;

/* Converts a time of rank r to the clock of rank 0, relative to the beginning of the trace,
 * assuming a constant drift. */
static double
time_of (const Writer *w, int r, double time)
{
  const double *clock = w->ranks[r].clock;
  double span = clock[3] - clock[1], share = span > 0 ? (time - clock[1]) / span : 0;

  return time - (clock[0] + share * (clock[2] - clock[0])) - w->ranks[0].clock[4];
}

static void
begin_event (Writer *w, const char *phase, const char *name, int r, int track)
{
  armilla_json_line (&w->json);
  armilla_json_open (&w->json, NULL, '{');
  armilla_json_string (&w->json, "ph", phase);
  armilla_json_string (&w->json, "name", name);
  armilla_json_integer (&w->json, "pid", r);
  armilla_json_integer (&w->json, "tid", track);
}

static void
end_event (Writer *w)
{
  armilla_json_close (&w->json, '}');
}

static void
write_name (Writer *w, const char *what, int r, int track, const char *name, int order)
{
  begin_event (w, "M", what, r, track);
  armilla_json_open (&w->json, "args", '{');
  armilla_json_string (&w->json, "name", name);
  armilla_json_close (&w->json, '}');
  end_event (w);
  if (order < 0)
    return;
  begin_event (w, "M", "thread_sort_index", r, track);
  armilla_json_open (&w->json, "args", '{');
  armilla_json_integer (&w->json, "sort_index", order);
  armilla_json_close (&w->json, '}');
  end_event (w);
}

static void
write_tracks (Writer *w, int r)
{
  const ArmillaTraceRank *rank = &w->ranks[r];
  g_autofree char *process = g_strdup_printf ("rank %d on %s", r, rank->host);
  int n_host = 0;

  write_name (w, "process_name", r, 0, process, -1);
  for (int i = 0; rank->workers[i]; i++)
    write_name (w, "thread_name", r, i, rank->workers[i], i);
  write_name (w, "thread_name", r, TRACK_SUBMIT, "submission", TRACK_SUBMIT);
  for (gsize i = 0; i < rank->n_tasks; i++)
    if (rank->tasks[i].host)
      n_host = MAX (n_host, rank->tasks[i].place + 1);
  for (int i = 0; i < n_host; i++)
    {
      g_autofree char *name = g_strdup_printf ("host step %d", i);

      write_name (w, "thread_name", r, TRACK_HOST + i, name, TRACK_HOST + i);
    }
}

static void
write_label (Writer *w, int r, int number)
{
  const ArmillaTraceRank *rank = &w->ranks[r];

  armilla_json_string (&w->json, "node", rank->label_nodes[number]);
  armilla_json_string (&w->json, "stage", rank->label_stages[number]);
  armilla_json_integer (&w->json, "realisation", (gint64) rank->label_indices[number]);
}

static void
write_span (Writer *w, int r, double start, double end)
{
  start = time_of (w, r, start);
  armilla_json_number (&w->json, "ts", start, 3);
  armilla_json_number (&w->json, "dur", MAX (time_of (w, r, end) - start, 0), 3);
}

/* A task that ran after a failure did nothing, so its work is written as 0. */
static void
write_task (Writer *w, int r, const ArmillaTraceTask *task)
{
  const ArmillaTraceRank *rank = &w->ranks[r];

  begin_event (w, "X", rank->names[task->name], r, task->host ? TRACK_HOST + task->place
                                                              : task->place);
  armilla_json_string (&w->json, "cat", task->host ? "host" : "task");
  write_span (w, r, task->start, task->end);
  armilla_json_open (&w->json, "args", '{');
  write_label (w, r, task->label);
  armilla_json_string (&w->json, "kind", task->host ? "host" : rank->kinds[task->place]);
  armilla_json_integer (&w->json, "serial", task->serial);
  armilla_json_number (&w->json, "flops", task->late ? 0 : task->flops, 0);
  armilla_json_number (&w->json, "bytes", task->late ? 0 : task->bytes, 0);
  armilla_json_number (&w->json, "submitted", time_of (w, r, task->submit), 3);
  armilla_json_number (&w->json, "ready", time_of (w, r, task->ready), 3);
  armilla_json_number (&w->json, "taken", time_of (w, r, task->taken), 3);
  if (task->finish > 0)
    {
      armilla_json_number (&w->json, "finish", MAX (task->end - task->finish, 0), 3);
      armilla_json_number (&w->json, "finish_bytes", task->late ? 0 : task->finish_bytes, 0);
    }
  if (task->late)
    armilla_json_boolean (&w->json, "late", TRUE);
  armilla_json_close (&w->json, '}');
  end_event (w);
}

/* Writes a copy as an asynchronous event (a begin and an end with a common number), since copies
 * may overlap. */
static void
write_copy (Writer *w, int r, const char *category, const char *name, double start, double end,
            double bytes, const char *from, const char *to, gboolean asynchronous)
{
  const char *const phases[] = { "b", "e" };
  gint64 number = w->n_copies++;

  for (int i = 0; i < 2; i++)
    {
      begin_event (w, phases[i], name, r, TRACK_SUBMIT);
      armilla_json_string (&w->json, "cat", category);
      armilla_json_integer (&w->json, "id", number);
      armilla_json_number (&w->json, "ts", i == 0 ? start : end, 3);
      if (i == 0)
        {
          armilla_json_open (&w->json, "args", '{');
          armilla_json_string (&w->json, "from", from);
          armilla_json_string (&w->json, "to", to);
          armilla_json_number (&w->json, "bytes", bytes, 0);
          armilla_json_number (&w->json, "dur", end - start, 3);
          if (asynchronous)
            armilla_json_boolean (&w->json, "asynchronous", TRUE);
          armilla_json_close (&w->json, '}');
        }
      end_event (w);
    }
}

static const ArmillaTraceTask *
find_task (const Writer *w, int r, gint64 serial)
{
  return r >= 0 && r < w->n_ranks ? g_hash_table_lookup (w->ends[r], &serial) : NULL;
}

/* Writes a message, from the end of the task that wrote the tile until the task that reads it was
 * ready. The true duration may be shorter. */
static void
write_message (Writer *w, int r, const ArmillaTraceMessage *message)
{
  const ArmillaTraceTask *writer = find_task (w, message->from, message->writer);
  const ArmillaTraceTask *reader = find_task (w, r, message->reader);
  g_autofree char *from = g_strdup_printf ("rank %d", message->from);
  g_autofree char *to = g_strdup_printf ("rank %d", r);
  g_autofree char *name = g_strdup_printf ("from rank %d", message->from);
  double start, end;

  end = time_of (w, r, reader ? reader->ready : message->came);
  start = writer ? MIN (time_of (w, message->from, writer->end), end) : end;
  write_copy (w, r, "message", name, start, end, message->bytes, from, to, FALSE);
}

static void
write_transfer (Writer *w, int r, const ArmillaTraceTransfer *transfer)
{
  const ArmillaTraceRank *rank = &w->ranks[r];
  const char *from = rank->nodes[transfer->from], *to = rank->nodes[transfer->to];
  g_autofree char *name = g_strdup_printf ("%s to %s", from, to);

  write_copy (w, r, "transfer", name, time_of (w, r, transfer->start),
              time_of (w, r, transfer->end), transfer->bytes, from, to, transfer->asynchronous);
}

/* Writes the value of a counter. Times before the beginning of rank 0 are omitted. */
static void
write_counter (Writer *w, int r, const char *name, const char *key, double time, double value)
{
  begin_event (w, "C", name, r, 0);
  armilla_json_number (&w->json, "ts", MAX (time, 0), 3);
  armilla_json_open (&w->json, "args", '{');
  armilla_json_number (&w->json, key, value, 0);
  armilla_json_close (&w->json, '}');
  end_event (w);
}

static void
write_memory (Writer *w, int r)
{
  const ArmillaTraceRank *rank = &w->ranks[r];
  const gsize width = 2 + rank->n_nodes;

  for (gsize i = 0; i < rank->n_samples; i++)
    {
      const double *sample = rank->samples + i * width;

      for (gsize j = 1; j < width; j++)
        {
          g_autofree char *name
            = j == 1 ? g_strdup ("resident memory")
                     : g_strdup_printf ("memory of %s", rank->nodes[j - 2]);

          if (sample[j] >= 0)
            write_counter (w, r, name, "bytes", time_of (w, r, sample[0]), sample[j]);
        }
    }
}

#define MAX_COUNTS 4096 /* maximum number of values of a counter */

typedef struct {
  double time;
  int ready, submitted;
} Change;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *x = a, *y = b;

  return (x->time > y->time) - (x->time < y->time);
}

/* Writes the numbers of submitted unfinished tasks, and of ready tasks that have not begun. */
static void
write_counts (Writer *w, int r)
{
  const ArmillaTraceRank *rank = &w->ranks[r];
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  double next = -G_MAXDOUBLE, step;
  int ready = 0, submitted = 0;

  for (gsize i = 0; i < rank->n_tasks; i++)
    {
      const ArmillaTraceTask *t = &rank->tasks[i];
      const Change four[]
        = { { t->submit, 0, 1 }, { t->ready, 1, 0 }, { t->start, -1, 0 }, { t->end, 0, -1 } };

      if (!t->host)
        g_array_append_vals (changes, four, G_N_ELEMENTS (four));
    }
  g_array_sort (changes, compare_changes);
  step = (rank->clock[5] - rank->clock[4]) / MAX_COUNTS;
  for (guint i = 0; i < changes->len; i++)
    {
      const Change *change = &g_array_index (changes, Change, i);

      ready += change->ready;
      submitted += change->submitted;
      if (change->time < next && i + 1 < changes->len)
        continue;
      next = change->time + step;
      write_counter (w, r, "ready tasks", "tasks", time_of (w, r, change->time), ready);
      write_counter (w, r, "submitted tasks", "tasks", time_of (w, r, change->time), submitted);
    }
}

static void
write_notes (Writer *w)
{
  const GArray *notes = armilla_graph_get_trace (w->graph)->notes;

  for (guint i = 0; i < notes->len; i++)
    {
      const ArmillaTraceNote *note = &g_array_index (notes, ArmillaTraceNote, i);

      begin_event (w, "i", note->name, 0, TRACK_SUBMIT);
      armilla_json_string (&w->json, "s", "g");
      armilla_json_number (&w->json, "ts", MAX (time_of (w, 0, note->at), 0), 3);
      armilla_json_open (&w->json, "args", '{');
      armilla_json_string (&w->json, "decision", note->text);
      armilla_json_close (&w->json, '}');
      end_event (w);
    }
}

static void
write_rank (Writer *w, int r)
{
  const ArmillaTraceRank *rank = &w->ranks[r];

  write_tracks (w, r);
  if (r == 0)
    write_notes (w);
  for (gsize i = 0; i < rank->n_tasks; i++)
    write_task (w, r, &rank->tasks[i]);
  for (gsize i = 0; i < rank->n_spans; i++)
    {
      begin_event (w, "X", "submit", r, TRACK_SUBMIT);
      armilla_json_string (&w->json, "cat", "submit");
      write_span (w, r, rank->spans[i].start, rank->spans[i].end);
      armilla_json_open (&w->json, "args", '{');
      write_label (w, r, rank->spans[i].label);
      armilla_json_close (&w->json, '}');
      end_event (w);
    }
  for (gsize i = 0; i < rank->n_messages; i++)
    write_message (w, r, &rank->messages[i]);
  for (gsize i = 0; i < rank->n_transfers; i++)
    write_transfer (w, r, &rank->transfers[i]);
  write_memory (w, r);
  write_counts (w, r);
}

static void
write_choices (ArmillaJson *json, const ArmillaGraph *graph)
{
  armilla_json_open (json, "choices", '[');
  for (guint i = 0; i < graph->labels->len; i++)
    {
      const ArmillaLabel *label = g_ptr_array_index (graph->labels, i);

      if (!label->choice)
        continue;
      armilla_json_open (json, NULL, '{');
      armilla_json_string (json, "node", label->node);
      armilla_json_integer (json, "realisation", label->index);
      armilla_json_string (json, "choice", label->choice);
      armilla_json_number (json, "predicted", label->predicted, 6);
      armilla_json_number (json, "seconds", label->seconds, 6);
      armilla_json_close (json, '}');
    }
  armilla_json_close (json, ']');
}

static void
write_metadata (Writer *w, const ArmillaTraceInfo *info)
{
  g_autofree char *machine = armilla_runtime_describe_json (w->graph->runtime);
  ArmillaJson *json = &w->json;
  gint64 n_tasks = 0;
  double end = 0;

  for (int r = 0; r < w->n_ranks; r++)
    {
      n_tasks += (gint64) w->ranks[r].n_tasks;
      end = MAX (end, time_of (w, r, w->ranks[r].clock[3]));
    }
  armilla_json_open (json, "metadata", '{');
  armilla_json_string (json, "format", "armilla-trace");
  armilla_json_integer (json, "version", 1);
  armilla_json_string (json, "program", info->program);
  armilla_json_string (json, "command", info->command);
  armilla_json_string (json, "workflow", info->workflow);
  armilla_json_string (json, "failure", info->failure);
  armilla_json_number (json, "start", info->start, 6);
  armilla_json_number (json, "seconds", 1e-6 * end, 6);
  armilla_json_integer (json, "tasks", n_tasks);
  armilla_json_raw (json, "machine", machine);
  write_choices (json, w->graph);
  armilla_json_raw (json, "files", info->files ? info->files : "null");
  armilla_json_open (json, "ranks", '[');
  for (int r = 0; r < w->n_ranks; r++)
    {
      armilla_json_open (json, NULL, '{');
      armilla_json_string (json, "host", w->ranks[r].host);
      armilla_json_open (json, "workers", '[');
      for (int i = 0; w->ranks[r].workers[i]; i++)
        {
          armilla_json_open (json, NULL, '{');
          armilla_json_string (json, "name", w->ranks[r].workers[i]);
          armilla_json_string (json, "kind", w->ranks[r].kinds[i]);
          armilla_json_close (json, '}');
        }
      armilla_json_close (json, ']');
      armilla_json_close (json, '}');
    }
  armilla_json_close (json, ']');
  armilla_json_close (json, '}');
}

static void
index_tasks (Writer *w)
{
  w->ends = g_new0 (GHashTable *, w->n_ranks);
  for (int r = 0; r < w->n_ranks; r++)
    {
      w->ends[r] = g_hash_table_new (g_int64_hash, g_int64_equal);
      for (gsize i = 0; w->n_ranks > 1 && i < w->ranks[r].n_tasks; i++)
        g_hash_table_insert (w->ends[r], (gpointer) &w->ranks[r].tasks[i].serial,
                             (gpointer) &w->ranks[r].tasks[i]);
    }
}

gboolean
armilla_trace_write (ArmillaGraph *graph, const ArmillaTraceRank *ranks,
                     const ArmillaTraceInfo *info, const char *path, GError **error)
{
  Writer w = { .graph = graph, .ranks = ranks, .n_ranks = graph->runtime->n_ranks };
  FILE *file = g_fopen (path, "wb");
  gboolean ok = file != NULL;

  if (ok)
    {
      index_tasks (&w);
      armilla_json_init (&w.json, file);
      armilla_json_open (&w.json, NULL, '{');
      armilla_json_string (&w.json, "displayTimeUnit", "ms");
      armilla_json_line (&w.json);
      write_metadata (&w, info);
      armilla_json_line (&w.json);
      armilla_json_open (&w.json, "traceEvents", '[');
      for (int r = 0; r < w.n_ranks; r++)
        write_rank (&w, r);
      armilla_json_close (&w.json, ']');
      armilla_json_close (&w.json, '}');
      ok = armilla_json_finish (&w.json);
      for (int r = 0; r < w.n_ranks; r++)
        g_hash_table_unref (w.ends[r]);
      g_free (w.ends);
      if (!ok)
        {
          int problem = errno;

          fclose (file);
          errno = problem;
        }
      else
        ok = fclose (file) == 0;
    }
  if (!ok)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "cannot write the trace: %s",
                 g_strerror (errno));
  return ok;
}
