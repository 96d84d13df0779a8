/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by tables of compressed matrices against the recurrence. */
#pragma once

#include "core/tables/legendre-table.h"
#include "tasks/harmonic/legendre.h"
#include "tests/lib/transform-helpers.h"

#include <glib/gstdio.h>
#include <starpu.h>

static char *folder; /* of the tables */

static inline char *
table_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* By how much two runs of the same tasks may differ: not at all where all workers are of one kind,
 * by what CPUs and GPUs round differently (1e-13 by contract) where either may take a task. */
static inline double
rounding (void)
{
  return starpu_cpu_worker_get_count () > 0 && starpu_cuda_worker_get_count () > 0 ? 1e-13 : 0;
}

/* Distances of both directions from the recurrence. */
static inline double
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

/* The table of a grid with all orders, or with those below @first_missing. @speed: (nullable): what
 * is to be taken for measured */
static inline void
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

/* Returns whether a synthesis fails, with an error that has these words. */
static inline void
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
  g_assert_true (
      armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, NULL));
  armilla_graph_set_legendre (graph, options);
  if (options->kind == ARMILLA_LEGENDRE_BUTTERFLY)
    g_assert_true (armilla_graph_precompute (graph, layout, grid, n_fields, NULL));
  g_assert_true (armilla_graph_synthesis (graph, alm, map, NULL));
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}
