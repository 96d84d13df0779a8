/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks that share a graph, without StarPU and MPI state: this rank alone for a graph of its
 * own, hypothetical ranks for a forecast. */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

typedef struct {
  int rank;      /* number of this rank */
  int n_ranks;   /* number of ranks that share the graph */
  gboolean mpi;  /* whether StarPU-MPI moves tiles between them */
#ifdef HAVE_MPI
  MPI_Comm comm; /* communicator of these ranks if mpi */
#endif
  ArmillaIsa isa;       /* instruction set of the CPU kernels, the same on all ranks */
  gboolean gpus;        /* whether any rank has GPUs */
  gboolean cores;       /* whether any rank computes on cores */
  int gpu_ranks;        /* number of ranks with GPUs */
  int max_workers;      /* maximum number of workers over all ranks */
  gint64 epochs_bytes;  /* maximum bytes of tiles of epochs in flight if GPUs compute; else 0 */
  const double *speeds; /* (array length=n_ranks): speeds of the ranks at their start */
} ArmillaView;

void armilla_view_init (ArmillaView *self, const ArmillaRuntime *runtime);
void armilla_view_leave (ArmillaView *self);

G_END_DECLS
