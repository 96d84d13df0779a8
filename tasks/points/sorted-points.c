/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the grid for points and sorts these into its bands. A band is a ring block of the grid:
 * the supports of its points begin in the rings of the block, and end in neighbouring blocks. */
#include "config.h"

#include <armilla/memory.h>
#include <math.h>

#include "codelets/rings/ring-fft-math.h"
#include "core/grids/grid.h"
#include "tasks/planning/forecast-private.h"
#include "tasks/points/points.h"
#include "tasks/points/sorted-points.h"

/* samples of the grid per sample that the a_lm need, in both directions */
#define OVERSAMPLING 2
/* The kernel needs more rings than its width, and more columns. */
#define MIN_SAMPLES 20

static gint64
smooth_from (gint64 n)
{
  while (!armilla_is_smooth (n))
    n++;
  return n;
}

/* Returns (transfer full) the grid from which values are interpolated. */
ArmillaGrid *
armilla_points_grid (ArmillaAlmLayout layout, GError **error)
{
  const gint64 n_rings = smooth_from (MAX (OVERSAMPLING * (layout.lmax + 1), MIN_SAMPLES)) + 1;
  const gint64 half = MAX (OVERSAMPLING * (2 * layout.mmax + 1), MIN_SAMPLES) / 2;

  return armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, n_rings,
                                       2 * smooth_from (half), error);
}

/* Finds the angles of the objects. That x^2 underflows within 1e-154 of a pole changes no value. */
static gboolean
find_angles (const ArmillaCatalogue *c, double *theta, double *phi, GError **error)
{
  for (gint64 i = 0; i < c->n; i++)
    {
      theta[i] = atan2 (sqrt (c->x[i] * c->x[i] + c->y[i] * c->y[i]), c->z[i]);
      phi[i] = c->x[i] != 0 || c->y[i] != 0 ? atan2 (c->y[i], c->x[i]) : 0;
      if (!isfinite (theta[i]) || !isfinite (phi[i]))
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "the position of object %" G_GINT64_FORMAT " is not finite", i + 1);
    }
  return TRUE;
}

gint64
armilla_sorted_points_first (const ArmillaSortedPoints *self, int band)
{
  return self->sort->start[self->sort->first_cell[band]];
}

gint64
armilla_sorted_points_count (const ArmillaSortedPoints *self, int band)
{
  return armilla_sorted_points_first (self, band + 1) - armilla_sorted_points_first (self, band);
}

/* Sorts the points and copies their places into the tiles of the bands. */
static gboolean
sort (ArmillaSortedPoints *self, ArmillaGraph *graph, const ArmillaCatalogue *catalogue,
      GError **error)
{
  const gint64 n = catalogue->n;
  g_autofree double *theta = armilla_try_new (double, n, "points", error);
  g_autofree double *phi = theta ? armilla_try_new (double, n, "points", error) : NULL;
  g_autofree double *places = phi ? armilla_try_new (double, 2 * n, "points", error) : NULL;
  gboolean ok = TRUE;

  self->order = places ? armilla_try_new (gint64, n, "points", error) : NULL;
  if (!self->order || !find_angles (catalogue, theta, phi, error))
    return FALSE;
  self->sort = armilla_points_sort_new (&self->shape, theta, phi, n);
  if (!self->sort
      || !armilla_points_sort_fill (self->sort, &self->shape, theta, phi, places, self->order))
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "out of memory: cannot sort %" G_GINT64_FORMAT " points", n);
  for (int b = 0; ok && b < self->rings->n; b++)
    {
      const gint64 first_cell = self->sort->first_cell[b];
      const gint64 n_cells = self->sort->first_cell[b + 1] - first_cell;

      ok = armilla_sorted_points_count (self, b) == 0
           || (armilla_tile_from_words (graph, self->rings->block[b].owner,
                                        places + 2 * armilla_sorted_points_first (self, b),
                                        2 * armilla_sorted_points_count (self, b),
                                        &self->places[b], error)
               && armilla_tile_from_words (graph, self->rings->block[b].owner,
                                           self->sort->start + first_cell, n_cells + 1,
                                           &self->start[b], error));
    }
  return ok;
}

