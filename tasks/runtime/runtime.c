/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sched.h>

#include "codelets/common/devices.h"
#include "core/base/memory.h"
#include "tasks/runtime/gpu-memory.h"
#include "tasks/memory/tile-memory.h"
#include "tasks/runtime/block-deal.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/first-start.h"
#include "tasks/runtime/nap.h"
#include "tasks/runtime/starpu-stop.h"
#include "tasks/runtime/fxt.h"

/* number of I/O threads; more than cores, since they wait for disks */
#define IO_THREADS 4

static void
run_io_job (gpointer data, gpointer user)
{
  ArmillaIoJob *job = data;

  (void) user;
  job->run (job->user);
  g_free (job);
}

/* Queues work for the I/O threads; never blocks. */
void
armilla_runtime_io_push (ArmillaRuntime *runtime, void (*run) (gpointer), gpointer user)
{
  ArmillaIoJob *job = g_new (ArmillaIoJob, 1);

  job->run = run;
  job->user = user;
  /* The pool is exclusive: all threads exist from the beginning, so that pushing cannot fail. */
  if (!g_thread_pool_push (runtime->io, job, NULL))
    g_warning ("an I/O thread cannot be started");
}

static void
tell_ended (ArmillaRuntime *runtime)
{
  if (runtime->process && runtime->process->ended)
    runtime->process->ended (runtime->process->user);
}

#ifdef HAVE_MPI
/* Duplicates the communicator: one for agreements between ranks, one for StarPU's messages. */
static gboolean
join (ArmillaRuntime *runtime, const MPI_Comm *given, GError **error)
{
  MPI_Comm whole = given ? *given : MPI_COMM_WORLD;

  runtime->tasks = MPI_COMM_WORLD;
  return armilla_mpi_check (MPI_Comm_dup (whole, &runtime->comm), "MPI_Comm_dup", error)
         && (!given
             || armilla_mpi_check (MPI_Comm_dup (whole, &runtime->tasks), "MPI_Comm_dup", error))
         && armilla_mpi_check (MPI_Comm_set_errhandler (runtime->comm, MPI_ERRORS_RETURN),
                               "MPI_Comm_set_errhandler", error)
         && armilla_mpi_check (MPI_Comm_rank (runtime->comm, &runtime->rank), "MPI_Comm_rank",
                               error)
         && armilla_mpi_check (MPI_Comm_size (runtime->comm, &runtime->n_ranks), "MPI_Comm_size",
                               error);
}

static gboolean
start_mpi (ArmillaRuntime *runtime, const MPI_Comm *given, GError **error)
{
  int provided = 0, initialized = 0;

  if (!armilla_mpi_check (MPI_Initialized (&initialized), "MPI_Initialized", error))
    return FALSE;
  if (!initialized && given)
    return armilla_fail (error, ARMILLA_ERROR_MPI,
                         "a communicator was given, but MPI is not initialised: call "
                         "MPI_Init_thread first, with MPI_THREAD_MULTIPLE");
  if (!initialized)
    {
      if (!armilla_mpi_check (MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &provided),
                              "MPI_Init_thread", error))
        return FALSE;
      runtime->own_mpi = TRUE;
    }
  else if (!armilla_mpi_check (MPI_Query_thread (&provided), "MPI_Query_thread", error))
    return FALSE;
  if (!join (runtime, given, error))
    return FALSE;
  if (provided >= MPI_THREAD_MULTIPLE)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MPI,
                       "this MPI library lacks MPI_THREAD_MULTIPLE; use one that was built with "
                       "it");
}

static void
stop_mpi (ArmillaRuntime *runtime)
{
  g_autoptr (GError) error = NULL;

  g_atomic_pointer_set (&runtime->phase, "MPI, which stops");
  if (runtime->comm != MPI_COMM_NULL
      && !armilla_mpi_check (MPI_Comm_free (&runtime->comm), "MPI_Comm_free", &error))
    {
      g_warning ("%s", error->message);
      g_clear_error (&error);
    }
  if (runtime->tasks != MPI_COMM_WORLD && runtime->tasks != MPI_COMM_NULL
      && !armilla_mpi_check (MPI_Comm_free (&runtime->tasks), "MPI_Comm_free", &error))
    {
      g_warning ("%s", error->message);
      g_clear_error (&error);
    }
  if (runtime->own_mpi && !armilla_mpi_check (MPI_Finalize (), "MPI_Finalize", &error))
    g_warning ("%s", error->message);
}
#endif

