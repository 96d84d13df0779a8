/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/runtime/gpu-memory.h"

#include <math.h>

/* Returns the bytes of memory that StarPU uses on the smallest GPU of this rank; 0 without GPUs, or
 * if unknown. */
gint64
armilla_gpu_memory_find (void)
{
  gint64 min_bytes = 0;

  for (int w = 0; w < (int) starpu_worker_get_count (); w++)
    if (starpu_worker_get_type (w) == STARPU_CUDA_WORKER)
      {
        gint64 bytes = (gint64) starpu_memory_get_total (starpu_worker_get_memory_node (w));

        if (bytes > 0)
          min_bytes = min_bytes > 0 ? MIN (min_bytes, bytes) : bytes;
      }
  return min_bytes;
}

/* Chooses the workers of a task: one that exceeds the memory of a GPU runs on the CPU workers.
 * Returns whether there is a worker for it; ARMILLA_ERROR_MEMORY otherwise. */
gboolean
armilla_gpu_memory_where (const ArmillaRuntime *runtime, const struct starpu_codelet *codelet,
                          gint64 bytes, gint32 *where, GError **error)
{
  *where = ARMILLA_ANYWHERE;
  if (runtime->gpu_bytes == 0 || bytes <= runtime->gpu_bytes || !codelet->cuda_funcs[0])
    return TRUE;
  *where = STARPU_CPU;
  if (runtime->cpu_workers > 0 && codelet->cpu_funcs[0])
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "a task of \"%s\" needs %.0f MiB of a GPU's memory, but StarPU has %.0f "
                       "MiB; choose a smaller ring-block or more m-blocks, allow StarPU more "
                       "(STARPU_LIMIT_CUDA_MEM), or enable CPU workers for such tasks "
                       "(STARPU_NCPU)",
                       codelet->name, ceil ((double) bytes / (1 << 20)),
                       floor ((double) runtime->gpu_bytes / (1 << 20)));
}
