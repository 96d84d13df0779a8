/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/theta/theta-codelets.h"

#ifdef HAVE_CUDA
#include "codelets/theta/theta-cuda.h"
#endif

/* The fields of a task in a tile of @n_pairs pairs. */
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
theta_synthesis_cpu (void *buffers[], void *cl_arg)
{
  double *grid[ARMILLA_THETA_TILES];
  ArmillaThetaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  grid_buffers (buffers, &args, grid);
  if (!armilla_fault_is_set (args.fault))
    armilla_theta_synthesis_cpu (&args.shape, ARMILLA_BUFFER (0), (const double *const *) grid,
                                 map_rows (buffers, &args), ARMILLA_BUFFER (2));
}

static void
theta_adjoint_cpu (void *buffers[], void *cl_arg)
{
  double *grid[ARMILLA_THETA_TILES];
  ArmillaThetaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  grid_buffers (buffers, &args, grid);
  if (!armilla_fault_is_set (args.fault))
    armilla_theta_adjoint_cpu (&args.shape, ARMILLA_BUFFER (0), map_rows (buffers, &args),
                               args.fresh, grid, ARMILLA_BUFFER (2));
}

#ifdef HAVE_CUDA
static void
theta_synthesis_cuda (void *buffers[], void *cl_arg)
{
  double *grid[ARMILLA_THETA_TILES];
  ArmillaThetaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  grid_buffers (buffers, &args, grid);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "theta_synthesis",
                                armilla_theta_synthesis_launch (
                                  &args.shape, ARMILLA_BUFFER (0), (const double *const *) grid,
                                  map_rows (buffers, &args), starpu_cuda_get_local_stream ()));
}

static void
theta_adjoint_cuda (void *buffers[], void *cl_arg)
{
  double *grid[ARMILLA_THETA_TILES];
  ArmillaThetaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  grid_buffers (buffers, &args, grid);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "theta_adjoint",
                                armilla_theta_adjoint_launch (
                                  &args.shape, ARMILLA_BUFFER (0), map_rows (buffers, &args),
                                  args.fresh, grid, starpu_cuda_get_local_stream ()));
}
#endif

static struct starpu_perfmodel synthesis_model = ARMILLA_MODEL ("theta_synthesis", "1");
static struct starpu_perfmodel adjoint_model = ARMILLA_MODEL ("theta_adjoint", "1");

struct starpu_codelet armilla_theta_synthesis_cl = ARMILLA_CODELET (
  "theta_synthesis", theta_synthesis_cpu, theta_synthesis_cuda, &synthesis_model);
struct starpu_codelet armilla_theta_adjoint_cl
  = ARMILLA_CODELET ("theta_adjoint", theta_adjoint_cpu, theta_adjoint_cuda, &adjoint_model);
