/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/common/codelet.h"

#ifdef HAVE_CUDA
#include <cuda_runtime.h>
#endif

/* StarPU keeps part of a device for itself and for what fragmentation costs. */
#define USABLE_SHARE 0.85

/**
 * armilla_codelet_fits:
 * @worker: a worker
 * @task: a task
 * @implementation: number of the implementation
 *
 * StarPU retries for ever when the buffers of one task cannot be together in a worker's memory; so
 * such a worker must not get the task.
 *
 * Returns: 1 when the worker's memory can hold the task's buffers
 */
int
armilla_codelet_fits (unsigned worker, struct starpu_task *task, unsigned implementation)
{
  unsigned node = starpu_worker_get_memory_node (worker);
  starpu_ssize_t total;
  double bytes = 0;

  (void) implementation;
  if (starpu_node_get_kind (node) == STARPU_CPU_RAM)
    return 1;
  total = starpu_memory_get_total (node);
  if (total < 0)
    return 1;
  for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS (task); i++)
    bytes += starpu_data_get_size (STARPU_TASK_GET_HANDLE (task, i));
  return bytes <= USABLE_SHARE * (double) total;
}

#ifdef HAVE_CUDA
/**
 * armilla_codelet_check_cuda:
 * @fault: this rank's latch
 * @codelet: name of the codelet
 * @cuda_error: what a CUDA call returned
 *
 * Latches a CUDA error under the name of the codelet.
 */
void
armilla_codelet_check_cuda (ArmillaFault *fault, const char *codelet, int cuda_error)
{
  if (cuda_error != cudaSuccess)
    armilla_fault_set (fault, ARMILLA_ERROR_CUDA, "%s: CUDA says \"%s\" (%d)", codelet,
                       cudaGetErrorString ((cudaError_t) cuda_error), cuda_error);
}
#endif
