/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all StarPU codelets of Armilla share. */
#pragma once

#include <starpu.h>

#include "codelets/common/fault.h"

G_BEGIN_DECLS

/* CUDA implementations only launch on StarPU's stream; StarPU waits for the stream. */
#ifdef HAVE_CUDA
#define ARMILLA_CUDA(function) .cuda_funcs = { function }, .cuda_flags = { STARPU_CUDA_ASYNC },
#else
#define ARMILLA_CUDA(function)
#endif

/* The tasks name their buffers and access modes themselves: one codelet may write an output for the
 * first time (STARPU_W) or add to it (STARPU_RW). Every codelet refuses workers whose memory cannot
 * hold its buffers, since StarPU would try for ever. */
#define ARMILLA_CODELET(symbol, cpu, cuda, perfmodel)                                             \
  {                                                                                                \
    .cpu_funcs = { cpu }, .cpu_funcs_name = { #cpu }, ARMILLA_CUDA (cuda)                          \
    .nbuffers = STARPU_VARIABLE_NBUFFERS, .model = perfmodel, .name = symbol,                      \
    .can_execute = armilla_codelet_fits                                                            \
  }

int armilla_codelet_fits (unsigned worker, struct starpu_task *task, unsigned implementation);

/* Models are kept by kernel version: raise N in "armilla_NAME_vN" when a kernel's speed changes.
 * Tiles of equal work have equal sizes, which is what StarPU tells tasks apart by. */
#define ARMILLA_MODEL(name, version)                                                               \
  { .type = STARPU_HISTORY_BASED, .symbol = "armilla_" name "_v" version }

#define ARMILLA_BUFFER(i) ((double *) STARPU_VECTOR_GET_PTR (buffers[i]))

void armilla_codelet_check_cuda (ArmillaFault *fault, const char *codelet, int cuda_error);

G_END_DECLS
