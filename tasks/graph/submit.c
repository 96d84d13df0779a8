/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>

#include "codelets/common/rates.h"
#include "tasks/graph/bundle.h"
#include "tasks/graph/in-thread.h"
#include "tasks/runtime/gpu-memory.h"

/* Makes one GPU run all tasks that GPUs can run, so that data stay in its memory; -1: any worker.
 * The graph must be idle. ARMILLA_ERROR_VALUE if no worker drives that GPU. */
gboolean
armilla_graph_use_gpu (ArmillaGraph *graph, int device, GError **error)
{
  graph->gpu_worker = -1;
  if (device < 0)
    return TRUE;
  for (int w = 0; graph->gpu_worker < 0 && w < (int) starpu_worker_get_count (); w++)
    if (starpu_worker_get_type (w) == STARPU_CUDA_WORKER && starpu_worker_get_devid (w) == device)
      graph->gpu_worker = w;
  if (graph->gpu_worker >= 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the array is on GPU %d, which no worker drives; STARPU_NCUDA may exclude "
                       "it",
                       device);
}

/* Sets @where to the kinds of workers of this rank that can run the task. Fails if the memory of
 * all GPUs is too small for it and there are no CPU workers. */
static gboolean
find_where (ArmillaGraph *graph, const ArmillaCodelet *codelet, int rank,
            const ArmillaUse *uses, int n_uses, gint32 *where, GError **error)
{
  ArmillaBound *bound = graph->runtime->bound;
  gint64 bytes = 0;

  if ((bound || graph->runtime->gpu_bytes > 0) && rank == graph->view.rank)
    for (int i = 0; i < n_uses; i++)
      bytes += (gint64) starpu_data_get_size (uses[i].handle);
  if (bound)
    armilla_bound_take_task (bound, bytes);
  if (!armilla_gpu_memory_where (graph->runtime, &codelet->cl, bytes, where, error))
    return FALSE;
  if (graph->gpu_worker >= 0 && *where != STARPU_CPU && codelet->cl.cuda_funcs[0])
    *where = STARPU_CUDA;
  return TRUE;
}

/* If cores and GPUs can run the task, excludes the kind that is too slow to shorten the graph. */
static void
choose_kind (ArmillaGraph *graph, const ArmillaTaskCall *call, gint32 *where)
{
  const ArmillaRuntime *runtime = graph->runtime;
  const struct starpu_codelet *cl = &call->codelet->cl;
  double seconds[ARMILLA_KINDS];

  armilla_rates_prepare (call->codelet);
  if (runtime->n_gpus == 0 || runtime->cpu_workers == 0 || call->rank != graph->view.rank)
    return;
  if (*where != ARMILLA_ANYWHERE || !cl->cuda_funcs[0] || !cl->cpu_funcs[0])
    return;
  for (int kind = 0; kind < ARMILLA_KINDS; kind++)
    seconds[kind] = armilla_rates_seconds (call->codelet, kind, call->cost);
  *where = armilla_worth_add (&graph->worth, seconds);
}

/* Returns the only worker that may run the task; -1: any. */
static int
find_worker (const ArmillaGraph *graph, gint32 where)
{
  return where == STARPU_CUDA && starpu_cuda_worker_get_count () > 1 ? graph->gpu_worker : -1;
}

/* Callbacks of a worker before and after a task, with their arguments. */
#define CALL_BACKS(around)                                                                         \
  STARPU_PROLOGUE_CALLBACK_POP, (around)->begins, STARPU_PROLOGUE_CALLBACK_POP_ARG_NFREE,          \
    (around)->epoch, STARPU_CALLBACK_WITH_ARG_NFREE, (around)->end.done, (around)->end.work

/* Cost of a task, from which armilla_codelet_expected() computes its time. */
#define COST(cost)                                                                                 \
  STARPU_FLOPS, (cost).flops, STARPU_TASK_SCHED_DATA,                                              \
    GSIZE_TO_POINTER ((gsize) MIN ((cost).bytes, 1e18))

