/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Communication between ranks outside of task graphs. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime-private.h"

#define MAX_MESSAGE (1 << 30) /* maximum size of a message, since MPI counts in an int */

#ifdef HAVE_MPI
gboolean
armilla_mpi_check (int status, const char *call, GError **error)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;

  if (status == MPI_SUCCESS)
    return TRUE;
  if (MPI_Error_string (status, text, &length) != MPI_SUCCESS)
    g_snprintf (text, sizeof text, "error %d", status);
  return armilla_fail (error, ARMILLA_ERROR_MPI, "%s: %s", call, text);
}

#endif

void
armilla_runtime_end_ranks (void)
{
#ifdef HAVE_MPI
  int initialized = 0;

  if (MPI_Initialized (&initialized) == MPI_SUCCESS && initialized
      && MPI_Abort (MPI_COMM_WORLD, EXIT_FAILURE) != MPI_SUCCESS)
    g_warning ("MPI cannot end the other ranks");
#endif
}

#ifdef HAVE_MPI
/* Like MPI_Wait (), but sleeps: ranks with less than a core each would otherwise take the core from
 * the rank that they wait for. Returns FALSE if MPI fails. */
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

/* Returns when all ranks have called it, or MPI fails. Collective. */
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

#ifdef HAVE_MPI
static GError *
broadcast_error (ArmillaRuntime *runtime, int from, const GError *local, GError **error)
{
  int head[2] = { 0, 0 }; /* code, length of the message */
  g_autofree char *text = NULL;
  GError *result;

  if (runtime->rank == from)
    {
      head[0] = local->domain == ARMILLA_ERROR ? local->code : ARMILLA_ERROR_IO;
      head[1] = (int) strlen (local->message);
    }
  if (!armilla_mpi_check (MPI_Bcast (head, 2, MPI_INT, from, runtime->comm), "MPI_Bcast", error))
    return NULL;
  text = g_malloc0 ((gsize) head[1] + 1);
  if (runtime->rank == from)
    memcpy (text, local->message, (gsize) head[1]);
  if (!armilla_mpi_check (MPI_Bcast (text, head[1], MPI_CHAR, from, runtime->comm), "MPI_Bcast",
                          error))
    return NULL;
  if (runtime->rank == from || runtime->n_ranks == 1)
    result = g_error_copy (local);
  else
    result = g_error_new (ARMILLA_ERROR, head[0], "rank %d: %s", from, text);
  return result;
}
#endif

gboolean
armilla_runtime_agree (ArmillaRuntime *runtime, GError *local, GError **error)
{
#ifdef HAVE_MPI
  if (runtime->mpi)
    {
      int n = runtime->n_ranks;
      /* Numeric errors come last: the rank may have read undefined values of another rank that
       * failed. */
      gboolean numeric = g_error_matches (local, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC)
                         || g_error_matches (local, ARMILLA_ERROR, ARMILLA_ERROR_CONVERGENCE);
      int first = !local ? 2 * n : numeric ? n + runtime->rank : runtime->rank;
      g_autoptr (GError) own = local;

      if (!armilla_mpi_check (MPI_Allreduce (MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN,
                                             runtime->comm),
                              "MPI_Allreduce", error))
        return FALSE;
      if (first == 2 * n)
        return TRUE;
      GError *agreed = broadcast_error (runtime, first % n, own, error);
      if (agreed)
        g_propagate_error (error, agreed);
      return FALSE;
    }
#endif
  (void) runtime;
  if (local)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  return TRUE;
}

/* Broadcasts @bytes of rank 0. Collective, at the same point on all ranks. Returns whether all
 * ranks have them. */
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
  for (guint64 first = 0; first < length; first += MAX_MESSAGE)
    if (MPI_Bcast (bytes->data + first, (int) MIN (MAX_MESSAGE, length - first), MPI_BYTE, 0,
                   runtime->comm)
        != MPI_SUCCESS)
      goto fail;
  return TRUE;

fail:
  return armilla_fail (error, ARMILLA_ERROR_MPI,
                       "MPI cannot send data of rank 0 to the other ranks");
#else
  (void) runtime;
  (void) bytes;
  (void) error;
  return TRUE;
#endif
}

#ifdef HAVE_MPI
/* Receives the data of rank @from on rank 0, in several messages if they are too large for one. */
static gboolean
receive_from (ArmillaRuntime *runtime, int from, GByteArray *bytes)
{
  guint64 length;

  if (MPI_Recv (&length, 1, MPI_UINT64_T, from, 0, runtime->comm, MPI_STATUS_IGNORE)
      != MPI_SUCCESS)
    return FALSE;
  g_byte_array_set_size (bytes, (guint) length);
  for (guint64 first = 0; first < length; first += MAX_MESSAGE)
    if (MPI_Recv (bytes->data + first, (int) MIN (MAX_MESSAGE, length - first), MPI_BYTE, from,
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
  for (guint64 first = 0; first < length; first += MAX_MESSAGE)
    if (MPI_Send (bytes->data + first, (int) MIN (MAX_MESSAGE, length - first), MPI_BYTE, 0, 0,
                  runtime->comm)
        != MPI_SUCCESS)
      return FALSE;
  return TRUE;
}
#endif

/* Gathers data on rank 0. Collective. Returns on rank 0 the data of each rank, on the others an
 * empty list; NULL on error. @own: data of this rank, below 4 GiB. */
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
  return armilla_fail_null (error, ARMILLA_ERROR_MPI,
                            "MPI cannot send data of the other ranks to rank 0");
}

/* Describes everything outside of the workflow on which the last bits of results depend:
 * instruction set, kinds of workers, tuning. The numbers of ranks and workers do not matter. */
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

/* Returns the number of ranks on this machine, which share its memory. */
int
armilla_runtime_n_local_ranks (ArmillaRuntime *runtime)
{
  int n = 0;

  for (int r = 0; r < runtime->n_ranks; r++)
    n += strcmp (runtime->launched[r].host, runtime->launched[runtime->rank].host) == 0;
  return n;
}

/* Returns the maximum of @number over all ranks, on each of them. Collective, at the same point on
 * all ranks. */
gint64
armilla_runtime_max (ArmillaRuntime *runtime, gint64 number)
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
