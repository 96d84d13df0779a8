/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/ranks/core-share.h"

#include <string.h>

static gboolean
has (const guint64 *cpus, int cpu)
{
  return cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Whether two ranks may use the same cores of the same machine, and neither was told which. */
static gboolean
is_alike (const ArmillaCoreClaim *a, const ArmillaCoreClaim *b)
{
  return !a->chosen && !b->chosen && strcmp (a->host, b->host) == 0
         && memcmp (a->cpus, b->cpus, sizeof a->cpus) == 0;
}

/* Ranks that a launcher left the same cores would all bind their workers to the first of them.
 * They get parts of the cores instead: whole cores in order, the later ranks one more if there
 * is a remainder. Nothing changes if ranks have cores of their own, their user has chosen, or
 * there are fewer cores than ranks. core_of_cpu: the core of each CPU of the machine of rank, up
 * to 1023. Returns the number of ranks that share the cores of rank; 1 if cpus are all of them. */
int
armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank, const int *core_of_cpu,
                    guint64 *cpus)
{
  int number[ARMILLA_MAX_CPUS] = { 0 }; /* of a core among those of the claim; 0: not there */
  int n = 0, before = 0, n_cores = 0;

  memcpy (cpus, claims[rank].cpus, sizeof claims[rank].cpus);
  for (int r = 0; r < n_ranks; r++)
    if (r == rank || is_alike (&claims[r], &claims[rank]))
      {
        n++;
        before += r < rank;
      }
  for (int cpu = 0; cpu < ARMILLA_MAX_CPUS; cpu++)
    if (has (claims[rank].cpus, cpu) && number[core_of_cpu[cpu]] == 0)
      number[core_of_cpu[cpu]] = ++n_cores;
  if (n_cores < n)
    return 1;
  for (int cpu = 0; cpu < ARMILLA_MAX_CPUS; cpu++)
    if (has (claims[rank].cpus, cpu))
      {
        const int core = number[core_of_cpu[cpu]] - 1;

        if (core < n_cores * before / n || core >= n_cores * (before + 1) / n)
          cpus[cpu / 64] &= ~((guint64) 1 << cpu % 64);
      }
  return n;
}
