/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by tables of compressed matrices: against the recurrence, which other tests hold to
 * direct sums; the adjoint; tables that lack orders, are damaged, interrupted or for another
 * grid. ARMILLA_TEST_LARGE=1 adds lmax 256 to 2048 at four tolerances (3 GB of disk in TMPDIR and
 * minutes at the largest; -p /legendre/large/gauss/512 and the like take some of them). */
#include "core/legendre-table.h"
#include "tasks/legendre.h"
#include "tasks/peaks-file.h"
#include "tests/transform-helpers.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <starpu.h>
#include <sys/resource.h>

static char *folder;

static char *
table_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* By how much two runs of the same tasks may differ: not at all where all workers are of one kind,
 * by what CPUs and GPUs round differently (1e-13 by contract) where either may take a task. */
static double
rounding (void)
{
  return starpu_cpu_worker_get_count () > 0 && starpu_cuda_worker_get_count () > 0 ? 1e-13 : 0;
}

/* Distances of both directions from the recurrence. */
static double
compare (const ArmillaTilingOptions *tiling, ArmillaGrid *grid, ArmillaAlmLayout layout,
         const ArmillaLegendreOptions *options, int iterations, int n_fields)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  const gint64 n_alm = 2 * n_fields * armilla_alm_count (layout);
  g_autofree double *x = random_alm_array (rand, layout, n_fields);
  g_autofree double *map = synthesize (tiling, grid, layout, x, n_fields);
  g_autofree double *alm = analyse (ANALYSIS, iterations, tiling, grid, layout, map, n_fields);
  double there, back;

  legendre_options = options;
  g_autofree double *by_table = synthesize (tiling, grid, layout, x, n_fields);
  g_autofree double *alm_by_table
    = analyse (ANALYSIS, iterations, tiling, grid, layout, map, n_fields);
  legendre_options = NULL;
  there = relative_rms (by_table, map, n_fields * grid->n_pixels);
  back = relative_rms (alm_by_table, alm, n_alm);
  g_test_message ("lmax %ld tolerance %g: map %.2g a_lm %.2g", (long) layout.lmax,
                  options->tolerance, there, back);
  return MAX (there, back);
}

static void
test_tolerance (void)
{
  static const Case grids[] = { { "gauss", 257, 514, 256, 256 }, { "healpix", 128, 0, 256, 256 },
                                { "healpix", 50, 0, 150, 101 }, { "gauss", 9, 18, 8, 8 },
                                { "clenshaw-curtis", 101, 100, 50, 50 } };
  static const double tolerances[] = { 1e-4, 1e-7, 1e-10, 1e-13 };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    for (gsize t = i % 2; t < G_N_ELEMENTS (tolerances); t += 1 + i % 2)
      {
        g_autofree char *path = table_path ("tolerance");
        g_autoptr (ArmillaGrid) grid
          = make_grid (grids[i].kind, grids[i].n_theta, grids[i].n_phi);
        const ArmillaAlmLayout layout = { grids[i].lmax, grids[i].mmax };
        const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY,
                                                 .table = path,
                                                 .tolerance = tolerances[t] };

        /* the promise of the documentation */
        g_assert_cmpfloat (compare (NULL, grid, layout, &options, i % 2, 1 + (int) t), <,
                           10 * tolerances[t]);
        g_unlink (path);
      }
}

static void
test_adjoint (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree char *path = table_path ("adjoint");
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  const ArmillaAlmLayout layout = { 128, 128 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                           .tolerance = 1e-3 };

  legendre_options = &options;
  /* the bound of the design, however coarse the table */
  g_assert_cmpfloat (adjoint_error (rand, grid, layout), <, 1e-14);
  legendre_options = NULL;
  g_unlink (path);
}

/* A grid, lmax and tolerance: both directions against the recurrence; the exact adjoint. */
static void
test_large (gconstpointer data)
{
  const gint64 *size = data; /* lmax, digits, whether it is HEALPix */
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree char *path = table_path ("large");
  g_autoptr (ArmillaGrid) grid = make_grid (size[2] ? "healpix" : "gauss",
                                            size[2] ? size[0] / 2 : size[0] + 1, 2 * size[0] + 2);
  const ArmillaAlmLayout layout = { size[0], size[0] };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                           .tolerance = pow (10, (double) -size[1]) };
  double adjoint;

  /* the promise of the documentation */
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 10 * options.tolerance);
  legendre_options = &options;
  adjoint = adjoint_error (rand, grid, layout);
  legendre_options = NULL;
  g_test_message ("adjoint %.2g", adjoint);
  /* the bound of the design */
  g_assert_cmpfloat (adjoint, <, 1e-14);
  g_unlink (path);
}

static void
add_large (void)
{
  for (int healpix = 0; healpix < 2; healpix++)
    for (gint64 lmax = 256; lmax <= 2048; lmax *= 2)
      for (gint64 digits = 4; digits <= 13; digits += 3)
        {
          g_autofree char *name
            = g_strdup_printf ("/legendre/large/%s/%" G_GINT64_FORMAT "/1e-%" G_GINT64_FORMAT,
                               healpix ? "healpix" : "gauss", lmax, digits);
          gint64 *size = g_new (gint64, 3);

          size[0] = lmax;
          size[1] = digits;
          size[2] = healpix;
          g_test_add_data_func_full (name, size, test_large, g_free);
        }
}

