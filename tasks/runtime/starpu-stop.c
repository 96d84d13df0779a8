/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops StarPU without changing the action of SIGPROF. PAPI, with which StarPU may be built (as on
 * Debian 13), leaves the signal ignored, and a profiler of the program would get no more
 * signals. */
#include "config.h"

#include "tasks/runtime/starpu-stop.h"

#include <signal.h>

#include "tasks/runtime/starpu-mpi.h"

/* Stops StarPU, and StarPU-MPI if @mpi is TRUE. Only one thread may call it at a time. Returns a
 * negative number if StarPU-MPI does not stop. */
int
armilla_starpu_stop (gboolean mpi)
{
  struct sigaction profiling;
  const gboolean known = sigaction (SIGPROF, NULL, &profiling) == 0;
  int status = 0;

#ifdef HAVE_MPI
  if (mpi)
    status = starpu_mpi_shutdown ();
  else
#endif
    starpu_shutdown ();
  (void) mpi; /* unused without MPI */
  if (known && sigaction (SIGPROF, &profiling, NULL) != 0)
    g_debug ("the action of SIGPROF cannot be restored");
  return status;
}
