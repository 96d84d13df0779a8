/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of some rings of a grid: the values of the whole, at the cost of the part. */
#include "core/grids/grid.h"
#include "tasks/graph/graph.h"
#include "tests/lib/transform-helpers.h"

static const int spins[3] = { 0, 2, 2 };

static ArmillaGrid *
part_of (ArmillaGrid *grid, double from, double to)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *part
    = armilla_grid_select_theta (grid, from * G_PI / 180, to * G_PI / 180, &error);

  g_assert_no_error (error);
  return part;
}

/* Every third ring, and all of a run in the south. */
static ArmillaGrid *
scattered (ArmillaGrid *grid)
{
  g_autofree gboolean *wanted = g_new (gboolean, grid->n_rings);
  g_autoptr (GError) error = NULL;
  ArmillaGrid *part;

  for (gint64 i = 0; i < grid->n_rings; i++)
    wanted[i] = i % 3 == 1 || (i > 2 * grid->n_rings / 3 && i < 3 * grid->n_rings / 4);
  part = armilla_grid_select_rings (grid, wanted, &error);
  g_assert_no_error (error);
  return part;
}

/* Root mean square of a - b over the pixels of a grid, relative to that of b. Where the grid has no
 * rings, a must not have been touched. */
static double
difference (const ArmillaGrid *part, const double *a, const double *b)
{
  double d = 0, s = 0;
  gint64 n = 0;

  for (gint64 p = 0; p < part->n_pixels; p++)
    if (armilla_grid_ring_of (part, p) < 0)
      g_assert_true (isnan (a[p]));
    else
      {
        d += (a[p] - b[p]) * (a[p] - b[p]);
        s += b[p] * b[p];
        n++;
      }
  g_assert_cmpint (n, ==, part->n_covered);
  return sqrt (d / s);
}

typedef struct {
  const char *name;
  double from, to; /* deg; to = 0: scattered */
} Range;

static const Range ranges[] = {
  { "cap in the north", 0, 40 },  { "cap in the south", 150, 180 }, { "belt", 60, 120 },
  { "northern belt", 30, 60 },    { "one ring", 90, 90 },           { "most of the sky", 10, 180 },
  { "first ring", 0, 1.5 },       { "hemisphere", 0, 90 },          { "scattered", 0, 0 },
};

static ArmillaGrid *
part_of_range (ArmillaGrid *grid, const Range *range)
{
  return range->to > 0 ? part_of (grid, range->from, range->to) : scattered (grid);
}

/* Neighbouring pairs share the form of the recurrence (for the pole, between, for the equator), and
 * the two rings of a pair a Fourier transform; in a part they have other neighbours. So what
 * differs is how it is rounded: some ten times 1.1e-16 at this lmax. */
static void
test_synthesis (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  static const Case cases[] = { { "healpix", 64, 0, 150, 150 }, { "gauss", 101, 202, 100, 70 } };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (ArmillaGrid) grid = make_grid (cases[c].kind, cases[c].n_theta, cases[c].n_phi);
      ArmillaAlmLayout layout = { cases[c].lmax, cases[c].mmax };
      g_autofree double *alm = random_alm_array (rand, layout, 3);

      for (int block = 0; block <= 16; block += 16)
        {
          ArmillaTilingOptions tiling = { .ring_block = block };
          g_autofree double *whole = synthesize_spins (&tiling, grid, layout, alm, spins, 3);

          for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
            {
              g_autoptr (ArmillaGrid) part = part_of_range (grid, &ranges[i]);
              g_autofree double *some
                = synthesize_spins (&tiling, part, layout, alm, spins, 3);

              for (int f = 0; f < 3; f++)
                {
                  double error = difference (part, some + f * grid->n_pixels,
                                             whole + f * grid->n_pixels);

                  g_test_message ("%s, %s, field %d: %.2g", cases[c].kind, ranges[i].name, f,
                                  error);
                  g_assert_cmpfloat (error, <, 5e-15);
                }
            }
        }
    }
}

static void
test_interpolated (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (32);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 128, 0);
  ArmillaAlmLayout layout = { 200, 200 };
  g_autofree double *alm = random_alm_array (rand, layout, 1);
  ArmillaTilingOptions tiling = { .ring_block = 32, .interpolation = ARMILLA_INTERPOLATION_ALWAYS };
  g_autofree double *whole = synthesize (&tiling, grid, layout, alm, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (ArmillaGrid) part = part_of_range (grid, &ranges[i]);
      g_autofree double *some = synthesize (&tiling, part, layout, alm, 1);

      /* A part whose rings are too few or too far apart takes the recurrence: then the error of
       * interpolation shows, 2e-15 of the largest value of Delta, and that of the recurrence. */
      g_assert_cmpfloat (difference (part, some, whole), <, 1e-14);
    }
}

/* The whole map with UNSEEN where the part has no rings has the same a_lm, and the adjoint of a
 * part is that of its synthesis. */
