/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages between the ranks of a session's communicator: before a call they check that all ranks
 * make it with valid arguments, since waiting for a rank that does not would block forever; after
 * it they exchange each rank's part of the result. */
#include "config.h"

#include <string.h>

#include "tasks/arrays/ranks.h"
#include "tasks/graph/graph-private.h"
#include "tasks/memory/bound.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime-private.h"

#define MAX_MESSAGE (1 << 30) /* maximum size of a message, since MPI counts in an int */

/* FNV-1a hash without the sign bit. */
static gint64
hash (const char *text)
{
  guint64 sum = 0xcbf29ce484222325;

  for (; *text; text++)
    sum = (sum ^ (guint8) *text) * 0x100000001b3;
  return (gint64) (sum >> 2);
}

/* Describes the mismatch on each rank whose call differs from that of rank 0. */
static GError *
compare (ArmillaRuntime *runtime, const char *call)
{
  g_autoptr (GByteArray) first = g_byte_array_new ();
  GError *error = NULL;

  g_byte_array_append (first, (const guint8 *) call, (guint) strlen (call) + 1);
  if (!armilla_runtime_share (runtime, first, &error)
      || strcmp ((const char *) first->data, call) == 0)
    return error;
  return g_error_new (ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                      "the ranks make different calls: this one %s, rank 0 %s; all ranks of a "
                      "communicator must make the same calls in the same order", call,
                      (const char *) first->data);
}

#ifdef HAVE_MPI
static gboolean
agree (ArmillaRuntime *runtime, const char *call, GError *wrong, GError **error)
{
  const gint64 mine = wrong ? 0 : hash (call);
  gint64 maxima[3] = { wrong != NULL, mine, -mine };
  MPI_Request request;

  if (!armilla_mpi_check (MPI_Iallreduce (MPI_IN_PLACE, maxima, G_N_ELEMENTS (maxima), MPI_INT64_T,
                                          MPI_MAX, runtime->comm, &request),
                          "MPI_Iallreduce", wrong ? NULL : error)
      || !armilla_mpi_wait_asleep (&request))
    {
      if (wrong)
        g_propagate_error (error, wrong);
      return FALSE;
    }
  if (maxima[0])
    return armilla_runtime_agree (runtime, wrong, error);
  if (maxima[1] == -maxima[2])
    return TRUE;
  return armilla_runtime_agree (runtime, compare (runtime, call), error);
}
#endif

/* Like armilla_session_enter (), but fails on all ranks or on none: if @wrong (taken) is set on one
 * of them, or if @call differs, a description that may be NULL if @wrong is set or the session has
 * no communicator. Collective if the session has a communicator. */
gboolean
armilla_ranks_enter (ArmillaSession *session, const char *call, GError *wrong, GError **error)
{
  gboolean ok = TRUE;

  if (wrong && !session->options.communicator)
    {
      g_propagate_error (error, wrong);
      return FALSE;
    }
  if (!armilla_session_enter (session, error))
    {
      g_clear_error (&wrong);
      return FALSE;
    }
  if (!wrong && session->runtime->bound)
    armilla_bound_settle (session->runtime->bound, &wrong);
#ifdef HAVE_MPI
  if (session->options.communicator)
    ok = agree (session->runtime, call, g_steal_pointer (&wrong), error);
#else
  (void) call;
#endif
  if (wrong)
    {
      g_propagate_error (error, wrong);
      ok = FALSE;
    }
  if (!ok)
    armilla_session_leave (session);
  return ok;
}

/* Broadcasts bytes from rank @from. Collective. */
gboolean
armilla_ranks_broadcast (ArmillaRuntime *runtime, int from, gpointer data, gsize size,
                         GError **error)
{
#ifdef HAVE_MPI
  for (gsize first = 0; runtime->n_ranks > 1 && first < size; first += MAX_MESSAGE)
    if (!armilla_mpi_check (MPI_Bcast ((char *) data + first,
                                       (int) MIN (MAX_MESSAGE, size - first), MPI_BYTE, from,
                                       runtime->comm),
                            "MPI_Bcast", error))
      return FALSE;
#else
  (void) runtime;
  (void) from;
  (void) data;
  (void) size;
  (void) error;
#endif
  return TRUE;
}

ArmillaStatus
armilla_session_refuse (ArmillaSession *session, const char *why, ArmillaFailure *failure)
{
  GError *error = NULL;

  armilla_ranks_enter (session, NULL,
                       g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                                            why ? why : "an argument is invalid"),
                       &error);
  return armilla_failure_set (failure, error);
}
