/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs whose workers are idle for a reason that is known: what their traces say of it. */
#include "config.h"

#include <armilla/graph.h>
#include <glib/gstdio.h>

#include "tasks/graph/graph-private.h"
#include "tasks/trace/trace.h"
#include "workflows/trace/trace-reader.h"

#define N_TASKS 6
#define TASK_MS 10
#define PAUSE_MS 40

typedef struct {
  ArmillaFault *fault;
} SleepArgs;

static void
rest (double *value)
{
  *value += 1;
  g_usleep (1000 * TASK_MS);
}

ARMILLA_CPU_WRAPPER (rest, SleepArgs, rest (ARMILLA_BUFFER (0)))
ARMILLA_COST (rest, SleepArgs, ((void) args, (ArmillaCost) { 1, 8 }))
static ArmillaCodelet rest_cl
  = { .cl = { ARMILLA_CODELET_MEMBERS ("toy_rest", rest, "1", .core_share = 0.5,
                                       .gpu_share = 0.5) },
      .cost = rest_cost };

/* Runs tasks on two cores: each after a pause, or all in a chain. Returns what both did, summed. */
static ArmillaTraceUse
run_tasks (gboolean chain, guint pause_ms)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "armilla-idle-XXXXXX", NULL);
  const int file_descriptor = g_mkstemp (path);
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  ArmillaTraceInfo info = { .program = "test", .workflow = "none" };
  g_autoptr (ArmillaTraceFile) file = NULL;
  g_autofree ArmillaTraceUse *uses = NULL;
  starpu_data_handle_t handles[N_TASKS];
  double values[N_TASKS] = { 0 };
  ArmillaTraceUse sum = { 0 };
  ArmillaOutput *output;
  ArmillaGraph *graph;

  g_assert_no_error (error);
  g_assert_cmpint (file_descriptor, >=, 0);
  g_assert_true (g_close (file_descriptor, NULL));
  for (int i = 0; i < N_TASKS; i++)
    starpu_vector_data_register (&handles[i], STARPU_MAIN_RAM, (uintptr_t) &values[i], 1,
                                 sizeof *values);
  graph = armilla_graph_new (runtime, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (armilla_graph_trace (graph, &error));
  for (int i = 0; i < N_TASKS; i++)
    {
      const SleepArgs args = { armilla_graph_fault (graph) };
      const ArmillaUse use = { handles[chain ? 0 : i], STARPU_RW };

      g_usleep (1000 * pause_ms);
      armilla_runtime_wake (runtime);
      g_assert_true (armilla_submit (graph, &rest_cl, 0, &args, sizeof args, &use, 1, 0, &error));
    }
  g_assert_true (armilla_graph_wait (graph, &error));
  output = armilla_output_new (path, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (armilla_graph_write_trace (graph, &info, output, &error));
  g_assert_no_error (error);
  file = armilla_trace_file_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (file->workers->len, ==, 2);
  uses = armilla_trace_uses (file);
  for (int w = 0; w < 2; w++)
    {
      sum.n_tasks += uses[w].n_tasks;
      sum.busy += uses[w].busy;
      sum.unworthy += uses[w].unworthy;
      sum.behind += uses[w].behind;
      sum.nothing += uses[w].nothing;
    }
  g_assert_cmpint (g_remove (path), ==, 0);
  for (int i = 0; i < N_TASKS; i++)
    starpu_data_unregister (handles[i]);
  armilla_graph_free (graph);
  armilla_runtime_stop (runtime);
  return sum;
}

/* Tasks need nothing but come 40 ms after one another: both workers wait for the submission for
 * most of that, on a busy machine even longer. */
static void
test_behind (void)
{
  const ArmillaTraceUse use = run_tasks (FALSE, PAUSE_MS);

  g_assert_cmpint (use.n_tasks, ==, N_TASKS);
  g_assert_cmpfloat (use.busy, >=, 1e-3 * N_TASKS * TASK_MS);
  g_assert_cmpfloat (use.behind, >=, 0.5e-3 * N_TASKS * PAUSE_MS);
  g_assert_cmpfloat (use.behind, >, use.nothing);
  g_assert_cmpfloat (use.unworthy, ==, 0);
}

/* Tasks that need each other are there at once: one worker waits while the other one works. */
static void
test_chain (void)
{
  const ArmillaTraceUse use = run_tasks (TRUE, 0);

  g_assert_cmpint (use.n_tasks, ==, N_TASKS);
  g_assert_cmpfloat (use.nothing, >=, 0.5e-3 * (N_TASKS - 1) * TASK_MS);
  g_assert_cmpfloat (use.nothing, >, use.behind);
  g_assert_cmpfloat (use.unworthy, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("STARPU_NCPU", "2", TRUE);
  g_setenv ("STARPU_NCUDA", "0", TRUE);
  g_test_add_func ("/trace-idle/behind", test_behind);
  g_test_add_func ("/trace-idle/chain", test_chain);
  return g_test_run ();
}
