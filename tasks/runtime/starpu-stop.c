/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PAPI, which StarPU may be built with (Debian 13's is), leaves SIGPROF ignored when StarPU stops.
 * The program's profiler would receive no further signals. */
#include "config.h"

#include "tasks/runtime/starpu-stop.h"

#include <signal.h>

#include "tasks/runtime/starpu-mpi.h"

/* Stops StarPU, and StarPU-MPI if it was started, preserving SIGPROF's action. Only one thread may
 * call it at a time. Returns a negative number if StarPU-MPI does not stop. */
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
