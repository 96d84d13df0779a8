/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "codelets/common/isa.h"
#include "tasks/memory/bound.h"
#include "tasks/runtime/starpu-mpi.h"
#include "tasks/runtime/runtime.h"
#include "tasks/runtime/team.h"
#include "tasks/tuning/launch.h"
#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

/* Policies for moving blocks of a shared graph between ranks. */
typedef enum {
  ARMILLA_MIGRATE_AUTO,  /* move blocks if that gains more than it costs */
  ARMILLA_MIGRATE_OFF,   /* never */
  ARMILLA_MIGRATE_RANDOM /* at random: all blocks that may move */
} ArmillaMigrate;

struct _ArmillaRuntime {
  int rank, n_ranks;
  gboolean mpi;           /* whether mpirun launched the process and StarPU-MPI has started */
  gboolean own_mpi;       /* whether this runtime called MPI_Init_thread */
  gboolean half_started;  /* whether StarPU runs on some ranks only, and cannot be stopped on any */
#ifdef HAVE_MPI
  MPI_Comm comm;          /* communicator for agreements between ranks */
  MPI_Comm tasks;         /* communicator of StarPU */
#endif
  const ArmillaProcess *process; /* properties of the program's process; may be NULL */
  ArmillaIsa isa;         /* instruction set common to all ranks */
  ArmillaTuning *tuning;  /* tuning of new graphs, the same on every rank; NULL: defaults */
  const char *tuning_workers; /* kind of workers for the tuning, see ArmillaTuneClass */
  int max_workers;       /* maximum number of workers over all ranks */
  gboolean gpus;          /* whether any rank has GPUs */
  gboolean cores;         /* whether any rank computes on cores */
  gint64 epochs_bytes; /* maximum bytes of tiles of epochs in flight if GPUs compute; otherwise 0 */
  int gpu_ranks;          /* number of ranks with GPUs */
  gint64 gpu_bytes;       /* memory of the smallest GPU of this rank; 0: none or unknown */
  int cpu_workers;        /* number of CPU workers of this rank */
  int n_gpus;             /* number of GPUs driven by workers of this rank */
  double measuring;       /* seconds spent measuring the peaks of the machine; 0: cached */
  gboolean models;        /* whether the scheduler requests expected times of tasks */
  int resting;            /* atomic: whether the workers sleep until a thread waits for tasks */
  int cores_bound;        /* number of cores this process may run on */
  guint64 *cpus_before;   /* affinity before ranks divided the cores; NULL: not divided */
  int n_sharing;          /* number of ranks that divided them; 0: not divided */
  ArmillaLaunched *launched; /* [rank]: how it was launched */
  double *speeds;         /* [rank]: estimated speed */
  double rate;            /* speed of a core, measured before StarPU started; 0 with one rank */
  ArmillaMigrate migrate; /* policy for moving blocks, the same on every rank, like the seed */
  gint64 migrate_seed;
  gint64 next_tag;        /* next MPI tag; the same sequence on every rank */
  GThreadPool *io;        /* threads that read, write and draw */
  ArmillaTeam *team;      /* threads that help the submitting one; NULL until needed */
  /* atomic: operation, other than tasks, for which this rank waits; NULL: none */
  const char *phase;
  GMutex lock;            /* guards graphs */
  GList *graphs;          /* graphs that a cancellation of the runtime cancels */
  char *fxt_folder;       /* folder of StarPU's own events; NULL: not recorded */
  char *paje;             /* path of the Paje trace */
  gboolean traced;        /* whether the trace of a successful graph was written */
  ArmillaBound *bound;    /* limit of the resident size; NULL: none */
  char *private_folder;   /* temporary folder of StarPU; NULL: it uses the user's */
  /* values of the environment variables before they were changed for private_folder */
  char *redirected[2];
  char *note;             /* note for the user about StarPU's folder; NULL: none */
  char cancelled[128];    /* reason of a cancellation that was requested while there was no graph;
                           * it cancels the next graph */
};

/* Work for an I/O thread. */
typedef struct {
  void (*run) (gpointer user);
  gpointer user;
} ArmillaIoJob;

void armilla_runtime_wake (ArmillaRuntime *runtime);
void armilla_runtime_barrier (ArmillaRuntime *runtime);
#ifdef HAVE_MPI
gboolean armilla_mpi_check (int status, const char *call, GError **error);
gboolean armilla_mpi_wait_asleep (MPI_Request *request);
#endif
void armilla_runtime_share_cores (ArmillaRuntime *runtime, int wanted);
void armilla_runtime_return_cores (ArmillaRuntime *runtime);
void armilla_runtime_find_rates (ArmillaRuntime *runtime);
void armilla_runtime_keep_rates (ArmillaRuntime *runtime);
gboolean armilla_runtime_exchange_launches (ArmillaRuntime *runtime, GError **error);
void armilla_runtime_io_push (ArmillaRuntime *runtime, void (*run) (gpointer), gpointer user);
gboolean armilla_runtime_is_cancelled (ArmillaRuntime *runtime);
void armilla_runtime_add_graph (ArmillaRuntime *runtime, ArmillaGraph *graph);
gboolean armilla_runtime_set_bound (ArmillaRuntime *runtime, const ArmillaRuntimeOptions *options,
                                    GError **error);
gboolean armilla_runtime_begin_bound (ArmillaRuntime *runtime, GError **error);
void armilla_runtime_fail (ArmillaRuntime *runtime, const GError *error);
void armilla_runtime_find_progress (gpointer runtime, gint64 *sum, gint64 *left);
gboolean armilla_runtime_if_failed (gpointer runtime, GFunc call, gpointer data);
void armilla_runtime_remove_graph (ArmillaRuntime *runtime, ArmillaGraph *graph);
void armilla_runtime_abandon (ArmillaRuntime *runtime, const GError *error);
void armilla_runtime_die (ArmillaRuntime *runtime, const char *reason);

/* Returns the name of the variable by which mpirun identifies itself, or NULL. */
const char *armilla_runtime_launcher (void);

ArmillaTeam *armilla_runtime_team (ArmillaRuntime *runtime);
/* Runs @n_tasks tasks on the calling thread and on others, together as many as there are CPU
 * workers, which sleep meanwhile. For work of the host that needs all cores, even if only GPUs run
 * tasks. */
void armilla_runtime_use_cores (ArmillaRuntime *runtime, gint64 n_tasks, ArmillaTeamRun run,
                            gpointer user);

G_END_DECLS
