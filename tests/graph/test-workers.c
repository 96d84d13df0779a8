/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected times of tasks, from made-up peaks and shares; which workers are worth having; cores
 * that sleep. */
#include "config.h"

#include <armilla/graph.h>
#include <math.h>

#include "codelets/common/rates.h"
#include "tasks/graph/graph-private.h"
#include "tasks/runtime/first-start.h"
#include "tasks/runtime/nap.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/peaks-file.h"

#define CORE ARMILLA_KIND_CORE
#define GPU ARMILLA_KIND_GPU

typedef struct {
  ArmillaFault *fault;
  double flops, bytes;
} ToyArgs;

static int n_run;
static double predicted;

static void
run_toy (double *value)
{
  *value += 1;
  predicted = starpu_task_get_current ()->predicted;
  g_atomic_int_inc (&n_run);
}

ARMILLA_CPU_WRAPPER (toy, ToyArgs, run_toy (ARMILLA_BUFFER (0)))
ARMILLA_COST (toy, ToyArgs, (ArmillaCost) { args->flops, args->bytes })
/* Each test has a codelet, as what was measured stays with it. */
#define TOY(symbol)                                                                                \
  {                                                                                                \
    .cl = { ARMILLA_CODELET_MEMBERS (symbol, toy, "1", .core_share = 0.5, .gpu_share = 0.25) },    \
    .cost = toy_cost                                                                               \
  }
static ArmillaCodelet seconds_cl = TOY ("toy_seconds"), measured_cl = TOY ("toy_measured");
static ArmillaCodelet kept_cl = TOY ("toy_kept"), again_cl = TOY ("toy_kept");
static ArmillaCodelet other_cl = TOY ("toy_other"), scheduled_cl = TOY ("toy_scheduled");
static ArmillaCodelet nap_cl = TOY ("toy_nap");

/* A core of 10 Gflop/s and 2 GB/s, a GPU of 4 Tflop/s and 1 TB/s. */
static void
set_peaks (void)
{
  armilla_rates_set_peaks (10e9, 2e9, 4e12, 1e12);
}

static void
assert_near (double found, double expected, double tolerance)
{
  g_assert_cmpfloat (fabs (found - expected), <=, tolerance * expected);
}

static void
test_seconds (void)
{

  set_peaks ();
  /* Operations over the share of the peak; beside it what any task takes. */
  assert_near (armilla_rates_seconds (&seconds_cl, CORE, (ArmillaCost) { 1e9, 0 }), 0.2, 1e-3);
  assert_near (armilla_rates_seconds (&seconds_cl, GPU, (ArmillaCost) { 1e12, 0 }), 1, 1e-3);
  /* Bytes, where they take longer. */
  assert_near (armilla_rates_seconds (&seconds_cl, CORE, (ArmillaCost) { 1e9, 1e9 }), 1, 1e-3);
  assert_near (armilla_rates_seconds (&seconds_cl, GPU, (ArmillaCost) { 1e9, 1e12 }), 4, 1e-3);
  /* A small task is not for a GPU, and none is free: StarPU would take it for unknown. */
  g_assert_cmpfloat (armilla_rates_seconds (&seconds_cl, CORE, (ArmillaCost) { 0, 0 }), >, 0);
  g_assert_cmpfloat (armilla_rates_seconds (&seconds_cl, CORE, (ArmillaCost) { 1e3, 0 }), <,
                     armilla_rates_seconds (&seconds_cl, GPU, (ArmillaCost) { 1e3, 0 }));
  /* Peaks that were not measured leave the others. */
  armilla_rates_set_peaks (10e9, 2e9, 0, 0);
  assert_near (armilla_rates_seconds (&seconds_cl, GPU, (ArmillaCost) { 1e12, 0 }), 1, 1e-3);
}

static void
test_measured (void)
{
  const ArmillaCost cost = { 1e9, 0 }; /* 0.1 s at a core's peak */

  set_peaks ();
  armilla_rates_measured (&measured_cl, CORE, cost, 1); /* not prepared: nothing to keep it in */
  assert_near (armilla_rates_seconds (&measured_cl, CORE, cost), 0.2, 1e-3);
  armilla_rates_prepare (&measured_cl);
  assert_near (armilla_rates_seconds (&measured_cl, CORE, cost), 0.2, 1e-3);
  /* One task says nearly all; the other kind is as it was. */
  armilla_rates_measured (&measured_cl, CORE, cost, 1);
  assert_near (armilla_rates_seconds (&measured_cl, CORE, cost), 1, 0.05);
  assert_near (armilla_rates_seconds (&measured_cl, GPU, (ArmillaCost) { 1e12, 0 }), 1, 1e-3);
  /* What became faster is believed before long. */
  for (int i = 0; i < 30; i++)
    armilla_rates_measured (&measured_cl, CORE, cost, 0.25);
  assert_near (armilla_rates_seconds (&measured_cl, CORE, cost), 0.25, 0.05);
  /* Nothing is free. */
  for (int i = 0; i < 100; i++)
    armilla_rates_measured (&measured_cl, CORE, cost, 0);
  g_assert_cmpfloat (armilla_rates_seconds (&measured_cl, CORE, cost), >, 0.02);
}

