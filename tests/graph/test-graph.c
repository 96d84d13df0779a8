/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph itself: failures, cancelling, outputs, and the small operations on fields. */
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tasks/graph/blocks.h"
#include "tasks/graph/graph.h"
#include "tasks/pixels/pixels.h"
#include "tasks/runtime/runtime-private.h"

static ArmillaGraph *
new_graph (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

/* Two cores share the rings of a small map; no task is much smaller than others. */
static void
test_cuts (void)
{
  const double alike[1] = { 1 };

  for (gint64 nside = 16; nside <= 256; nside *= 2)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, &error);
      const gint64 pairs = armilla_ring_blocks_default (grid, FALSE);
      const ArmillaAlmLayout layout = { 2 * nside, 2 * nside };
      ArmillaOrderBlocks *orders = armilla_order_blocks_new (
        layout, 1, armilla_order_blocks_default (layout, 0, FALSE), 1, alike);

      g_assert_no_error (error);
      if (nside > 32)
        g_assert_cmpint (2 * pairs, ==, grid->n_pairs);
      else
        g_assert_cmpint (pairs, >=, grid->n_pairs);
      for (int b = 0; b < orders->n; b++)
        g_assert_cmpint (orders->m_last[b] - orders->m_first[b], >=, 15);
      g_assert_cmpint (orders->m_last[orders->n - 1], ==, layout.mmax);
      armilla_order_blocks_free (orders);
    }
}

static gboolean
fail_far_south (gpointer user, ArmillaPiece *piece, GError **error)
{
  for (gint64 i = 0; i < piece->n; i++)
    piece->values[i] = 1;
  if (piece->first > 10)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "no piece->values from %s",
                 (const char *) user);
  return piece->first <= 10;
}

static gboolean
count_done (gpointer user, GError **error)
{
  (void) error;
  (*(int *) user)++;
  return TRUE;
}

static gboolean
ignore_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) piece, (void) user;
  (void) error;
  return TRUE;
}

static void
test_failure (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (256, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, 1);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 64, 64 }, 1);
  char source[] = "Hades";
  int done = 0;

  g_assert_true (
      armilla_graph_fill (graph, ARMILLA_DATA (map), fail_far_south, source, NULL, NULL));
  g_assert_true (armilla_graph_analysis (graph, map, alm, 3, NULL));
  g_assert_true (armilla_graph_synthesis (graph, alm, out, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (out), ignore_map, count_done, &done, NULL, NULL));
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "Hades"));
  g_assert_true (armilla_graph_failed (graph));
  g_assert_cmpint (done, ==, 0);
}

/* An output of a run that failed before its commit never gets its name. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaFault *fault;
  char *path;
} OutputTest;

static gboolean
write_output (gpointer user, GError **error)
{
  OutputTest *t = user;
  g_autoptr (ArmillaOutput) output = armilla_output_new (t->path, FALSE, error);
  FILE *file;

  g_assert_nonnull (output);
  file = fopen (armilla_output_temporary (output), "wb");
  g_assert_nonnull (file);
  g_assert_cmpint (fputs ("whole", file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
  return armilla_graph_commit (t->graph, t->fault, g_steal_pointer (&output), error);
}

static gboolean
interrupt (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaGraph *graph = user;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    piece->values[i] = 1;
  while (!armilla_runtime_cancel (runtime, "SIGTERM"))
    g_usleep (1000);
  while (!armilla_graph_failed (graph))
    g_usleep (1000);
  return TRUE;
}

static void
run_output (ArmillaHostPiece fill, const char *directory, GError **error)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  OutputTest t = { graph, armilla_graph_fault (graph), g_build_filename (directory, "out", NULL) };

  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (map), fill, graph, NULL, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (map), ignore_map, write_output, &t, NULL, NULL));
  armilla_graph_wait (graph, error);
  g_free (t.path);
}

static void
test_cancel_and_commit (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "out", NULL);

  run_output (interrupt, directory, &error);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED);
  g_assert_nonnull (strstr (error->message, "SIGTERM"));
  g_clear_error (&error);
  g_assert_cmpint (g_rmdir (directory), ==, 0); /* empty: no output, no temporary file */
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);

  run_output (ignore_map, directory, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

/* Counts its calls, and cancels the run in the first one. */
static gboolean
interrupt_first (gpointer user, ArmillaPiece *piece, GError **error)
{
  gint *calls = user;

  if (g_atomic_int_add (calls, 1) == 0)
    while (!armilla_runtime_cancel (runtime, "SIGTERM"))
      g_usleep (1000);
  return ignore_map (user, piece, error);
}

/* A tile of many fields is filled for a long time; it is left when the run is cancelled. */
static void
test_cancel_between_fields (void)
{
  enum { N_FIELDS = 64 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL);
  const ArmillaAlmLayout layout = { 4, 4 };

  for (int of_alm = 0; of_alm < 2; of_alm++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaGraph) graph = new_graph ();
      g_autoptr (ArmillaMap) map = armilla_map_new (grid, N_FIELDS);
      g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, N_FIELDS);
      gint calls = 0;

      if (of_alm)
        g_assert_true (
          armilla_graph_fill (graph, ARMILLA_DATA (alm), interrupt_first, &calls, NULL, NULL));
      else
        g_assert_true (
            armilla_graph_fill (graph, ARMILLA_DATA (map), interrupt_first, &calls, NULL, NULL));
      armilla_data_release (of_alm ? ARMILLA_DATA (alm) : ARMILLA_DATA (map));
      g_assert_false (armilla_graph_wait (graph, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED);
      g_assert_cmpint (calls, >=, 1);
      g_assert_cmpint (calls, <, N_FIELDS);
    }
}

