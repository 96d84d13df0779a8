/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/simulated-time.h"

#ifdef STARPU_SIMGRID

#include <stdlib.h>

#include "codelets/codelet-cost.h"
#include "core/printable.h"

#define LARGEST_ARGS 4096 /* bytes of the arguments of any codelet */

/* StarPU's models know no user: one simulated machine a process, as there is one StarPU. */
static ArmillaNodeModel *simulated;

/**
 * armilla_simulated_time_set:
 * @node: (nullable) (transfer none): the machine whose workers run tasks; must outlive StarPU
 */
void
armilla_simulated_time_set (ArmillaNodeModel *node)
{
  simulated = node;
}

/**
 * armilla_simulated_time:
 * @task: a task
 * @worker: a worker
 * @implementation: number of the implementation
 *
 * What the models of all codelets ask. A codelet that the node's file does not know ends the
 * program: StarPU has no way back from here.
 *
 * Returns: how long the task takes on the worker, microseconds
 */
double
armilla_simulated_time (struct starpu_task *task, unsigned worker, unsigned implementation)
{
  const gboolean gpu = starpu_worker_get_type ((int) worker) == STARPU_CUDA_WORKER;
  starpu_data_handle_t handles[STARPU_NMAXBUFS];
  g_autoptr (GError) error = NULL;
  char args[LARGEST_ARGS];
  ArmillaCost cost;
  double seconds;

  (void) implementation;
  for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS (task); i++)
    handles[i] = STARPU_TASK_GET_HANDLE (task, i);
  starpu_codelet_unpack_args (task->cl_arg, args);
  armilla_codelet_cost (task->cl, args, handles, &cost);
  if (!armilla_node_model_seconds (simulated, gpu ? ARMILLA_NODE_CUDA : ARMILLA_NODE_CPU,
                                   task->cl->name, cost.flops, cost.bytes, &seconds, &error))
    {
      armilla_print (stderr, "armilla: %s\n", error->message);
      exit (EXIT_FAILURE);
    }
  return 1e6 * (seconds + simulated->task);
}

#endif
