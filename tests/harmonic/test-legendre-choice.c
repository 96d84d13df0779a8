/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legendre = auto: when it takes a table of compressed matrices, and what it says. */
#include "tasks/harmonic/transform.h"
#include "tests/lib/legendre-helpers.h"

/* auto: without a table it is the recurrence, bit by bit, and says what a table would bring; fields
 * with a spin go by recurrence as well. */
static void
test_auto (void)
{
  static const int spins[] = { 0, 2, 2 };
  g_autofree char *path = table_path ("auto");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  const ArmillaAlmLayout layout = { 64, 64 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_AUTO, .table = path,
                                           .tolerance = 1e-9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *x = random_alm_array (rand, layout, 3);
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autofree char *cuts = NULL;
  WholeAlm whole = { x, layout };

  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <=, rounding ());
  armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, NULL);
  armilla_graph_set_legendre (graph, &options);
  armilla_graph_synthesis (graph, alm, map, NULL);
  g_assert_true (armilla_graph_wait (graph, NULL));
  cuts = armilla_graph_cuts (graph);
  if (runtime->gpus)
    g_assert_nonnull (strstr (cuts, "is not used"));
  else
    {
      g_assert_nonnull (strstr (cuts, "no table"));
      g_assert_nonnull (strstr (cuts, "by recurrence, on one worker"));
    }
  make_partial (path, grid, layout, 65, NULL);
  g_autofree double *expected = synthesize_spins (NULL, grid, layout, x, spins, 3);
  legendre_options = &options;
  g_autofree double *got = synthesize_spins (NULL, grid, layout, x, spins, 3);
  legendre_options = NULL;
  g_assert_cmpfloat (relative_rms (got, expected, 3 * grid->n_pixels), <=, rounding ());
  g_unlink (path);
}

/* How often a text has some words. */
static int
count_words (const char *text, const char *words)
{
  int n = 0;

  for (const char *at = strstr (text, words); at; at = strstr (at + 1, words))
    n++;
  return n;
}

/* A transform for each residual, and an estimate that times kernels: the cost without a table is
 * measured and reported once per graph, however often it is needed. */
static void
test_told_once (void)
{
  g_autofree char *path = table_path ("absent");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  const ArmillaAlmLayout layout = { 64, 64 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_AUTO, .table = path,
                                           .tolerance = 1e-9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *values = random_map_array (rand, 2 * grid->n_pixels);
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autofree char *cuts = NULL;
  WholeMap whole = { values, grid->n_pixels };
  GError *error = NULL;

  if (runtime->gpus)
    {
      g_test_skip ("where GPUs compute, there is no estimate");
      return;
    }
  armilla_graph_set_legendre (graph, &options);
  for (int n_fields = 1; n_fields <= 2; n_fields++)
    for (int kind = 0; kind < 2; kind++)
      {
        g_autoptr (ArmillaMap) map = armilla_map_new (grid, n_fields);
        g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, n_fields);

        armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, &whole, NULL, &error);
        g_assert_no_error (error);
        if (kind == 0)
          armilla_graph_analysis (graph, map, alm, 3, &error);
        else
          armilla_graph_analysis_cg (graph, map, alm, 1e-10, 50, &error);
        g_assert_no_error (error);
        armilla_graph_wait (graph, &error);
        g_assert_no_error (error);
        if (n_fields == 1 && kind == 0)
          {
            cuts = armilla_graph_cuts (graph);
            g_test_message ("%s", cuts);
            g_assert_cmpint (count_words (cuts, "no table"), ==, 1);
            g_clear_pointer (&cuts, g_free);
          }
      }
  cuts = armilla_graph_cuts (graph);
  g_test_message ("%s", cuts);
  /* It saves time at another number of transforms where these are of two maps. */
  g_assert_cmpint (count_words (cuts, "no table"), ==, 2);
  g_assert_cmpint (count_words (cuts, "with 1 map at a time")
                   + count_words (cuts, "transforms of 1 map on"), ==, 1);
}

/* auto takes the table where the figures in its header say that it is faster, and on a GPU never;
 * interpolation makes the recurrence cheaper. */