static int
insert (ArmillaGraph *graph, const ArmillaTaskCall *call, gint32 where,
        const ArmillaTaskAround *around)
{
  struct starpu_codelet *cl = &call->codelet->cl;
  struct starpu_data_descr *descr = g_newa (struct starpu_data_descr, (gsize) call->n_uses);

  for (int i = 0; i < call->n_uses; i++)
    descr[i] = (struct starpu_data_descr) { call->uses[i].handle, call->uses[i].mode };
#ifdef HAVE_MPI
  if (graph->view.mpi)
    return starpu_mpi_task_insert (graph->view.comm, cl, STARPU_VALUE, call->args,
                                   call->args_size, STARPU_DATA_MODE_ARRAY, descr, call->n_uses,
                                   STARPU_PRIORITY, call->priority, CALL_BACKS (around),
                                   COST (call->cost),
                                   STARPU_EXECUTE_WHERE, (unsigned long long) where,
                                   STARPU_EXECUTE_ON_WORKER, find_worker (graph, where),
                                   STARPU_EXECUTE_ON_NODE, call->rank, 0);
#endif
  return starpu_task_insert (cl, STARPU_VALUE, call->args, call->args_size,
                             STARPU_DATA_MODE_ARRAY, descr, call->n_uses,
                             STARPU_PRIORITY, call->priority, CALL_BACKS (around),
                             COST (call->cost),
                             STARPU_EXECUTE_WHERE, (unsigned long long) where,
                             STARPU_EXECUTE_ON_WORKER, find_worker (graph, where), 0);
}

gboolean
armilla_submit (ArmillaGraph *graph, ArmillaCodelet *codelet, int rank, const void *args,
                gsize args_size, const ArmillaUse *uses, int n_uses, int priority, GError **error)
{
  return armilla_submit_to (graph, codelet, rank, 0, args, args_size, uses, n_uses, priority,
                            error);
}

/* Like armilla_submit (), for tasks limited to one kind of worker: STARPU_CPU, STARPU_CUDA, or 0
 * for any. */
gboolean
armilla_submit_to (ArmillaGraph *graph, ArmillaCodelet *codelet, int rank, gint32 where,
                   const void *args, gsize args_size, const ArmillaUse *uses, int n_uses,
                   int priority, GError **error)
{
  ArmillaTaskCall call = { codelet, rank, args, args_size, uses, n_uses, priority, { 0, 0 } };
  /* Time is measured for tasks of a node with a choice, unless they are submitted during an epoch
   * of another node, as those of sources and sinks. */
  const gboolean timed
    = graph->label->choice && graph->epoch && graph->epoch->label == graph->label;
  ArmillaTaskAround around
    = { timed ? armilla_work_begins : NULL, NULL,
        { timed ? armilla_work_ends : armilla_work_done, NULL, { NULL }, 0 } };
  gboolean bundled;
  int status;

  if (graph->observers.n > 0 || graph->runtime->models)
    armilla_task_call_find_cost (&call);
  if (graph->taker.kind)
    return graph->taker.kind->take_task (graph->taker.self, graph, &call, error);
  if (graph->in_thread)
    return armilla_in_thread_task (graph->in_thread, &call, error);
  bundled = graph->bundling && graph->bundling->takes (graph, &call);
  if (!bundled && !armilla_graph_unbundle (graph, error))
    return FALSE;
  if (!bundled && where == 0 && !find_where (graph, codelet, rank, uses, n_uses, &where, error))
    return FALSE;
  if (graph->runtime->models && !bundled)
    choose_kind (graph, &call, &where);
  if (rank == graph->view.rank)
    around.epoch = armilla_graph_enter (graph);
  around.end.work = around.epoch;
  armilla_observers_task (&graph->observers, graph, &call, &around.end);
  if (bundled)
    {
      graph->bundling->add (graph, &call, &around);
      return TRUE;
    }
  status = insert (graph, &call, where, &around);
  if (status == 0)
    return TRUE;
  armilla_task_end_drop (&around.end);
  if (around.epoch)
    armilla_work_done (around.epoch);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
               status == -ENODEV
                 ? "no worker can run a task of \"%s\": STARPU_NCPU and STARPU_NCUDA may exclude "
                   "those that can"
                 : "StarPU rejected a task of \"%s\"",
               codelet->cl.name);
  return FALSE;
}
