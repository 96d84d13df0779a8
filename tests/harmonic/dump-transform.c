/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a chain of operations on any number of ranks and writes the bits of every result:
 * dump-transform FILE. What mpirun changes must not show in the file. */
#include "tasks/harmonic/harmonic.h"
#include "tasks/pixels/pixels.h"
#include "tests/lib/graph-helpers.h"

#include <stdio.h>

#define NSIDE 32
#define LMAX 80

static double *
new_nan (gint64 n)
{
  double *x = g_new (double, n);

  for (gint64 i = 0; i < n; i++)
    x[i] = G_MAXDOUBLE;
  return x;
}

static gboolean
take_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  memcpy (user, piece->values, sizeof (double) * (LMAX + 1));
  return TRUE;
}

static gboolean
fill_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user;
  (void) error;
  for (int l = 0; l <= LMAX; l++)
    piece->values[l] = 1.0 / (l + 1);
  return TRUE;
}

static gboolean
fill_noise (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) (1000 * piece->field + piece->first));

  (void) user;
  (void) error;
  for (gint64 m = piece->first; m <= piece->last; m++)
    for (gint64 l = m; l <= layout.lmax; l++, piece->values += 2)
      {
        piece->values[0] = g_rand_double (rand);
        piece->values[1] = m > 0 ? g_rand_double (rand) : 0;
      }
  return TRUE;
}

/* T, E, B and a pair of spin 1 there and back, with an iteration. */
static gboolean
with_spins (ArmillaGraph *graph, ArmillaGrid *grid, double *pixels, double *values, GError **error)
{
  static const int spins[] = { 0, 2, 2, 1, 1 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  g_autoptr (ArmillaAlm) in = armilla_alm_new (layout, 5), out = armilla_alm_new (layout, 5);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 5);
  WholeMap whole = { pixels, grid->n_pixels };
  WholeAlm back = { values, layout };

  armilla_alm_set_spins (in, spins);
  armilla_alm_set_spins (out, spins);
  armilla_map_set_spins (map, spins);
  return armilla_graph_fill (graph, ARMILLA_DATA (in), fill_noise, NULL, NULL, error)
         && armilla_graph_synthesis (graph, in, map, error)
         && armilla_graph_analysis (graph, map, out, 1, error)
         && armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &whole, NULL,
                                 error)
         && armilla_graph_drain (graph, ARMILLA_DATA (out), whole_alm_take, NULL, &back, NULL,
                                 error)
         && armilla_graph_wait (graph, error);
}

/* Depends on the number of the pixel, so that it would show where runs begin. */
static gboolean
multiply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  (void) user;
  (void) error;
  for (gint64 i = 0; i < pixels->n; i++)
    pixels->out[0][i] = (double) (pixels->first + i) * pixels->in[0][i] / (2 + pixels->in[1][i]);
  return TRUE;
}

static gboolean
with_function (ArmillaGraph *graph, ArmillaGrid *grid, double *pixels, GError **error)
{
  g_autoptr (ArmillaAlm) in = armilla_alm_new ((ArmillaAlmLayout) { LMAX, LMAX }, 2);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 2), out = armilla_map_new (grid, 1);
  WholeMap whole = { pixels, grid->n_pixels };

  return armilla_graph_fill (graph, ARMILLA_DATA (in), fill_noise, NULL, NULL, error)
         && armilla_graph_synthesis (graph, in, map, error)
         && armilla_graph_apply_pixels (graph, &map, 1, multiply, 3, NULL, NULL, out, error)
         && armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &whole, NULL,
                                 error)
         && armilla_graph_wait (graph, error);
}

static const char *const names[] = { "T", NULL };
static const int column = 0;
static const ArmillaRandomFields one_field = { 1, names, &column };

