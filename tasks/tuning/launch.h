/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the ranks of a run were launched, and what is unwise about it. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaLaunched:
 * @host: name of its machine
 * @version: name and version of the program
 * @build: see armilla_build_identity()
 * @gpus: places of its GPUs, each followed by a blank
 * @cores: first 1024 cores it may run on, a bit each
 * @cores_bound: how many it may run on
 * @cores_there: how many its machine has
 * @cpu_workers: its CPU workers
 * @max_cpu_workers: how many its StarPU can have
 * @workers_chosen: whether the user has said how many
 * @rate: speed of a core, see armilla_block_deal_rate()
 * @core_flops: operations a second of one of its cores, see #ArmillaPeaks; 0: not known
 * @gpu_flops: the same of one of its GPUs
 * @migrate: what ARMILLA_MIGRATE says there, cut off
 *
 * What a rank tells the others of itself; the same size everywhere.
 */
typedef struct {
  char host[64], version[32], build[72], gpus[256], migrate[32];
  guint64 cores[16];
  double rate, core_flops, gpu_flops;
  gint32 cores_bound, cores_there, cpu_workers, max_cpu_workers, workers_chosen;
} ArmillaLaunched;

gboolean armilla_launch_check (const ArmillaLaunched *ranks, int n_ranks, GError **error);
char *armilla_launch_warnings (const ArmillaLaunched *ranks, int n_ranks, gboolean mpi);
int armilla_launch_gpu_ranks (const ArmillaLaunched *ranks, int n_ranks);
int armilla_launch_turn (const ArmillaLaunched *ranks, int rank);
void armilla_launch_speeds (const ArmillaLaunched *ranks, int n_ranks, double *speeds);

G_END_DECLS
