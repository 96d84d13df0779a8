/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/legendre/delta-codelets.h"

#ifdef HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

#include "codelets/common/fault.h"
#include "codelets/legendre/delta-math.h"

/* Numbers of orders and of ring pairs of a block for which steps are counted: the number is a
 * smooth function of both. */
#define SAMPLES 24

/* Returns the number of steps of order m that are needed at one ring pair. */
static double
needed_steps_at (double lmax, double m, double sine, double cosine)
{
  const double width = 15.5 * cbrt (m * cosine * cosine);
  double first = m;

  if (sine > ARMILLA_DELTA_POLE)
    first = MAX (m, (m - width) / sine);
  else if (m > 0)
    return 0;
  return first > lmax ? 0 : (lmax - first) / 2 + 1;
}

/* Returns the number of steps of the recurrence (l and l + 1, both rings of a pair) from the first
 * l whose P_lm exceeds 2^-100, over all orders and pairs; all steps if pairs is NULL. Below its
 * turning point l sin theta = m, at a distance d = m - l sin theta, P_lm falls as exp (-(2 sqrt 2 /
 * 3) d^(3/2) / (sqrt m cos theta)) (Airy), which gives l = (m - 17.5 (m cos^2 theta)^(1/3)) / sin
 * theta; with the magnitude of P_lm at the turning point, 15.5 fits better. The sum is within 2 %
 * of the exact one from lmax 1024 on, 5 % from 64 on. */
double
armilla_delta_needed_steps (const ArmillaDeltaShape *shape, const double *pairs)
{
  const int64_t n_m = shape->m_last - shape->m_first + 1, n = shape->n_pairs;
  const int64_t m_cells = MIN (n_m, SAMPLES), p_cells = MIN (n, SAMPLES);
  double sum = 0;

  if (!pairs)
    return (double) n
           * (double) armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);
  for (int64_t i = 0; i < m_cells; i++)
    {
      const int64_t m0 = i * n_m / m_cells, m1 = (i + 1) * n_m / m_cells;
      const double m = (double) shape->m_first + (double) (m0 + m1 - 1) / 2;

      for (int64_t j = 0; j < p_cells; j++)
        {
          const int64_t p0 = j * n / p_cells, p1 = (j + 1) * n / p_cells, p = (p0 + p1) / 2;

          sum += (double) ((m1 - m0) * (p1 - p0))
                 * needed_steps_at ((double) shape->lmax, m, pairs[ARMILLA_PAIR_SIN * n + p],
                                    pairs[ARMILLA_PAIR_COS * n + p]);
        }
    }
  return sum;
}

static double
count_alm (const ArmillaDeltaShape *shape)
{
  return (double) shape->n_fields
         * (double) armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
}

/* 140 operations per step: 44 for the next a_k, 96 for the values derived from it, in
 * double-double. */
ArmillaCost
armilla_delta_table_cost (const ArmillaDeltaShape *shape)
{
  const int64_t steps
    = armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);

  return (ArmillaCost) { 140.0 * (double) steps, 8.0 * (double) armilla_delta_table_size (shape) };
}

/* 32 operations per step and field, for prepare and finish: 24 for the factors and 8 for the
 * coefficients. */
ArmillaCost
armilla_delta_prepare_cost (const ArmillaDeltaShape *shape)
{
  const double steps
    = (double) armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);

  return (ArmillaCost) { 32 * steps * (double) shape->n_fields,
                         8 * steps + 16 * count_alm (shape)
                           + 8.0 * (double) armilla_delta_prepared_size (shape) };
}

/* A step of the recurrence takes 2 FMA, and the sums take 4 more per field: even and odd parts,
 * real and imaginary. */
static ArmillaCost
recurrence_cost (const ArmillaDeltaShape *shape, const double *pairs, double times_prepared)
{
  const double steps = armilla_delta_needed_steps (shape, pairs);

  return (ArmillaCost) { steps * (4 + 8 * (double) shape->n_fields),
                         8.0 * (double) armilla_delta_table_size (shape)
                           + times_prepared * 8.0 * (double) armilla_delta_prepared_size (shape)
                           + 8.0 * (double) armilla_delta_tile_size (shape)
                           + 8.0 * ARMILLA_PAIR_ROWS * (double) shape->n_pairs };
}