/* The table of a grid with all orders, or with those below @first_missing. @speed: (nullable): what
 * is to be taken for measured */
static void
make_partial (const char *path, ArmillaGrid *grid, ArmillaAlmLayout layout, gint64 first_missing,
              const ArmillaLegendreSpeed *speed)
{
  g_autofree char *whole = g_strconcat (path, ".whole", NULL);
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = whole,
                                           .tolerance = 1e-9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *alm = random_alm_array (rand, layout, 1);
  g_autoptr (ArmillaLegendreWriter) writer = NULL;
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GError *error = NULL;
  gint64 next;

  legendre_options = &options;
  g_free (synthesize (NULL, grid, layout, alm, 1));
  legendre_options = NULL;
  file = armilla_legendre_file_open (whole, &error);
  g_assert_no_error (error);
  writer = armilla_legendre_writer_new (path, armilla_legendre_file_key (file),
                                     speed ? speed : armilla_legendre_file_speed (file), &next,
                                     &error);
  for (gint64 m = 0; m <= layout.mmax; m++)
    {
      const ArmillaLegendreEntry *entry = armilla_legendre_file_entry (file, m);
      const gboolean keep = m < first_missing;

      armilla_legendre_writer_add (writer, m, armilla_legendre_file_words (file, m),
                                keep ? entry->size : 0, entry->elements, entry->width, 0, &error);
      g_assert_no_error (error);
    }
  armilla_legendre_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_unlink (whole);
}

/* Some m-blocks by table, others by recurrence, with and without interpolation, and cut anyhow. */
static void
test_hybrid (void)
{
  static const ArmillaTilingOptions tilings[] = {
    { 0, 0, ARMILLA_INTERPOLATION_NEVER },   { 0, 0, ARMILLA_INTERPOLATION_ALWAYS },
    { 37, 7, ARMILLA_INTERPOLATION_NEVER },  { 100, 3, ARMILLA_INTERPOLATION_NEVER },
    { 1000, 1, ARMILLA_INTERPOLATION_NEVER },
  };
  static const gint64 missing[] = { 0, 1, 70, 131 };
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  const ArmillaAlmLayout layout = { 130, 130 };

  for (gsize k = 0; k < G_N_ELEMENTS (missing); k++)
    {
      g_autofree char *path = table_path ("hybrid");
      const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                               .tolerance = 1e-9 };

      make_partial (path, grid, layout, missing[k], NULL);
      for (gsize i = 0; i < G_N_ELEMENTS (tilings); i++)
        {
          const double distance = compare (&tilings[i], grid, layout, &options, 0, 2);

          g_assert_cmpfloat (distance, <, 1e-8);
          if (missing[k] <= 1) /* no block is whole: it is the recurrence */
            g_assert_cmpfloat (distance, <=, rounding ());
          if (missing[k] == 131)
            g_assert_cmpfloat (distance, >, 0);
        }
      g_unlink (path);
    }
}

/* As where there is a GPU, with some orders at a time, one in most pieces. */
static void
by_pieces (ArmillaGraph *graph)
{
  graph->table_piece = 2500;
}

/* Both directions by a table, one after the other. */
static void
by_table (ArmillaGrid *grid, ArmillaAlmLayout layout, double **map, double **alm)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (14);
  g_autofree double *x = random_alm_array (rand, layout, 1);

  *map = synthesize (NULL, grid, layout, x, 1);
  *alm = analyse (ANALYSIS, 2, NULL, grid, layout, *map, 1);
}

/* A table that is read piece by piece, once or for each transform, gives the bits of a mapped
 * one. */
static void
test_pieces (void)
{
  g_autofree char *path = table_path ("pieces"), *memory = NULL;
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  g_autoptr (ArmillaLegendreFile) file = NULL;
  const ArmillaAlmLayout layout = { 130, 130 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                           .tolerance = 1e-9 };
  double *map[3], *alm[3];

  legendre_options = &options;
  by_table (grid, layout, &map[0], &alm[0]);
  file = armilla_legendre_file_open (path, NULL);
  g_assert_nonnull (file);
  legendre_adjust = by_pieces;
  by_table (grid, layout, &map[1], &alm[1]);
  /* Half of it is less than the table, and more than Delta of all rings. */
  memory = g_strdup_printf ("%" G_GINT64_FORMAT " B", 2 * armilla_legendre_file_size (file) - 2);
  g_assert_true (g_setenv ("ARMILLA_MEMORY", memory, TRUE));
  by_table (grid, layout, &map[2], &alm[2]);
  g_unsetenv ("ARMILLA_MEMORY");
  legendre_adjust = NULL;
  legendre_options = NULL;
  for (int i = 1; i < 3; i++)
    {
      g_assert_cmpfloat (relative_rms (map[i], map[0], grid->n_pixels), <=, rounding ());
      g_assert_cmpfloat (relative_rms (alm[i], alm[0], 2 * armilla_alm_count (layout)), <=,
                         rounding ());
    }
  for (int i = 0; i < 3; i++)
    {
      g_free (map[i]);
      g_free (alm[i]);
    }
  g_unlink (path);
}