static void
test_kept (void)
{
  const ArmillaCost cost = { 1e10, 0 };
  const ArmillaMeasuredRate nothing = { { 0 }, { 0 } };
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "armilla", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  set_peaks ();
  armilla_rates_prepare (&kept_cl);
  armilla_rates_measured (&kept_cl, CORE, cost, 5);
  armilla_rates_save ();
  armilla_rates_put ("armilla_toy_kept_v1", &nothing); /* another process knows nothing */
  armilla_rates_load ();
  armilla_rates_prepare (&again_cl);
  assert_near (armilla_rates_seconds (&again_cl, CORE, cost), 5, 0.02);
  armilla_rates_prepare (&other_cl);
  assert_near (armilla_rates_seconds (&other_cl, CORE, cost), 2, 1e-3);

  /* A damaged file is as good as none, and is replaced. */
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, "peaks-"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        g_assert_true (g_file_set_contents (path, "[rates]\narmilla_toy_other_v1=1;nan;x\n=", -1,
                                            NULL));
      }
  armilla_rates_load ();
  armilla_rates_save ();
  armilla_rates_load ();
  assert_near (armilla_rates_seconds (&again_cl, CORE, cost), 5, 0.02);
}

/* Returns whether peaks that were measured then are taken. */
static gboolean
taken (gint64 measured)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "old-peaks.ini", NULL);
  g_autofree char *text
    = g_strdup_printf ("[peaks]\nmeasured=%" G_GINT64_FORMAT "\ncore-flops=5e10\ncore-bytes=1e10\n"
                       "gpu-flops=0\ngpu-bytes=0\n", measured);
  ArmillaPeaks peaks;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return armilla_peaks_load (path, &peaks);
}

static void
test_old (void)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  g_assert_true (taken (now - 24 * 3600));
  g_assert_false (taken (now - 8 * 24 * 3600));
  g_assert_false (taken (now + 3600));
  g_assert_false (taken (G_MININT64)); /* the difference does not fit into 64 bits */
  g_assert_false (taken (G_MAXINT64));
}

/* Adds @n tasks; returns what is said of the last. */
static gint32
add (ArmillaWorth *worth, int n, double core, double gpu)
{
  gint32 where = 0;

  for (int i = 0; i < n; i++)
    where = armilla_worth_add (worth, (const double[]) { core, gpu });
  return where;
}

static void
assert_said (const ArmillaWorth *worth, const char *expected)
{
  g_autofree char *said = armilla_worth_describe (worth);

  g_assert_cmpstr (said, ==, expected);
}

static void
test_choice (void)
{
  ArmillaWorth worth = { .workers = { 12, 1 } };

  assert_said (&worth, NULL);
  /* Thirty times as fast as all cores: they get nothing. */
  g_assert_cmpint (add (&worth, 10, 0.36, 1e-3), ==, STARPU_CUDA);
  assert_said (&worth, "12 cores idle: a GPU does this graph 30 times faster");
  /* A task that is no faster on the GPU goes there too: its data are there. */
  g_assert_cmpint (add (&worth, 1, 1e-3, 1e-3), ==, STARPU_CUDA);

  /* A GPU twice as fast as all cores: both. */
  worth = (ArmillaWorth) { .workers = { 12, 1 } };
  g_assert_cmpint (add (&worth, 10, 0.024, 1e-3), ==, -1);
  assert_said (&worth, NULL);
  /* Then its slow part comes. */
  g_assert_cmpint (add (&worth, 1, 1e-3, 1), ==, STARPU_CPU);
  g_assert_cmpint (add (&worth, 1000, 1e-3, 0.1), ==, STARPU_CPU);
  assert_said (&worth, "1 GPU idle: 12 cores do this graph 977 times faster");

  /* A GPU that hardly knows double precision. */
  worth = (ArmillaWorth) { .workers = { 16, 1 } };
  g_assert_cmpint (add (&worth, 10, 0.016, 0.01), ==, STARPU_CPU);
  assert_said (&worth, "1 GPU idle: 16 cores do this graph 10 times faster");
  worth = (ArmillaWorth) { .workers = { 1, 2 } };
  g_assert_cmpint (add (&worth, 10, 1, 0.2), ==, STARPU_CUDA);
  assert_said (&worth, "1 core idle: 2 GPUs do this graph 10 times faster");
}