static gboolean
expects_gpus (const ArmillaRuntimeOptions *options)
{
  const char *wanted = g_getenv ("STARPU_NCUDA");

  return !options->without_gpus && (!wanted || atoi (wanted) != 0)
         && armilla_cuda_device_count () > 0;
}

/* Returns the number of workers in an environment variable; -1: not set. */
static int
workers_wanted (const char *variable)
{
  const char *wanted = g_getenv (variable);

  return wanted ? atoi (wanted) : -1;
}

/* Sets the numbers of workers if the options choose cores or exclude GPUs. StarPU then ignores its
 * environment variables, so both numbers are set here. */
static void
choose_workers (struct starpu_conf *conf, const ArmillaRuntimeOptions *options)
{
  if (options->cores == 0 && !options->without_gpus)
    return;
  conf->precedence_over_environment_variables = 1;
  conf->ncpus = options->cores > 0 ? options->cores : workers_wanted ("STARPU_NCPU");
  conf->ncuda = options->without_gpus ? 0 : workers_wanted ("STARPU_NCUDA");
}

/* Rejects invalid values of a variable, at which StarPU would exit. */
static gboolean
check_workers_wanted (const char *variable, GError **error)
{
  const char *wanted = g_getenv (variable);

  if (!wanted || !*wanted || g_ascii_string_to_signed (wanted, 10, 0, G_MAXINT, NULL, NULL))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                       "%s: \"%s\" is not a number of workers", variable, wanted);
}

/* Chooses StarPU's scheduling policy. With one kind of workers, stealing from the nearest worker is
 * as fast as any other policy, honours priorities and needs no performance models. With cores and
 * GPUs, tasks are assigned by expected times. */
static void
choose_policy (struct starpu_conf *conf, const ArmillaRuntimeOptions *options)
{
  if (!expects_gpus (options))
    conf->sched_policy_name = "lws";
  else if (!(conf->sched_policy = armilla_nap_policy ("dmdas")))
    /* StarPU reports an unknown policy with a list of those available */
    conf->sched_policy_name = "dmdas";
}

#ifdef HAVE_MPI
/* Lets the thread of StarPU-MPI share the cores of the workers, unless the user sets the number of
 * workers: it sleeps most of the time, but StarPU-MPI would reserve a core for it. Workers are
 * bound to cores that this rank may use. */
static void
share_with_mpi (struct starpu_conf *conf)
{
  if (!g_getenv ("STARPU_MPI_THREAD_CPUID") && !g_getenv ("STARPU_MPI_THREAD_COREID"))
    {
      g_setenv ("STARPU_MPI_NOBIND", "1", FALSE);
      if (!g_getenv ("STARPU_RESERVE_NCPU"))
        conf->reserve_ncpus = -2; /* StarPU-MPI adds one; negative means none */
    }
  g_setenv ("STARPU_WORKERS_GETBIND", "1", FALSE); /* default of StarPU 1.4 only */
}
#endif

static gboolean
start_starpu (ArmillaRuntime *runtime, const ArmillaRuntimeOptions *options, GError **error)
{
  struct starpu_conf conf;
  int status;

  (void) runtime; /* unused without MPI */
  status = starpu_conf_init (&conf);
  if (status != 0)
    return armilla_fail (error, ARMILLA_ERROR_NO_WORKER, "StarPU has no configuration: %s",
                         g_strerror (-status));
  conf.catch_signals = 0;
  choose_workers (&conf, options);
  if (!g_getenv ("STARPU_SCHED"))
    choose_policy (&conf, options);
#ifdef HAVE_MPI
  if (runtime->mpi)
    share_with_mpi (&conf);
  if (runtime->mpi)
    status = starpu_mpi_init_conf (NULL, NULL, 0, runtime->tasks, &conf);
  else
#endif
    status = starpu_init (&conf);
  if (status != 0)
    return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                         "StarPU cannot start: %s; STARPU_NCPU and STARPU_NCUDA must leave at "
                         "least one worker", g_strerror (-status));
  return TRUE;
}