/* Whether a synthesis fails, with an error that has these words. */
static void
assert_fails (ArmillaGrid *grid, ArmillaAlmLayout layout, const ArmillaLegendreOptions *options,
              const int *spins, int n_fields, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, n_fields);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, n_fields);
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *values = random_alm_array (rand, layout, n_fields);
  WholeAlm whole = { values, layout };

  armilla_alm_set_spins (alm, spins);
  armilla_map_set_spins (map, spins);
  g_assert_true (armilla_graph_fill_alm (graph, alm, whole_alm_fill, &whole, NULL, NULL));
  armilla_graph_set_legendre (graph, options);
  if (options->kind == ARMILLA_LEGENDRE_BUTTERFLY)
    g_assert_true (armilla_graph_precompute (graph, layout, grid, n_fields, NULL));
  g_assert_true (armilla_graph_synthesis (graph, alm, map, NULL));
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  g_autofree char *path = table_path ("refused");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  g_autoptr (ArmillaGrid) other = make_grid ("gauss", 66, 130);
  const ArmillaAlmLayout layout = { 64, 64 }, lower = { 63, 63 };
  ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                     .tolerance = 1e-9 };
  static const int spins[] = { 2, 2 };
  g_autofree char *bytes = NULL;
  gsize size;

  make_partial (path, grid, layout, 65, NULL);
  assert_fails (other, layout, &options, NULL, 1, "another grid");
  assert_fails (grid, lower, &options, NULL, 1, "lmax 64");
  assert_fails (grid, layout, &options, spins, 2, "scalar fields");
  options.tolerance = 1e-10;
  assert_fails (grid, layout, &options, NULL, 1, "tolerance");
  options.kind = ARMILLA_LEGENDRE_AUTO;
  assert_fails (grid, layout, &options, NULL, 1, "tolerance");
  options = (ArmillaLegendreOptions) { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  bytes[size - 200] ^= 4;
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  assert_fails (grid, layout, &options, NULL, 1, "damaged in order 64");
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size / 2, NULL));
  assert_fails (grid, layout, &options, NULL, 1, "damaged");
  g_unlink (path);
}

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
  g_assert_cmpint (graph->legendre_estimates->len, ==, 1);
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

/* An interrupted table is gone on with, and is what it would have been. */
static void
test_resumed (void)
{
  g_autofree char *path = table_path ("resumed"), *part = g_strconcat (path, ".part", NULL);
  g_autofree char *first_path = table_path ("first");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 97, 200);
  const ArmillaAlmLayout layout = { 96, 96 };
  const ArmillaLegendreOptions options = { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  g_autoptr (ArmillaLegendreFile) first = NULL, second = NULL;
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize size;

  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_cmpint (g_rename (path, first_path), ==, 0);
  /* As a process leaves it that is killed while it writes. */
  g_assert_true (g_file_set_contents (part, bytes, (gssize) size / 3, NULL));
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  first = armilla_legendre_file_open (first_path, &error);
  second = armilla_legendre_file_open (path, &error);
  g_assert_no_error (error);
  for (gint64 m = 0; m <= layout.mmax && rounding () == 0; m++)
    g_assert_cmpuint (armilla_legendre_file_entry (first, m)->checksum, ==,
                      armilla_legendre_file_entry (second, m)->checksum);
  g_unlink (path);
  g_unlink (first_path);
}

/* A full disk (a limit on the size of files stands for it) fails the run and leaves no table. */
static void
test_full_disk (void)
{
  g_autofree char *path = table_path ("full"), *part = g_strconcat (path, ".part", NULL);
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 97, 200);
  const ArmillaAlmLayout layout = { 96, 96 };
  const ArmillaLegendreOptions options = { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  struct rlimit before, full;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  full = before;
  full.rlim_cur = 200000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  assert_fails (grid, layout, &options, NULL, 1, "cannot write");
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_unlink (path);
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
  g_test_add_func ("/legendre/tolerance", test_tolerance);
  g_test_add_func ("/legendre/adjoint", test_adjoint);
  g_test_add_func ("/legendre/hybrid", test_hybrid);
  g_test_add_func ("/legendre/pieces", test_pieces);
  g_test_add_func ("/legendre/refused", test_refused);
  g_test_add_func ("/legendre/auto", test_auto);
  g_test_add_func ("/legendre/told-once", test_told_once);
  g_test_add_func ("/legendre/choice", test_choice);
  g_test_add_func ("/legendre/told-of-gpus", test_told_of_gpus);
  g_test_add_func ("/legendre/measured", test_measured);
  g_test_add_func ("/legendre/resumed", test_resumed);
  g_test_add_func ("/legendre/full-disk", test_full_disk);
  if (g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0)
    add_large ();
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  armilla_runtime_stop (runtime);
  return status;
}
