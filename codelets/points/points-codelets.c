/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/points/points-codelets.h"

/* Multiply-adds of the weights of both dimensions, and of the fields. */
static double
flops_of (const ArmillaPointsShape *shape)
{
  const double width = (double) shape->kernel.width;

  return 2 * (double) shape->n_points
         * (2 * width * (double) shape->kernel.n_terms + width * width * (double) shape->n_fields);
}

static double
bytes_of_points (const ArmillaPointsShape *shape)
{
  return 8 * (double) (shape->n_points * (2 + shape->n_fields));
}

/* The rings of a band and its halo are read once. */
static ArmillaCost
interpolate_cost (const ArmillaPointsShape *shape)
{
  const double n = (double) armilla_points_spread_size (shape);

  return (ArmillaCost) { flops_of (shape), bytes_of_points (shape) + 8 * n };
}

static ArmillaCost
gather_cost (const ArmillaPointsShape *shape)
{
  const double n = (double) armilla_points_tile_size (shape, shape->band.first_pair,
                                                      shape->band.n_pairs);

  return (ArmillaCost) { n, 16 * n };
}

/* Address of a task's fields in a tile. */
static double *
tile_at (double *tile, const ArmillaPointsArgs *args, int64_t first_pair, int64_t n_pairs)
{
  return tile
         + args->first_field
             * armilla_points_tile_rows (&args->shape.band, first_pair, n_pairs)
             * args->shape.band.n_columns;
}

static double *
values_at (void *buffers[], const ArmillaPointsArgs *args)
{
  return ARMILLA_BUFFER (2) + args->first_field * args->shape.n_points;
}

static double *
own_tile (void *buffers[], const ArmillaPointsArgs *args)
{
  return tile_at (ARMILLA_BUFFER (0), args, args->shape.band.first_pair, args->shape.band.n_pairs);
}

static const double *const *
grid_tiles (void *buffers[], const ArmillaPointsArgs *args, const double **tile)
{
  for (int64_t i = 0; i < args->tiles.n; i++)
    tile[i] = tile_at (ARMILLA_BUFFER (3 + i), args, args->tiles.first_pair[i],
                       args->tiles.n_pairs[i]);
  return tile;
}

static const double *const *
bands_of (void *buffers[], const ArmillaPointsArgs *args, const double **spread)
{
  for (int64_t i = 0; i < args->tiles.n; i++)
    spread[i] = ARMILLA_BUFFER (1 + i);
  return spread;
}

#define TABLE (const double *[ARMILLA_POINTS_TILES]) { NULL }

ARMILLA_WRAPPERS (points_interpolate, ArmillaPointsArgs, armilla_points_interpolate, &args->shape,
                  ARMILLA_BUFFER (0), ARMILLA_BUFFER_OF (int64_t, 1), &args->tiles,
                  grid_tiles (buffers, args, TABLE), values_at (buffers, args))
ARMILLA_COST (points_interpolate, ArmillaPointsArgs, interpolate_cost (&args->shape))
ArmillaCodelet armilla_points_interpolate_cl = ARMILLA_CODELET (points_interpolate, "1");

ARMILLA_WRAPPERS (points_spread, ArmillaPointsArgs, armilla_points_spread, &args->shape,
                  ARMILLA_BUFFER (0), ARMILLA_BUFFER_OF (int64_t, 1), values_at (buffers, args),
                  ARMILLA_BUFFER (3))
ARMILLA_COST (points_spread, ArmillaPointsArgs, interpolate_cost (&args->shape))
ArmillaCodelet armilla_points_spread_cl = ARMILLA_CODELET (points_spread, "1");

ARMILLA_WRAPPERS (points_gather, ArmillaPointsArgs, armilla_points_gather, &args->shape,
                  &args->tiles, bands_of (buffers, args, TABLE), own_tile (buffers, args))
ARMILLA_COST (points_gather, ArmillaPointsArgs, gather_cost (&args->shape))
ArmillaCodelet armilla_points_gather_cl = ARMILLA_CODELET (points_gather, "1");
