/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries of a runtime, its clock, and putting its workers to sleep. */
#include "config.h"

#include "tasks/runtime/runtime-private.h"

/* Returns the environment variable that identifies a launcher such as mpirun; NULL if none. */
const char *
armilla_runtime_launcher (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]))
      return names[i];
  return NULL;
}

/* Returns the path of the Paje trace of StarPU's events; NULL without FxT or if not recorded. */
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

/* Returns the time on StarPU's clock in seconds since an arbitrary moment; in a simulation,
 * simulated time. */
double
armilla_runtime_seconds (void)
{
  return 1e-6 * starpu_timing_now ();
}

/* Puts the workers to sleep until a thread waits for tasks. Otherwise they poll for tasks and slow
 * down other threads, such as the submitting one. */
void
armilla_runtime_pause (ArmillaRuntime *runtime)
{
  if (g_atomic_int_compare_and_exchange (&runtime->resting, FALSE, TRUE))
    starpu_pause ();
}

/* Ends armilla_runtime_pause (), before waiting for tasks. */
void
armilla_runtime_wake (ArmillaRuntime *runtime)
{
  if (g_atomic_int_compare_and_exchange (&runtime->resting, TRUE, FALSE))
    starpu_resume ();
}

/* Returns the threads that share work with the submitting one. */
ArmillaTeam *
armilla_runtime_team (ArmillaRuntime *runtime)
{
  const int n = runtime->cpu_workers > 0 ? runtime->cpu_workers : (int) g_get_num_processors ();

  if (!runtime->team)
    runtime->team = armilla_team_new (n);
  return runtime->team;
}

/* A batch of tasks, which the team numbers from the start of the team. */
typedef struct {
  ArmillaTeamRun run;
  gpointer user;
  gint64 first;
} Batch;

static void
run_numbered (gpointer user, gint64 task, int member)
{
  const Batch *self = user;

  self->run (self->user, task - self->first, member);
}

void
armilla_runtime_use_cores (ArmillaRuntime *runtime, gint64 n_tasks, ArmillaTeamRun run,
                           gpointer user)
{
  ArmillaTeam *team = armilla_runtime_team (runtime);
  Batch batch = { run, user, 0 };

  starpu_pause ();
  batch.first = armilla_team_begin (team, G_MAXINT, run_numbered, &batch);
  armilla_team_add (team, n_tasks);
  armilla_team_finish (team);
  starpu_resume ();
}