/* (4 + 8 F) operations per needed step if F fields share the recurrence. */
ArmillaCost
armilla_delta_synthesis_cost (const ArmillaDeltaShape *shape, const double *pairs)
{
  return recurrence_cost (shape, pairs, 1);
}

/* Returns the address of a task's fields in a tile of a_lm. */
static double *
alm_of (double *alm, const ArmillaDeltaArgs *args)
{
  const ArmillaDeltaShape *s = &args->shape;

  return alm
         + 2 * (args->first_field / args->n_skies)
             * armilla_delta_alm_before (s->lmax, s->m_first, s->m_last + 1);
}

/* Returns the a_lm tiles of all realisations: buffer @first for the first realisation, buffers from
 * 2 on for the others. @tile: room for the addresses of all tiles */
static ArmillaAlmTiles
alm_tiles (void *buffers[], const ArmillaDeltaArgs *args, int first, double **tile)
{
  tile[0] = alm_of (ARMILLA_BUFFER (first), args);
  for (int sky = 1; sky < args->n_skies; sky++)
    tile[sky] = alm_of (ARMILLA_BUFFER (2 + sky - 1), args);
  return (ArmillaAlmTiles) { args->shape.n_fields / args->n_skies, tile };
}

static void
prepare (void *buffers[], const ArmillaDeltaArgs *args)
{
  double **tile = g_newa (double *, (gsize) args->n_skies);
  const ArmillaAlmTiles alm = alm_tiles (buffers, args, 0, tile);

  armilla_delta_prepare_cpu (&args->shape, args->basis, &alm, ARMILLA_BUFFER (1));
}

static void
finish (void *buffers[], const ArmillaDeltaArgs *args)
{
  double **tile = g_newa (double *, (gsize) args->n_skies);
  const ArmillaAlmTiles alm = alm_tiles (buffers, args, 1, tile);

  armilla_delta_finish_cpu (&args->shape, args->basis, ARMILLA_BUFFER (0), &alm);
}

/* Converts the result of an adjoint to a_lm, in its own tile. */
static void
finish_in_alm (void *buffers[], const ArmillaDeltaArgs *args)
{
  double *tile = alm_of (ARMILLA_BUFFER (0), args);
  const ArmillaAlmTiles alm = { 1, &tile };

  armilla_delta_finish_cpu (&args->shape, args->basis, tile, &alm);
}

/* Returns the input of a synthesis, or the output of an adjoint: prepared a_lm, or a field of
 * a_lm. */
static double *
prepared_of (double *prepared, const ArmillaDeltaArgs *args)
{
  return args->shape.in_alm ? alm_of (prepared, args) : prepared;
}

#ifdef HAVE_CUDA
static int
prepare_launch (void *buffers[], const ArmillaDeltaArgs *args, cudaStream_t stream)
{
  if (!armilla_fault_one_sky (args->fault, "delta_prepare", args->n_skies))
    return cudaSuccess;
  return armilla_delta_prepare_launch (&args->shape, ARMILLA_BUFFER (2),
                                       alm_of (ARMILLA_BUFFER (0), args), ARMILLA_BUFFER (1),
                                       stream);
}

static int
finish_launch (void *buffers[], const ArmillaDeltaArgs *args, cudaStream_t stream)
{
  if (!armilla_fault_one_sky (args->fault, "delta_finish", args->n_skies))
    return cudaSuccess;
  return armilla_delta_finish_launch (&args->shape, ARMILLA_BUFFER (2), ARMILLA_BUFFER (0),
                                      alm_of (ARMILLA_BUFFER (1), args), stream);
}
#endif

/* Returns the address of a task's fields in a tile of Delta. */
static double *
rows_of (double *tile, const ArmillaDeltaArgs *args)
{
  const ArmillaDeltaShape *s = &args->shape;

  return tile + 4 * args->first_field * s->n_pairs * (s->m_last - s->m_first + 1);
}

ARMILLA_WRAPPERS (delta_table, ArmillaDeltaArgs, armilla_delta_table, &args->shape,
                  ARMILLA_BUFFER (0))
ARMILLA_COST (delta_table, ArmillaDeltaArgs, armilla_delta_table_cost (&args->shape))
ArmillaCodelet armilla_delta_table_cl
  = ARMILLA_CODELET (delta_table, "1", .core_share = 0.02, .gpu_share = 0.04);