int
main (int argc, char *argv[])
{
  GError *error = NULL;
  ArmillaTilingOptions tiling = { 10, 7, ARMILLA_INTERPOLATION_AUTO };
  ArmillaAlmLayout layout = { LMAX, LMAX };
  gint64 n_alm = 2 * armilla_alm_count (layout);
  int status = 1;
  ArmillaRuntime *runtime = argc == 2 ? armilla_runtime_start (&error) : NULL;

  if (!runtime)
    {
      fprintf (stderr, "%s\n", error ? error->message : "usage: dump-transform FILE");
      return 2;
    }
  ArmillaGraph *graph = armilla_graph_new (runtime, &tiling, &error);
  ArmillaGrid *grid = armilla_grid_new_healpix (NSIDE, NULL);
  double *map1 = new_nan (grid->n_pixels), *map2 = new_nan (grid->n_pixels);
  double *map6 = new_nan (6 * grid->n_pixels), *alm5 = new_nan (5 * n_alm);
  double *alm1 = new_nan (n_alm), *alm2 = new_nan (n_alm), *cl = new_nan (LMAX + 1);
  ArmillaCl *spectrum = armilla_cl_new (LMAX, NULL, 1), *spectra = armilla_cl_new (LMAX, NULL, 1);
  ArmillaAlm *drawn = armilla_alm_new (layout, 1), *scaled = armilla_alm_new (layout, 1);
  ArmillaAlm *found = armilla_alm_new (layout, 1), *solved = armilla_alm_new (layout, 1);
  ArmillaMap *sky = armilla_map_new (grid, 1), *clean = armilla_map_new (grid, 1);

  if (armilla_graph_fill (graph, ARMILLA_DATA (spectrum), fill_cl, NULL, NULL, &error)
      && armilla_graph_random_alm (graph, spectrum, &one_field, 7, 3, drawn, &error)
      && armilla_graph_scale_alm (graph, drawn, spectrum, scaled, &error)
      && armilla_graph_synthesis (graph, scaled, sky, &error)
      && armilla_graph_remove_monopole (graph, sky, TRUE, 0.1, clean, &error)
      && armilla_graph_analysis (graph, clean, found, 2, &error)
      && armilla_graph_analysis_cg (graph, clean, solved, 1e-3, 100, &error)
      && armilla_graph_spectra (graph, found, found, spectra, &error)
      && armilla_graph_drain (graph, ARMILLA_DATA (sky), whole_map_take, NULL,
                              &(WholeMap){ map1, grid->n_pixels }, NULL, &error)
      && armilla_graph_drain (graph, ARMILLA_DATA (clean), whole_map_take, NULL,
                              &(WholeMap){ map2, grid->n_pixels }, NULL, &error)
      && armilla_graph_drain (graph, ARMILLA_DATA (found), whole_alm_take, NULL,
                              &(WholeAlm){ alm1, layout }, NULL, &error)
      && armilla_graph_drain (graph, ARMILLA_DATA (solved), whole_alm_take, NULL,
                              &(WholeAlm){ alm2, layout }, NULL, &error)
      && armilla_graph_drain (graph, ARMILLA_DATA (spectra), take_cl, NULL, cl, NULL, &error)
      && armilla_graph_wait (graph, &error) && with_spins (graph, grid, map6, alm5, &error)
      && with_function (graph, grid, map6 + 5 * grid->n_pixels, &error))
    status = 0;
  else
    fprintf (stderr, "%s\n", error->message);
  if (status == 0 && armilla_graph_rank (graph) == 0)
    {
      FILE *file = fopen (argv[1], "wb");
      gsize pixels = (gsize) grid->n_pixels;

      if (!file || fwrite (map1, sizeof (double), pixels, file) != pixels
          || fwrite (map2, sizeof (double), pixels, file) != pixels
          || fwrite (alm1, sizeof (double), (gsize) n_alm, file) != (gsize) n_alm
          || fwrite (alm2, sizeof (double), (gsize) n_alm, file) != (gsize) n_alm
          || fwrite (map6, sizeof (double), 6 * pixels, file) != 6 * pixels
          || fwrite (alm5, sizeof (double), (gsize) (5 * n_alm), file) != (gsize) (5 * n_alm)
          || fwrite (cl, sizeof (double), LMAX + 1, file) != LMAX + 1 || fclose (file) != 0)
        status = 1;
    }
  g_object_unref (spectrum);
  g_object_unref (spectra);
  g_object_unref (drawn);
  g_object_unref (scaled);
  g_object_unref (found);
  g_object_unref (solved);
  g_object_unref (sky);
  g_object_unref (clean);
  armilla_graph_free (graph);
  armilla_grid_unref (grid);
  armilla_runtime_stop (runtime);
  g_free (map1);
  g_free (map2);
  g_free (map6);
  g_free (alm5);
  g_free (alm1);
  g_free (alm2);
  g_free (cl);
  return status;
}
