/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/correlation/pair-codelets.h"

#include <math.h>

#include "codelets/common/wrappers.h"

#ifdef HAVE_CUDA
#include "codelets/correlation/pair-cuda.h"
#endif

#define WORDS(i) ((int64_t *) STARPU_VECTOR_GET_PTR (buffers[i]))
#define INPUT                                                                                      \
  &(ArmillaPairInput)                                                                              \
  {                                                                                                \
    ARMILLA_BUFFER (4), WORDS (5), { ARMILLA_BUFFER (0), ARMILLA_BUFFER (2) },                     \
    {                                                                                              \
      ARMILLA_BUFFER (1), ARMILLA_BUFFER (3)                                                       \
    }                                                                                              \
  }

CPU_WRAPPER (pair_histogram, ArmillaPairArgs,
             armilla_pair_histogram_cpu (&args.shape, INPUT, WORDS (6), WORDS (7)))
CPU_WRAPPER (histogram_merge, ArmillaMergeArgs,
             armilla_histogram_merge_cpu (args.n_rows, args.n_entries, args.n_sums, args.first,
                                          WORDS (0), WORDS (1)))

CUDA_WRAPPER (pair_histogram, ArmillaPairArgs,
              armilla_pair_histogram_launch (&args.shape, INPUT, WORDS (6), WORDS (7), stream))
CUDA_WRAPPER (histogram_merge, ArmillaMergeArgs,
              armilla_histogram_merge_launch (args.n_rows, args.n_entries, args.n_sums, args.first,
                                              WORDS (0), WORDS (1), stream))

/* Tasks are cut to about equal cost, but their buffers have any size: what tells them apart is how
 * many pairs there are, to a quarter of a power of two. */
static uint32_t
pair_footprint (struct starpu_task *task)
{
  ArmillaPairArgs args;

  starpu_codelet_unpack_args (task->cl_arg, &args);
  return (uint32_t) (4 * log2 (args.shape.pairs + 1)) << 8 | (uint32_t) args.shape.sums << 1
         | (uint32_t) args.shape.brute;
}

#define PAIR_CODELET(name)                                                                         \
  static struct starpu_perfmodel name##_model = { .type = STARPU_HISTORY_BASED,                    \
                                                  .symbol = "armilla_" #name "_v1",                \
                                                  .footprint = pair_footprint };                   \
  struct starpu_codelet armilla_##name##_cl                                                        \
    = ARMILLA_CODELET (#name, pair_histogram_cpu, pair_histogram_cuda, &name##_model);

PAIR_CODELET (pair_histogram)
PAIR_CODELET (shear_histogram)
CODELET (histogram_merge, "1")

/**
 * armilla_pair_scratch:
 * @shape: pairs
 *
 * Returns: words of scratch that the pair codelets need
 */
gint64
armilla_pair_scratch (const ArmillaPairShape *shape)
{
  const gint64 host = armilla_pair_histogram_scratch (shape);

#ifdef HAVE_CUDA
  return MAX (host, armilla_pair_histogram_device_scratch (shape));
#else
  return host;
#endif
}
