/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ranks tell each other outside of task graphs. */
#include "config.h"

#include <string.h>

#include "tasks/runtime-private.h"

#define LARGEST_MESSAGE (1 << 30) /* MPI counts in an int */

#ifdef HAVE_MPI
/**
 * armilla_mpi_wait_asleep:
 * @request: a request, of a call that is not blocking
 *
 * Waits as MPI_Wait() does, but leaves the core to others: where ranks have less than a core each,
 * those that wait would keep the one that they wait for from coming.
 *
 * Returns: whether it is done; %FALSE when MPI fails
 */
gboolean
armilla_mpi_wait_asleep (MPI_Request *request)
{
  gulong pause = 10;
  int done = 0;

  for (;;)
    {
      if (MPI_Test (request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return FALSE;
      if (done)
        return TRUE;
      g_usleep (pause);
      pause = MIN (2 * pause, 1000);
    }
}
#endif

/**
 * armilla_runtime_barrier:
 * @runtime: the runtime
 *
 * Collective: returns when all ranks are here, or MPI fails.
 */
void
armilla_runtime_barrier (ArmillaRuntime *runtime)
{
#ifdef HAVE_MPI
  MPI_Request request;

  if (runtime->mpi && MPI_Ibarrier (runtime->comm, &request) == MPI_SUCCESS)
    armilla_mpi_wait_asleep (&request);
#else
  (void) runtime;
#endif
}

/**
 * armilla_runtime_share:
 * @runtime: the runtime
 * @bytes: (inout): bytes; on the other ranks they are replaced by those of rank 0
 * @error: return location
 *
 * Collective: every rank calls it at the same point.
 *
 * Returns: whether the ranks have the same now; %ARMILLA_ERROR_MPI otherwise
 */
gboolean
armilla_runtime_share (ArmillaRuntime *runtime, GByteArray *bytes, GError **error)
{
#ifdef HAVE_MPI
  guint64 length = bytes->len;

  if (!runtime->mpi || runtime->n_ranks == 1)
    return TRUE;
  if (MPI_Bcast (&length, 1, MPI_UINT64_T, 0, runtime->comm) != MPI_SUCCESS)
    goto fail;
  g_byte_array_set_size (bytes, (guint) length);
  for (guint64 first = 0; first < length; first += LARGEST_MESSAGE)
    if (MPI_Bcast (bytes->data + first, (int) MIN (LARGEST_MESSAGE, length - first), MPI_BYTE, 0,
                   runtime->comm)
        != MPI_SUCCESS)
      goto fail;
  return TRUE;

fail:
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_MPI,
                       "MPI does not hand what rank 0 knows to the other ranks");
  return FALSE;
#else
  (void) runtime;
  (void) bytes;
  (void) error;
  return TRUE;
#endif
}

#ifdef HAVE_MPI
/* Rank 0 gets what rank @from has; lengths may exceed what MPI counts. */
static gboolean
receive_from (ArmillaRuntime *runtime, int from, GByteArray *bytes)
{
  guint64 length;

  if (MPI_Recv (&length, 1, MPI_UINT64_T, from, 0, runtime->comm, MPI_STATUS_IGNORE)
      != MPI_SUCCESS)
    return FALSE;
  g_byte_array_set_size (bytes, (guint) length);
  for (guint64 first = 0; first < length; first += LARGEST_MESSAGE)
    if (MPI_Recv (bytes->data + first, (int) MIN (LARGEST_MESSAGE, length - first), MPI_BYTE, from,
                  0, runtime->comm, MPI_STATUS_IGNORE)
        != MPI_SUCCESS)
      return FALSE;
  return TRUE;
}

static gboolean
send_own (ArmillaRuntime *runtime, const GByteArray *bytes)
{
  guint64 length = bytes->len;

  if (MPI_Send (&length, 1, MPI_UINT64_T, 0, 0, runtime->comm) != MPI_SUCCESS)
    return FALSE;
  for (guint64 first = 0; first < length; first += LARGEST_MESSAGE)
    if (MPI_Send (bytes->data + first, (int) MIN (LARGEST_MESSAGE, length - first), MPI_BYTE, 0, 0,
                  runtime->comm)
        != MPI_SUCCESS)
      return FALSE;
  return TRUE;
}
#endif

/**
 * armilla_runtime_collect:
 * @runtime: the runtime
 * @own: what this rank knows, below 4 GiB
 * @error: return location
 *
 * Collective: rank 0 learns what every rank knows.
 *
 * Returns: (transfer full) (nullable) (element-type GByteArray): on rank 0 that of each rank, on
 *   the others an empty list; %NULL with %ARMILLA_ERROR_MPI
 */
GPtrArray *
armilla_runtime_collect (ArmillaRuntime *runtime, GByteArray *own, GError **error)
{
  g_autoptr (GPtrArray) all
    = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  gboolean ok = TRUE;

  if (runtime->rank == 0)
    g_ptr_array_add (all, g_byte_array_ref (own));
#ifdef HAVE_MPI
  for (int from = 1; ok && runtime->mpi && runtime->rank == 0 && from < runtime->n_ranks; from++)
    {
      GByteArray *bytes = g_byte_array_new ();

      g_ptr_array_add (all, bytes);
      ok = receive_from (runtime, from, bytes);
    }
  if (runtime->rank != 0)
    ok = send_own (runtime, own);
#endif
  if (ok)
    return g_steal_pointer (&all);
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_MPI,
                       "MPI does not tell rank 0 what the other ranks know");
  return NULL;
}

/**
 * armilla_runtime_kind:
 * @runtime: the runtime
 *
 * Returns: (transfer full): all that decides on the last bits of results beside the workflow:
 *   instruction set, kinds of workers, what was tuned. The same on all ranks, and for any number of
 *   ranks and of workers of one kind
 */
char *
armilla_runtime_kind (ArmillaRuntime *runtime)
{
  g_autofree char *tuned
    = runtime->tuning != NULL ? armilla_tuning_choices (runtime->tuning) : NULL;

  return g_strdup_printf ("%s %s %s\n%s", armilla_isa_name (runtime->isa),
                          runtime->gpus ? "cuda" : "cpu",
                          runtime->tuning_workers != NULL ? runtime->tuning_workers : "",
                          tuned != NULL ? tuned : "");
}

/**
 * armilla_runtime_n_ranks_here:
 * @runtime: the runtime
 *
 * Returns: ranks on this machine, which share its memory
 */
int
armilla_runtime_n_ranks_here (ArmillaRuntime *runtime)
{
  int n = 0;

  for (int r = 0; r < runtime->n_ranks; r++)
    n += strcmp (runtime->launched[r].host, runtime->launched[runtime->rank].host) == 0;
  return n;
}

/**
 * armilla_runtime_most:
 * @runtime: the runtime
 * @number: a number
 *
 * Collective: every rank calls it at the same point.
 *
 * Returns: the largest @number of all ranks, the same on each
 */
gint64
armilla_runtime_most (ArmillaRuntime *runtime, gint64 number)
{
#ifdef HAVE_MPI
  if (runtime->mpi
      && MPI_Allreduce (MPI_IN_PLACE, &number, 1, MPI_INT64_T, MPI_MAX, runtime->comm)
           != MPI_SUCCESS)
    return G_MAXINT64;
#else
  (void) runtime;
#endif
  return number;
}
