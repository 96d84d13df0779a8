/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a session on all ranks or on none. */
#include "config.h"

#include <armilla/error.h>

#include "tasks/arrays/ranks-start.h"
#include "tasks/runtime/runtime-private.h"

/* Returns whether any rank fails. Without MPI the runtime detects that itself. */
static gboolean
fails_anywhere (const void *communicator, int fails, GError **error)
{
#ifdef HAVE_MPI
  const MPI_Comm comm = *(const MPI_Comm *) communicator;
  int runs = 0;

  if (MPI_Initialized (&runs) != MPI_SUCCESS || !runs)
    return fails;
  if (comm == MPI_COMM_NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "communicator: is MPI_COMM_NULL; only ranks of a communicator can have a "
                         "session on it");
  armilla_mpi_check (MPI_Allreduce (MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, comm),
                     "MPI_Allreduce", error);
#else
  (void) communicator;
  (void) error;
#endif
  return fails;
}

/* Fails on all ranks if one of them has an error, @local (taken). Collective if there is a
 * communicator (a pointer to the caller's MPI_Comm) and MPI runs. */
gboolean
armilla_ranks_agree_to_start (const void *communicator, GError *local, GError **error)
{
  GError *shared = NULL;

  if (communicator && fails_anywhere (communicator, local != NULL, &shared) && !local && !shared)
    shared = g_error_new (ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
                          "the session did not start on another rank of the communicator, whose "
                          "error gives the reason");
  if (local)
    g_clear_error (&shared);
  if (local || shared)
    g_propagate_error (error, local ? local : shared);
  return !local && !shared;
}
