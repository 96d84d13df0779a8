/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legendre = auto: when it takes a table of compressed matrices, and what it says. */
#include "tasks/harmonic/transform.h"
#include "tasks/tuning/peaks-file.h"
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
  armilla_graph_fill_alm (graph, alm, whole_alm_fill, &whole, NULL, NULL);
  armilla_graph_set_legendre (graph, &options);
  armilla_graph_synthesis (graph, alm, map, NULL);
  g_assert_true (armilla_graph_wait (graph, NULL));
  cuts = armilla_graph_cuts (graph);
  g_assert_nonnull (strstr (cuts, "no table"));
  g_assert_nonnull (strstr (cuts, "pays"));
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

/* A transform for each residual, and an estimate that times kernels: what a missing table would
 * cost is found and told once a graph, whoever asks for it again. */
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

  armilla_graph_set_legendre (graph, &options);
  for (int n_fields = 1; n_fields <= 2; n_fields++)
    for (int kind = 0; kind < 2; kind++)
      {
        g_autoptr (ArmillaMap) map = armilla_map_new (grid, n_fields);
        g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, n_fields);

        armilla_graph_fill_map (graph, map, whole_map_fill, &whole, NULL, &error);
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
  g_assert_cmpint (armilla_graph_n_estimates (graph), ==, 1);
  /* It pays at another number of transforms where these are of two maps. */
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

  armilla_graph_fill_alm (graph, alm, whole_alm_fill, &whole, NULL, NULL);
  armilla_graph_set_legendre (graph, options);
  armilla_graph_synthesis (graph, alm, map, NULL);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  cuts = armilla_graph_cuts (graph);
  g_test_message ("%s", cuts);
  return cuts;
}

/* Seconds by recurrence, as told. */
static double
told_seconds (const char *cuts)
{
  const char *at = strstr (cuts, "by table, ");

  while (at && strncmp (at, "by table, the others", 20) == 0)
    at = strstr (at + 1, "by table, ");
  g_assert_nonnull (at);
  return g_ascii_strtod (at + strlen ("by table, "), NULL);
}

static void
keep_peaks (gint64 measured, double gpu_flops)
{
  g_autofree char *path = armilla_peaks_path (), *dir = g_path_get_dirname (path);
  g_autofree char *text
    = g_strdup_printf ("[peaks]\nmeasured=%" G_GINT64_FORMAT "\ncore-flops=1e10\n"
                       "core-bytes=1e10\ngpu-flops=%g\ngpu-bytes=1e12\n", measured, gpu_flops);

  g_assert_cmpint (g_mkdir_with_parents (dir, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Where GPUs compute, what is told is reckoned with the rates that the choice is made by, whatever
 * the cores were that made the table; in seconds of a GPU of this peak, where it is known. */
static void
test_told_of_gpus (void)
{
  /* By these, a core that made the table would use it. */
  static const ArmillaLegendreSpeed core = { .step = 1e-9, .step_field = 1e-9, .element = 1e-12,
                                             .byte = 1e-13 };
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *path = table_path ("gpus"), *first = NULL, *slower = NULL, *old = NULL;
  g_autofree char *absent = NULL;
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  const ArmillaAlmLayout layout = { 64, 64 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_AUTO, .table = path,
                                           .tolerance = 1e-9 };
  const gboolean gpus = runtime->gpus;

  make_partial (path, grid, layout, 65, &core);
  runtime->gpus = TRUE;
  first = what_is_told (grid, layout, &options);
  keep_peaks (now, 30.4e12 / 8);
  slower = what_is_told (grid, layout, &options);
  keep_peaks (now - 30 * 24 * 3600, 30.4e12 / 8);
  old = what_is_told (grid, layout, &options);
  g_unlink (path);
  keep_peaks (now, 30.4e12 / 8);
  absent = what_is_told (grid, layout, &options);
  runtime->gpus = gpus;
  g_assert_nonnull (strstr (first, ": 0 of "));
  g_assert_nonnull (strstr (first, "it never pays"));
  g_assert_nonnull (strstr (first, "on an H200"));
  g_assert_nonnull (strstr (slower, ": 0 of "));
  g_assert_nonnull (strstr (slower, "on one GPU"));
  /* told in three digits */
  g_assert_cmpfloat (fabs (told_seconds (slower) / (8 * told_seconds (first)) - 1), <, 0.02);
  g_assert_cmpstr (old, ==, first);
  g_assert_nonnull (strstr (absent, "it never pays"));
  /* the steps of all orders at once are estimated otherwise than block by block */
  g_assert_cmpfloat (fabs (told_seconds (absent) / told_seconds (slower) - 1), <, 0.1);
}

/* The rates that auto reckons with on a GPU give the times that were measured on an H200
 * (doc/performance.md), within a factor of two, and no case where the table was faster. */
static void
test_measured (void)
{
  static const struct
  {
    double fields, elements, bytes, table, recurrence; /* milliseconds */
  } cases[] = { { 1, 16.4e6, 85e6, 0.48, 0.04 },   { 8, 16.4e6, 85e6, 1.34, 0.13 },
                { 64, 16.4e6, 85e6, 9.13, 0.92 },  { 1, 53.6e6, 276e6, 1.02, 0.13 },
                { 8, 53.6e6, 276e6, 3.84, 0.39 },  { 64, 53.6e6, 276e6, 27.0, 2.55 },
                { 1, 78.9e6, 405e6, 1.25, 0.24 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double table = 1e3 * armilla_legendre_seconds_by_table (
                                   armilla_legendre_speed_of_gpus (), cases[i].fields,
                                   cases[i].elements, cases[i].bytes / 8);

      g_assert_cmpfloat (table, >, 0.5 * cases[i].table);
      g_assert_cmpfloat (table, <, 2 * cases[i].table);
      g_assert_cmpfloat (table, >, cases[i].recurrence);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  int status;

  /* Peaks that are made up are not for others. */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  folder = g_dir_make_tmp ("armilla-legendre-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/legendre/auto", test_auto);
  g_test_add_func ("/legendre/told-once", test_told_once);
  g_test_add_func ("/legendre/choice", test_choice);
  g_test_add_func ("/legendre/told-of-gpus", test_told_of_gpus);
  g_test_add_func ("/legendre/measured", test_measured);
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  armilla_runtime_stop (runtime);
  return status;
}
