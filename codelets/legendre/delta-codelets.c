/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/legendre/delta-codelets.h"
#include "codelets/legendre/delta-math.h"

#ifdef HAVE_CUDA
#include "codelets/legendre/delta-cuda.h"
#endif

/* The fields of a task in a tile of a_lm. */
static double *
alm_of (double *alm, const ArmillaDeltaArgs *args)
{
  const ArmillaDeltaShape *s = &args->shape;

  return alm
         + 2 * args->first_field
             * armilla_delta_alm_before (s->lmax, s->m_first, s->m_last + 1);
}

/* The fields of a task in a tile of Delta. */
static double *
rows_of (double *tile, const ArmillaDeltaArgs *args)
{
  const ArmillaDeltaShape *s = &args->shape;

  return tile + 4 * args->first_field * s->n_pairs * (s->m_last - s->m_first + 1);
}

static void
delta_table_cpu (void *buffers[], void *cl_arg)
{
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_delta_table_cpu (&args.shape, ARMILLA_BUFFER (0));
}

static void
delta_prepare_cpu (void *buffers[], void *cl_arg)
{
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_delta_prepare_cpu (&args.shape, ARMILLA_BUFFER (0),
                               alm_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2));
}

static void
delta_finish_cpu (void *buffers[], void *cl_arg)
{
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_delta_finish_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                              alm_of (ARMILLA_BUFFER (2), &args));
}

static void
delta_synthesis_cpu (void *buffers[], void *cl_arg)
{
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_delta_synthesis_cpu (&args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                 ARMILLA_BUFFER (2), rows_of (ARMILLA_BUFFER (3), &args),
                                 ARMILLA_BUFFER (4));
}

static void
delta_adjoint_cpu (void *buffers[], void *cl_arg)
{
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_delta_adjoint_rows_cpu (&args.shape, ARMILLA_BUFFER (0),
                                    rows_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2), NULL,
                                    args.fresh, ARMILLA_BUFFER (3), ARMILLA_BUFFER (4));
}

#ifdef HAVE_CUDA
/* Every CUDA wrapper: unpack, leave when the run has failed, launch, latch what CUDA says. */
#define CUDA_WRAPPER(stage, ...)                                                                   \
  static void delta_##stage##_cuda (void *buffers[], void *cl_arg)                                 \
  {                                                                                                \
    ArmillaDeltaArgs args;                                                                         \
                                                                                                   \
    starpu_codelet_unpack_args (cl_arg, &args);                                                    \
    if (!armilla_fault_is_set (args.fault))                                                        \
      armilla_codelet_check_cuda (args.fault, "delta_" #stage,                                     \
                                  armilla_delta_##stage##_launch (                                 \
                                    &args.shape, __VA_ARGS__, starpu_cuda_get_local_stream ()));   \
  }

CUDA_WRAPPER (table, ARMILLA_BUFFER (0))
CUDA_WRAPPER (prepare, ARMILLA_BUFFER (0), alm_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2))
CUDA_WRAPPER (finish, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), alm_of (ARMILLA_BUFFER (2), &args))
CUDA_WRAPPER (synthesis, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
              rows_of (ARMILLA_BUFFER (3), &args))

static void
delta_adjoint_cuda (void *buffers[], void *cl_arg)
{
  const cudaStream_t stream = starpu_cuda_get_local_stream ();
  cudaError_t status = cudaSuccess;
  ArmillaDeltaArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (armilla_fault_is_set (args.fault))
    return;
  if (args.fresh)
    status = cudaMemsetAsync (ARMILLA_BUFFER (3), 0,
                              sizeof (double) * (gsize) armilla_delta_prepared_size (&args.shape),
                              stream);
  if (status == cudaSuccess)
    status = armilla_delta_adjoint_launch (&args.shape, ARMILLA_BUFFER (0),
                                           rows_of (ARMILLA_BUFFER (1), &args), ARMILLA_BUFFER (2),
                                           ARMILLA_BUFFER (3), stream);
  armilla_codelet_check_cuda (args.fault, "delta_adjoint", status);
}
#endif

static struct starpu_perfmodel table_model = ARMILLA_MODEL ("delta_table", "1");
static struct starpu_perfmodel prepare_model = ARMILLA_MODEL ("delta_prepare", "2");
static struct starpu_perfmodel finish_model = ARMILLA_MODEL ("delta_finish", "2");
static struct starpu_perfmodel synthesis_model = ARMILLA_MODEL ("delta_synthesis", "2");
static struct starpu_perfmodel adjoint_model = ARMILLA_MODEL ("delta_adjoint", "3");

struct starpu_codelet armilla_delta_table_cl
  = ARMILLA_CODELET ("delta_table", delta_table_cpu, delta_table_cuda, &table_model);
struct starpu_codelet armilla_delta_prepare_cl
  = ARMILLA_CODELET ("delta_prepare", delta_prepare_cpu, delta_prepare_cuda, &prepare_model);
struct starpu_codelet armilla_delta_finish_cl
  = ARMILLA_CODELET ("delta_finish", delta_finish_cpu, delta_finish_cuda, &finish_model);
struct starpu_codelet armilla_delta_synthesis_cl = ARMILLA_CODELET (
  "delta_synthesis", delta_synthesis_cpu, delta_synthesis_cuda, &synthesis_model);
struct starpu_codelet armilla_delta_adjoint_cl
  = ARMILLA_CODELET ("delta_adjoint", delta_adjoint_cpu, delta_adjoint_cuda, &adjoint_model);
