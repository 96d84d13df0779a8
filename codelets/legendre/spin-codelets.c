/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/legendre/spin-codelets.h"

#ifdef HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

#include "codelets/common/fault.h"
#include "codelets/legendre/delta-codelets.h"
#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/spin-coupling.h"

/* Returns the shape of the scalar fields of a run of orders for delta-recurrence.h. */
static ArmillaDeltaShape
run_shape (const ArmillaSpinShape *shape, const ArmillaSpinRun *run)
{
  const ArmillaDeltaShape s = { .lmax = shape->lmax + shape->spin,
                                .m_first = run->order_first,
                                .m_last = run->order_first + run->n - 1,
                                .n_fields = 2 * shape->n_maps };

  return s;
}

static void
add (ArmillaCost *sum, ArmillaCost cost)
{
  sum->flops += cost.flops;
  sum->bytes += cost.bytes;
}

/* Returns the cost of computing the tables of all runs of orders. */
static ArmillaCost
table_cost (const ArmillaSpinShape *shape)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  ArmillaCost sum = { 0, 0 };

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r);

        add (&sum, armilla_delta_table_cost (&s));
      }
  return sum;
}

/* For each run of orders, a step from spin j + 1 to j takes 9 operations per degree for the
 * coefficients, and 20 per degree and pair of fields for their three terms. Then come the
 * operations of armilla_delta_prepare_cost(). Finish takes as many. */
ArmillaCost
armilla_spin_prepare_cost (const ArmillaSpinShape *shape)
{
  const double alm = (double) armilla_delta_alm_before (shape->lmax, shape->m_first,
                                                        shape->m_last + 1);
  const double maps = (double) shape->n_maps;
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  ArmillaCost sum = { 0, 0 };

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r);
        const double n = (double) armilla_delta_alm_before (s.lmax, s.m_first, s.m_last + 1);

        sum.flops += armilla_delta_prepare_cost (&s).flops + n * shape->spin * (9 + 20 * maps);
      }
  sum.bytes = 8.0 * (double) armilla_spin_table_size (shape)
              + 8.0 * (double) armilla_spin_prepared_size (shape) + 32 * maps * alm;
  return sum;
}

/* Returns the cost of one recurrence of the fields; the second one near the poles is not
 * included. */
static ArmillaCost
recurrence_cost (const ArmillaSpinShape *shape, const double *pairs, double times_prepared)
{
  const ArmillaDeltaShape s = { .lmax = shape->lmax,
                                .m_first = shape->m_first,
                                .m_last = shape->m_last,
                                .n_fields = 2 * shape->n_maps,
                                .n_pairs = shape->n_pairs };
  ArmillaCost cost = armilla_delta_synthesis_cost (&s, pairs);

  cost.bytes = 8.0 * (double) armilla_spin_table_size (shape)
               + times_prepared * 8.0 * (double) armilla_spin_prepared_size (shape)
               + 8.0 * (double) armilla_spin_tile_size (shape)
               + 8.0 * ARMILLA_PAIR_ROWS * (double) shape->n_pairs;
  return cost;
}

/* (4 + 16 F) operations per needed step of a scalar field if F pairs of fields share the
 * recurrence. */
ArmillaCost
armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs)
{
  return recurrence_cost (shape, pairs, 1);
}

/* Returns the address of a task's fields in a tile of a_lm. */
static double *
alm_of (double *alm, const ArmillaSpinArgs *args)
{
  const ArmillaSpinShape *s = &args->shape;

  return alm
         + 2 * (args->first_field / args->n_skies)
             * armilla_delta_alm_before (s->lmax, s->m_first, s->m_last + 1);
}

/* Returns the a_lm tiles of all realisations: buffer @first for the first realisation, buffers from
 * 3 on for the others. @tile: room for the addresses of all tiles */
static ArmillaAlmTiles
alm_tiles (void *buffers[], const ArmillaSpinArgs *args, int first, double **tile)
{
  tile[0] = alm_of (ARMILLA_BUFFER (first), args);
  for (int sky = 1; sky < args->n_skies; sky++)
    tile[sky] = alm_of (ARMILLA_BUFFER (3 + sky - 1), args);
  return (ArmillaAlmTiles) { 2 * args->shape.n_maps / args->n_skies, tile };
}

static void
prepare (void *buffers[], const ArmillaSpinArgs *args)
{
  double **tile = g_newa (double *, (gsize) args->n_skies);
  const ArmillaAlmTiles alm = alm_tiles (buffers, args, 0, tile);

  armilla_spin_prepare_cpu (&args->shape, args->basis, &alm, ARMILLA_BUFFER (1),
                            ARMILLA_BUFFER (2));
}

static void
finish (void *buffers[], const ArmillaSpinArgs *args)
{
  double **tile = g_newa (double *, (gsize) args->n_skies);
  const ArmillaAlmTiles alm = alm_tiles (buffers, args, 1, tile);

  armilla_spin_finish_cpu (&args->shape, args->basis, ARMILLA_BUFFER (0), &alm,
                           ARMILLA_BUFFER (2));
}

#ifdef HAVE_CUDA
static int
prepare_launch (void *buffers[], const ArmillaSpinArgs *args, cudaStream_t stream)
{
  if (!armilla_fault_one_sky (args->fault, "spin_prepare", args->n_skies))
    return cudaSuccess;
  return armilla_spin_prepare_launch (&args->shape, ARMILLA_BUFFER (3),
                                      alm_of (ARMILLA_BUFFER (0), args), ARMILLA_BUFFER (1),
                                      ARMILLA_BUFFER (2), stream);
}

