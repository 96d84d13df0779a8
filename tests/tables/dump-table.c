/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by a table that is read piece by piece, as for a GPU, on any number of ranks, and
 * writes the bits of the result: dump-table TABLE FILE. Each rank says whether it kept the
 * table. */
#include "tasks/harmonic/legendre.h"
#include "tests/lib/graph-helpers.h"

#include <stdio.h>

#define NSIDE 64
#define LMAX 130

static gboolean
fill_ones (gpointer user, int field, gint64 m_first, gint64 m_last, double *values, GError **error)
{
  (void) user;
  (void) field;
  (void) error;
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= LMAX; l++, values += 2)
      {
        values[0] = 1;
        values[1] = m > 0 ? 0.5 : 0;
      }
  return TRUE;
}

/* There, back and there again: three passes over the table. */
static gboolean
transform (ArmillaGraph *graph, ArmillaGrid *grid, const char *table, double *pixels,
           GError **error)
{
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = table,
                                           .tolerance = 1e-9 };
  g_autoptr (ArmillaAlm) in = armilla_alm_new (layout, 1), back = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1), again = armilla_map_new (grid, 1);
  WholeMap whole = { pixels, grid->n_pixels };

  graph->table_piece = 2500;
  armilla_graph_set_legendre (graph, &options);
  return armilla_graph_precompute (graph, layout, grid, 1, error)
         && armilla_graph_fill_alm (graph, in, fill_ones, NULL, NULL, error)
         && armilla_graph_synthesis (graph, in, map, error)
         && armilla_graph_analysis (graph, map, back, 0, error)
         && armilla_graph_synthesis (graph, back, again, error)
         && armilla_graph_drain_map (graph, again, whole_map_take, NULL, &whole, NULL, error)
         && armilla_graph_wait (graph, error);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime = argc == 3 ? armilla_runtime_start (&error) : NULL;
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (NSIDE, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  const gsize n = (gsize) grid->n_pixels;
  ArmillaGraph *graph;
  int status = 1;

  if (!runtime)
    {
      fprintf (stderr, "%s\n", error ? error->message : "usage: dump-table TABLE FILE");
      return 2;
    }
  graph = armilla_graph_new (runtime, NULL, &error);
  if (graph && transform (graph, grid, argv[1], pixels, &error))
    {
      const ArmillaLegendreTable *table
        = g_ptr_array_index (armilla_graph_legendre_tables (graph), 0);

      printf ("%s\n", table->keep ? "kept" : "read again");
      status = 0;
    }
  else
    fprintf (stderr, "%s\n", error->message);
  if (status == 0 && armilla_graph_rank (graph) == 0)
    {
      FILE *file = fopen (argv[2], "wb");

      if (!file || fwrite (pixels, sizeof (double), n, file) != n || fclose (file) != 0)
        status = 1;
    }
  armilla_graph_free (graph);
  armilla_runtime_stop (runtime);
  return status;
}
