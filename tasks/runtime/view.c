/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/runtime/view.h"

/* Sets the view to all ranks of a run, as seen from this one; the runtime must outlive it. */
void
armilla_view_init (ArmillaView *self, const ArmillaRuntime *runtime)
{
  *self = (ArmillaView) { .rank = runtime->rank,
                          .n_ranks = runtime->n_ranks,
                          .mpi = runtime->mpi,
#ifdef HAVE_MPI
                          .comm = runtime->tasks,
#endif
                          .isa = runtime->isa,
                          .gpus = runtime->gpus,
                          .cores = runtime->cores,
                          .gpu_ranks = runtime->gpu_ranks,
                          .max_workers = runtime->max_workers,
                          .epochs_bytes = runtime->epochs_bytes,
                          .speeds = runtime->speeds };
}

/* Reduces the view to this rank. Properties on which results depend, such as the instruction set
 * and whether GPUs compute, stay those of all ranks. */
void
armilla_view_leave (ArmillaView *self)
{
  self->mpi = FALSE;
  self->rank = 0;
  self->n_ranks = 1;
}