static int
finish_launch (void *buffers[], const ArmillaSpinArgs *args, cudaStream_t stream)
{
  if (!armilla_fault_one_sky (args->fault, "spin_finish", args->n_skies))
    return cudaSuccess;
  return armilla_spin_finish_launch (&args->shape, ARMILLA_BUFFER (3), ARMILLA_BUFFER (0),
                                     alm_of (ARMILLA_BUFFER (1), args), ARMILLA_BUFFER (2),
                                     stream);
}
#endif

/* Returns the address of a task's fields in a tile of Delta. */
static double *
rows_of (double *tile, const ArmillaSpinArgs *args)
{
  const ArmillaSpinShape *s = &args->shape;

  return tile + 4 * args->first_field * s->n_pairs * (s->m_last - s->m_first + 1);
}

ARMILLA_WRAPPERS (spin_table, ArmillaSpinArgs, armilla_spin_table, &args->shape, ARMILLA_BUFFER (0))
ARMILLA_COST (spin_table, ArmillaSpinArgs, table_cost (&args->shape))
ArmillaCodelet armilla_spin_table_cl = ARMILLA_CODELET (spin_table, "1");

ARMILLA_CPU_WRAPPER (spin_prepare, ArmillaSpinArgs, prepare (buffers, args))
ARMILLA_CUDA_WRAPPER (spin_prepare, ArmillaSpinArgs, prepare_launch (buffers, args, stream))
ARMILLA_COST (spin_prepare, ArmillaSpinArgs, armilla_spin_prepare_cost (&args->shape))
ArmillaCodelet armilla_spin_prepare_cl = ARMILLA_CODELET (spin_prepare, "1");

ARMILLA_CPU_WRAPPER (spin_finish, ArmillaSpinArgs, finish (buffers, args))
ARMILLA_CUDA_WRAPPER (spin_finish, ArmillaSpinArgs, finish_launch (buffers, args, stream))
ARMILLA_COST (spin_finish, ArmillaSpinArgs, armilla_spin_prepare_cost (&args->shape))
ArmillaCodelet armilla_spin_finish_cl = ARMILLA_CODELET (spin_finish, "1");

ARMILLA_CPU_WRAPPER (spin_synthesis, ArmillaSpinArgs,
                     armilla_spin_synthesis_cpu (&args->shape, args->basis,
                                                 ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                                 rows_of (ARMILLA_BUFFER (2), args),
                                                 ARMILLA_BUFFER (3)))
ARMILLA_CUDA_WRAPPER (spin_synthesis, ArmillaSpinArgs,
                      armilla_spin_synthesis_launch (&args->shape, args->n_polar,
                                                     ARMILLA_BUFFER (4), ARMILLA_BUFFER (0),
                                                     ARMILLA_BUFFER (1),
                                                     rows_of (ARMILLA_BUFFER (2), args),
                                                     ARMILLA_BUFFER (3), stream))
ARMILLA_COST (spin_synthesis, ArmillaSpinArgs,
              armilla_spin_synthesis_cost (&args->shape, ARMILLA_TABLE (double, 1)))
ArmillaCodelet armilla_spin_synthesis_cl
  = ARMILLA_CODELET (spin_synthesis, "1", .core_share = 0.42, .gpu_share = 0.55);

#ifdef HAVE_CUDA
/* Sets uninitialised parts of the prepared a_lm to 0. */
static cudaError_t
clear_fresh (const ArmillaSpinArgs *args, double *prepared, cudaStream_t stream)
{
  const gsize n = (gsize) armilla_spin_prepared_size (&args->shape);
  const gsize middle = (gsize) armilla_spin_middle_size (&args->shape);
  cudaError_t status = cudaSuccess;

  if (args->fresh & ARMILLA_SPIN_PART_MIDDLE)
    status = cudaMemsetAsync (prepared, 0, sizeof (double) * middle, stream);
  if (status == cudaSuccess && args->fresh & ARMILLA_SPIN_PART_POLAR && n > middle)
    status = cudaMemsetAsync (prepared + middle, 0, sizeof (double) * (n - middle), stream);
  return status;
}

static int
adjoint_launch (void *buffers[], const ArmillaSpinArgs *args, cudaStream_t stream)
{
  const int status = (int) clear_fresh (args, ARMILLA_BUFFER (2), stream);

  if (status != cudaSuccess)
    return status;
  return armilla_spin_adjoint_launch (&args->shape, args->n_polar, ARMILLA_BUFFER (4),
                                      rows_of (ARMILLA_BUFFER (0), args), ARMILLA_BUFFER (1),
                                      ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), stream);
}
#endif

ARMILLA_CPU_WRAPPER (spin_adjoint, ArmillaSpinArgs,
                     armilla_spin_adjoint_cpu (&args->shape, args->basis,
                                               rows_of (ARMILLA_BUFFER (0), args),
                                               ARMILLA_BUFFER (1), args->fresh,
                                               ARMILLA_BUFFER (2), ARMILLA_BUFFER (3)))
ARMILLA_CUDA_WRAPPER (spin_adjoint, ArmillaSpinArgs, adjoint_launch (buffers, args, stream))
ARMILLA_COST (spin_adjoint, ArmillaSpinArgs,
              recurrence_cost (&args->shape, ARMILLA_TABLE (double, 1), 2))
ArmillaCodelet armilla_spin_adjoint_cl
  = ARMILLA_CODELET (spin_adjoint, "2", .core_share = 0.4, .gpu_share = 0.4);
