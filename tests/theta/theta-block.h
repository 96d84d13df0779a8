/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring block that is interpolated from a whole grid, for the tests of theta_interpolation. */
#pragma once

#include <math.h>

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/theta/theta-interpolation.h"
#include "tests/legendre/delta-reference.h"

#define PI 3.14159265358979323846264338327950288L

/* A map's ring block that meets a whole grid, cut into three tiles. */
typedef struct {
  ArmillaThetaShape shape;
  gint64 lmax;
  long double *theta; /* of the map's northern rings */
  double *pairs, *weights, *tile, *scratch;
  double *grid[ARMILLA_THETA_TILES];
} Block;

static inline gint64
tile_size (const ArmillaThetaShape *shape, gint64 n_pairs)
{
  return 4 * n_pairs * shape->n_fields * shape->n_orders;
}

static inline void
block_init (Block *b, gint64 lmax, gint64 n_pairs, gint64 m_first, gint64 n_orders, gint64 n_fields)
{
  const gint64 half = (5 * (lmax + 1) + 7) / 8, third = half / 3;

  b->lmax = lmax;
  b->shape = (ArmillaThetaShape){ .n_fields = n_fields,
                                  .m_first = m_first,
                                  .n_orders = n_orders,
                                  .n_pairs = n_pairs,
                                  .n_grid = 2 * half,
                                  .n_tiles = 3,
                                  .tile_first = { 0, third, 2 * third },
                                  .tile_pairs = { third, third, half - 2 * third } };
  b->theta = g_new (long double, n_pairs);
  b->pairs = g_new (double, ARMILLA_PAIR_ROWS * n_pairs);
  for (gint64 p = 0; p < n_pairs; p++)
    {
      /* From near a pole to the equator, a ring of the grid itself among them. */
      const long double at = p == n_pairs / 2 ? 3.5L : (p + 0.31L) / (n_pairs - 0.69L) * half;

      b->theta[p] = PI * at / b->shape.n_grid;
    }
  for (gint64 p = 0; p < n_pairs; p++)
    for (gint64 q = p; q > 0 && b->theta[q] < b->theta[q - 1]; q--)
      {
        const long double t = b->theta[q];

        b->theta[q] = b->theta[q - 1];
        b->theta[q - 1] = t;
      }
  for (gint64 p = 0; p < n_pairs; p++)
    delta_set_pair (b->pairs, n_pairs, p, cosl (b->theta[p]), sinl (b->theta[p]));
  armilla_theta_windows (&b->shape, b->pairs);
  b->weights = g_new (double, armilla_theta_weights_size (&b->shape));
  armilla_theta_weights (&b->shape, b->pairs, b->weights);
  b->tile = g_new (double, tile_size (&b->shape, n_pairs));
  delta_fill_nan (b->tile, tile_size (&b->shape, n_pairs));
  b->scratch = g_new (double, armilla_theta_scratch_size (&b->shape));
  delta_fill_nan (b->scratch, armilla_theta_scratch_size (&b->shape));
  for (int i = 0; i < 3; i++)
    b->grid[i] = g_new (double, tile_size (&b->shape, b->shape.tile_pairs[i]));
}

static inline void
block_clear (Block *b)
{
  g_free (b->theta);
  g_free (b->pairs);
  g_free (b->weights);
  g_free (b->tile);
  g_free (b->scratch);
  for (int i = 0; i < 3; i++)
    g_free (b->grid[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Block, block_clear)