static void
stop_starpu (ArmillaRuntime *runtime)
{
  int status;

  g_atomic_pointer_set (&runtime->phase, "StarPU, which stops");
  status = armilla_starpu_stop (runtime->mpi);
  if (status != 0)
    g_warning ("StarPU-MPI cannot stop: %s", g_strerror (-status));
  armilla_tile_memory_stop ();
}

/* Starts StarPU on all ranks, unless a rank has failed before (@local). If it starts on some ranks
 * only, neither StarPU nor MPI can be stopped on these, so that the process must end. */
static gboolean
start_everywhere (ArmillaRuntime *runtime, const ArmillaRuntimeOptions *options, GError *local,
                  GError **error)
{
  gboolean started = !local && armilla_runtime_set_bound (runtime, options, &local)
                     && start_starpu (runtime, options, &local);

#ifdef HAVE_MPI
  if (runtime->mpi && runtime->n_ranks > 1)
    {
      g_autoptr (GError) shared = NULL;
      int n_started = started;

      if (armilla_mpi_check (
              MPI_Allreduce (MPI_IN_PLACE, &n_started, 1, MPI_INT, MPI_SUM, runtime->comm),
              "MPI_Allreduce", &shared)
          && n_started == runtime->n_ranks)
        return TRUE;
      if (!shared && armilla_runtime_agree (runtime, g_steal_pointer (&local), &shared))
        g_set_error (&shared, ARMILLA_ERROR, ARMILLA_ERROR_MPI, "%d of %d ranks have not started",
                     runtime->n_ranks - n_started, runtime->n_ranks);
      if (n_started > 0)
        {
          /* rank 0 prints the error and aborts the others, which wait in the barrier */
          if (runtime->rank == 0 || !runtime->process
              || MPI_Barrier (runtime->comm) == MPI_SUCCESS)
            armilla_runtime_abandon (runtime, shared);
          runtime->half_started = TRUE;
        }
      g_clear_error (&local);
      g_propagate_error (error, g_steal_pointer (&shared));
      return FALSE;
    }
#endif
  if (local)
    g_propagate_error (error, local);
  return started;
}

static int
count_bound_cores (void)
{
  cpu_set_t set;

  return sched_getaffinity (0, sizeof set, &set) == 0 ? CPU_COUNT (&set) : 0;
}

/* Counts the GPUs; several workers may drive the same one. */
static int
count_gpus (void)
{
  int n = 0;

  for (int w = 0; w < (int) starpu_worker_get_count (); w++)
    {
      gboolean first = starpu_worker_get_type (w) == STARPU_CUDA_WORKER;

      for (int v = 0; first && v < w; v++)
        first = starpu_worker_get_type (v) != STARPU_CUDA_WORKER
                || starpu_worker_get_devid (v) != starpu_worker_get_devid (w);
      n += first;
    }
  return n;
}

/* Returns the maximum MiB of tiles of epochs in flight on this rank: a quarter of the smallest
 * GPU's memory, at most a sixteenth of the machine's; G_MAXINT without GPUs. */
static int
find_room (gint64 gpu_bytes)
{
  gint64 machine = (gint64) armilla_memory_installed () >> 20;

  if (starpu_cuda_worker_get_count () == 0)
    return G_MAXINT;
  return (int) MIN ((gpu_bytes >> 20) / 4, machine / 16);
}

/* Agrees on one instruction set, so that all ranks round alike; and on the number of workers, on
 * GPUs and their memory, so that all ranks submit alike. */
