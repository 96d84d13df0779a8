/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole transforms of arrays, for the tests of transforms. */
#pragma once

#include "tasks/harmonic/harmonic.h"
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"

#include <math.h>

typedef struct {
  const char *kind;
  gint64 n_theta, n_phi; /* n_theta is nside for HEALPix */
  gint64 lmax, mmax;
} Case;

static inline double
relative_rms (const double *a, const double *b, gint64 n)
{
  double d = 0, s = 0;

  for (gint64 i = 0; i < n; i++)
    {
      d += (a[i] - b[i]) * (a[i] - b[i]);
      s += b[i] * b[i];
    }
  return sqrt (d / s);
}

/* Returns whether analyses are told that others will follow. */
static gboolean expect_calls;

/* How transforms sum over degrees; NULL: as they do when nothing is said. */
static const ArmillaLegendreOptions *legendre_options;

static inline void
set_legendre (ArmillaGraph *graph, ArmillaAlmLayout layout, ArmillaGrid *grid, int n_fields)
{
  g_autoptr (GError) error = NULL;

  if (!legendre_options)
    return;
  armilla_graph_set_legendre (graph, legendre_options);
  if (legendre_options->kind == ARMILLA_LEGENDRE_BUTTERFLY)
    armilla_graph_precompute (graph, layout, grid, n_fields, &error);
  g_assert_no_error (error);
}

static inline double *
synthesize_spins (const ArmillaTilingOptions *tiling, ArmillaGrid *grid, ArmillaAlmLayout layout,
                  double *alm, const int *spins, int n_fields)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, tiling, &error);
  g_autoptr (ArmillaAlm) in = armilla_alm_new (layout, n_fields);
  g_autoptr (ArmillaMap) out = armilla_map_new (grid, n_fields);
  WholeAlm whole = { alm, layout };
  WholeMap result = { g_new (double, grid->n_pixels * n_fields), grid->n_pixels };

  for (gint64 i = 0; i < grid->n_pixels * n_fields; i++)
    result.values[i] = NAN;
  armilla_alm_set_spins (in, spins);
  armilla_map_set_spins (out, spins);
  g_assert_no_error (error);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_alm_fill, &whole, NULL, &error);
  g_assert_no_error (error);
  set_legendre (graph, layout, grid, n_fields);
  armilla_graph_synthesis (graph, in, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &result, NULL, &error);
  g_assert_no_error (error);
  armilla_data_release (ARMILLA_DATA (in));
  armilla_data_release (ARMILLA_DATA (out));
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  g_assert_no_error (error);
  return result.values;
}

static inline double *
synthesize (const ArmillaTilingOptions *tiling, ArmillaGrid *grid, ArmillaAlmLayout layout,
            double *alm, int n_fields)
{
  return synthesize_spins (tiling, grid, layout, alm, NULL, n_fields);
}

typedef enum { ADJOINT, ANALYSIS, CONJUGATE_GRADIENTS } Kind;

static inline double *
analyse_spins (Kind kind, int iterations, const ArmillaTilingOptions *tiling, ArmillaGrid *grid,
               ArmillaAlmLayout layout, double *map, const int *spins, int n_fields)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, tiling, &error);
  g_autoptr (ArmillaMap) in = armilla_map_new (grid, n_fields);
  g_autoptr (ArmillaAlm) out = armilla_alm_new (layout, n_fields);
  WholeMap whole = { map, grid->n_pixels };
  WholeAlm result = { g_new (double, 2 * armilla_alm_count (layout) * n_fields), layout };

  for (gint64 i = 0; i < 2 * armilla_alm_count (layout) * n_fields; i++)
    result.values[i] = NAN;
  armilla_map_set_spins (in, spins);
  armilla_alm_set_spins (out, spins);
  g_assert_no_error (error);
  if (expect_calls)
    armilla_graph_expect_calls (graph);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &whole, NULL, &error);
  g_assert_no_error (error);
  set_legendre (graph, layout, grid, n_fields);
  if (kind == ADJOINT)
    armilla_graph_adjoint_synthesis (graph, in, out, &error);
  else if (kind == ANALYSIS)
    armilla_graph_analysis (graph, in, out, iterations, &error);
  else
    armilla_graph_analysis_cg (graph, in, out, 1e-13, 200, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_alm_take, NULL, &result, NULL, &error);
  g_assert_no_error (error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  g_assert_no_error (error);
  return result.values;
}

static inline double *
analyse (Kind kind, int iterations, const ArmillaTilingOptions *tiling, ArmillaGrid *grid,
         ArmillaAlmLayout layout, double *map, int n_fields)
{
  return analyse_spins (kind, iterations, tiling, grid, layout, map, NULL, n_fields);
}

static inline ArmillaGrid *
make_grid (const char *kind, gint64 n_theta, gint64 n_phi)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *grid;

  if (strcmp (kind, "healpix") == 0)
    grid = armilla_grid_new_healpix (n_theta, &error);
  else if (strcmp (kind, "gauss") == 0)
    grid = armilla_grid_new_gauss_legendre (n_theta, n_phi, &error);
  else if (strcmp (kind, "fejer1") == 0)
    grid = armilla_grid_new_equiangular (ARMILLA_GRID_FEJER1, n_theta, n_phi, &error);
  else if (strcmp (kind, "clenshaw-curtis") == 0)
    grid = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, n_theta, n_phi, &error);
  else
    grid = armilla_grid_new_equiangular (ARMILLA_GRID_DRISCOLL_HEALY, n_theta, n_phi, &error);
  g_assert_no_error (error);
  return grid;
}

/* |<A x, y> - <x, A' y>| / (|A x| |y|) for random x and y = A x + |A x| n, |n| = 1 */
static inline double
adjoint_error_spins (GRand *rand, ArmillaGrid *grid, ArmillaAlmLayout layout, const int *spins,
                     int n_fields)
{
  gint64 n = n_fields * grid->n_pixels;
  g_autofree double *x = random_alm_array (rand, layout, n_fields);
  g_autofree double *ax = synthesize_spins (NULL, grid, layout, x, spins, n_fields);
  g_autofree double *noise = random_map_array (rand, n);
  g_autofree double *y = g_new (double, n);
  long double norm_ax = 0, norm_n = 0, left = 0, right, norm_y = 0;

  for (gint64 p = 0; p < n; p++)
    {
      norm_ax += (long double) ax[p] * ax[p];
      norm_n += (long double) noise[p] * noise[p];
    }
  for (gint64 p = 0; p < n; p++)
    y[p] = (double) (ax[p] + sqrtl (norm_ax / norm_n) * noise[p]);
  g_autofree double *aty
    = analyse_spins (ADJOINT, 0, NULL, grid, layout, y, spins, n_fields);
  for (gint64 p = 0; p < n; p++)
    {
      left += (long double) ax[p] * y[p];
      norm_y += (long double) y[p] * y[p];
    }
  right = alm_inner_product (x, aty, layout, n_fields);
  return (double) (fabsl (left - right) / sqrtl (norm_ax * norm_y));
}

static inline double
adjoint_error (GRand *rand, ArmillaGrid *grid, ArmillaAlmLayout layout)
{
  return adjoint_error_spins (rand, grid, layout, NULL, 1);
}
