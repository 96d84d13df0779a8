/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/runtime/core-share.h"

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

/* Ranks of one machine that are alike. */
typedef struct {
  int n, n_open;       /* all; those whose user named no number of cores */
  int wanted;          /* sum of the numbers that were named */
  int number, n_open_before, wanted_before; /* of this rank among them; of those before it */
} Alike;

static Alike
find_alike (const ArmillaCoreClaim *claims, int n_ranks, int rank)
{
  Alike alike = { 0 };

  for (int r = 0; r < n_ranks; r++)
    if (r == rank || is_alike (&claims[r], &claims[rank]))
      {
        alike.n++;
        alike.n_open += claims[r].wanted == 0;
        alike.wanted += claims[r].wanted;
        alike.number += r < rank;
        alike.n_open_before += r < rank && claims[r].wanted == 0;
        alike.wanted_before += r < rank ? claims[r].wanted : 0;
      }
  return alike;
}

/* Ranks that a launcher left the same cores would all bind their workers to the first of them.
 * They get parts of the cores instead, whole cores in order: as many as their user has named, and
 * equal parts of what is left go to those for which none were, or to all; later ranks get one more
 * if there is a remainder. Nothing changes if ranks have cores of their own, their user has chosen,
 * or there are fewer cores than they need. core_of_cpu: the core of each CPU of the machine of
 * rank, up to 1023. Returns the number of ranks that share the cores of rank; 1 if cpus are all of
 * them. */
int
armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank, const int *core_of_cpu,
                    guint64 *cpus)
{
  const Alike alike = find_alike (claims, n_ranks, rank);
  const int n_parts = alike.n_open > 0 ? alike.n_open : alike.n; /* of what is left */
  const int part = alike.n_open > 0 ? alike.n_open_before : alike.number;
  int number[ARMILLA_MAX_CPUS] = { 0 }; /* of a core among those of the claim; 0: not there */
  int n_cores = 0, left, begin, end;

  memcpy (cpus, claims[rank].cpus, sizeof claims[rank].cpus);
  for (int cpu = 0; cpu < ARMILLA_MAX_CPUS; cpu++)
    if (has (claims[rank].cpus, cpu) && number[core_of_cpu[cpu]] == 0)
      number[core_of_cpu[cpu]] = ++n_cores;
  left = n_cores - alike.wanted;
  if (alike.n == 1 || left < alike.n_open)
    return 1;
  begin = alike.wanted_before + left * part / n_parts;
  end = alike.wanted_before + claims[rank].wanted;
  end += left * (alike.n_open > 0 && claims[rank].wanted > 0 ? part : part + 1) / n_parts;
  for (int cpu = 0; cpu < ARMILLA_MAX_CPUS; cpu++)
    if (has (claims[rank].cpus, cpu))
      {
        const int core = number[core_of_cpu[cpu]] - 1;

        if (core < begin || core >= end)
          cpus[cpu / 64] &= ~((guint64) 1 << cpu % 64);
      }
  return alike.n;
}
