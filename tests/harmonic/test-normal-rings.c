/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations on fewer rings than the map has: against the same iterations through maps. */
#include "tasks/graph/graph.h"
#include "tests/lib/transform-helpers.h"

#include <float.h>

#define ITERATIONS 2

/* Each a <- a + A'W (y - A a), by a map of all rings. */
static double *
iterate_by_map (ArmillaGrid *grid, ArmillaAlmLayout layout, double *map, const int *spins,
                int n_fields)
{
  const gint64 n_alm = 2 * armilla_alm_count (layout) * n_fields;
  double *alm = analyse_spins (ANALYSIS, 0, NULL, grid, layout, map, spins, n_fields);

  for (int iteration = 0; iteration < ITERATIONS; iteration++)
    {
      g_autofree double *rest = synthesize_spins (NULL, grid, layout, alm, spins, n_fields);
      g_autofree double *more = NULL;

      for (gint64 p = 0; p < grid->n_pixels * n_fields; p++)
        rest[p] = map[p] - rest[p];
      more = analyse_spins (ANALYSIS, 0, NULL, grid, layout, rest, spins, n_fields);
      for (gint64 i = 0; i < n_alm; i++)
        alm[i] += more[i];
    }
  return alm;
}

/* A map of noise has a part that no a_lm make, which aliases: it would show what is left out. */
static void
assert_same (ArmillaGrid *grid, ArmillaAlmLayout layout, const int *spins, int n_fields)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  const gint64 n_alm = 2 * armilla_alm_count (layout) * n_fields;
  g_autofree double *map = random_map_array (rand, grid->n_pixels * n_fields);
  g_autofree double *reference = iterate_by_map (grid, layout, map, spins, n_fields);
  g_autofree double *alm
    = analyse_spins (ANALYSIS, ITERATIONS, NULL, grid, layout, map, spins, n_fields);

  g_assert_cmpfloat (relative_rms (alm, reference, n_alm), <, 1e-13);
}

/* How the rings of @graph were cut after an analysis with iterations. */
static char *
cuts_of_iterations (ArmillaGrid *grid, ArmillaAlmLayout layout, gboolean again)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaMap) in = armilla_map_new (grid, 1);
  g_autoptr (ArmillaAlm) out = armilla_alm_new (layout, 1);
  g_autofree double *zero = g_new0 (double, grid->n_pixels);
  WholeMap whole = { zero, grid->n_pixels };

  g_assert_no_error (error);
  if (again)
    armilla_graph_expect_calls (graph);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &whole, NULL, &error);
  g_assert_no_error (error);
  armilla_graph_analysis (graph, in, out, ITERATIONS, &error);
  g_assert_no_error (error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  return armilla_graph_cuts (graph);
}

static gboolean
has_fewer_rings (ArmillaGrid *grid, ArmillaAlmLayout layout, gboolean again)
{
  g_autofree char *cuts = cuts_of_iterations (grid, layout, again);

  return strstr (cuts, " rings, ") != NULL;
}

static void
test_chosen (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  g_autoptr (ArmillaGrid) large = make_grid ("healpix", 256, 0);

  if (LDBL_MANT_DIG != 64)
    {
      g_test_skip ("long double is not that of x86");
      return;
    }
  g_assert_true (has_fewer_rings (grid, (ArmillaAlmLayout) { 128, 30 }, TRUE));
  g_assert_true (has_fewer_rings (large, (ArmillaAlmLayout) { 512, 512 }, TRUE));
  g_assert_false (has_fewer_rings (large, (ArmillaAlmLayout) { 512, 512 }, FALSE));
  /* Orders alias on most rings. */
  g_assert_false (has_fewer_rings (grid, (ArmillaAlmLayout) { 191, 191 }, TRUE));
}

/* Where aliasing rings are few; all of them; none. */
static void
test_scalar (void)
{
  static const gint64 cases[][3] = { { 64, 128, 30 }, { 64, 128, 3 }, { 60, 100, 40 },
                                     { 256, 512, 512 }, { 256, 511, 511 }, { 64, 64, 64 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGrid) grid = make_grid ("healpix", cases[i][0], 0);

      assert_same (grid, (ArmillaAlmLayout) { cases[i][1], cases[i][2] }, (const int[]) { 0, 0 },
                   2);
    }
}

static void
test_polarised (void)
{
  static const gint64 cases[][3] = { { 64, 128, 30 }, { 256, 512, 512 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGrid) grid = make_grid ("healpix", cases[i][0], 0);

      assert_same (grid, (ArmillaAlmLayout) { cases[i][1], cases[i][2] },
                   (const int[]) { 0, 2, 2 }, 3);
    }
}

/* Rings of one's own, whose azimuths are no fractions of pi. */
static void
test_own_rings (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid = NULL;
  ArmillaRing rings[150];

  for (int i = 0; i < 150; i++)
    {
      const double theta = G_PI * (i + 0.5) / 150;

      rings[i] = (ArmillaRing) { .cos_theta = cos (theta), .sin_theta = sin (theta),
                                 .weight = 2 * G_PI / 100 * G_PI / 150 * sin (theta),
                                 .n_phi = 100, .offset = 100 * i, .phi0 = 0.1 * i };
    }
  for (int i = 75; i < 150; i++)
    {
      rings[i].cos_theta = -rings[149 - i].cos_theta;
      rings[i].sin_theta = rings[149 - i].sin_theta;
      rings[i].weight = rings[149 - i].weight;
    }
  grid = armilla_grid_new_rings (rings, 150, &error);
  g_assert_no_error (error);
  assert_same (grid, (ArmillaAlmLayout) { 60, 40 }, (const int[]) { 0 }, 1);
  assert_same (grid, (ArmillaAlmLayout) { 60, 60 }, (const int[]) { 0 }, 1);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  expect_calls = TRUE;
  g_test_add_func ("/normal-rings/chosen", test_chosen);
  g_test_add_func ("/normal-rings/scalar", test_scalar);
  g_test_add_func ("/normal-rings/polarised", test_polarised);
  g_test_add_func ("/normal-rings/own-rings", test_own_rings);
  return run_tests ();
}
