/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tasks/tuning/launch.h"

#include <string.h>

/* Fraction of the peak that the recurrence reaches: half of a core's while other cores are busy; on
 * a GPU 19.4 (synthesis) and 13.8 (adjoint) of 30.4 Tflop/s (doc/measurements/performance.md). */
#define CORE_SHARE 0.5
#define GPU_SHARE 0.55

/* Fails unless all ranks run the same program. */
gboolean
armilla_launch_check (const ArmillaLaunched *ranks, int n_ranks, GError **error)
{
  for (int r = 1; r < n_ranks; r++)
    if (strcmp (ranks[r].version, ranks[0].version) != 0
        || strcmp (ranks[r].build, ranks[0].build) != 0)
      {
        gboolean same = strcmp (ranks[r].version, ranks[0].version) == 0;

        return armilla_fail (error, ARMILLA_ERROR_MPI,
                             "rank %d on %s runs %s%.16s, rank 0 on %s runs %s%.16s; install "
                             "the same program on all nodes, or start it by its full name on a "
                             "shared file system", r, ranks[r].host,
                             same ? "build " : ranks[r].version, same ? ranks[r].build : "",
                             ranks[0].host,
                             same ? "build " : ranks[0].version, same ? ranks[0].build : "");
      }
  return TRUE;
}

static gboolean
is_neighbour (const ArmillaLaunched *a, const ArmillaLaunched *b)
{
  return strcmp (a->host, b->host) == 0;
}

static gboolean
share_cores (const ArmillaLaunched *a, const ArmillaLaunched *b)
{
  for (gsize i = 0; i < G_N_ELEMENTS (a->cores); i++)
    if (a->cores[i] & b->cores[i])
      return TRUE;
  return FALSE;
}

/* Warns if the workers of a rank have to share cores. */
static void
warn_binding (GString *text, const ArmillaLaunched *ranks, int n_ranks, gboolean mpi)
{
  for (int r = 0; r < n_ranks; r++)
    {
      const ArmillaLaunched *rank = &ranks[r];

      if (rank->cores_bound <= 0 || rank->cpu_workers <= rank->cores_bound)
        continue;
      if (n_ranks > 1)
        g_string_append_printf (text, "rank %d on %s: ", r, rank->host);
      g_string_append_printf (text,
                              "%d CPU workers share the %d core(s) that this process is bound to; "
                              "%s\n",
                              rank->cpu_workers, rank->cores_bound,
                              mpi ? "give mpirun --bind-to none, or set STARPU_NCPU"
                                  : "see taskset(1), or set STARPU_NCPU");
      return; /* the other ranks were launched in the same way */
    }
}

/* Warns of ranks of one machine that use the same cores. */
static void
warn_crowding (GString *text, const ArmillaLaunched *ranks, int n_ranks)
{
  for (int r = 0; r < n_ranks; r++)
    {
      const ArmillaLaunched *rank = &ranks[r];
      gint64 workers = 0;
      int neighbours = 0;

      for (int q = 0; q < n_ranks; q++)
        if (is_neighbour (rank, &ranks[q]) && share_cores (rank, &ranks[q]))
          {
            workers += ranks[q].cpu_workers;
            neighbours++;
          }
      if (neighbours < 2 || workers <= rank->n_cores
          || rank->cpu_workers > rank->cores_bound)
        continue;
      g_string_append_printf (text,
                              "%d ranks on %s have %" G_GINT64_FORMAT " CPU workers for %d "
                              "cores; launch one rank per machine or GPU, or set STARPU_NCPU to "
                              "the cores of each rank\n",
                              neighbours, rank->host, workers, rank->n_cores);
      return;
    }
}

static void
warn_gpus (GString *text, const ArmillaLaunched *ranks, int n_ranks)
{
  for (int r = 1; r < n_ranks; r++)
    {
      g_auto (GStrv) places = g_strsplit (ranks[r].gpus, " ", -1);

      for (int q = 0; q < r; q++)
        for (char **place = places; is_neighbour (&ranks[r], &ranks[q]) && *place != NULL; place++)
          if (**place != '\0' && strstr (ranks[q].gpus, *place) != NULL)
            {
              g_string_append_printf (text,
                                      "ranks %d and %d on %s use the same GPU (%s); give each "
                                      "rank its own by CUDA_VISIBLE_DEVICES, or launch one rank "
                                      "per machine\n",
                                      q, r, ranks[r].host, *place);
              return;
            }
    }
}