/* Sorts the objects of a catalogue into the bands of the grid for a_lm of the layout.
 * armilla_sorted_points_clear () must follow, even on failure. */
gboolean
armilla_sorted_points_init (ArmillaSortedPoints *self, ArmillaGraph *graph,
                            ArmillaAlmLayout layout, int n_fields, double epsilon,
                            const ArmillaCatalogue *catalogue, GError **error)
{
  const double begin = armilla_forecast_clock (graph);
  gboolean ok;

  *self = (ArmillaSortedPoints) { .grid = armilla_points_grid (layout, error) };
  if (!self->grid)
    return FALSE;
  self->rings = armilla_graph_ring_blocks (graph, self->grid, n_fields, error);
  if (!self->rings)
    return FALSE;
  if (armilla_points_kernel_init (&self->kernel, epsilon, OVERSAMPLING) != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "epsilon = %g: must be from %g to %g", epsilon, ARMILLA_POINTS_MIN_EPSILON,
                         ARMILLA_POINTS_MAX_EPSILON);
  self->first_pair = g_new (gint64, self->rings->n);
  for (gint64 b = 0, pair = 0; b < self->rings->n; pair += self->rings->block[b++].n_pairs)
    self->first_pair[b] = pair;
  self->shape = (ArmillaPointsGrid) { self->grid->n_rings, self->grid->rings[0].n_phi,
                                      self->kernel.width, (gint64) graph->view.isa,
                                      self->rings->n, self->first_pair };
  self->places = g_new0 (ArmillaTile, self->rings->n);
  self->start = g_new0 (ArmillaTile, self->rings->n);
  ok = sort (self, graph, catalogue, error);
  armilla_forecast_spend (graph, begin);
  return ok;
}

void
armilla_sorted_points_clear (ArmillaSortedPoints *self)
{
  for (int b = 0; self->places && b < self->rings->n; b++)
    {
      armilla_tile_drop (&self->places[b]);
      armilla_tile_drop (&self->start[b]);
    }
  g_clear_pointer (&self->places, g_free);
  g_clear_pointer (&self->start, g_free);
  g_clear_pointer (&self->first_pair, g_free);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->sort, armilla_points_sort_free);
  g_clear_pointer (&self->grid, armilla_grid_unref);
}

ArmillaPointsShape
armilla_sorted_points_shape (const ArmillaSortedPoints *self, const ArmillaGraph *graph, int band)
{
  return (ArmillaPointsShape) { .band = armilla_points_grid_band (&self->shape, band),
                                .n_points = armilla_sorted_points_count (self, band),
                                .isa = (gint32) graph->view.isa,
                                .kernel = self->kernel };
}

/* Returns whether a band reads the tile of another one. */
static gboolean
reads (const ArmillaSortedPoints *self, int reader, int read)
{
  const ArmillaPointsBand band = armilla_points_grid_band (&self->shape, reader);
  const ArmillaPointsBand tile = armilla_points_grid_band (&self->shape, read);
  gint64 end, first = armilla_points_needed (&band, &end);

  return first < tile.first_pair + tile.n_pairs && end > tile.first_pair;
}

int
armilla_sorted_points_uses (const ArmillaSortedPoints *self, int band, gboolean of_bands,
                            const ArmillaTile *all, ArmillaPointsTiles *tiles, ArmillaUse *uses)
{
  *tiles = (ArmillaPointsTiles) { 0 };
  for (int b = 0; b < self->rings->n; b++)
    {
      const ArmillaPointsBand other = armilla_points_grid_band (&self->shape, b);

      if (of_bands ? armilla_sorted_points_count (self, b) == 0 || !reads (self, b, band)
                   : !reads (self, band, b))
        continue;
      tiles->first_pair[tiles->n] = other.first_pair;
      tiles->n_pairs[tiles->n] = other.n_pairs;
      uses[tiles->n++] = (ArmillaUse) { all[b].handle, STARPU_R };
    }
  return (int) tiles->n;
}
