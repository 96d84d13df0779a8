/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of rings in the tiles of theta-interpolation.h, for CPU and CUDA kernels. */
#pragma once

#include "codelets/common/host-device.h"
#include "codelets/theta/theta-interpolation.h"

/* Returns the position of ring @row of the continued grid. Its mirror image is the other ring of
 * the same pair. */
ARMILLA_HD ArmillaThetaRing
armilla_theta_ring (const ArmillaThetaShape *shape, int64_t row)
{
  ArmillaThetaRing ring = { 0, 0, 0, 0 };

  if (row < 0 || row >= shape->n_grid)
    {
      row = row < 0 ? -1 - row : 2 * shape->n_grid - 1 - row;
      ring.beyond = 1;
    }
  if (row >= shape->n_grid / 2)
    {
      row = shape->n_grid - 1 - row;
      ring.south = 1;
    }
  while (ring.tile + 1 < shape->n_tiles
         && row >= shape->tile_first[ring.tile] + shape->tile_pairs[ring.tile])
    ring.tile++;
  ring.pair = row - shape->tile_first[ring.tile];
  return ring;
}

/* Returns the number of groups of eight pairs of the map's tile. */
ARMILLA_HD int64_t
armilla_theta_groups (const ArmillaThetaShape *shape)
{
  return (shape->n_pairs + ARMILLA_THETA_GROUP - 1) / ARMILLA_THETA_GROUP;
}

/* Returns the number of doubles before the weights: the groups' first rings, and as many limits. */
ARMILLA_HD int64_t
armilla_theta_firsts (const ArmillaThetaShape *shape)
{
  return (armilla_theta_groups (shape) + 7) / 8 * 8;
}

/* Returns for each group the first order that is negligible on all of its rings, for spin 0. For a
 * field of spin s the limit is 3 s higher. */
ARMILLA_HD const double *
armilla_theta_limits (const ArmillaThetaShape *shape, const double *weights)
{
  return weights + armilla_theta_firsts (shape);
}

/* Returns the interpolation weights, [group][n_window][8]. */
ARMILLA_HD const double *
armilla_theta_table (const ArmillaThetaShape *shape, const double *weights)
{
  return weights + 2 * armilla_theta_firsts (shape);
}

/* Returns the position, in doubles, of a field's ring in a tile of @n_pairs pairs. */
ARMILLA_HD int64_t
armilla_theta_row (const ArmillaThetaShape *shape, int64_t n_pairs, int64_t field, int64_t pair,
                   int south)
{
  return 2 * (((field * n_pairs + pair) * 2 + south) * shape->n_orders);
}