static void
warn_cap (GString *text, const ArmillaLaunched *ranks, int n_ranks)
{
  for (int r = 0; r < n_ranks; r++)
    if (!ranks[r].workers_chosen && ranks[r].cpu_workers >= ranks[r].max_cpu_workers
        && ranks[r].cores_bound > ranks[r].max_cpu_workers)
      {
        if (n_ranks > 1)
          g_string_append_printf (text, "rank %d on %s: ", r, ranks[r].host);
        g_string_append_printf (text,
                                "this StarPU was built for at most %d CPU workers, but there are "
                                "%d cores; build-aux/build-starpu builds one without that limit\n",
                                ranks[r].max_cpu_workers, ranks[r].cores_bound);
        return;
      }
}

/* Returns a line for each problem that makes a run slow; NULL if there are none. Problems: a rank
 * bound to fewer cores than it has workers (Open MPI binds each of up to two ranks to one core),
 * ranks that share cores or GPUs, a StarPU that cannot use all cores. */
char *
armilla_launch_warnings (const ArmillaLaunched *ranks, int n_ranks, gboolean mpi)
{
  GString *text = g_string_new (NULL);

  warn_binding (text, ranks, n_ranks, mpi);
  warn_crowding (text, ranks, n_ranks);
  warn_gpus (text, ranks, n_ranks);
  warn_cap (text, ranks, n_ranks);
  return g_string_free (text, text->len == 0);
}

/* Returns the number of ranks that compute on GPUs. */
int
armilla_launch_gpu_ranks (const ArmillaLaunched *ranks, int n_ranks)
{
  int n = 0;

  for (int r = 0; r < n_ranks; r++)
    n += *ranks[r].gpus != '\0';
  return n;
}

/* Returns the number of earlier ranks on the same machine, which measure before this one. */
int
armilla_launch_turn (const ArmillaLaunched *ranks, int rank)
{
  int before = 0;

  for (int r = 0; r < rank; r++)
    before += is_neighbour (&ranks[r], &ranks[rank]);
  return before;
}

static int
count_cores (const ArmillaLaunched *rank)
{
  return rank->cores_bound > 0 ? MIN (rank->cpu_workers, rank->cores_bound) : rank->cpu_workers;
}

/* Returns the number of GPUs of a rank; a GPU that n ranks share counts as 1 / n. */
static double
count_gpus (const ArmillaLaunched *ranks, int n_ranks, int rank)
{
  g_auto (GStrv) places = g_strsplit (ranks[rank].gpus, " ", -1);
  double n = 0;

  for (char **place = places; *place != NULL; place++)
    {
      int users = 0;

      for (int r = 0; **place != '\0' && r < n_ranks; r++)
        if (is_neighbour (&ranks[r], &ranks[rank]))
          {
            g_auto (GStrv) theirs = g_strsplit (ranks[r].gpus, " ", -1);

            users += g_strv_contains ((const char *const *) theirs, *place);
          }
      n += users > 0 ? 1.0 / users : 0;
    }
  return n;
}

/* Returns the estimated flop/s of a rank; 0 if the peak of a device is unknown. */
static double
flops_of (const ArmillaLaunched *ranks, int n_ranks, int rank)
{
  double gpus = count_gpus (ranks, n_ranks, rank);
  int cores = count_cores (&ranks[rank]);

  if ((gpus > 0 && !(ranks[rank].gpu_flops > 0)) || (cores > 0 && !(ranks[rank].core_flops > 0)))
    return 0;
  return GPU_SHARE * gpus * ranks[rank].gpu_flops
         + CORE_SHARE * cores * ranks[rank].core_flops;
}

/* Estimates the relative speeds of ranks before any task has run: without GPUs from the number of
 * cores and their measured speed; with GPUs from the peaks of cores and GPUs times the fraction
 * that kernels reach. If a peak is unknown, all ranks count as equal. */
void
armilla_launch_speeds (const ArmillaLaunched *ranks, int n_ranks, double *speeds)
{
  gboolean gpus = armilla_launch_gpu_ranks (ranks, n_ranks) > 0, known = TRUE;

  for (int r = 0; r < n_ranks; r++)
    {
      speeds[r] = gpus ? flops_of (ranks, n_ranks, r)
                       : ranks[r].rate * MAX (count_cores (&ranks[r]), 1);
      known = known && speeds[r] > 0;
    }
  for (int r = 0; !known && r < n_ranks; r++)
    speeds[r] = 1;
}
