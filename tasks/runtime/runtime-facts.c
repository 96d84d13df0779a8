/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a runtime knows of itself, its clock, and its workers' sleep. */
#include "config.h"

#include "tasks/runtime/runtime-private.h"

/* Returns the environment variable that says a launcher such as mpirun started this process;
 * NULL if there is none. */
const char *
armilla_runtime_launcher (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]))
      return names[i];
  return NULL;
}

/* Returns where StarPU's own events will be written as a Paje trace, if nothing fails; NULL
 * where StarPU was built without FxT, or records nothing. */
const char *
armilla_runtime_paje (ArmillaRuntime *runtime)
{
  return runtime->paje;
}

int
armilla_runtime_rank (ArmillaRuntime *runtime)
{
  return runtime->rank;
}

int
armilla_runtime_n_ranks (ArmillaRuntime *runtime)
{
  return runtime->n_ranks;
}

/* Returns the time of the machine that computes, be it a simulated one, from some moment on; s. */
double
armilla_runtime_seconds (void)
{
  return 1e-6 * starpu_timing_now ();
}

/* Puts the workers to sleep until a thread waits for tasks. Otherwise they look for tasks all the
 * time, at the cost of whatever else this machine does: a thread that submits tasks as well. */
void
armilla_runtime_rest (ArmillaRuntime *runtime)
{
  if (g_atomic_int_compare_and_exchange (&runtime->resting, FALSE, TRUE))
    starpu_pause ();
}

/* Ends armilla_runtime_rest (), before waiting for tasks. */
void
armilla_runtime_wake (ArmillaRuntime *runtime)
{
  if (g_atomic_int_compare_and_exchange (&runtime->resting, TRUE, FALSE))
    starpu_resume ();
}