static void
test_shapes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 2);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 4, 4 }, 3);

  g_assert_false (armilla_graph_synthesis (graph, alm, map, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (armilla_graph_new (runtime, &(ArmillaTilingOptions) { .ring_block = -1 }, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
}

static gboolean
fill_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  memcpy (piece->values, user, sizeof (double) * 9);
  return TRUE;
}

typedef struct {
  double values[64];
  int n;
} Taken;

static gboolean
take_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  Taken *t = user;

  (void) error;
  memcpy (t->values, piece->values, sizeof (double) * (gsize) t->n);
  return TRUE;
}

/* b_l a_lm and the spectra of two fields, against sums written out. */
static void
test_scale_and_spectra (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  ArmillaAlmLayout layout = { 12, 10 };
  gint64 count = armilla_alm_count (layout);
  g_autofree double *x = random_alm_array (rand, layout, 2);
  double window[9] = { 1, 0.5, 2, -1, 3, 0.25, 0, 1, 7 }; /* ends before lmax */
  g_autofree double *scaled = g_new (double, 4 * count);
  WholeAlm in = { x, layout }, out = { scaled, layout };
  Taken taken = { .n = 3 * 13 };
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 2);
  g_autoptr (ArmillaAlm) product = armilla_alm_new (layout, 2);
  g_autoptr (ArmillaCl) beam = armilla_cl_new (8, NULL, 1);
  g_autoptr (ArmillaCl) cl = armilla_cl_new (12, NULL, 3);

  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &in, NULL, NULL));
  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (beam), fill_cl, window, NULL, NULL));
  g_assert_true (armilla_graph_scale_alm (graph, alm, beam, product, NULL));
  g_assert_true (armilla_graph_spectra (graph, alm, alm, cl, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (product), whole_alm_take, NULL, &out, NULL, NULL));
  g_assert_true (armilla_graph_drain (graph, ARMILLA_DATA (cl), take_cl, NULL, &taken, NULL, NULL));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  for (gint64 l = 0; l <= 12; l++)
    {
      double sum[3] = { 0 };

      for (gint64 m = 0; m <= MIN (l, 10); m++)
        {
          gint64 i = armilla_alm_index (12, l, m), j = count + i;

          for (int k = 0; k < 2; k++)
            {
              g_assert_cmpfloat (scaled[2 * i + k], ==, (l <= 8 ? window[l] : 0) * x[2 * i + k]);
              g_assert_cmpfloat (scaled[2 * j + k], ==, (l <= 8 ? window[l] : 0) * x[2 * j + k]);
              sum[0] += (m ? 2 : 1) * x[2 * i + k] * x[2 * i + k];
              sum[1] += (m ? 2 : 1) * x[2 * j + k] * x[2 * j + k];
              sum[2] += (m ? 2 : 1) * x[2 * i + k] * x[2 * j + k];
            }
        }
      for (int s = 0; s < 3; s++) /* 2 lmax roundings of terms of order one */
        g_assert_cmpfloat (fabs (taken.values[13 * s + l] - sum[s] / (2 * l + 1)), <, 1e-14);
    }
}

