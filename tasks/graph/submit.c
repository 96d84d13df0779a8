/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>

#include "tasks/graph/graph-private.h"
#include "tasks/memory/gpu-memory.h"

/* Which workers of this rank may do a task; whether there are some with the memory for it. */
static gboolean
find_where (ArmillaGraph *graph, const ArmillaCodelet *codelet, int rank,
            const ArmillaUse *uses, int n_uses, gint32 *where, GError **error)
{
  gint64 bytes = 0;

  if (graph->runtime->gpu_bytes > 0 && rank == graph->view.rank)
    for (int i = 0; i < n_uses; i++)
      bytes += (gint64) starpu_data_get_size (uses[i].handle);
  return armilla_gpu_memory_where (graph->runtime, &codelet->cl, bytes, where, error);
}

/* Whom a worker calls before and after a task, with what. */
#define CALL_BACKS(before, epoch, after, work)                                                     \
  STARPU_PROLOGUE_CALLBACK_POP, before, STARPU_PROLOGUE_CALLBACK_POP_ARG_NFREE, epoch,             \
    STARPU_CALLBACK_WITH_ARG_NFREE, after, work

/**
 * armilla_submit:
 * @graph: a graph
 * @codelet: what to do
 * @rank: rank that does it
 * @args: plain struct that the codelet unpacks
 * @args_size: its size
 * @uses: (array length=n_uses): buffers, in the codelet's order
 * @n_uses: how many, at least 1; more than STARPU_NMAXBUFS are no problem
 * @priority: higher goes first
 * @error: return location
 *
 * Submits one task. The same call is made on every rank; StarPU-MPI moves what @rank lacks.
 *
 * Returns: whether StarPU took it; %ARMILLA_ERROR_NO_WORKER when no worker can run it,
 *   %ARMILLA_ERROR_MEMORY when none has the memory for it
 */
gboolean
armilla_submit (ArmillaGraph *graph, ArmillaCodelet *codelet, int rank, const void *args,
                gsize args_size, const ArmillaUse *uses, int n_uses, int priority, GError **error)
{
  const ArmillaTaskCall call = { codelet, rank, args, args_size, uses, n_uses, priority };
  struct starpu_data_descr *descr = g_newa (struct starpu_data_descr, (gsize) n_uses);
  /* A sink or source may speak while another node's epoch lasts. */
  const gboolean timed
    = graph->label->choice && graph->epoch && graph->epoch->label == graph->label;
  void (*begins) (void *) = timed ? armilla_work_begins : NULL;
  ArmillaTaskEnd end = { timed ? armilla_work_ends : armilla_work_done, NULL, { NULL }, 0 };
  ArmillaEpoch *epoch = NULL;
  gint32 where;
  int status;

  if (graph->taker.kind)
    return graph->taker.kind->take_task (graph->taker.self, graph, &call, error);
  if (!find_where (graph, codelet, rank, uses, n_uses, &where, error))
    return FALSE;
  for (int i = 0; i < n_uses; i++)
    {
      descr[i].handle = uses[i].handle;
      descr[i].mode = uses[i].mode;
    }
  if (rank == graph->view.rank)
    epoch = armilla_graph_enter (graph);
  end.work = epoch;
  armilla_observers_task (&graph->observers, graph, &call, &end);
#ifdef HAVE_MPI
  if (graph->view.mpi)
    status = starpu_mpi_task_insert (graph->view.comm, &codelet->cl, STARPU_VALUE, args,
                                     args_size, STARPU_DATA_MODE_ARRAY, descr, n_uses,
                                     STARPU_PRIORITY, priority,
                                     CALL_BACKS (begins, epoch, end.done, end.work),
                                     STARPU_EXECUTE_WHERE, (unsigned long long) where,
                                     STARPU_EXECUTE_ON_NODE, rank, 0);
  else
#endif
    status = starpu_task_insert (&codelet->cl, STARPU_VALUE, args, args_size,
                                 STARPU_DATA_MODE_ARRAY, descr, n_uses, STARPU_PRIORITY, priority,
                                 CALL_BACKS (begins, epoch, end.done, end.work),
                                 STARPU_EXECUTE_WHERE, (unsigned long long) where, 0);
  if (status == 0)
    return TRUE;
  armilla_task_end_drop (&end);
  if (epoch)
    armilla_work_done (epoch);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
               status == -ENODEV
                 ? "no worker can run a task of \"%s\": STARPU_NCPU and STARPU_NCUDA may leave out "
                   "those that can"
                 : "StarPU refused a task of \"%s\"",
               codelet->cl.name);
  return FALSE;
}
