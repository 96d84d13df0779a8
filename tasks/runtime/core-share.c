/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/runtime/core-share.h"

#include <string.h>

static gboolean
has (const guint64 *cpus, int cpu)
{
  return cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Returns whether two ranks of a machine may use the same cores, and neither user chose cores. */
static gboolean
is_alike (const ArmillaCoreClaim *a, const ArmillaCoreClaim *b)
{
  return !a->chosen && !b->chosen && strcmp (a->host, b->host) == 0
         && memcmp (a->cpus, b->cpus, sizeof a->cpus) == 0;
}

/* Ranks of one machine with the same cores. */
typedef struct {
  int n, n_open;       /* number of these ranks, and of those that request no number of cores */
  int wanted;          /* sum of the requested numbers */
  /* index of this rank among them, and the same sums over the ranks before it */
  int number, n_open_before, wanted_before;
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

/* Divides cores among ranks of a machine that a launcher has bound to the same cores; otherwise all
 * would bind their workers to the first of these. Each rank gets whole cores: as many as it
 * requests; the rest is divided equally among ranks without a request, or among all if there are
 * none, and the last ones get the remainder. Does nothing if a rank has cores of its own, if the
 * user chose cores, or if there are too few. @core_of_cpu: core of each CPU of the rank's machine,
 * up to 1023. Returns the number of ranks that share the cores; 1 if @cpus is unchanged. */
int
armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank, const int *core_of_cpu,
                    guint64 *cpus)
{
  const Alike alike = find_alike (claims, n_ranks, rank);
  const int n_parts = alike.n_open > 0 ? alike.n_open : alike.n; /* ranks that share the rest */
  const int part = alike.n_open > 0 ? alike.n_open_before : alike.number;
  /* 1-based index of each core among those that the ranks share; 0: not among them */
  int number[ARMILLA_MAX_CPUS] = { 0 };
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
