/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted points and a grid in tiles, for the tests of codelets/points. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/common/isa.h"
#include "codelets/points/points-sort.h"
#include "codelets/points/points.h"

#define PI 3.14159265358979323846264338327950288L

/* The bands of a grid are also its tiles. */
typedef struct {
  ArmillaPointsGrid grid;
  ArmillaPointsShape shape; /* what all bands have in common */
  ArmillaPointsSort *sort;
  gint64 n, *first_pair, *order, *start;
  double *theta, *phi, *places;
  double *values; /* [band][field][point], in the order of the sort */
  double **tile;  /* [band] */
} Points;

static inline ArmillaPointsShape
points_band (const Points *p, gint64 band)
{
  ArmillaPointsShape shape = p->shape;

  shape.band = armilla_points_grid_band (&p->grid, band);
  shape.n_points = p->sort->first[band + 1] - p->sort->first[band];
  return shape;
}

static inline const gint64 *
points_start (const Points *p, gint64 band)
{
  return p->start + p->sort->first_cell[band] + band;
}

static inline gint64
points_tile_size (const Points *p, gint64 band)
{
  const ArmillaPointsShape shape = points_band (p, band);

  return armilla_points_tile_size (&shape, shape.band.first_pair, shape.band.n_pairs);
}

/* Tiles that a band needs, or bands that need a tile. */
static inline ArmillaPointsTiles
points_tiles (const Points *p, gint64 band, gboolean of_bands, double *const *all, double **tile)
{
  const ArmillaPointsBand own = armilla_points_grid_band (&p->grid, band);
  ArmillaPointsTiles tiles = { 0 };

  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsBand other = armilla_points_grid_band (&p->grid, i);
      const ArmillaPointsBand *reader = of_bands ? &other : &own, *read = of_bands ? &own : &other;
      gint64 end, first = armilla_points_needed (reader, &end);

      if (first >= read->first_pair + read->n_pairs || end <= read->first_pair)
        continue;
      g_assert_cmpint (tiles.n, <, ARMILLA_POINTS_TILES);
      tiles.first_pair[tiles.n] = other.first_pair;
      tiles.n_pairs[tiles.n] = other.n_pairs;
      tile[tiles.n++] = all[i];
    }
  return tiles;
}

/* Sorts the points, the blocks and the bands in reverse. */
static inline void
points_sort (Points *p)
{
  g_autofree double *vectors = g_new (double, 3 * p->n + 1);
  g_autofree void *scratch = g_malloc ((gsize) armilla_points_sort_scratch (p->n + 1));
  double *x = vectors, *y = x + p->n, *z = y + p->n;

  for (gint64 i = 0; i < p->n; i++)
    {
      x[i] = sin (p->theta[i]) * cos (p->phi[i]);
      y[i] = sin (p->theta[i]) * sin (p->phi[i]);
      z[i] = cos (p->theta[i]);
    }
  p->sort = armilla_points_sort_new (&p->grid, p->n, scratch);
  g_assert_nonnull (p->sort);
  for (gint64 block = p->sort->n_blocks - 1; block >= 0; block--)
    g_assert_cmpint (armilla_points_sort_block (p->sort, block, x, y, z), ==, -1);
  armilla_points_sort_count (p->sort);
  g_assert_cmpint (p->sort->first[p->grid.n_bands], ==, p->n);
  p->places = g_new (double, 2 * p->n);
  p->order = g_new (gint64, p->n);
  p->start = g_new (gint64, p->sort->first_cell[p->grid.n_bands] + p->grid.n_bands);
  for (gint64 i = p->grid.n_bands - 1; i >= 0; i--)
    armilla_points_sort_band (p->sort, i, p->places + 2 * p->sort->first[i],
                              p->start + p->sort->first_cell[i] + i,
                              p->order + p->sort->first[i]);
}

