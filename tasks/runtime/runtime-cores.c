/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the cores of this rank before StarPU binds its workers to them. */
#include "config.h"

#include <sched.h>
#include <string.h>

#include "tasks/runtime/core-share.h"
#include "tasks/runtime/runtime-private.h"

/* variables by which the user chooses cores; if one is set, nothing is changed */
static const char *const variables[] = { "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID",
                                         "STARPU_WORKERS_NOBIND" };

static gboolean
get_cpus (guint64 *cpus)
{
  cpu_set_t set;

  memset (cpus, 0, sizeof (guint64) * ARMILLA_CORE_WORDS);
  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return FALSE;
  for (int i = 0; i < MIN (CPU_SETSIZE, ARMILLA_MAX_CPUS); i++)
    if (CPU_ISSET (i, &set))
      cpus[i / 64] |= (guint64) 1 << i % 64;
  return TRUE;
}

/* Binds this thread and the threads that it starts later. */
static gboolean
set_cpus (const guint64 *cpus)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  for (int i = 0; i < MIN (CPU_SETSIZE, ARMILLA_MAX_CPUS); i++)
    if (cpus[i / 64] >> i % 64 & 1)
      CPU_SET (i, &set);
  return sched_setaffinity (0, sizeof set, &set) == 0;
}

#ifdef HAVE_MPI
/* Finds the core of each CPU: its first hyperthread or, if the kernel does not report it,
 * itself. */
static void
find_cores (int *core_of_cpu)
{
  for (int i = 0; i < ARMILLA_MAX_CPUS; i++)
    {
      g_autofree char *path
        = g_strdup_printf ("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", i);
      g_autofree char *text = NULL;
      int first = i;

      if (g_file_get_contents (path, &text, NULL, NULL))
        first = atoi (text);
      core_of_cpu[i] = first >= 0 && first < ARMILLA_MAX_CPUS ? first : i;
    }
}

/* Returns the number of cores that STARPU_NCPU names; 0 if it names none. */
static int
named_cores (void)
{
  const char *text = g_getenv ("STARPU_NCPU");
  const gint64 n = text ? g_ascii_strtoll (text, NULL, 10) : 0;

  return (int) CLAMP (n, 0, ARMILLA_MAX_CPUS);
}

/* Binds this thread to this rank's part of the cores that it shares with other ranks, before StarPU
 * starts. wanted: number of cores that the user requested; 0: what STARPU_NCPU names. Failures to
 * communicate are reported by later calls. Collective. */
void
armilla_runtime_share_cores (ArmillaRuntime *runtime, int wanted)
{
  g_autofree ArmillaCoreClaim *claims = g_new0 (ArmillaCoreClaim, runtime->n_ranks);
  g_autofree int *core_of_cpu = g_new (int, ARMILLA_MAX_CPUS);
  ArmillaCoreClaim *own = &claims[runtime->rank];
  guint64 cpus[ARMILLA_CORE_WORDS];
  int n;

  g_strlcpy (own->host, g_get_host_name (), sizeof own->host);
  own->wanted = wanted > 0 ? MIN (wanted, ARMILLA_MAX_CPUS) : named_cores ();
  own->chosen = !get_cpus (own->cpus);
  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    own->chosen |= g_getenv (variables[i]) != NULL;
  if (MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, claims, (int) sizeof *claims, MPI_BYTE,
                     runtime->comm)
        != MPI_SUCCESS
      || own->chosen)
    return;
  find_cores (core_of_cpu);
  n = armilla_core_share (claims, runtime->n_ranks, runtime->rank, core_of_cpu, cpus);
  if (n == 1 || !set_cpus (cpus))
    return;
  runtime->cpus_before = g_memdup2 (own->cpus, sizeof own->cpus);
  runtime->n_sharing = n;
}
#endif

/* Restores the calling thread's affinity of before armilla_runtime_share_cores (). */
void
armilla_runtime_return_cores (ArmillaRuntime *runtime)
{
  if (runtime->cpus_before && !set_cpus (runtime->cpus_before))
    g_debug ("the affinity of this thread cannot be restored");
  g_clear_pointer (&runtime->cpus_before, g_free);
}