static void
check_analysis (const char *kind, gint64 n_theta, gint64 n_phi, ArmillaAlmLayout layout)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (33);
  g_autoptr (ArmillaGrid) grid = make_grid (kind, n_theta, n_phi);
  g_autofree double *map = random_map_array (rand, 3 * grid->n_pixels);
  gint64 count = 2 * armilla_alm_count (layout);

  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (ArmillaGrid) part = part_of_range (grid, &ranges[i]);
      ArmillaTilingOptions tiling = { .ring_block = 16 };
      g_autofree double *masked = g_memdup2 (map, sizeof (double) * 3 * grid->n_pixels);

      for (gint64 p = 0; p < 3 * grid->n_pixels; p++)
        if (armilla_grid_ring_of (part, p % grid->n_pixels) < 0)
          masked[p] = ARMILLA_UNSEEN;
      g_autofree double *whole
        = analyse_spins (ANALYSIS, 0, &tiling, grid, layout, masked, spins, 3);
      g_autofree double *some
        = analyse_spins (ANALYSIS, 0, &tiling, part, layout, map, spins, 3);
      /* the rings are added up in other blocks: sqrt (127) roundings of 1.1e-16; those near a pole
       * have small weights, but not small rounding errors of the weights */
      g_assert_cmpfloat (relative_rms (some, whole, 3 * count), <,
                         grid->kind == ARMILLA_GRID_HEALPIX ? 2e-15 : 1e-14);
    }
}

/* By quadrature, and, where the rings are resampled, with zeros for those that the part lacks. */
static void
test_analysis (void)
{
  check_analysis ("healpix", 32, 0, (ArmillaAlmLayout) { 64, 64 });
  check_analysis ("fejer1", 101, 131, (ArmillaAlmLayout) { 100, 65 });
  check_analysis ("clenshaw-curtis", 103, 201, (ArmillaAlmLayout) { 100, 100 });
}

/* a_lm of a part fit its rings: least squares take the rings that there are. */
static void
test_fit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (34);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 16, 0);
  g_autoptr (ArmillaGrid) part = part_of (grid, 20, 180);
  ArmillaAlmLayout layout = { 8, 8 };
  g_autofree double *alm = random_alm_array (rand, layout, 1);
  g_autofree double *map = synthesize (NULL, part, layout, alm, 1);
  g_autofree double *back = analyse (CONJUGATE_GRADIENTS, 0, NULL, part, layout, map, 1);

  /* tolerance 1e-13 of the solver times the condition of the system, some tens here */
  g_assert_cmpfloat (relative_rms (back, alm, 2 * armilla_alm_count (layout)), <, 1e-11);
}

static gint64
count_tasks (ArmillaGrid *grid, gboolean analysis)
{
  ArmillaTilingOptions tiling = { .ring_block = 4, .m_blocks = 5 };
  ArmillaAlmLayout layout = { 60, 60 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, &error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  gint64 before, done, after;
  g_autofree double *values = g_new0 (double, MAX (2 * armilla_alm_count (layout),
                                                   grid->n_pixels));
  WholeAlm whole = { values, layout };
  WholeMap pixels = { values, grid->n_pixels };

  g_assert_no_error (error);
  if (analysis)
    armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, &pixels, NULL, &error);
  else
    armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, &error);
  g_assert_true (armilla_graph_flush (graph, &error));
  armilla_graph_progress (graph, &done, &before);
  if (analysis)
    armilla_graph_analysis (graph, map, alm, 0, &error);
  else
    armilla_graph_synthesis (graph, alm, map, &error);
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  armilla_graph_progress (graph, &done, &after);
  return after - before;
}

/* Tasks of a graph that each of the five m-blocks has once are left out: where there are GPUs
 * table, and prepare or finish; else finish. */
static gint64
count_repeated (ArmillaGrid *grid, gboolean analysis, gint64 n_all_gpu)
{
  const gint64 n = count_tasks (grid, analysis);

  return n == n_all_gpu + 2 * 5 ? n_all_gpu : n - (analysis ? 5 : 0);
}

/* 16 pairs of 32 (nside 16) are half of the ring blocks, and half of the tasks except for those
 * that each m-block has once. */
static void
test_tasks (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 16, 0);
  g_autofree gboolean *wanted = g_new (gboolean, grid->n_rings);
  g_autoptr (ArmillaGrid) part = NULL;

  for (gint64 i = 0; i < grid->n_rings; i++)
    wanted[i] = i >= 8 && i < 24; /* one side of each pair */
  part = armilla_grid_select_rings (grid, wanted, NULL);
  g_assert_cmpint (grid->n_pairs, ==, 32);
  g_assert_cmpint (part->n_pairs, ==, 16);
  for (int analysis = 0; analysis <= 1; analysis++)
    {
      /* a block: its ring transform, and of each m-block the recurrence; where there are GPUs, the
       * redistribution, too */
      const gint64 gpu = 8 * (1 + 2 * 5);
      const gint64 all = count_repeated (grid, analysis, gpu);
      const gint64 some = count_repeated (part, analysis, gpu / 2);

      g_test_message ("%ld tasks of the whole, %ld of half of it", (long) all, (long) some);
      if (all != gpu)
        g_assert_cmpint (all, ==, 8 * (1 + 5));
      g_assert_cmpint (2 * some, ==, all);
    }
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/partial/synthesis", test_synthesis);
  g_test_add_func ("/partial/interpolated", test_interpolated);
  g_test_add_func ("/partial/analysis", test_analysis);
  g_test_add_func ("/partial/fit", test_fit);
  g_test_add_func ("/partial/tasks", test_tasks);
  return run_tests ();
}