/* Sorts points that the caller keeps, for bands of @band_pairs pairs, the last of fewer. */
static inline void
points_init (Points *p, gint64 n_rings, gint64 n_columns, gint64 band_pairs, gint64 n_fields,
             double *theta, double *phi, gint64 n)
{
  const gint64 n_pairs = (n_rings + 1) / 2, n_bands = (n_pairs + band_pairs - 1) / band_pairs;
  const gint64 width = p->shape.kernel.width;

  p->first_pair = g_new (gint64, n_bands);
  for (gint64 i = 0; i < n_bands; i++)
    p->first_pair[i] = i * band_pairs;
  p->grid = (ArmillaPointsGrid) { n_rings, n_columns, width, p->shape.isa, n_bands, p->first_pair };
  p->shape.n_fields = n_fields;
  p->n = n;
  p->theta = theta;
  p->phi = phi;
  points_sort (p);
  p->values = g_new (double, n_fields * n);
  p->tile = g_new (double *, n_bands);
  for (gint64 i = 0; i < n_bands; i++)
    p->tile[i] = g_new (double, points_tile_size (p, i));
}

static inline void
points_clear (Points *p)
{
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    g_free (p->tile[i]);
  armilla_points_sort_free (p->sort);
  g_free (p->first_pair);
  g_free (p->order);
  g_free (p->start);
  g_free (p->places);
  g_free (p->values);
  g_free (p->tile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

static inline void
points_interpolate (Points *p)
{
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      const gint64 first = p->sort->first[i];
      double *tile[ARMILLA_POINTS_TILES];
      const ArmillaPointsTiles tiles = points_tiles (p, i, FALSE, p->tile, tile);

      armilla_points_interpolate_cpu (&shape, p->places + 2 * first, points_start (p, i), &tiles,
                                      (const double *const *) tile,
                                      p->values + shape.n_fields * first);
    }
}

static inline void
points_spread (Points *p)
{
  double **spread = g_new (double *, p->grid.n_bands);

  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      const gint64 first = p->sort->first[i];

      spread[i] = g_new (double, armilla_points_spread_size (&shape));
      armilla_points_spread_cpu (&shape, p->places + 2 * first, points_start (p, i),
                                 p->values + shape.n_fields * first, spread[i]);
    }
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const ArmillaPointsShape shape = points_band (p, i);
      double *own[ARMILLA_POINTS_TILES];
      const ArmillaPointsTiles bands = points_tiles (p, i, TRUE, spread, own);

      armilla_points_gather_cpu (&shape, &bands, (const double *const *) own, p->tile[i]);
    }
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    g_free (spread[i]);
  g_free (spread);
}

/* Value of a field at point @i, in the order of the caller. */
static inline double *
points_values (Points *p, gint64 field)
{
  double *values = g_new (double, p->n);

  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const gint64 n = points_band (p, i).n_points, first = p->sort->first[i];

      for (gint64 k = 0; k < n; k++)
        values[p->order[first + k]] = p->values[p->shape.n_fields * first + field * n + k];
    }
  return values;
}

/* Random points, and some at the poles, close to them, and outside of the usual longitudes. */
static inline void
points_random (double *theta, double *phi, gint64 n, guint32 seed)
{
  static const double near[] = { 0, 1e-300, 1e-12, 1e-9, 1e-4, M_PI / 2, M_PI - 1e-4, M_PI - 1e-9,
                                 M_PI - 1e-12, M_PI };
  static const double longitudes[] = { 0, 2 * M_PI, -1e-20, -1e-9, -3, 6.5, 31.4, M_PI };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (gint64 i = 0; i < n; i++)
    {
      theta[i] = acos (g_rand_double_range (random, -1, 1));
      phi[i] = g_rand_double_range (random, 0, 2 * M_PI);
      if (i < (gint64) (G_N_ELEMENTS (near) * G_N_ELEMENTS (longitudes)))
        {
          theta[i] = near[i % (gint64) G_N_ELEMENTS (near)];
          /* the vector of a pole has no longitude */
          phi[i] = theta[i] == 0 ? 0 : longitudes[i / (gint64) G_N_ELEMENTS (near)];
        }
    }
}
