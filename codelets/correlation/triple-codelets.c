/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/correlation/triple-codelets.h"

#include <math.h>

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/correlation/triple-cuda.h"
#endif

#define WORDS(i) ((int64_t *) STARPU_VECTOR_GET_PTR (buffers[i]))
#define INPUT                                                                                      \
  &(ArmillaTripleInput)                                                                            \
  {                                                                                                \
    ARMILLA_BUFFER (4), { ARMILLA_BUFFER (0), ARMILLA_BUFFER (2) },                                \
    {                                                                                              \
      ARMILLA_BUFFER (1), ARMILLA_BUFFER (3)                                                       \
    }                                                                                              \
  }

CPU_WRAPPER (triple_histogram, ArmillaTripleArgs,
             armilla_triple_histogram_cpu (&args.shape, INPUT, WORDS (5), ARMILLA_BUFFER (6)))
CUDA_WRAPPER (triple_histogram, ArmillaTripleArgs,
              armilla_triple_histogram_launch (&args.shape, INPUT, WORDS (5), ARMILLA_BUFFER (6),
                                               stream))

/* Tasks differ by their work, not by their buffers. */
static uint32_t
triple_footprint (struct starpu_task *task)
{
  ArmillaTripleArgs args;

  starpu_codelet_unpack_args (task->cl_arg, &args);
  return (uint32_t) (4 * log2 (args.shape.tests + 1)) << 13 | (uint32_t) args.shape.n_bins;
}

static struct starpu_perfmodel triple_histogram_model = { .type = STARPU_HISTORY_BASED,
                                                          .symbol = "armilla_triple_histogram_v1",
                                                          .footprint = triple_footprint };
struct starpu_codelet armilla_triple_histogram_cl
  = ARMILLA_CODELET ("triple_histogram", triple_histogram_cpu, triple_histogram_cuda,
                     &triple_histogram_model);

/**
 * armilla_triple_scratch:
 * @shape: triangles
 *
 * Returns: words of scratch that armilla_triple_histogram_cl needs
 */
gint64
armilla_triple_scratch (const ArmillaTripleShape *shape)
{
  const gint64 host = armilla_triple_histogram_scratch (shape);

#ifdef HAVE_CUDA
  return MAX (host, armilla_triple_histogram_device_scratch (shape));
#else
  return host;
#endif
}
