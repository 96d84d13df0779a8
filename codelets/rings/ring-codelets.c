/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/rings/ring-codelets.h"

#ifdef HAVE_CUDA
#include "codelets/rings/redistribute-cuda.h"
#endif

#define SLOTS(i) ((const ArmillaRingSlot *) STARPU_VECTOR_GET_PTR (buffers[i]))

/* The plans of all rings are made with their blocks, so this is a fault of the program. */
static void
latch_missing_plan (ArmillaFault *fault, const char *codelet, int status)
{
  if (status != 0)
    armilla_fault_set (fault, ARMILLA_ERROR_MEMORY, "%s: a ring has no plan", codelet);
}

/* The pieces of the modes: buffer @first, and those from 4 on. @tile: room for them all */
static ArmillaRingTiles
pieces (void *buffers[], const ArmillaRingArgs *args, int first, double **tile)
{
  static const int64_t zero = 0;

  tile[0] = ARMILLA_BUFFER (first);
  for (int i = 1; i < args->n_tiles; i++)
    tile[i] = ARMILLA_BUFFER (3 + i);
  return (ArmillaRingTiles) { .n = MAX (args->n_tiles, 1),
                              .first = args->n_tiles > 1 ? args->first_orders : &zero,
                              .tile = tile };
}

static void
ring_synthesis_cpu (void *buffers[], void *cl_arg)
{
  ArmillaRingArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (armilla_fault_is_set (args.fault))
    return;
  double **tile = g_newa (double *, (gsize) MAX (args.n_tiles, 1));
  const ArmillaRingTiles modes = pieces (buffers, &args, 1, tile);
  latch_missing_plan (args.fault, "ring_synthesis",
                      armilla_ring_synthesis_tiles_cpu (&args.shape, SLOTS (0), args.plans, &modes,
                                                        ARMILLA_BUFFER (2), ARMILLA_BUFFER (3)));
}

static void
ring_adjoint_cpu (void *buffers[], void *cl_arg)
{
  ArmillaRingArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (armilla_fault_is_set (args.fault))
    return;
  double **tile = g_newa (double *, (gsize) MAX (args.n_tiles, 1));
  const ArmillaRingTiles modes = pieces (buffers, &args, 2, tile);
  latch_missing_plan (args.fault, "ring_adjoint",
                      armilla_ring_adjoint_tiles_cpu (&args.shape, SLOTS (0), args.plans,
                                                      args.flags, ARMILLA_BUFFER (1), &modes,
                                                      ARMILLA_BUFFER (3)));
}

static void
redistribute_forward_cpu (void *buffers[], void *cl_arg)
{
  ArmillaRedistributeArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_redistribute_forward_cpu (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                      ARMILLA_BUFFER (2));
}

static void
redistribute_backward_cpu (void *buffers[], void *cl_arg)
{
  ArmillaRedistributeArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_redistribute_backward_cpu (&args.shape, SLOTS (0), ARMILLA_BUFFER (1),
                                       ARMILLA_BUFFER (2));
}

#ifdef HAVE_CUDA
static void
latch_cuda (ArmillaFault *fault, const char *codelet, cudaError_t status,
       const ArmillaCudaMessage *message)
{
  if (status != cudaSuccess)
    armilla_fault_set (fault, ARMILLA_ERROR_CUDA, "%s: %s", codelet, message->text);
}

/* A GPU makes all orders at once, or has them redistributed: its modes are in one piece. */
static gboolean
may_launch (const ArmillaRingArgs *args, const char *codelet)
{
  if (armilla_fault_is_set (args->fault))
    return FALSE;
  if (args->n_tiles > 1)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "%s: modes in %d pieces", codelet,
                       args->n_tiles);
  return args->n_tiles <= 1;
}

static void
ring_synthesis_cuda (void *buffers[], void *cl_arg)
{
  ArmillaCudaMessage message = { "" };
  ArmillaRingArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (may_launch (&args, "ring_synthesis"))
    latch_cuda (args.fault, "ring_synthesis",
           armilla_ring_synthesis_launch (armilla_worker_plans_mine (args.cuda_plans),
                                          args.cuda_block, SLOTS (0), ARMILLA_BUFFER (1),
                                          ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                          starpu_cuda_get_local_stream (), &message),
           &message);
}

static void
ring_adjoint_cuda (void *buffers[], void *cl_arg)
{
  ArmillaCudaMessage message = { "" };
  ArmillaRingArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (may_launch (&args, "ring_adjoint"))
    latch_cuda (args.fault, "ring_adjoint",
           armilla_ring_adjoint_launch (armilla_worker_plans_mine (args.cuda_plans),
                                        args.cuda_block, SLOTS (0), args.flags, ARMILLA_BUFFER (1),
                                        ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                        starpu_cuda_get_local_stream (), &message),
           &message);
}

static void
redistribute_forward_cuda (void *buffers[], void *cl_arg)
{
  ArmillaRedistributeArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "redistribute_forward",
                                armilla_redistribute_forward_launch (
                                  &args.shape, SLOTS (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
                                  starpu_cuda_get_local_stream ()));
}

static void
redistribute_backward_cuda (void *buffers[], void *cl_arg)
{
  ArmillaRedistributeArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "redistribute_backward",
                                armilla_redistribute_backward_launch (
                                  &args.shape, SLOTS (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
                                  starpu_cuda_get_local_stream ()));
}
#endif

static struct starpu_perfmodel synthesis_model = ARMILLA_MODEL ("ring_synthesis", "3");
static struct starpu_perfmodel adjoint_model = ARMILLA_MODEL ("ring_adjoint", "3");
static struct starpu_perfmodel forward_model = ARMILLA_MODEL ("redistribute_forward", "2");
static struct starpu_perfmodel backward_model = ARMILLA_MODEL ("redistribute_backward", "2");

struct starpu_codelet armilla_ring_synthesis_cl
  = ARMILLA_CODELET ("ring_synthesis", ring_synthesis_cpu, ring_synthesis_cuda, &synthesis_model);
struct starpu_codelet armilla_ring_adjoint_cl
  = ARMILLA_CODELET ("ring_adjoint", ring_adjoint_cpu, ring_adjoint_cuda, &adjoint_model);
struct starpu_codelet armilla_redistribute_forward_cl
  = ARMILLA_CODELET ("redistribute_forward", redistribute_forward_cpu,
                     redistribute_forward_cuda, &forward_model);
struct starpu_codelet armilla_redistribute_backward_cl
  = ARMILLA_CODELET ("redistribute_backward", redistribute_backward_cpu,
                     redistribute_backward_cuda, &backward_model);
