/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/runtime/core-share.h"

#include <string.h>

static gboolean
has (const guint64 *cpus, int cpu)
{
  return cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Returns whether two ranks may use the same cores of a machine, and neither user chose cores. */
static gboolean
is_alike (const ArmillaCoreClaim *a, const ArmillaCoreClaim *b)
{
  return !a->chosen && !b->chosen && strcmp (a->host, b->host) == 0
         && memcmp (a->cpus, b->cpus, sizeof a->cpus) == 0;
}

/* Ranks of one machine with the same cores. */
typedef struct {
  int n, n_open;       /* number of ranks; of those without a requested number of cores */
  int wanted;          /* sum of the requested numbers */
  int number, n_open_before, wanted_before; /* index of this rank among them; of those before it */
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

/* Divides cores among ranks that a launcher bound to the same ones, which would all bind their
 * workers to the first of them. Each rank gets whole cores in order: as many as requested; the rest
 * is divided equally among ranks without a request, or among all; later ranks get the remainder.
 * Nothing changes if ranks have cores of their own, the user chose cores, or there are too few.
 * core_of_cpu: the core of each CPU of the machine of rank, up to 1023. Returns the number of ranks
 * that share the cores of rank; 1 if cpus are all of them. */
int
armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank, const int *core_of_cpu,
                    guint64 *cpus)
{
  const Alike alike = find_alike (claims, n_ranks, rank);
  const int n_parts = alike.n_open > 0 ? alike.n_open : alike.n; /* ranks that share the rest */
  const int part = alike.n_open > 0 ? alike.n_open_before : alike.number;
  int number[ARMILLA_MAX_CPUS] = { 0 }; /* index of a core among those of the claim; 0: not among
                                         * them */
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
