/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/trace/trace-reader.h"

#include <string.h>


static int
count_workers (const ArmillaTraceFile *file, const char *kind)
{
  int n = 0;

  for (guint w = 0; w < file->workers->len; w++)
    n += strcmp (g_array_index (file->workers, ArmillaTraceWorker, w).kind, kind) == 0;
  return n;
}

/* Appends @value, or a dash if it is 0: unknown or not applicable. */
static void
append_value (GString *text, int width, const char *format, double value)
{
  g_autofree char *number = value > 0 ? g_strdup_printf (format, value) : g_strdup ("-");

  g_string_append_printf (text, "%*s", width, number);
}

static double
share (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static void
append_group (GString *text, const ArmillaTraceFile *file, const ArmillaTraceGroup *group,
              int width)
{
  const double flops = group->seconds > 0 ? group->flops / group->seconds : 0;
  const double bytes = group->seconds > 0 ? group->bytes / group->seconds : 0;
  const gboolean gpu = strcmp (group->kind, "CUDA") == 0;
  const gboolean host = strcmp (group->kind, "host") == 0;
  g_autofree char *name = group->name ? g_strconcat ("  ", group->name, NULL)
                                      : g_strdup_printf ("[%s] %s", group->node, group->stage);

  g_string_append_printf (text, "%-*s %-5s %8" G_GINT64_FORMAT " %10.4f %9.3f", width, name,
                          group->kind, group->n, group->seconds,
                          1e3 * group->seconds / (double) group->n);
  append_value (text, 9, "%.2f", 1e-9 * flops);
  append_value (text, 8, "%.1f %%", host ? 0 : share (flops, file->peak[gpu].flops));
  append_value (text, 9, "%.2f", 1e-9 * bytes);
  append_value (text, 8, "%.1f %%", host ? 0 : share (bytes, file->peak[gpu].bytes));
  append_value (text, 9, "%.2f %%",
                share (group->seconds, file->seconds * count_workers (file, group->kind)));
  g_string_append_c (text, '\n');
}

static void
append_groups (GString *text, const ArmillaTraceFile *file)
{
  g_autoptr (GArray) nodes = armilla_trace_groups (file, FALSE);
  g_autoptr (GArray) names = armilla_trace_groups (file, TRUE);
  int width = 24;

  for (guint i = 0; i < names->len; i++)
    {
      const ArmillaTraceGroup *group = &g_array_index (names, ArmillaTraceGroup, i);

      width = MAX (width, (int) strlen (group->name) + 2);
      width = MAX (width, (int) (strlen (group->node) + strlen (group->stage)) + 3);
    }
  g_string_append_printf (text, "%-*s %-5s %8s %10s %9s%9s%8s%9s%8s%9s\n", width,
                          "node and codelet", "on", "tasks", "total s", "mean ms", "Gflop/s",
                          "of peak", "GB/s", "of peak", "of run");
  for (guint i = 0; i < nodes->len; i++)
    {
      const ArmillaTraceGroup *node = &g_array_index (nodes, ArmillaTraceGroup, i);

      append_group (text, file, node, width);
      for (guint j = 0; j < names->len; j++)
        {
          const ArmillaTraceGroup *group = &g_array_index (names, ArmillaTraceGroup, j);

          if (group->node == node->node && group->stage == node->stage
              && group->kind == node->kind && strcmp (group->kind, "host") != 0)
            append_group (text, file, group, width);
        }
    }
}

static void
append_workers (GString *text, const ArmillaTraceFile *file, const ArmillaTraceUse *uses)
{
  static const char *const columns[]
    = { "busy", "data", "schedule", "not worth", "submission", "not ready" };

  g_string_append_printf (text, "%-24s %8s", "worker", "tasks");
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    g_string_append_printf (text, " %10s", columns[i]);
  g_string_append_c (text, '\n');
  for (guint w = 0; w < file->workers->len; w++)
    {
      const ArmillaTraceWorker *worker = &g_array_index (file->workers, ArmillaTraceWorker, w);
      const ArmillaTraceUse *use = &uses[w];
      const double parts[] = { use->busy,     use->data,   use->scheduling,
                               use->unworthy, use->behind, use->nothing };
      g_autofree char *name = g_strdup_printf ("rank %d %s", worker->rank, worker->name);

      g_string_append_printf (text, "%-24s %8" G_GINT64_FORMAT, name, use->n_tasks);
      for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
        g_string_append_printf (text, " %8.1f %%", share (parts[i], file->seconds));
      g_string_append_c (text, '\n');
    }
}

/* Appends the ratio of the largest and the mean load of @n ranks or workers. */
static void
append_imbalance (GString *text, const char *what, const double *busy, int n)
{
  double sum = 0, max_busy = 0;

  for (int i = 0; i < n; i++)
    {
      sum += busy[i];
      max_busy = MAX (max_busy, busy[i]);
    }
  if (n > 1 && sum > 0)
    g_string_append_printf (text, "imbalance over %s: the busiest has %.1f %% more than the mean\n",
                            what, share (max_busy * n - sum, sum));
}

static void
append_imbalances (GString *text, const ArmillaTraceFile *file, const ArmillaTraceUse *uses)
{
  static const char *const kinds[] = { "CPU", "CUDA", "other" };
  g_autofree double *ranks = g_new0 (double, file->n_ranks);
  g_autofree double *busy = g_new0 (double, file->workers->len);

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autofree char *what = g_strdup_printf ("%s workers", kinds[k]);
      int n = 0;

      for (guint w = 0; w < file->workers->len; w++)
        if (strcmp (g_array_index (file->workers, ArmillaTraceWorker, w).kind, kinds[k]) == 0)
          busy[n++] = uses[w].busy;
      append_imbalance (text, what, busy, n);
    }
  for (guint w = 0; w < file->workers->len; w++)
    ranks[g_array_index (file->workers, ArmillaTraceWorker, w).rank] += uses[w].busy;
  append_imbalance (text, "ranks", ranks, file->n_ranks);
}

