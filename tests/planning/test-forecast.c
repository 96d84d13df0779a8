/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecasts of graphs so small that the end can be estimated by hand. */
#include <glib/gstdio.h>
#include <math.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/planning/forecast-private.h"

#define N 1000000 /* doubles of a tile: 8 MB */

static ArmillaRuntime *runtime;
static char *folder;

static char *
write_file (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Zeroing a tile takes 1 ms, copying one 2 ms; a message of a tile 4 ms in each port. */
static ArmillaNodeModel *
make_node (const char *workers, const char *more)
{
  g_autofree char *text
    = g_strdup_printf ("[node]\nworkers = %s\nspeed = 1\n"
                       "[network]\nbandwidth = 2 GB/s\nlatency = 100 us\nmessage = 50 us\n"
                       "[starpu]\nown = 10 us\nother = 1 us\ntask = 5 us\n"
                       "[cpu]\nzero = 8 GB/s\ncombine = 8 GB/s\n%s", workers, more);
  g_autofree char *path = write_file ("test.node", text);
  g_autoptr (GError) error = NULL;
  ArmillaNodeModel *node = armilla_node_model_read (path, &error);

  g_assert_no_error (error);
  return node;
}

typedef struct {
  ArmillaForecast *forecast;
  ArmillaGraph *graph;
} Scene;

static Scene
set_up (const char *workers, int n_ranks)
{
  g_autofree ArmillaNodeModel **nodes = g_new (ArmillaNodeModel *, n_ranks);
  g_autoptr (ArmillaNodeModel) node = make_node (workers, "");
  g_autoptr (GError) error = NULL;
  Scene scene;

  for (int r = 0; r < n_ranks; r++)
    nodes[r] = node;
  scene.forecast = armilla_forecast_new (nodes, n_ranks, FALSE);
  scene.graph = armilla_graph_new_forecast (runtime, NULL, scene.forecast, &error);
  g_assert_no_error (error);
  return scene;
}

static double
tear_down (Scene *scene, const ArmillaForecastOptions *options, ArmillaForecastResult *result)
{
  ArmillaForecastResult own;
  g_autoptr (GError) error = NULL;

  g_assert_true (armilla_forecast_play (scene->forecast, options, &own, &error));
  g_assert_no_error (error);
  armilla_graph_free (scene->graph);
  armilla_forecast_free (scene->forecast);
  if (result)
    *result = own;
  return own.seconds;
}

static ArmillaTile
new_tile (Scene *scene, int owner)
{
  g_autoptr (GError) error = NULL;
  ArmillaTile tile = { 0 };

  armilla_tile_new (scene->graph, owner, N, &tile, &error);
  g_assert_no_error (error);
  return tile;
}

static void
zero (Scene *scene, const ArmillaTile *tile)
{
  ArmillaVectorArgs args = { .n = N };
  ArmillaUse use = { tile->handle, STARPU_W };
  g_autoptr (GError) error = NULL;

  armilla_submit (scene->graph, &armilla_zero_cl, tile->owner, &args, sizeof args, &use, 1, 0,
                  &error);
  g_assert_no_error (error);
}

static void
copy (Scene *scene, const ArmillaTile *from, const ArmillaTile *to)
{
  ArmillaVectorArgs args = { .n = N, .alpha = 1 };
  ArmillaUse uses[] = { { from->handle, STARPU_R }, { to->handle, STARPU_W } };
  g_autoptr (GError) error = NULL;

  armilla_submit (scene->graph, &armilla_combine_cl, to->owner, &args, sizeof args, uses, 2, 0,
                  &error);
  g_assert_no_error (error);
}

static void
assert_near (double a, double b)
{
  /* sums of a few doubles of a size: rounding alone */
  g_assert_cmpfloat_with_epsilon (a, b, 1e-12);
}

/* Seven tasks of 1.005 ms on three workers, submitted 10 us apart: the first worker has three. */
static void
test_workers (void)
{
  Scene scene = set_up ("3", 1);
  ArmillaForecastResult result;

  for (int i = 0; i < 7; i++)
    {
      ArmillaTile tile = new_tile (&scene, 0);

      zero (&scene, &tile);
      armilla_tile_drop (&tile);
    }
  assert_near (tear_down (&scene, NULL, &result), 10e-6 + 3 * 1.005e-3);
  assert_near (result.mean, 7 * 1.005e-3 / 3);
  assert_near (result.submission, 7 * 11e-6);
  g_assert_cmpint (result.n_tasks, ==, 7);
  g_assert_cmpint (result.n_messages, ==, 0);
}

/* A chain is not shorter on many workers; reading together is. */
static void
test_order (void)
{
  Scene scene = set_up ("8", 1);
  ArmillaTile a = new_tile (&scene, 0), b = new_tile (&scene, 0), c = new_tile (&scene, 0);

  zero (&scene, &a);
  copy (&scene, &a, &b); /* both read a */
  copy (&scene, &a, &c);
  zero (&scene, &a);     /* waits for both */
  copy (&scene, &a, &b); /* and for that */
  armilla_tile_drop (&a);
  armilla_tile_drop (&b);
  armilla_tile_drop (&c);
  assert_near (tear_down (&scene, NULL, NULL), 10e-6 + 1.005e-3 + 2.005e-3 + 1.005e-3 + 2.005e-3);
}

/* What the ranks do in turn: 1.005 ms, thread, latency, 4 ms, thread, 2.005 ms. */
static void
test_message (void)
{
  Scene scene = set_up ("2", 2);
  ArmillaTile a = new_tile (&scene, 0), b = new_tile (&scene, 1), c = new_tile (&scene, 1);
  ArmillaForecastResult result;

  zero (&scene, &a);
  copy (&scene, &a, &b);
  copy (&scene, &a, &c); /* rank 1 has it already */
  armilla_tile_drop (&a);
  armilla_tile_drop (&b);
  armilla_tile_drop (&c);
  assert_near (tear_down (&scene, NULL, &result),
               10e-6 + 1.005e-3 + 50e-6 + 100e-6 + 4e-3 + 50e-6 + 2.005e-3);
  g_assert_cmpint (result.n_messages, ==, 1);
  assert_near (result.bytes, 8.0 * N);
  assert_near (result.port, 4e-3);
}

static double
play_exchange (const ArmillaForecastOptions *options)
{
  Scene scene = set_up ("4", 4);
  ArmillaTile to[3];
  ArmillaTile from = new_tile (&scene, 0);

  zero (&scene, &from);
  for (int r = 1; r < 4; r++)
    {
      to[r - 1] = new_tile (&scene, r);
      copy (&scene, &from, &to[r - 1]);
      armilla_tile_drop (&to[r - 1]);
    }
  armilla_tile_drop (&from);
  return tear_down (&scene, options, NULL);
}

/* Three messages from one rank go through its port one after another. */
static void
test_port (void)
{
  const ArmillaForecastOptions no_network = { .no_network = TRUE };

  assert_near (play_exchange (NULL),
               10e-6 + 1.005e-3 + 50e-6 + 3 * 4e-3 + 100e-6 + 50e-6 + 2.005e-3);
  assert_near (play_exchange (&no_network), 10e-6 + 1.005e-3 + 2.005e-3);
}

/* A rank that does nothing submits all the same. */
static void
test_submission (void)
{
  const ArmillaForecastOptions no_submission = { .no_submission = TRUE };

  for (int free_of_cost = 0; free_of_cost < 2; free_of_cost++)
    {
      Scene scene = set_up ("1000", 2);
      ArmillaTile tile = new_tile (&scene, 0), last = new_tile (&scene, 1);

      for (int i = 0; i < 500; i++)
        {
          ArmillaTile one = new_tile (&scene, 0);

          zero (&scene, &one);
          armilla_tile_drop (&one);
        }
      zero (&scene, &last);
      armilla_tile_drop (&tile);
      armilla_tile_drop (&last);
      /* rank 0 submits 500 of its own and one other, and its last task runs then; rank 1 sooner */
      assert_near (tear_down (&scene, free_of_cost ? &no_submission : NULL, NULL),
                   free_of_cost ? 1.005e-3 : 500 * 11e-6 - 1e-6 + 1.005e-3);
    }
}

/* Epochs of one task: three at once, whatever the workers. */
static void
test_epochs (void)
{
  Scene scene = set_up ("100", 1);

  for (int i = 0; i < 9; i++)
    {
      ArmillaTile tile = new_tile (&scene, 0);

      armilla_graph_next_epoch (scene.graph);
      zero (&scene, &tile);
      armilla_tile_drop (&tile);
    }
  /* 1, 4 and 7 one behind another; each is submitted 10 us after the end of the one before */
  assert_near (tear_down (&scene, &(ArmillaForecastOptions) { .no_submission = TRUE }, NULL),
               3 * 1.005e-3);
}

/* A task of which the node's file says nothing. */
static void
test_unknown (void)
{
  Scene scene = set_up ("1", 1);
  ArmillaTile a = new_tile (&scene, 0);
  ArmillaMemberArgs args = { .n_ranges = 1, .n = { 1 } };
  ArmillaUse uses[] = { { a.handle, STARPU_R },
                        { a.handle, STARPU_R },
                        { a.handle, STARPU_R },
                        { a.handle, STARPU_RW } };
  g_autoptr (GError) error = NULL;
  double value;

  g_assert_false (armilla_submit (scene.graph, &armilla_step_cl, 0, &args, sizeof args, uses, 4, 0,
                                  &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN);
  g_assert_nonnull (strstr (error->message, "step"));
  g_clear_error (&error);
  g_assert_false (armilla_graph_fetch (scene.graph, &a, &value, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  armilla_tile_drop (&a);
  tear_down (&scene, NULL, NULL);
}

/* Wrong files name the file, the group and the key. */
static void
test_files (void)
{
  static const struct {
    const char *text, *message;
  } wrong[] = {
    { "[node]\n", "[node] workers is missing" },
    { "[node]\nworkers = 2.5\n", "must be integers" },
    { "[node]\nworkers = 0\n", "is \"0\"" },
    { "[node]\nworkers = 2\nspede = 1\n", "spede" },
    { "[nodes]\nworkers = 2\n", "[nodes]" },
    { "[node]\nworkers = 2\n[network]\nbandwidth = 3 Gflop/s\n", "[network] bandwidth" },
    { "[node]\nworkers = 2\n[network]\nbandwidth = 3 GB/s\nlatency = 2\n", "us" },
    { "[node]\nworkers = 2\n[network]\nbandwidth = 3 GB/s\nlatency = 2 us\nmessage = 1 us\n"
      "[starpu]\nown = 1 us\nother = 1 us\ntask = 1 us\n[cpu]\nzero = 3 GB\n", "[cpu] zero" },
    { "[node]\nworkers = 2\n[network]\nbandwidth = 3 GB/s\nlatency = 2 us\nmessage = 1 us\n"
      "[starpu]\nown = 1 us\nother = 1 us\ntask = 1 us\n[cuda]\nzero = -3 GB/s\n", "[cuda] zero" },
    { "[node]\nworkers = 2\ngpus = 1\n[network]\nbandwidth = 3 GB/s\nlatency = 2 us\n"
      "message = 1 us\n[starpu]\nown = 1 us\nother = 1 us\ntask = 1 us\n",
      "gpu-memory is missing" },
    { "[node]\nworkers = 2\ngpus = 1\ngpu-memory = 80 GiB\n[network]\nbandwidth = 3 GB/s\n"
      "latency = 2 us\nmessage = 1 us\n", "device is missing" },
    { "workers", "test.node" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = write_file ("test.node", wrong[i].text);
      g_autoptr (GError) error = NULL;

      g_assert_null (armilla_node_model_read (path, &error));
      g_assert_nonnull (error);
      if (!strstr (error->message, wrong[i].message) || !strstr (error->message, "test.node"))
        g_error ("%s does not hold %s", error->message, wrong[i].message);
    }
}

static void
test_rates (void)
{
  g_autoptr (ArmillaNodeModel) node
    = make_node ("4", "delta_table = 2 Gflop/s\n[cuda]\nzero = 4 TB/s\n"
                      "[host]\nread-map = 500 MB/s\n");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  double seconds;

  g_assert_true (
    armilla_node_model_seconds (node, ARMILLA_NODE_CPU, "delta_table", 4e9, 1e9, &seconds, &error));
  assert_near (seconds, 2);
  g_assert_true (
    armilla_node_model_seconds (node, ARMILLA_NODE_CUDA, "zero", 0, 8e12, &seconds, &error));
  assert_near (seconds, 2);
  g_assert_true (
    armilla_node_model_seconds (node, ARMILLA_NODE_HOST, "read-map", 0, 1e9, &seconds, &error));
  assert_near (seconds, 2);
  g_assert_false (
    armilla_node_model_seconds (node, ARMILLA_NODE_HOST, "zero", 0, 1e9, &seconds, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN);
  armilla_node_model_print_rate (text, "delta_table", 0, 4e9, 1e9, 2);
  armilla_node_model_print_rate (text, "zero", 0, 0, 16e9, 2);
  armilla_node_model_print_rate (text, "nothing", 0, 0, 0, 2);
  armilla_node_model_print_rate (text, "no_time", 0, 0, 1, 0);
  armilla_node_model_print_rate (text, "render", 0.25, 0, 16e9, 2);
  armilla_node_model_print_rate (text, "commit", 2e-5, 0, 0, 0);
  g_assert_cmpstr (text->str, ==,
                   "delta_table = 2 Gflop/s\nzero = 8 GB/s\nrender = 2.5e+05 us + 8 GB/s\n"
                   "commit = 20 us\n");
}

/* Equal ranks get equal shares. A rank three times as slow gets a third; the end is later than the
 * ideal by less than one realisation of the slow rank. */
static void
test_deal (void)
{
  double first[64], each[64], ideal = 0;
  gint64 dealt[64], sum = 0;

  for (int r = 0; r < 64; r++)
    first[r] = each[r] = 2;
  assert_near (armilla_forecast_deal (first, each, 64, 640, dealt), 20);
  for (int r = 0; r < 64; r++)
    g_assert_cmpint (dealt[r], ==, 10);
  for (int r = 0; r < 64; r++)
    {
      first[r] = each[r] = r < 32 ? 1 : 3;
      ideal += 1 / each[r];
    }
  g_assert_cmpfloat (armilla_forecast_deal (first, each, 64, 1000, dealt), <, 1000 / ideal + 3);
  for (int r = 0; r < 64; r++)
    sum += dealt[r];
  g_assert_cmpint (sum, ==, 1000);
  g_assert_cmpint (dealt[0], >, 2 * dealt[63]);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("STARPU_NCPU", "1", TRUE);
  g_setenv ("STARPU_NCUDA", "0", TRUE);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  folder = g_dir_make_tmp ("armilla-forecast-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/forecast/workers", test_workers);
  g_test_add_func ("/forecast/order", test_order);
  g_test_add_func ("/forecast/message", test_message);
  g_test_add_func ("/forecast/port", test_port);
  g_test_add_func ("/forecast/submission", test_submission);
  g_test_add_func ("/forecast/epochs", test_epochs);
  g_test_add_func ("/forecast/unknown", test_unknown);
  g_test_add_func ("/forecast/files", test_files);
  g_test_add_func ("/forecast/rates", test_rates);
  g_test_add_func ("/forecast/deal", test_deal);
  status = g_test_run ();
  path = g_build_filename (folder, "test.node", NULL);
  g_unlink (path);
  g_rmdir (folder);
  g_free (folder);
  armilla_runtime_stop (runtime);
  return status;
}
