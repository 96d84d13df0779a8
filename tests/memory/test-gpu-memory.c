/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done where tasks do not fit into the memory of a GPU, with GPUs and sizes made up. */
#include <math.h>
#include <string.h>

#include "tests/lib/graph-helpers.h"

#include "tasks/runtime/gpu-memory.h"
#include "tasks/data/need.h"

static ArmillaRuntime *runtime;
static gint64 bytes_there;
static int workers_there;

static void
nothing (void *buffers[], void *args)
{
  (void) buffers;
  (void) args;
}

/* As if this rank had a GPU of @bytes, and @cpus workers beside it. */
static void
pretend (gint64 bytes, int cpus)
{
  runtime->gpu_bytes = bytes;
  runtime->cpu_workers = cpus;
}

static void
test_where (void)
{
  struct starpu_codelet both
    = { .cpu_funcs = { nothing }, .cuda_funcs = { nothing }, .name = "both" };
  struct starpu_codelet gpu = { .cuda_funcs = { nothing }, .name = "gpu" };
  struct starpu_codelet cpu = { .cpu_funcs = { nothing }, .name = "cpu" };
  g_autoptr (GError) error = NULL;
  gint32 where = 0;

  pretend (150 << 20, 3);
  g_assert_true (armilla_gpu_memory_where (runtime, &both, 150 << 20, &where, NULL));
  g_assert_cmpint (where, ==, -1);
  g_assert_true (armilla_gpu_memory_where (runtime, &both, (150 << 20) + 1, &where, NULL));
  g_assert_cmpint (where, ==, STARPU_CPU);
  g_assert_true (armilla_gpu_memory_where (runtime, &cpu, 200 << 20, &where, NULL));
  g_assert_cmpint (where, ==, -1);
  g_assert_false (armilla_gpu_memory_where (runtime, &gpu, 200 << 20, &where, NULL));
  pretend (150 << 20, 0);
  g_assert_false (armilla_gpu_memory_where (runtime, &both, (199 << 20) + 1, &where, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "\"both\" needs 200 MiB"));
  g_assert_nonnull (strstr (error->message, "StarPU has 150 MiB"));
  g_assert_nonnull (strstr (error->message, "smaller ring-block"));
  pretend (0, 0); /* no GPU */
  g_assert_true (armilla_gpu_memory_where (runtime, &both, 200 << 20, &where, NULL));
}

/* One block of all 64 ring pairs: modes of 4 x 64 x 65 doubles and 12 x 32 x 32 pixels are 231,424
 * bytes, which may be three quarters of a GPU's memory. */
static void
test_fits (void)
{
  const ArmillaTilingOptions tiling = { .ring_block = 64, .m_blocks = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, NULL);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1), other = armilla_map_new (grid, 3);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 64, 64 }, 1);
  ArmillaData *in[] = { ARMILLA_DATA (alm), NULL, ARMILLA_DATA (other) };
  ArmillaData *out[] = { ARMILLA_DATA (map) };

  g_assert_cmpint (grid->n_pairs, ==, 64);
  pretend (308568, 0);
  g_assert_true (armilla_graph_fits_gpu (graph, in, 3, out, 1, &error));
  g_assert_no_error (error);
  pretend (308567, 0);
  g_assert_true (armilla_graph_fits_gpu (graph, out, 1, NULL, 0, NULL)); /* no transform */
  g_assert_false (armilla_graph_fits_gpu (graph, in, 3, out, 1, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "ring-block (64 now)"));
  g_clear_error (&error);
  pretend (308567, 1);
  g_assert_true (armilla_graph_fits_gpu (graph, in, 3, out, 1, NULL));
  g_assert_true (armilla_graph_wait (graph, NULL));
}

static gboolean
fill_ones (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaAlm *alm = user;
  gint64 lmax = armilla_alm_layout (alm).lmax;
  gint64 n = 2 * (armilla_alm_index (lmax, lmax, piece->last)
                  - armilla_alm_index (lmax, piece->first, piece->first) + 1);

  (void) error;
  for (gint64 i = 0; i < n; i++)
    piece->values[i] = piece->first == 0 && i == 0 ? sqrt (4 * G_PI) : 0;
  return TRUE;
}

/* The sky 1 from a_00; whether it came, or why not. */
static gboolean
run_transform (GError **error)
{
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 16, 16 }, 1);
  g_autofree double *pixels = g_new0 (double, grid->n_pixels);
  WholeMap out = { pixels, grid->n_pixels };

  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alm), fill_ones, alm, NULL, NULL));
  g_assert_true (armilla_graph_synthesis (graph, alm, map, NULL));
  g_assert_true (
      armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &out, NULL, NULL));
  if (!armilla_graph_wait (graph, error))
    return FALSE;
  for (gint64 p = 0; p < grid->n_pixels; p++)
    g_assert_cmpfloat_with_epsilon (pixels[p], 1, 1e-13);
  return TRUE;
}

/* Tasks that are too large for the GPU go to CPU workers, and are refused where there are none. In
 * a build without CUDA no codelet asks for a GPU at all. */
static void
test_run (void)
{
  g_autoptr (GError) error = NULL;

  pretend (64, workers_there);
  g_assert_true (run_transform (&error));
  g_assert_no_error (error);
#ifdef HAVE_CUDA
  pretend (64, 0);
  g_assert_false (run_transform (&error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "smaller ring-block"));
#endif
  pretend (bytes_there, workers_there);
  g_assert_true (run_transform (NULL));
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  bytes_there = runtime->gpu_bytes;
  workers_there = runtime->cpu_workers;
  g_assert_cmpint (workers_there, >, 0);
  g_test_add_func ("/gpu-memory/where", test_where);
  g_test_add_func ("/gpu-memory/fits", test_fits);
  g_test_add_func ("/gpu-memory/run", test_run);
  status = g_test_run ();
  pretend (bytes_there, workers_there);
  armilla_runtime_stop (runtime);
  return status;
}
