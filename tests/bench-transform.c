/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of whole transforms through the task graph: bench-transform alm2map|map2alm NSIDE LMAX
 * REPEATS [RING-BLOCK [M-BLOCKS]]. Prints one time in seconds a line: from a_lm (or map) in tiles
 * to the last tile of the result, with tables and plans ready. Reads a line from standard input
 * before each repeat when BENCH_STEP is set, so that a script can alternate with another
 * program. */
#include "tests/graph-helpers.h"

#include <stdio.h>
#include <stdlib.h>

static gboolean
forget_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  (void) user;
  (void) field;
  (void) first;
  (void) n;
  (void) pixels;
  (void) error;
  return TRUE;
}

static void
check (gboolean ok, GError *error)
{
  if (ok)
    return;
  fprintf (stderr, "%s\n", error ? error->message : "failed");
  exit (1);
}

int
main (int argc, char *argv[])
{
  GError *error = NULL;
  gboolean synthesis;
  int repeats;

  if (argc < 5 || argc > 7)
    {
      fprintf (stderr, "usage: %s alm2map|map2alm NSIDE LMAX REPEATS [RING-BLOCK [M-BLOCKS]]\n",
               argv[0]);
      return 2;
    }
  synthesis = strcmp (argv[1], "alm2map") == 0;
  repeats = atoi (argv[4]);
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  check (runtime != NULL, error);
  ArmillaTilingOptions tiling
    = { argc > 5 ? atoll (argv[5]) : 0, argc > 6 ? atoll (argv[6]) : 0 };
  ArmillaGraph *graph = armilla_graph_new (runtime, &tiling, &error);
  check (graph != NULL, error);
  ArmillaGrid *grid = armilla_grid_new_healpix (atoll (argv[2]), &error);
  check (grid != NULL, error);
  ArmillaAlmLayout layout = { atoll (argv[3]), atoll (argv[3]) };
  GRand *rand = g_rand_new_with_seed (1);
  double *values = random_alm_array (rand, layout, 1);
  double *pixels = random_map_array (rand, grid->n_pixels);
  WholeAlm whole_alm = { values, layout };
  WholeMap whole_map = { pixels, grid->n_pixels };
  ArmillaAlm *alm = armilla_alm_new (layout, 1);
  ArmillaMap *map = armilla_map_new (grid, 1);

  if (synthesis)
    check (armilla_graph_fill_alm (graph, alm, whole_alm_fill, &whole_alm, NULL, &error), error);
  else
    check (armilla_graph_fill_map (graph, map, whole_map_fill, &whole_map, NULL, &error), error);
  check (armilla_graph_wait (graph, &error), error);
  for (int i = -1; i < repeats; i++) /* the first makes tables and plans, and is not printed */
    {
      char line[16];
      gint64 start;

      if (i >= 0 && getenv ("BENCH_STEP") && !fgets (line, sizeof line, stdin))
        break;
      start = g_get_monotonic_time ();
      if (synthesis)
        {
          ArmillaMap *out = armilla_map_new (grid, 1);

          check (armilla_graph_synthesis (graph, alm, out, &error), error);
          check (armilla_graph_drain_map (graph, out, forget_map, NULL, NULL, NULL, &error), error);
          g_object_unref (out);
        }
      else
        {
          ArmillaAlm *out = armilla_alm_new (layout, 1);

          check (armilla_graph_analysis (graph, map, out, 0, &error), error);
          g_object_unref (out);
        }
      check (armilla_graph_wait (graph, &error), error);
      if (i >= 0)
        {
          printf ("%.6f\n", 1e-6 * (double) (g_get_monotonic_time () - start));
          fflush (stdout);
        }
    }
  g_object_unref (alm);
  g_object_unref (map);
  armilla_graph_free (graph);
  armilla_grid_unref (grid);
  armilla_runtime_stop (runtime);
  g_free (values);
  g_free (pixels);
  g_rand_free (rand);
  return 0;
}