ARMILLA_CPU_WRAPPER (delta_prepare, ArmillaDeltaArgs, prepare (buffers, args))
ARMILLA_CUDA_WRAPPER (delta_prepare, ArmillaDeltaArgs, prepare_launch (buffers, args, stream))
ARMILLA_COST (delta_prepare, ArmillaDeltaArgs, armilla_delta_prepare_cost (&args->shape))
ArmillaCodelet armilla_delta_prepare_cl
  = ARMILLA_CODELET (delta_prepare, "2", .core_share = 0.32, .gpu_share = 0.56);

ARMILLA_CPU_WRAPPER (delta_finish, ArmillaDeltaArgs, finish (buffers, args))
ARMILLA_CUDA_WRAPPER (delta_finish, ArmillaDeltaArgs, finish_launch (buffers, args, stream))
ARMILLA_COST (delta_finish, ArmillaDeltaArgs, armilla_delta_prepare_cost (&args->shape))
ArmillaCodelet armilla_delta_finish_cl
  = ARMILLA_CODELET (delta_finish, "2", .core_share = 0.35, .gpu_share = 0.43);

ARMILLA_CPU_WRAPPER (delta_finish_in_alm, ArmillaDeltaArgs, finish_in_alm (buffers, args))
ARMILLA_COST (delta_finish_in_alm, ArmillaDeltaArgs, armilla_delta_prepare_cost (&args->shape))
ArmillaCodelet armilla_delta_finish_in_alm_cl = ARMILLA_CPU_CODELET (delta_finish_in_alm, "1");

ARMILLA_CPU_WRAPPER (delta_synthesis, ArmillaDeltaArgs,
                     armilla_delta_synthesis_cpu (&args->shape, args->basis,
                                                  prepared_of (ARMILLA_BUFFER (0), args),
                                                  ARMILLA_BUFFER (1), NULL,
                                                  rows_of (ARMILLA_BUFFER (2), args),
                                                  ARMILLA_BUFFER (3)))
ARMILLA_CUDA_WRAPPER (delta_synthesis, ArmillaDeltaArgs,
                      armilla_delta_synthesis_launch (&args->shape, ARMILLA_BUFFER (4),
                                                      ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                                      rows_of (ARMILLA_BUFFER (2), args), stream))
ARMILLA_COST (delta_synthesis, ArmillaDeltaArgs,
              armilla_delta_synthesis_cost (&args->shape, ARMILLA_TABLE (double, 1)))
ArmillaCodelet armilla_delta_synthesis_cl
  = ARMILLA_CODELET (delta_synthesis, "3", .core_share = 0.42, .gpu_share = 0.55);

#ifdef HAVE_CUDA
static int
adjoint_launch (void *buffers[], const ArmillaDeltaArgs *args, cudaStream_t stream)
{
  int status = cudaSuccess;

  if (args->fresh)
    status = (int) cudaMemsetAsync (ARMILLA_BUFFER (2), 0,
                                    sizeof (double)
                                      * (gsize) armilla_delta_prepared_size (&args->shape),
                                    stream);
  if (status == cudaSuccess)
    status = armilla_delta_adjoint_launch (&args->shape, ARMILLA_BUFFER (4),
                                           rows_of (ARMILLA_BUFFER (0), args), ARMILLA_BUFFER (1),
                                           ARMILLA_BUFFER (2), stream);
  return status;
}
#endif

ARMILLA_CPU_WRAPPER (delta_adjoint, ArmillaDeltaArgs,
                     armilla_delta_adjoint_cpu (&args->shape, args->basis,
                                                rows_of (ARMILLA_BUFFER (0), args),
                                                ARMILLA_BUFFER (1), NULL, args->fresh,
                                                prepared_of (ARMILLA_BUFFER (2), args),
                                                ARMILLA_BUFFER (3)))
ARMILLA_CUDA_WRAPPER (delta_adjoint, ArmillaDeltaArgs, adjoint_launch (buffers, args, stream))
ARMILLA_COST (delta_adjoint, ArmillaDeltaArgs,
              recurrence_cost (&args->shape, ARMILLA_TABLE (double, 1), 2))
ArmillaCodelet armilla_delta_adjoint_cl
  = ARMILLA_CODELET (delta_adjoint, "4", .core_share = 0.4, .gpu_share = 0.4);
