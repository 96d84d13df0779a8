/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks that share a graph, as far as its tasks depend on them. Plain data: a graph that one
 * rank has for itself sees that rank alone, and a forecast sees ranks that are not there. */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

/**
 * ArmillaView:
 * @rank: number of this rank
 * @n_ranks: how many share the graph
 * @mpi: whether StarPU-MPI moves tiles between them
 * @comm: their communicator, where it does
 * @isa: instruction set of the CPU kernels, the same on all ranks
 * @gpus: whether any rank has some
 * @cores: whether any rank computes on some
 * @gpu_ranks: how many ranks have some
 * @max_workers: of any rank
 * @epochs_bytes: of tiles that epochs in flight may have where GPUs compute; else 0
 * @speeds: (array length=n_ranks): how fast ranks were when they started
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
