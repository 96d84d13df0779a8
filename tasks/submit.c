/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>

#include "tasks/balance.h"
#include "tasks/forecast-private.h"
#include "tasks/gpu-memory.h"
#include "tasks/trace-private.h"

/**
 * armilla_tile_register:
 * @graph: a graph
 * @handle: a handle that StarPU knows
 * @owner: rank that owns it, or STARPU_MPI_PER_NODE
 *
 * Makes a handle known to StarPU-MPI. Every rank registers the same handles in the same order.
 */
void
armilla_tile_register (ArmillaGraph *graph, starpu_data_handle_t handle, int owner)
{
#ifdef HAVE_MPI
  if (graph->runtime->mpi)
    starpu_mpi_data_register (handle, graph->runtime->next_tag++, owner);
#else
  (void) graph;
  (void) handle;
  (void) owner;
#endif
}

/**
 * armilla_tile_new:
 * @graph: a graph
 * @owner: rank that owns the tile
 * @n: number of doubles
 * @tile: (out): the tile
 * @error: return location
 *
 * Makes a handle without memory; StarPU allocates it where it is first written.
 *
 * Returns: whether it could be made; %ARMILLA_ERROR_MEMORY when it is beyond what StarPU can hold
 */
gboolean
armilla_tile_new (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile, GError **error)
{
  n = MAX (n, 1); /* StarPU has no empty vectors */
  /* StarPU counts the elements of a vector in 32 bits, MPI in an int. */
  if (n > (graph->runtime->mpi ? G_MAXINT32 : G_MAXUINT32))
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                   "a tile of %" G_GINT64_FORMAT " numbers is more than StarPU can hold; choose a "
                   "smaller ring-block or more m-blocks",
                   n);
      return FALSE;
    }
  if (graph->trace)
    armilla_trace_vector_register (&tile->handle, (uint32_t) n);
  else
    starpu_vector_data_register (&tile->handle, -1, 0, (uint32_t) n, sizeof (double));
  tile->owner = owner;
  tile->n = n;
  if (graph->forecast)
    armilla_forecast_new_handle (graph->forecast, tile->handle);
  armilla_tile_register (graph, tile->handle, owner);
  return TRUE;
}

/**
 * armilla_tile_drop:
 * @tile: a tile
 *
 * Gives the tile back once the tasks submitted so far are done with it.
 */
void
armilla_tile_drop (ArmillaTile *tile)
{
  if (tile->handle)
    starpu_data_unregister_submit (tile->handle);
  tile->handle = NULL;
}

/* Which workers of this rank may do a task; whether there are some with the memory for it. */
static gboolean
find_where (ArmillaGraph *graph, const struct starpu_codelet *codelet, int rank,
            const ArmillaUse *uses, int n_uses, gint32 *where, GError **error)
{
  gint64 bytes = 0;

  if (graph->runtime->gpu_bytes > 0 && rank == graph->runtime->rank)
    for (int i = 0; i < n_uses; i++)
      bytes += (gint64) starpu_data_get_size (uses[i].handle);
  return armilla_gpu_memory_where (graph->runtime, codelet, bytes, where, error);
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
armilla_submit (ArmillaGraph *graph, struct starpu_codelet *codelet, int rank, const void *args,
                gsize args_size, const ArmillaUse *uses, int n_uses, int priority, GError **error)
{
  struct starpu_data_descr *descr = g_newa (struct starpu_data_descr, (gsize) n_uses);
  void (*begins) (void *) = graph->label->choice ? armilla_work_begins : NULL;
  void (*done) (void *) = armilla_work_done;
  ArmillaTraceTask *record = NULL;
  ArmillaEpoch *epoch = NULL;
  void *work, *plain;
  gint32 where;
  int status;

  if (graph->forecast)
    return armilla_forecast_task (graph, codelet, rank, args, uses, n_uses, priority, error);
  if (!find_where (graph, codelet, rank, uses, n_uses, &where, error))
    return FALSE;
  for (int i = 0; i < n_uses; i++)
    {
      descr[i].handle = uses[i].handle;
      descr[i].mode = uses[i].mode;
    }
  if (rank == graph->runtime->rank)
    epoch = armilla_graph_enter (graph);
  work = epoch;
  if (graph->trace)
    record = armilla_trace_task (graph, codelet, rank, args, uses, n_uses);
  if (record)
    {
      record->epoch = epoch;
      done = armilla_trace_task_done;
      work = record;
    }
  plain = work;
  work = armilla_balance_task (graph, codelet, rank, args, uses, n_uses, &done, plain);
#ifdef HAVE_MPI
  if (graph->runtime->mpi)
    status = starpu_mpi_task_insert (MPI_COMM_WORLD, codelet, STARPU_VALUE, args, args_size,
                                     STARPU_DATA_MODE_ARRAY, descr, n_uses, STARPU_PRIORITY,
                                     priority, CALL_BACKS (begins, epoch, done, work),
                                     STARPU_EXECUTE_WHERE, (unsigned long long) where,
                                     STARPU_EXECUTE_ON_NODE, rank, 0);
  else
#endif
    status = starpu_task_insert (codelet, STARPU_VALUE, args, args_size, STARPU_DATA_MODE_ARRAY,
                                 descr, n_uses, STARPU_PRIORITY, priority,
                                 CALL_BACKS (begins, epoch, done, work),
                                 STARPU_EXECUTE_WHERE, (unsigned long long) where, 0);
  if (status == 0)
    return TRUE;
  if (work != plain)
    g_free (work);
  armilla_trace_forget (record);
  if (epoch)
    armilla_work_done (epoch);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
               status == -ENODEV
                 ? "no worker can run a task of \"%s\": STARPU_NCPU and STARPU_NCUDA may leave out "
                   "those that can"
                 : "StarPU refused a task of \"%s\"",
               codelet->name);
  return FALSE;
}
