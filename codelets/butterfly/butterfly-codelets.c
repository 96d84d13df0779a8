/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/butterfly/butterfly-codelets.h"

#include <string.h>

#ifdef HAVE_CUDA
#include "codelets/butterfly/butterfly-cuda.h"
#endif

#define OFFSETS ((const int64_t *) STARPU_VECTOR_GET_PTR (buffers[1]))

static void
butterfly_compress_cpu (void *buffers[], void *cl_arg)
{
  double *words = ARMILLA_BUFFER (1);
  const double start = starpu_timing_now ();
  ArmillaButterflyCompressArgs args;
  const char *wrong;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (armilla_fault_is_set (args.fault))
    return;
  wrong = armilla_butterfly_compress_cpu (&args.shape, ARMILLA_BUFFER (0), words,
                                          ARMILLA_BUFFER (2));
  if (wrong)
    armilla_fault_set (args.fault, ARMILLA_ERROR_NUMERIC, "butterfly_compress: LAPACK's %s fails "
                       "for order %" G_GINT64_FORMAT "; is it built for integers of 32 bits?",
                       wrong, args.shape.m);
  else
    words[armilla_butterfly_open (words).head[ARMILLA_BUTTERFLY_WORDS]]
      = 1e-6 * (starpu_timing_now () - start);
}

static void
butterfly_load_cpu (void *buffers[], void *cl_arg)
{
  ArmillaButterflyLoadArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    memcpy (ARMILLA_BUFFER (1) + args.at, ARMILLA_BUFFER (0), sizeof (double) * (gsize) args.n);
}

static void
butterfly_synthesis_cpu (void *buffers[], void *cl_arg)
{
  ArmillaButterflyArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_butterfly_synthesis_cpu (&args.block, ARMILLA_BUFFER (0), OFFSETS, ARMILLA_BUFFER (2),
                                     ARMILLA_BUFFER (3), ARMILLA_BUFFER (4));
}

static void
butterfly_adjoint_cpu (void *buffers[], void *cl_arg)
{
  ArmillaButterflyArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_butterfly_adjoint_cpu (&args.block, ARMILLA_BUFFER (0), OFFSETS, ARMILLA_BUFFER (2),
                                   ARMILLA_BUFFER (3), ARMILLA_BUFFER (4));
}

#ifdef HAVE_CUDA
static void
butterfly_compress_cuda (void *buffers[], void *cl_arg)
{
  ArmillaButterflyCompressArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "butterfly_compress",
                                armilla_butterfly_compress_launch (
                                  &args.shape, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                  ARMILLA_BUFFER (2), starpu_cuda_get_local_stream ()));
}

static void
butterfly_load_cuda (void *buffers[], void *cl_arg)
{
  ArmillaButterflyLoadArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "butterfly_load",
                                cudaMemcpyAsync (ARMILLA_BUFFER (1) + args.at, ARMILLA_BUFFER (0),
                                                 sizeof (double) * (gsize) args.n,
                                                 cudaMemcpyDeviceToDevice,
                                                 starpu_cuda_get_local_stream ()));
}

static void
butterfly_synthesis_cuda (void *buffers[], void *cl_arg)
{
  ArmillaButterflyArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "butterfly_synthesis",
                                armilla_butterfly_synthesis_launch (
                                  &args.block, ARMILLA_BUFFER (0), OFFSETS, ARMILLA_BUFFER (2),
                                  ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                                  starpu_cuda_get_local_stream ()));
}

static void
butterfly_adjoint_cuda (void *buffers[], void *cl_arg)
{
  ArmillaButterflyArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  if (!armilla_fault_is_set (args.fault))
    armilla_codelet_check_cuda (args.fault, "butterfly_adjoint",
                                armilla_butterfly_adjoint_launch (
                                  &args.block, ARMILLA_BUFFER (0), OFFSETS, ARMILLA_BUFFER (2),
                                  ARMILLA_BUFFER (3), ARMILLA_BUFFER (4),
                                  starpu_cuda_get_local_stream ()));
}
#endif

static struct starpu_perfmodel compress_model = ARMILLA_MODEL ("butterfly_compress", "2");
static struct starpu_perfmodel load_model = ARMILLA_MODEL ("butterfly_load", "1");
static struct starpu_perfmodel synthesis_model = ARMILLA_MODEL ("butterfly_synthesis", "1");
static struct starpu_perfmodel adjoint_model = ARMILLA_MODEL ("butterfly_adjoint", "1");

struct starpu_codelet armilla_butterfly_compress_cl
  = ARMILLA_CODELET ("butterfly_compress", butterfly_compress_cpu, butterfly_compress_cuda,
                     &compress_model);
struct starpu_codelet armilla_butterfly_load_cl
  = ARMILLA_CODELET ("butterfly_load", butterfly_load_cpu, butterfly_load_cuda, &load_model);
struct starpu_codelet armilla_butterfly_synthesis_cl
  = ARMILLA_CODELET ("butterfly_synthesis", butterfly_synthesis_cpu, butterfly_synthesis_cuda,
                     &synthesis_model);
struct starpu_codelet armilla_butterfly_adjoint_cl = ARMILLA_CODELET (
  "butterfly_adjoint", butterfly_adjoint_cpu, butterfly_adjoint_cuda, &adjoint_model);