static void
test_choice (void)
{
  static const struct
  {
    ArmillaLegendreSpeed speed;
    gboolean by_table; /* on a CPU */
  } cases[] = { { { .step = 1e-9, .step_field = 1e-9, .element = 1e-12, .byte = 1e-13 }, TRUE },
                { { .step = 1e-9, .step_field = 1e-9, .element = 1e-12, .byte = 1e-6 }, FALSE },
                { { .step = 1e-9, .step_field = 1e-9, .element = 1e-6, .byte = 1e-13 }, FALSE },
                { { .step = 1e-13, .step_field = 1e-13, .element = 1e-12, .byte = 1e-13 },
                  FALSE } };
  g_autofree char *path = table_path ("choice");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  const ArmillaAlmLayout layout = { 64, 64 };
  ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_AUTO, .table = path,
                                     .tolerance = 1e-9 };
  const gboolean gpus = starpu_cuda_worker_get_count () > 0;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double distance;

      make_partial (path, grid, layout, 65, &cases[i].speed);
      distance = compare (NULL, grid, layout, &options, 0, 1);
      if (cases[i].by_table && !gpus)
        g_assert_cmpfloat (distance, >, 0);
      else if (!cases[i].by_table)
        g_assert_cmpfloat (distance, <=, rounding ());
      g_assert_cmpfloat (distance, <, 1e-8);
    }
  /* Delta of all rings, 65 orders and 33 pairs of 32 bytes, is more than half of this. */
  make_partial (path, grid, layout, 65, &cases[0].speed);
  g_setenv ("ARMILLA_MEMORY", "100 KiB", TRUE);
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <=, rounding ());
  options.kind = ARMILLA_LEGENDRE_BUTTERFLY;
  assert_fails (grid, layout, &options, NULL, 1, "for Delta of all rings");
  g_setenv ("ARMILLA_MEMORY", "1 MiB", TRUE);
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), >, 0);
  g_setenv ("ARMILLA_MEMORY", "much", TRUE);
  assert_fails (grid, layout, &options, NULL, 1, "ARMILLA_MEMORY");
  g_unsetenv ("ARMILLA_MEMORY");
  g_unlink (path);
}

/* What a synthesis tells of its table. */
static char *
what_is_told (ArmillaGrid *grid, ArmillaAlmLayout layout, const ArmillaLegendreOptions *options)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *x = random_alm_array (rand, layout, 1);
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  WholeAlm whole = { x, layout };
  g_autoptr (GError) error = NULL;
  char *cuts;

  armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, NULL);
  armilla_graph_set_legendre (graph, options);
  armilla_graph_synthesis (graph, alm, map, NULL);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  cuts = armilla_graph_cuts (graph);
  g_test_message ("%s", cuts);
  return cuts;
}

/* Where GPUs compute, auto leaves a table alone that the cores that made it would use. */
static void
test_gpus (void)
{
  static const ArmillaLegendreSpeed core = { .step = 1e-9, .step_field = 1e-9, .element = 1e-12,
                                             .byte = 1e-13 };
  g_autofree char *path = table_path ("gpus"), *there = NULL, *absent = NULL;
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  const ArmillaAlmLayout layout = { 64, 64 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_AUTO, .table = path,
                                           .tolerance = 1e-9 };
  const gboolean gpus = runtime->gpus;

  make_partial (path, grid, layout, 65, &core);
  runtime->gpus = TRUE;
  there = what_is_told (grid, layout, &options);
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <=, rounding ());
  g_unlink (path);
  absent = what_is_told (grid, layout, &options);
  runtime->gpus = gpus;
  g_assert_nonnull (strstr (there, "is not used: all orders by recurrence"));
  g_assert_cmpstr (absent, ==, there);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  folder = g_dir_make_tmp ("armilla-legendre-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/legendre/auto", test_auto);
  g_test_add_func ("/legendre/told-once", test_told_once);
  g_test_add_func ("/legendre/choice", test_choice);
  g_test_add_func ("/legendre/gpus", test_gpus);
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  armilla_runtime_stop (runtime);
  return status;
}
