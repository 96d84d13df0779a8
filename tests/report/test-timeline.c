/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spans of a timeline: each task where there are few; where there are many, no more than a
 * browser draws at once, and none where nothing was done. */
#include <stdio.h>
#include <string.h>

#include "workflows/report/report-private.h"

#define N_WORKERS 2
#define SECONDS 10.0
#define MAX_SPANS 40000

static ArmillaTraceFile *
trace_new (void)
{
  static const char *const names[N_WORKERS] = { "CPU 0", "CPU 1" };
  ArmillaTraceFile *trace = g_new0 (ArmillaTraceFile, 1);

  trace->workers = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceWorker));
  trace->events = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceEvent));
  trace->copies = g_array_new (FALSE, TRUE, sizeof (ArmillaTraceCopy));
  trace->strings = g_string_chunk_new (64);
  trace->n_ranks = 1;
  trace->seconds = SECONDS;
  for (int w = 0; w < N_WORKERS; w++)
    {
      const ArmillaTraceWorker worker = { 0, w, names[w], "CPU" };

      g_array_append_val (trace->workers, worker);
    }
  return trace;
}

/* @n tasks on each worker in the first half of the run, of @n_nodes nodes in turn. */
static void
add_tasks (ArmillaTraceFile *trace, int n, int n_nodes)
{
  static const char *const nodes[] = { "one", "two", "three" };

  for (int i = 0; i < n; i++)
    for (int w = 0; w < N_WORKERS; w++)
      {
        const ArmillaTraceEvent event = { .node = nodes[i % n_nodes], .stage = "stage",
                                          .name = "work", .kind = "CPU", .worker = w,
                                          .start = SECONDS / 2 * i / n,
                                          .duration = SECONDS / 2 / n * 0.9 };

        g_array_append_val (trace->events, event);
      }
}

typedef struct {
  int n_spans;
  gint64 n_tasks;
  double last; /* us */
} Seen;

static Seen
look (ArmillaTraceFile *trace)
{
  const ArmillaReport report = { .trace = trace };
  g_autoptr (GString) page = g_string_new (NULL);
  const char *at;
  Seen seen = { 0, 0, 0 };
  int lane, node, name, used;
  gint64 n;
  double start, length;

  armilla_report_timeline (&report, page);
  at = strstr (page->str, "\"spans\":[");
  g_assert_nonnull (at);
  at += strlen ("\"spans\":[");
  while (sscanf (at, "%d,%d,%d,%lf,%lf,%" G_GINT64_FORMAT "%n", &lane, &node, &name, &start,
                 &length, &n, &used) == 6)
    {
      g_assert_cmpint (lane, <, N_WORKERS);
      seen.n_spans++;
      seen.n_tasks += n;
      seen.last = MAX (seen.last, start + length);
      at += used;
      at += strspn (at, ",\n");
    }
  g_assert_true (g_str_has_prefix (at, "]}</script>"));
  return seen;
}

static void
test_few (void)
{
  ArmillaTraceFile *trace = trace_new ();
  Seen seen;

  add_tasks (trace, 500, 3);
  seen = look (trace);
  g_assert_cmpint (seen.n_spans, ==, 1000);
  g_assert_cmpint (seen.n_tasks, ==, 1000);
  armilla_trace_file_free (trace);
}

/* One after another, of one node: none is lost. */
static void
test_joined (void)
{
  ArmillaTraceFile *trace = trace_new ();
  Seen seen;

  add_tasks (trace, 100000, 1);
  seen = look (trace);
  g_assert_cmpint (seen.n_spans, <=, MAX_SPANS);
  g_assert_cmpint (seen.n_tasks, ==, 200000);
  g_assert_cmpfloat (seen.last, <=, 1e6 * SECONDS / 2 + 1);
  armilla_trace_file_free (trace);
}

/* Nodes that take turns. */
static void
test_thinned (void)
{
  ArmillaTraceFile *trace = trace_new ();
  Seen seen;

  add_tasks (trace, 100000, 3);
  seen = look (trace);
  g_assert_cmpint (seen.n_spans, >, 1000);
  g_assert_cmpint (seen.n_spans, <=, MAX_SPANS);
  g_assert_cmpint (seen.n_tasks, ==, 200000);
  g_assert_cmpfloat (seen.last, <=, 1e6 * SECONDS / 2 + 1);
  armilla_trace_file_free (trace);
}

static void
test_nothing (void)
{
  ArmillaTraceFile *trace = trace_new ();

  g_assert_cmpint (look (trace).n_spans, ==, 0);
  armilla_trace_file_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/few", test_few);
  g_test_add_func ("/timeline/joined", test_joined);
  g_test_add_func ("/timeline/thinned", test_thinned);
  g_test_add_func ("/timeline/nothing", test_nothing);
  return g_test_run ();
}