typedef struct {
  const ArmillaTraceCopy *first;
  gint64 n, n_asynchronous;
  double bytes, seconds;
} Direction;

/* Groups transfers by memory node; nodes have the same names on every rank. */
static GArray *
make_directions (const ArmillaTraceFile *file)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Direction));

  for (guint i = 0; i < file->copies->len; i++)
    {
      const ArmillaTraceCopy *copy = &g_array_index (file->copies, ArmillaTraceCopy, i);
      Direction *direction = NULL, fresh = { .first = copy };

      for (guint j = 0; !direction && j < all->len; j++)
        {
          const ArmillaTraceCopy *other = g_array_index (all, Direction, j).first;

          if (other->message == copy->message && other->from == copy->from && other->to == copy->to
              && (copy->message || other->rank == copy->rank))
            direction = &g_array_index (all, Direction, j);
        }
      if (!direction)
        {
          g_array_append_val (all, fresh);
          direction = &g_array_index (all, Direction, all->len - 1);
        }
      direction->n++;
      direction->n_asynchronous += copy->asynchronous;
      direction->bytes += copy->bytes;
      direction->seconds += copy->asynchronous ? 0 : copy->duration;
    }
  return all;
}

/* Appends a table of transfers. Messages and asynchronous copies have no durations. */
static void
append_transfers (GString *text, const ArmillaTraceFile *file)
{
  g_autoptr (GArray) all = make_directions (file);

  if (all->len == 0)
    return;
  g_string_append_printf (text, "\n%-36s %8s %12s %9s\n", "transfers", "number", "MB", "GB/s");
  for (guint i = 0; i < all->len; i++)
    {
      const Direction *d = &g_array_index (all, Direction, i);
      const gboolean timed = !d->first->message && d->n_asynchronous == 0 && d->seconds > 0;
      g_autofree char *name
        = d->first->message
            ? g_strdup_printf ("%s to %s", d->first->from, d->first->to)
            : g_strdup_printf ("rank %d: %s to %s", d->first->rank, d->first->from, d->first->to);

      g_string_append_printf (text, "%-36s %8" G_GINT64_FORMAT " %12.3f ", name, d->n,
                              1e-6 * d->bytes);
      append_value (text, 9, "%.2f", timed ? 1e-9 * d->bytes / d->seconds : 0);
      g_string_append_c (text, '\n');
    }
}

static void
append_overlap (GString *text, const ArmillaTraceFile *file, ArmillaTraceTraffic traffic,
                const char *what)
{
  const ArmillaTraceOverlap overlap = armilla_trace_overlap (file, traffic);

  if (overlap.under_way > 0)
    g_string_append_printf (text, "%s for %.3f s (all ranks together); for %.3f s of that, %.1f "
                                  "%%, the receiving rank computed nothing\n", what,
                            overlap.under_way, overlap.exposed,
                            100 * overlap.exposed / overlap.under_way);
}

/* Returns tables as text: for each node and codelet, the time of tasks and the fraction of the
 * peak; for each worker, its activity; transfers. */
char *
armilla_trace_table (const ArmillaTraceFile *file)
{
  g_autofree ArmillaTraceUse *uses = armilla_trace_uses (file);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: %s, %d rank%s, %u worker%s, %.3f s\n", file->workflow,
                          file->program, file->n_ranks, file->n_ranks == 1 ? "" : "s",
                          file->workers->len, file->workers->len == 1 ? "" : "s", file->seconds);
  if (file->failure)
    g_string_append_printf (text, "the run failed: %s\n", file->failure);
  for (int i = 0; i < 2; i++)
    if (file->peak[i].flops > 0)
      g_string_append_printf (text, "peak of a %s: %.1f Gflop/s, %.1f GB/s\n",
                              i == 0 ? "core" : "GPU", 1e-9 * file->peak[i].flops,
                              1e-9 * file->peak[i].bytes);
  g_string_append_c (text, '\n');
  append_groups (text, file);
  g_string_append_c (text, '\n');
  append_workers (text, file, uses);
  append_imbalances (text, file, uses);
  append_transfers (text, file);
  append_overlap (text, file, ARMILLA_TRACE_MESSAGES, "tiles were on their way between ranks");
  append_overlap (text, file, ARMILLA_TRACE_TABLES, "tables were read and verified");
  return g_string_free (text, FALSE);
}
