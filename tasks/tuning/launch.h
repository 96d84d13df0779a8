/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the ranks of a run were launched, and warnings about it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Description that each rank sends to the others; the same size on all ranks. */
typedef struct {
  char host[64];          /* name of the rank's machine */
  char version[32];       /* name and version of the program */
  char build[72];         /* identity of the program, see armilla_build_identity() */
  char gpus[256];         /* PCI addresses of its GPUs, each followed by a blank */
  char migrate[32];       /* value of the environment variable ARMILLA_MIGRATE, truncated */
  guint64 cores[16];      /* bit mask of the first 1024 CPUs that it may run on */
  double rate;            /* speed of a core, see armilla_block_deal_rate() */
  double core_flops; /* flop/s of one of its cores, see ArmillaPeaks; 0: unknown */
  double gpu_flops;       /* flop/s of one of its GPUs; 0: unknown */
  gint32 cores_bound;     /* number of cores it may run on */
  gint32 n_cores;     /* number of cores of its machine */
  gint32 cpu_workers;     /* its CPU workers */
  gint32 max_cpu_workers; /* maximum number of CPU workers that its StarPU supports */
  gint32 workers_chosen;  /* whether the user set the number of workers */
} ArmillaLaunched;

gboolean armilla_launch_check (const ArmillaLaunched *ranks, int n_ranks, GError **error);
char *armilla_launch_warnings (const ArmillaLaunched *ranks, int n_ranks, gboolean mpi);
int armilla_launch_gpu_ranks (const ArmillaLaunched *ranks, int n_ranks);
int armilla_launch_turn (const ArmillaLaunched *ranks, int rank);
void armilla_launch_speeds (const ArmillaLaunched *ranks, int n_ranks, double *speeds);

G_END_DECLS