/* A map that is exactly a monopole and a dipole outside the cut becomes zero there. */
static void
test_monopole (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, 1);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  g_autofree double *result = g_new (double, grid->n_pixels);
  WholeMap in = { pixels, grid->n_pixels }, whole = { result, grid->n_pixels };
  double cut = 0.3;

  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, p, v);
      pixels[p] = 3 - 2 * v[0] + 0.5 * v[1] + 4 * v[2];
      if (fabs (v[2]) < sin (cut) - 1e-9)
        pixels[p] += 1000; /* must not enter the fit */
      if (p % 7 == 0)
        pixels[p] = ARMILLA_UNSEEN;
    }
  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, &in, NULL, NULL));
  g_assert_true (armilla_graph_remove_monopole (graph, map, TRUE, cut, out, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &whole, NULL, NULL));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, p, v);
      if (p % 7 == 0)
        g_assert_cmpfloat (result[p], ==, ARMILLA_UNSEEN);
      else /* roundings of a few thousand terms of order 10 */
        g_assert_cmpfloat (fabs (result[p] - (fabs (v[2]) < sin (cut) - 1e-9 ? 1000 : 0)), <,
                           1e-11);
    }
}

/* All pixels UNSEEN: nothing to fit. */
static gboolean
fill_unseen (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user;
  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    piece->values[i] = ARMILLA_UNSEEN;
  return TRUE;
}

static void
test_monopole_of_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, 1);

  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (map), fill_unseen, NULL, NULL, NULL));
  g_assert_true (armilla_graph_remove_monopole (graph, map, FALSE, 0, out, NULL));
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_nonnull (strstr (error->message, "monopole"));
}

/* What is filled into @in_map, @map or a view of it, comes out of @map. */
static void
assert_passes (ArmillaGraph *graph, ArmillaMap *in_map, ArmillaMap *map)
{
  g_autoptr (GError) error = NULL;
  const gint64 n = armilla_map_grid (map)->n_pixels;
  g_autofree double *pixels = g_new (double, n);
  g_autofree double *result = g_new0 (double, n);
  WholeMap in = { pixels, n }, out = { result, n };

  for (gint64 p = 0; p < n; p++)
    pixels[p] = (double) p + 1;
  g_assert_true (
      armilla_graph_fill (graph, ARMILLA_DATA (in_map), whole_map_fill, &in, NULL, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &out, NULL, NULL));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (pixels, sizeof (double) * (gsize) n, result, sizeof (double) * (gsize) n);
}

/* More pairs a block than there are, up to the largest number there is: one block. */
static void
test_one_block (void)
{
  g_autoptr (ArmillaGraph) graph
    = armilla_graph_new (runtime,
                         &(ArmillaTilingOptions) { .ring_block = G_MAXINT64,
                                                   .m_blocks = G_MAXINT64 },
                         NULL);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);

  assert_passes (graph, map, map);
}

static gboolean
never_alm (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) piece, (void) user;
  (void) error;
  g_assert_not_reached ();
}

/* What cannot be submitted fails the graph for good: what is asked for later is not tried either,
 * with tiles that were never made. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 200000, 200000 }, 1000);

  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alm), never_alm, NULL, NULL, NULL));
  g_assert_false (armilla_graph_flush (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (alm), never_alm, NULL, NULL, NULL, NULL));
  g_assert_false (armilla_graph_flush (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
}

/* A source or a transform may write through a view; the map itself has the sinks. */
static void
test_written_view (void)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autoptr (ArmillaMap) view = armilla_map_new_view (map, NULL);

  assert_passes (graph, view, map);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/graph/cuts", test_cuts);
  g_test_add_func ("/graph/failure", test_failure);
  g_test_add_func ("/graph/shapes", test_shapes);
  g_test_add_func ("/graph/scale-and-spectra", test_scale_and_spectra);
  g_test_add_func ("/graph/monopole", test_monopole);
  g_test_add_func ("/graph/monopole-of-nothing", test_monopole_of_nothing);
  g_test_add_func ("/graph/one-block", test_one_block);
  g_test_add_func ("/graph/refused", test_refused);
  g_test_add_func ("/graph/written-view", test_written_view);
  g_test_add_func ("/graph/cancel-and-commit", test_cancel_and_commit);
  g_test_add_func ("/graph/cancel-between-fields", test_cancel_between_fields);
  return run_tests ();
}
