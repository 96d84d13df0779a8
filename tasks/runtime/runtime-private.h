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

/* When blocks of a graph that ranks share change their ranks. */
typedef enum {
  ARMILLA_MIGRATE_AUTO,  /* where that gains more than it costs */
  ARMILLA_MIGRATE_OFF,   /* never */
  ARMILLA_MIGRATE_RANDOM /* all of them, wherever they may, at random */
} ArmillaMigrate;

struct _ArmillaRuntime {
  int rank, n_ranks;
  gboolean mpi;           /* launched by mpirun: StarPU-MPI is up */
  gboolean own_mpi;       /* this runtime called MPI_Init_thread */
  gboolean half_started;  /* StarPU runs on some ranks only, and can be stopped on none */
#ifdef HAVE_MPI
  MPI_Comm comm;          /* agreements */
  MPI_Comm tasks;         /* what StarPU uses */
#endif
  const ArmillaProcess *process; /* may be NULL */
  ArmillaIsa isa;         /* the one all ranks have */
  ArmillaTuning *tuning;  /* for new graphs, NULL for the defaults; the same on every rank */
  const char *tuning_workers; /* see ArmillaTuneClass */
  int max_workers;       /* of any rank */
  gboolean gpus;          /* whether any rank has some */
  gboolean cores;         /* whether any rank computes on some */
  gint64 epochs_bytes;    /* of tiles that epochs in flight may have where GPUs compute; else 0 */
  int gpu_ranks;          /* how many ranks have some */
  gint64 gpu_bytes;       /* memory of the smallest GPU of this rank; 0: none, or not known */
  int cpu_workers;        /* of this rank */
  int n_gpus;             /* that workers of this rank drive */
  double measuring;       /* s that measuring the peaks of the machine took; 0: they were known */
  gboolean models;        /* the scheduler asks for the expected times of tasks */
  int resting;            /* atomic: the workers sleep until a thread waits for tasks */
  int cores_bound;        /* cores this process may run on */
  guint64 *cpus_before;   /* on which it might before ranks divided them; NULL: they did not */
  int n_sharing;          /* ranks that divided them; 0: none */
  ArmillaLaunched *launched; /* [n_ranks] */
  double *speeds;         /* [n_ranks] */
  double rate;            /* of a core, measured before StarPU started; 0 with one rank */
  ArmillaMigrate migrate; /* the same on every rank, as is the seed */
  gint64 migrate_seed;
  gint64 next_tag;        /* MPI tags; the same sequence on every rank */
  GThreadPool *io;        /* reading, writing, drawing */
  ArmillaTeam *team;      /* NULL until the first small graph, see in-thread.c */
  const char *phase;      /* atomic: what is waited for; NULL: for tasks, and what makes them */
  GMutex lock;            /* guards graphs */
  GList *graphs;          /* what a cancelled runtime cancels */
  char *fxt_folder;       /* what StarPU records itself; NULL: nothing */
  char *paje;             /* where that goes in the end */
  gboolean traced;        /* the trace of a graph that went well was written */
  ArmillaBound *bound;    /* of the resident size; NULL: none */
  char *private_folder;   /* temporary one of StarPU's; NULL: it uses the user's */
  char *redirected[2];    /* environment variables before that */
  char *note;             /* what the user should know about it; NULL: nothing */
  char cancelled[128];    /* why, where no graph was there; it cancels the next one */
};

/* A piece of work for the I/O threads. */
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

/* What mpirun's variables say: NULL, or the name of the variable that was found. */
const char *armilla_runtime_launcher (void);

G_END_DECLS
