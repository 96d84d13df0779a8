/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/spin-codelets.h"

#ifdef HAVE_CUDA
#include "codelets/legendre/spin-cuda.h"
#endif

/* The fields of a task in a tile of a_lm. */
static double *
alm_of (double *alm, const ArmillaSpinArgs *args)
{
  const ArmillaSpinShape *s = &args->shape;

  return alm
         + 2 * args->first_field
             * armilla_delta_alm_before (s->lmax, s->m_first, s->m_last + 1);
}

/* The fields of a task in a tile of Delta. */
static double *
rows_of (double *tile, const ArmillaSpinArgs *args)
{
  const ArmillaSpinShape *s = &args->shape;

  return tile + 4 * args->first_field * s->n_pairs * (s->m_last - s->m_first + 1);
}

static void
spin_table_cpu (void *buffers[], void *cl_arg)
{
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_spin_table_cpu (&args.shape, ARMILLA_BUFFER (0));
}

static void
spin_prepare_cpu (void *buffers[], void *cl_arg)
{
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_spin_prepare_cpu (&args.shape, ARMILLA_BUFFER (0), alm_of (ARMILLA_BUFFER (1), &args),
                              ARMILLA_BUFFER (2), ARMILLA_BUFFER (3));
}

static void
spin_finish_cpu (void *buffers[], void *cl_arg)
{
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_spin_finish_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                             alm_of (ARMILLA_BUFFER (2), &args), ARMILLA_BUFFER (3));
}

static void
spin_synthesis_cpu (void *buffers[], void *cl_arg)
{
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_spin_synthesis_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                ARMILLA_BUFFER (2), rows_of (ARMILLA_BUFFER (3), &args),
                                ARMILLA_BUFFER (4));
}

static void
spin_adjoint_cpu (void *buffers[], void *cl_arg)
{
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_spin_adjoint_cpu (&args.shape, ARMILLA_BUFFER (0), rows_of (ARMILLA_BUFFER (1), &args),
                              ARMILLA_BUFFER (2), args.fresh, ARMILLA_BUFFER (3),
                              ARMILLA_BUFFER (4));
}

#ifdef HAVE_CUDA
/* Every CUDA wrapper: unpack, leave when the run has failed, launch, latch what CUDA says. */
#define CUDA_WRAPPER(stage, ...)                                                                   \
  static void spin_##stage##_cuda (void *buffers[], void *cl_arg)                                  \
  {                                                                                                \
    ArmillaSpinArgs args;                                                                          \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &args);                                                    \
    if (!armilla_fault_is_set (args.fault))                                                        \
      armilla_codelet_check_cuda (args.fault, "spin_" #stage,                                      \
                                  armilla_spin_##stage##_launch (                                  \
                                    &args.shape, __VA_ARGS__, starpu_cuda_get_local_stream ()));   \
  }

CUDA_WRAPPER (table, ARMILLA_BUFFER (0))
CUDA_WRAPPER (prepare, ARMILLA_BUFFER (0), alm_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2),
              ARMILLA_BUFFER (3))
CUDA_WRAPPER (finish, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), alm_of (ARMILLA_BUFFER (2), &args),
              ARMILLA_BUFFER (3))
CUDA_WRAPPER (synthesis, args.n_polar, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
              rows_of (ARMILLA_BUFFER (3), &args), ARMILLA_BUFFER (4))

/* Sets those parts of the prepared a_lm to 0 that have no contents yet. */
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

static void
spin_adjoint_cuda (void *buffers[], void *cl_arg)
{
  const cudaStream_t stream = starpu_cuda_get_local_stream ();
  cudaError_t status;
  ArmillaSpinArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (armilla_fault_is_set (args.fault))
    return;
  status = clear_fresh (&args, ARMILLA_BUFFER (3), stream);
  if (status == cudaSuccess)
    status = armilla_spin_adjoint_launch (&args.shape, args.n_polar, ARMILLA_BUFFER (0),
                                          rows_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2),
                                          ARMILLA_BUFFER (3), ARMILLA_BUFFER (4), stream);
  armilla_codelet_check_cuda (args.fault, "spin_adjoint", status);
}
#endif

static struct starpu_perfmodel table_model = ARMILLA_MODEL ("spin_table", "1");
static struct starpu_perfmodel prepare_model = ARMILLA_MODEL ("spin_prepare", "1");
static struct starpu_perfmodel finish_model = ARMILLA_MODEL ("spin_finish", "1");
static struct starpu_perfmodel synthesis_model = ARMILLA_MODEL ("spin_synthesis", "1");
static struct starpu_perfmodel adjoint_model = ARMILLA_MODEL ("spin_adjoint", "2");

struct starpu_codelet armilla_spin_table_cl
  = ARMILLA_CODELET ("spin_table", spin_table_cpu, spin_table_cuda, &table_model);
struct starpu_codelet armilla_spin_prepare_cl
  = ARMILLA_CODELET ("spin_prepare", spin_prepare_cpu, spin_prepare_cuda, &prepare_model);
struct starpu_codelet armilla_spin_finish_cl
  = ARMILLA_CODELET ("spin_finish", spin_finish_cpu, spin_finish_cuda, &finish_model);
struct starpu_codelet armilla_spin_synthesis_cl
  = ARMILLA_CODELET ("spin_synthesis", spin_synthesis_cpu, spin_synthesis_cuda, &synthesis_model);
struct starpu_codelet armilla_spin_adjoint_cl
  = ARMILLA_CODELET ("spin_adjoint", spin_adjoint_cpu, spin_adjoint_cuda, &adjoint_model);
