/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into one rank of several, so that it is still there when the launcher has seen that
 * another one has failed, and ends what is left: by SIGTERM, and a second later by SIGKILL.
 * The launcher of a busy machine may take long to do so. */
#include "config.h"

#include <unistd.h>

#define SECONDS 60

int PMPI_Finalize (void);
int MPI_Finalize (void);

int
MPI_Finalize (void)
{
  const int status = PMPI_Finalize ();

  sleep (SECONDS);
  return status;
}