static gboolean
agree_on_workers (ArmillaRuntime *runtime, GError **error)
{
  gint64 gpu_bytes = armilla_gpu_memory_find ();
  int maxima[5] = { -(int) armilla_isa_detect (), (int) starpu_worker_get_count (),
                    (int) starpu_cuda_worker_get_count (), -find_room (gpu_bytes),
                    (int) starpu_cpu_worker_get_count () };

  runtime->gpu_bytes = gpu_bytes;
  runtime->cpu_workers = (int) starpu_cpu_worker_get_count ();
  runtime->n_gpus = count_gpus ();
  runtime->models = runtime->n_gpus > 0 || g_getenv ("STARPU_SCHED");
#ifdef HAVE_MPI
  if (runtime->mpi
      && !armilla_mpi_check (MPI_Allreduce (MPI_IN_PLACE, maxima, G_N_ELEMENTS (maxima), MPI_INT,
                                            MPI_MAX, runtime->comm),
                             "MPI_Allreduce", error))
    return FALSE;
#else
  (void) error;
#endif
  runtime->isa = -maxima[0];
  runtime->max_workers = maxima[1];
  runtime->gpus = maxima[2] > 0;
  runtime->cores = maxima[4] > 0;
  runtime->epochs_bytes = runtime->gpus ? (gint64) -maxima[3] << 20 : 0;
  return TRUE;
}

/* Suppresses messages of StarPU and hwloc, unless the user has set these environment variables;
 * armilla_runtime_warnings() reports what users need to know. Called before there are other threads
 * that could read the environment. */
static void
silence_libraries (void)
{
  if (!g_getenv ("STARPU_SILENT"))
    g_setenv ("STARPU_SILENT", "1", FALSE);
  if (!g_getenv ("HWLOC_HIDE_ERRORS"))
    g_setenv ("HWLOC_HIDE_ERRORS", "2", FALSE);
}

static gint64
room_for_tiles (gpointer user)
{
  return armilla_bound_for_tiles (((ArmillaRuntime *) user)->bound);
}

static void
out_of_memory (gpointer user, gsize bytes)
{
  char text[256];

  g_snprintf (text, sizeof text,
              "out of memory: cannot allocate a tile of %.1f MiB; lower nside or lmax, choose a "
              "smaller ring-block or more m-blocks, or use more ranks",
              (double) bytes / 1048576);
  armilla_runtime_die (user, text);
}

/* Starts MPI if a launcher started this process or the caller has a communicator. */
static gboolean
begin_mpi (ArmillaRuntime *runtime, const ArmillaRuntimeOptions *options, GError **error)
{
  const void *given = options->communicator;
  const char *launcher = options->alone ? NULL : armilla_runtime_launcher ();

#ifdef HAVE_MPI
  runtime->comm = runtime->tasks = MPI_COMM_NULL;
  runtime->mpi = given || launcher;
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
  if (given)
    {
      runtime->mpi = FALSE;
      return armilla_fail (error, ARMILLA_ERROR_MPI,
                           "a communicator given by the caller needs StarPU 1.4 or later; this "
                           "Armilla was built with StarPU %d.%d", STARPU_MAJOR_VERSION,
                           STARPU_MINOR_VERSION);
    }
#endif
  return !runtime->mpi || start_mpi (runtime, given, error);
#else
  (void) runtime;
  if (given)
    return armilla_fail (error, ARMILLA_ERROR_MPI,
                         "a communicator was given, but this Armilla was built without MPI");
  if (!launcher)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MPI,
                       "started by mpirun (%s is set), but this armilla was built without MPI",
                       launcher);
#endif
}

/* Exchanges settings between ranks before any of them computes. Fails on all ranks or on none. */
static gboolean
meet (ArmillaRuntime *runtime, GError **error)
{
  GError *local = NULL;

  if (!armilla_runtime_begin_bound (runtime, error)
      || !armilla_runtime_exchange_launches (runtime, error) || !agree_on_workers (runtime, error))
    return FALSE;
  armilla_runtime_find_rates (runtime);
  runtime->io = g_thread_pool_new (run_io_job, NULL, IO_THREADS, TRUE, &local);
  return armilla_runtime_agree (runtime, local, error);
}

