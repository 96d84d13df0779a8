/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the ranks of a run were launched, and what is unwise about it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* What a rank tells the others of itself; the same size everywhere. */
typedef struct {
  char host[64];          /* name of its machine */
  char version[32];       /* name and version of the program */
  char build[72];         /* see armilla_build_identity() */
  char gpus[256];         /* places of its GPUs, each followed by a blank */
  char migrate[32];       /* what ARMILLA_MIGRATE says there, cut off */
  guint64 cores[16];      /* first 1024 cores it may run on, a bit each */
  double rate;            /* speed of a core, see armilla_block_deal_rate() */
  double core_flops; /* operations a second of one of its cores, see ArmillaPeaks; 0: not known */
  double gpu_flops;       /* the same of one of its GPUs */
  gint32 cores_bound;     /* how many it may run on */
  gint32 cores_there;     /* how many its machine has */
  gint32 cpu_workers;     /* its CPU workers */
  gint32 max_cpu_workers; /* how many its StarPU can have */
  gint32 workers_chosen;  /* whether the user has said how many */
} ArmillaLaunched;

gboolean armilla_launch_check (const ArmillaLaunched *ranks, int n_ranks, GError **error);
char *armilla_launch_warnings (const ArmillaLaunched *ranks, int n_ranks, gboolean mpi);
int armilla_launch_gpu_ranks (const ArmillaLaunched *ranks, int n_ranks);
int armilla_launch_turn (const ArmillaLaunched *ranks, int rank);
void armilla_launch_speeds (const ArmillaLaunched *ranks, int n_ranks, double *speeds);

G_END_DECLS
