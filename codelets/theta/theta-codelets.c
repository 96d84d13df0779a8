/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/theta/theta-codelets.h"

#include <math.h>

#include "codelets/theta/theta-needed.h"
#include "codelets/theta/theta-resample-math.h"

/* One in this many groups and orders is counted: the fraction that is not negligible varies
 * smoothly. */
#define GROUP_STEP 4
#define ORDER_STEP 16

/* Returns the fraction of rings and orders that are not negligible, as if windows began at equal
 * distances. */
static double
needed_share (const ArmillaThetaShape *shape)
{
  const int64_t n_groups = (shape->n_pairs + ARMILLA_THETA_GROUP - 1) / ARMILLA_THETA_GROUP;
  int64_t n = 0, n_needed = 0;

  for (int64_t order = 0; order < shape->n_orders; order += ORDER_STEP)
    for (int64_t g = 0; g < n_groups; g += GROUP_STEP, n++)
      n_needed += armilla_theta_matters (
        shape, order,
        shape->first + (shape->n_rows - shape->n_window) * g / (n_groups > 1 ? n_groups - 1 : 1));
  return n > 0 ? (double) n_needed / (double) n : 0;
}

/* One multiply-add per tap, ring and real number of the orders that are not negligible. Rings of
 * the grid are read (and, by the adjoint, written) once, those of the map written or read once. */
static ArmillaCost
cost_of (const ArmillaThetaShape *shape)
{
  const double numbers = 4.0 * (double) shape->n_orders * (double) shape->n_fields;

  return (ArmillaCost) { needed_share (shape) * 2 * ARMILLA_THETA_TAPS * numbers
                           * (double) shape->n_pairs,
                         8 * numbers * (double) (shape->n_pairs + shape->n_rows) };
}

/* Returns the address of a task's fields in a tile of @n_pairs pairs. */
static double *
rows_of (double *tile, const ArmillaThetaArgs *args, int64_t n_pairs)
{
  return tile + 4 * args->first_field * n_pairs * args->shape.n_orders;
}

static double *
map_rows (void *buffers[], const ArmillaThetaArgs *args)
{
  return rows_of (ARMILLA_BUFFER (1), args, args->shape.n_pairs);
}

static void
grid_buffers (void *buffers[], const ArmillaThetaArgs *args, double **grid)
{
  for (int i = 0; i < args->shape.n_tiles; i++)
    grid[i] = rows_of (ARMILLA_BUFFER (3 + i), args, args->shape.tile_pairs[i]);
}

static void
synthesis (void *buffers[], const ArmillaThetaArgs *args)
{
  double *grid[ARMILLA_THETA_TILES];

  grid_buffers (buffers, args, grid);
  armilla_theta_synthesis_cpu (&args->shape, ARMILLA_BUFFER (0), (const double *const *) grid,
                               map_rows (buffers, args), ARMILLA_BUFFER (2));
}

static void
adjoint (void *buffers[], const ArmillaThetaArgs *args)
{
  double *grid[ARMILLA_THETA_TILES];

  grid_buffers (buffers, args, grid);
  armilla_theta_adjoint_cpu (&args->shape, ARMILLA_BUFFER (0), map_rows (buffers, args),
                             args->fresh, grid, ARMILLA_BUFFER (2));
}

#ifdef HAVE_CUDA
static int
synthesis_launch (void *buffers[], const ArmillaThetaArgs *args, cudaStream_t stream)
{
  double *grid[ARMILLA_THETA_TILES];

  grid_buffers (buffers, args, grid);
  return armilla_theta_synthesis_launch (&args->shape, ARMILLA_BUFFER (0),
                                         (const double *const *) grid, map_rows (buffers, args),
                                         stream);
}

static int
adjoint_launch (void *buffers[], const ArmillaThetaArgs *args, cudaStream_t stream)
{
  double *grid[ARMILLA_THETA_TILES];

  grid_buffers (buffers, args, grid);
  return armilla_theta_adjoint_launch (&args->shape, ARMILLA_BUFFER (0), map_rows (buffers, args),
                                       args->fresh, grid, stream);
}
#endif

ARMILLA_CPU_WRAPPER (theta_synthesis, ArmillaThetaArgs, synthesis (buffers, args))
ARMILLA_CUDA_WRAPPER (theta_synthesis, ArmillaThetaArgs, synthesis_launch (buffers, args, stream))
ARMILLA_COST (theta_synthesis, ArmillaThetaArgs, cost_of (&args->shape))
ArmillaCodelet armilla_theta_synthesis_cl
  = ARMILLA_CODELET (theta_synthesis, "1", .core_share = 0.22, .gpu_share = 0.65);

ARMILLA_CPU_WRAPPER (theta_adjoint, ArmillaThetaArgs, adjoint (buffers, args))
ARMILLA_CUDA_WRAPPER (theta_adjoint, ArmillaThetaArgs, adjoint_launch (buffers, args, stream))
ARMILLA_COST (theta_adjoint, ArmillaThetaArgs, cost_of (&args->shape))
ArmillaCodelet armilla_theta_adjoint_cl
  = ARMILLA_CODELET (theta_adjoint, "1", .core_share = 0.22, .gpu_share = 0.26);

/* For every two orders there are four complex transforms of the circle, 5 n log2 n operations each.
 * Each tile is read or written once. */
static ArmillaCost
resample_cost (const ArmillaResampleShape *shape)
{
  const double n = (double) armilla_resample_points (shape);
  const double columns = (double) shape->n_orders * (double) shape->n_fields;
  const double rings = 2.0 * (double) (armilla_resample_pairs (shape, 0)
                                       + armilla_resample_pairs (shape, 1));

  return (ArmillaCost) { 10 * n * log2 (n > 1 ? n : 1) * columns, 16 * columns * rings };
}

/* Returns the address of a task's fields in its input or output. */
static double *
resampled_rows (double *tile, const ArmillaResampleArgs *args, int output)
{
  return tile + armilla_resample_at (&args->shape, armilla_resample_pairs (&args->shape, output),
                                     args->first_field, 0, 0);
}

ARMILLA_CPU_WRAPPER (theta_resample, ArmillaResampleArgs,
                     armilla_resample_cpu (&args->shape, ARMILLA_BUFFER (0), args->plans,
                                           resampled_rows (ARMILLA_BUFFER (1), args, 0),
                                           resampled_rows (ARMILLA_BUFFER (2), args, 1),
                                           ARMILLA_BUFFER (3)))

#ifdef HAVE_CUDA
/* Launches the CUDA kernels. Latches their error message, which is more specific than the status
 * that the wrapper would latch afterwards. */
static int
resample_launch (void *buffers[], const ArmillaResampleArgs *args, cudaStream_t stream)
{
  ArmillaCudaMessage message = { "" };
  int status = armilla_resample_launch (&args->shape, ARMILLA_BUFFER (0),
                                        armilla_worker_plans_mine (args->cuda_plans), args->batch,
                                        resampled_rows (ARMILLA_BUFFER (1), args, 0),
                                        resampled_rows (ARMILLA_BUFFER (2), args, 1),
                                        ARMILLA_BUFFER (3), stream, &message);

  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "theta_resample: %s", message.text);
  return status;
}
#endif

ARMILLA_CUDA_WRAPPER (theta_resample, ArmillaResampleArgs, resample_launch (buffers, args, stream))
ARMILLA_COST (theta_resample, ArmillaResampleArgs, resample_cost (&args->shape))
ArmillaCodelet armilla_theta_resample_cl = ARMILLA_CODELET (theta_resample, "1");
