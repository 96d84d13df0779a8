/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/points/points-codelets.h"

#include <math.h>

/* Counts multiply-adds: of the weights in both dimensions, and of the sums of each field. */
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

/* Counts each ring of the band and of its halo as read once. */
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

/* Returns the address of the task's first field in a tile. */
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

/* One complex transform on each circle for two orders, of 5 n log2 n operations on n points. Each
 * tile is read or written once. */
static ArmillaCost
delta_cost (const ArmillaPointsDeltaShape *shape)
{
  const double coarse = 2.0 * (double) shape->n_coarse, fine = 2.0 * (double) shape->n_fine;
  const double columns = (double) (shape->n_orders * shape->n_fields);

  return (ArmillaCost) { 2.5 * (coarse * log2 (coarse) + fine * log2 (fine)) * columns,
                         16 * columns * (coarse + fine) };
}

/* Returns the address of the task's first field in a tile of all rings. */
static double *
rings_at (double *tile, const ArmillaPointsDeltaArgs *args, int64_t n_rings)
{
  return tile + 4 * args->first_field * ((n_rings + 1) / 2) * args->shape.n_orders;
}

ARMILLA_CPU_WRAPPER (points_refine, ArmillaPointsDeltaArgs,
                     armilla_points_refine_cpu (
                       &args->shape, ARMILLA_BUFFER (0), args->plans,
                       rings_at (ARMILLA_BUFFER (1), args, args->shape.n_coarse),
                       rings_at (ARMILLA_BUFFER (2), args, args->shape.n_fine), ARMILLA_BUFFER (3)))
ARMILLA_CPU_WRAPPER (points_coarsen, ArmillaPointsDeltaArgs,
                     armilla_points_coarsen_cpu (
                       &args->shape, ARMILLA_BUFFER (0), args->plans,
                       rings_at (ARMILLA_BUFFER (1), args, args->shape.n_fine),
                       rings_at (ARMILLA_BUFFER (2), args, args->shape.n_coarse),
                       ARMILLA_BUFFER (3)))

#ifdef HAVE_CUDA
/* Latches the message of the kernel, before the wrapper latches the status, which says less. */
static int
delta_launch (void *buffers[], const ArmillaPointsDeltaArgs *args, int refines,
              cudaStream_t stream)
{
  const ArmillaPointsDeltaShape *shape = &args->shape;
  ArmillaCudaMessage message = { "" };
  int status = armilla_points_delta_launch (
    shape, refines, ARMILLA_BUFFER (0), armilla_worker_plans_mine (args->cuda_plans), args->batch,
    rings_at (ARMILLA_BUFFER (1), args, refines ? shape->n_coarse : shape->n_fine),
    rings_at (ARMILLA_BUFFER (2), args, refines ? shape->n_fine : shape->n_coarse),
    ARMILLA_BUFFER (3), stream, &message);

  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "%s: %s",
                       refines ? "points_refine" : "points_coarsen", message.text);
  return status;
}
#endif

ARMILLA_CUDA_WRAPPER (points_refine, ArmillaPointsDeltaArgs,
                      delta_launch (buffers, args, TRUE, stream))
ARMILLA_COST (points_refine, ArmillaPointsDeltaArgs, delta_cost (&args->shape))
ArmillaCodelet armilla_points_refine_cl = ARMILLA_CODELET (points_refine, "1");

ARMILLA_CUDA_WRAPPER (points_coarsen, ArmillaPointsDeltaArgs,
                      delta_launch (buffers, args, FALSE, stream))
ARMILLA_COST (points_coarsen, ArmillaPointsDeltaArgs, delta_cost (&args->shape))
ArmillaCodelet armilla_points_coarsen_cl = ARMILLA_CODELET (points_coarsen, "1");
