/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/codelet.h>

/* StarPU reserves part of a GPU's memory; some is lost to fragmentation. */
#define USABLE_SHARE 0.85

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