/* The scheduler sees the cost that the codelet has stated. */
static void
test_scheduled (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime;
  ArmillaGraph *graph;
  starpu_data_handle_t handle;
  double value = 0;

  n_run = 0;
  g_setenv ("STARPU_SCHED", "dmdas", TRUE);
  /* With a GPU the runtime refines shares by what it measures, and these tasks take no time. */
  g_setenv ("STARPU_NCUDA", "0", TRUE);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  set_peaks ();
  graph = armilla_graph_new (runtime, NULL, &error);
  g_assert_no_error (error);
  starpu_vector_data_register (&handle, STARPU_MAIN_RAM, (uintptr_t) &value, 1, sizeof value);
  for (int i = 1; i <= 3; i++)
    {
      const ToyArgs args = { armilla_graph_fault (graph), i * 1e6, i == 3 ? 4e6 : 0 };
      const ArmillaUse use = { handle, STARPU_RW };

      g_assert_true (armilla_submit (graph, &scheduled_cl, 0, &args, sizeof args, &use, 1, 0,
                                     &error));
      g_assert_true (armilla_graph_wait (graph, &error));
      /* microseconds, at half of the peaks */
      assert_near (predicted, i == 3 ? 4000 : 200.0 * i, 0.05);
    }
  g_assert_cmpint (n_run, ==, 3);
  starpu_data_unregister (handle);
  armilla_graph_free (graph);
  armilla_runtime_stop (runtime);
}

static void
insert (ArmillaCodelet *codelet, starpu_data_handle_t handle, ArmillaFault *fault)
{
  const ToyArgs args = { fault, 1e3, 0 };

  g_assert_cmpint (starpu_task_insert (&codelet->cl, STARPU_VALUE, &args, sizeof args, STARPU_RW,
                                       handle, 0), ==, 0);
}

/* Workers that sleep wake for tasks, for pauses and for the end. */
static void
test_nap (void)
{
  starpu_data_handle_t handle[2];
  double value[2] = { 0 };
  struct starpu_conf conf;
  ArmillaFault fault = { 0 };

  g_assert_null (armilla_nap_policy ("no such policy"));
  n_run = 0;
  g_assert_cmpint (starpu_conf_init (&conf), ==, 0);
  conf.catch_signals = 0;
  conf.sched_policy = armilla_nap_policy ("dmdas");
  g_assert_nonnull (conf.sched_policy);
  g_assert_cmpint (starpu_init (&conf), ==, 0);
  for (int i = 0; i < 2; i++)
    starpu_vector_data_register (&handle[i], STARPU_MAIN_RAM, (uintptr_t) &value[i], 1,
                                 sizeof value[i]);
  for (int i = 0; i < 20; i++)
    {
      g_usleep (i % 4 * 1000); /* some find workers asleep */
      for (int k = 0; k < 10; k++)
        insert (&nap_cl, handle[k % 2], &fault);
      if (i % 5 == 0)
        {
          starpu_pause ();
          starpu_resume ();
        }
      g_assert_cmpint (starpu_task_wait_for_all (), ==, 0);
      g_assert_cmpint (g_atomic_int_get (&n_run), ==, 10 * (i + 1));
    }
  for (int i = 0; i < 2; i++)
    starpu_data_unregister (handle[i]);
  g_usleep (3000);
  starpu_shutdown ();
}

/* Files of its own, which other tests do not see damaged; they go with the build tree. */
static void
set_folder (void)
{
  static const char *const variables[]
    = { "XDG_CACHE_HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR" };
  const char *there = g_getenv ("XDG_CACHE_HOME");
  g_autofree char *folder = g_build_filename (there ? there : "tests", "test-workers", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], folder, TRUE);
}

int
main (int argc, char *argv[])
{
  ArmillaRuntime runtime = { 0 };
  int status;

  g_test_init (&argc, &argv, NULL);
  set_folder ();
  g_assert_true (armilla_first_start (&runtime, NULL));
  g_test_add_func ("/workers/seconds", test_seconds);
  g_test_add_func ("/workers/measured", test_measured);
  g_test_add_func ("/workers/kept", test_kept);
  g_test_add_func ("/workers/old", test_old);
  g_test_add_func ("/workers/choice", test_choice);
  g_test_add_func ("/workers/nap", test_nap);
  g_test_add_func ("/workers/scheduled", test_scheduled); /* sets the environment */
  status = g_test_run ();
  armilla_first_start_end (&runtime);
  return status;
}
