/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks that share a graph, as seen by its tasks. Plain data: the graph of a single rank
 * contains that rank alone, and that of a forecast contains hypothetical ranks. */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

/**
 * ArmillaView:
 * @rank: number of this rank
 * @n_ranks: number of ranks that share the graph
 * @mpi: whether StarPU-MPI moves tiles between them
 * @comm: communicator of these ranks if @mpi
 * @isa: instruction set of the CPU kernels, the same on all ranks
 * @gpus: whether any rank has GPUs
 * @cores: whether any rank computes on cores
 * @gpu_ranks: number of ranks with GPUs
 * @max_workers: maximum number of workers over all ranks
 * @epochs_bytes: maximum bytes of tiles of epochs in flight if GPUs compute; else 0
 * @speeds: (array length=n_ranks): speeds of the ranks at their start
 */
typedef struct {
  int rank, n_ranks;
  gboolean mpi;
#ifdef HAVE_MPI
  MPI_Comm comm;
#endif
  ArmillaIsa isa;
  gboolean gpus, cores;
  int gpu_ranks;
  int max_workers;
  gint64 epochs_bytes;
  const double *speeds;
} ArmillaView;

void armilla_view_init (ArmillaView *self, const ArmillaRuntime *runtime);
void armilla_view_leave (ArmillaView *self);

G_END_DECLS
