/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "codelets/common/devices.h"
#include "core/base/build-identity.h"
#include "tasks/runtime/block-deal.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/tuning/peaks-file.h"

static void
describe_self (ArmillaRuntime *runtime, ArmillaLaunched *self)
{
  g_autofree char *build = armilla_build_identity ((const void *) describe_self);
  cpu_set_t set;

  g_strlcpy (self->host, g_get_host_name (), sizeof self->host);
  g_strlcpy (self->version, PACKAGE_STRING, sizeof self->version);
  g_strlcpy (self->build, build, sizeof self->build);
  for (int w = 0; w < (int) starpu_worker_get_count (); w++)
    if (starpu_worker_get_type (w) == STARPU_CUDA_WORKER)
      {
        g_autofree char *place = armilla_cuda_device_place (starpu_worker_get_devid (w));

        g_strlcat (self->gpus, place, sizeof self->gpus);
        g_strlcat (self->gpus, " ", sizeof self->gpus);
      }
  if (sched_getaffinity (0, sizeof set, &set) == 0)
    for (int i = 0; i < MIN (CPU_SETSIZE, 64 * (int) G_N_ELEMENTS (self->cores)); i++)
      if (CPU_ISSET (i, &set))
        self->cores[i / 64] |= (guint64) 1 << i % 64;
  if (g_getenv ("ARMILLA_MIGRATE"))
    g_strlcpy (self->migrate, g_getenv ("ARMILLA_MIGRATE"), sizeof self->migrate);
  self->rate = runtime->rate;
  self->cores_bound = runtime->cores_bound;
  self->n_cores = (gint32) sysconf (_SC_NPROCESSORS_ONLN);
  self->cpu_workers = (gint32) starpu_cpu_worker_get_count ();
  self->max_cpu_workers = STARPU_MAXCPUS;
  self->workers_chosen = g_getenv ("STARPU_NCPU") != NULL;
}

/* Exchanges the peak rates of cores and GPUs, by which they are compared. Each machine caches its
 * rates in a file; without the file its ranks measure one after the other. */
static gboolean
exchange_peaks (ArmillaRuntime *runtime, GError **error)
{
  ArmillaLaunched *own = &runtime->launched[runtime->rank];
  g_autofree double *all = g_new0 (double, 2 * runtime->n_ranks);
  int turns = 0;

  for (int r = 0; r < runtime->n_ranks; r++)
    turns = MAX (turns, armilla_launch_turn (runtime->launched, r) + 1);
  for (int turn = 0; turn < turns; turn++)
    {
      if (turn == armilla_launch_turn (runtime->launched, runtime->rank))
        {
          ArmillaPeaks peaks;

          const double begin = armilla_runtime_seconds ();

          if (armilla_peaks_find (&peaks))
            runtime->measuring = armilla_runtime_seconds () - begin;
          all[2 * runtime->rank] = peaks.core_flops;
          all[2 * runtime->rank + 1] = *own->gpus != '\0' ? peaks.gpu_flops : 0;
        }
      armilla_runtime_barrier (runtime);
    }
#ifdef HAVE_MPI
  if (runtime->mpi
      && !armilla_mpi_check (MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_DOUBLE,
                                            runtime->comm),
                             "MPI_Allgather", error))
    return FALSE;
#else
  (void) error;
#endif
  for (int r = 0; r < runtime->n_ranks; r++)
    {
      runtime->launched[r].core_flops = all[2 * r];
      runtime->launched[r].gpu_flops = all[2 * r + 1];
    }
  return TRUE;
}

/* Estimates the speeds of ranks for the assignment of work before any task has run. */
static gboolean
find_speeds (ArmillaRuntime *runtime, GError **error)
{
  const char *said = runtime->n_ranks > 1 ? g_getenv ("ARMILLA_SPEEDS") : NULL;
  g_autoptr (GByteArray) words = g_byte_array_new ();

  runtime->speeds = g_new (double, runtime->n_ranks);
  /* The setting of rank 0 is used, since launchers may pass the environment to some nodes only. */
  if (said)
    g_byte_array_append (words, (const guint8 *) said, (guint) strlen (said) + 1);
  if (!armilla_runtime_share (runtime, words, error))
    return FALSE;
  if (words->len > 0)
    return armilla_block_deal_parse ((const char *) words->data, runtime->speeds,
                                     runtime->n_ranks, error);
  if (runtime->n_ranks > 1 && runtime->gpu_ranks > 0 && !exchange_peaks (runtime, error))
    return FALSE;
  armilla_launch_speeds (runtime->launched, runtime->n_ranks, runtime->speeds);
  armilla_block_deal_round (runtime->speeds, runtime->n_ranks);
  return TRUE;
}

/* Sets the migration policy on all ranks to the setting of rank 0. */
static gboolean
find_migrate (ArmillaRuntime *runtime, GError **error)
{
  const char *said = runtime->launched[0].migrate;
  gboolean seeded = g_str_has_prefix (said, "random:");
  guint64 seed = 0;

  if (*said == '\0' || strcmp (said, "auto") == 0)
    runtime->migrate = ARMILLA_MIGRATE_AUTO;
  else if (strcmp (said, "off") == 0)
    runtime->migrate = ARMILLA_MIGRATE_OFF;
  else if (strcmp (said, "random") == 0
           || (seeded
               && g_ascii_string_to_unsigned (said + strlen ("random:"), 10, 0, G_MAXINT32, &seed,
                                              NULL)))
    runtime->migrate = ARMILLA_MIGRATE_RANDOM;
  else
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "ARMILLA_MIGRATE is \"%s\"; must be auto, off, random, or random:SEED "
                         "with an integer up to %d", said, G_MAXINT32);
  runtime->migrate_seed = (gint64) seed;
  return TRUE;
}

/* Exchanges how ranks were launched and how fast they are, after StarPU has started. Fails if
 * they run different programs, or the user's speeds or migration setting are invalid.
 * Collective. */
gboolean
armilla_runtime_exchange_launches (ArmillaRuntime *runtime, GError **error)
{
  runtime->launched = g_new0 (ArmillaLaunched, runtime->n_ranks);
  describe_self (runtime, &runtime->launched[runtime->rank]);
#ifdef HAVE_MPI
  if (runtime->mpi
      && MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, runtime->launched,
                        (int) sizeof *runtime->launched, MPI_BYTE, runtime->comm)
           != MPI_SUCCESS)
    return armilla_fail (error, ARMILLA_ERROR_MPI, "MPI_Allgather failed");
#endif
  runtime->gpu_ranks = armilla_launch_gpu_ranks (runtime->launched, runtime->n_ranks);
  return armilla_launch_check (runtime->launched, runtime->n_ranks, error)
         && find_speeds (runtime, error) && find_migrate (runtime, error);
}