/* Frees a runtime whose StarPU does not run. */
static void
give_up (ArmillaRuntime *runtime)
{
#ifdef HAVE_MPI
  if (runtime->mpi)
    stop_mpi (runtime);
#endif
  g_clear_pointer (&runtime->bound, armilla_bound_free);
  tell_ended (runtime);
  armilla_first_start_end (runtime);
  armilla_runtime_return_cores (runtime);
  g_mutex_clear (&runtime->lock);
  g_free (runtime->fxt_folder);
  g_free (runtime->paje);
  g_free (runtime);
}

ArmillaRuntime *
armilla_runtime_start (GError **error)
{
  const ArmillaRuntimeOptions options = { 0 };

  return armilla_runtime_start_with (&options, error);
}

ArmillaRuntime *
armilla_runtime_start_with (const ArmillaRuntimeOptions *options, GError **error)
{
  ArmillaRuntime *runtime = g_new0 (ArmillaRuntime, 1);
  g_autoptr (GError) mistake = NULL;
  GError *local = NULL;
  gboolean started = FALSE;

  silence_libraries ();
  if (options->trace)
    armilla_fxt_begin (runtime, options->trace);
  runtime->n_ranks = 1;
  runtime->next_tag = 1;
  g_mutex_init (&runtime->lock);
  runtime->process = options->process;
  g_atomic_pointer_set (&runtime->phase, "StarPU, which measures this machine once");
  if ((!runtime->process || !runtime->process->begins
       || runtime->process->begins (runtime->process->user, runtime, &local))
      && check_workers_wanted ("STARPU_NCPU", &local)
      && check_workers_wanted ("STARPU_NCUDA", &local))
    armilla_first_start (runtime, &local); /* CUDA's threads inherit the program's signal mask */
  g_atomic_pointer_set (&runtime->phase, "MPI, which starts");
  if (begin_mpi (runtime, options, &mistake))
    {
      g_atomic_pointer_set (&runtime->phase, "StarPU, which starts");
#ifdef HAVE_MPI
      if (runtime->n_ranks > 1)
        armilla_runtime_share_cores (runtime, options->cores);
#endif
      runtime->cores_bound = count_bound_cores ();
      if (runtime->n_ranks > 1 && !g_getenv ("ARMILLA_SPEEDS"))
        runtime->rate = armilla_block_deal_rate ();
      started = start_everywhere (runtime, options, g_steal_pointer (&local), &mistake);
    }
  g_clear_error (&local);
  if (started)
    {
      g_atomic_pointer_set (&runtime->phase, NULL);
      armilla_tile_memory_start (runtime->bound ? room_for_tiles : NULL, out_of_memory, runtime);
      if (meet (runtime, &mistake))
        return runtime;
    }
  /* The error is printed before this rank exits, since the launcher then kills the other ranks. */
  if (options->tell && runtime->rank == 0)
    options->tell (mistake);
  g_propagate_error (error, g_steal_pointer (&mistake));
  if (started)
    armilla_runtime_stop (runtime);
  else if (!runtime->half_started) /* a half-started StarPU would wait forever */
    give_up (runtime);
  return NULL;
}

void
armilla_runtime_stop (ArmillaRuntime *runtime)
{
  armilla_runtime_wake (runtime);
  armilla_team_free (runtime->team);
  if (runtime->io)
    g_thread_pool_free (runtime->io, FALSE, TRUE);
  armilla_runtime_keep_rates (runtime);
  if (runtime->bound)
    armilla_bound_end (runtime->bound);
  stop_starpu (runtime);
  g_clear_pointer (&runtime->bound, armilla_bound_free);
  armilla_fxt_end (runtime);
#ifdef HAVE_MPI
  if (runtime->mpi)
    stop_mpi (runtime);
#endif
  tell_ended (runtime);
  armilla_first_start_end (runtime);
  armilla_runtime_return_cores (runtime);
  armilla_tuning_unref (runtime->tuning);
  g_free (runtime->launched);
  g_free (runtime->speeds);
  g_mutex_clear (&runtime->lock);
  g_free (runtime);
}
