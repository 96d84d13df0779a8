/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `armilla bench` times: a transform or a convolution, call by call. Functions are called by
 * the thread that has started the runtime, on every rank alike and in the same order. */
#pragma once

#include <armilla/alm.h>
#include <armilla/data.h>
#include <armilla/runtime.h>

#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/harmonic/harmonic.h"

G_BEGIN_DECLS

/* The most fields and pairs of fields of a map of a benchmark. */
#define ARMILLA_BENCHMARK_SPINS 8

/* What is timed: the task graph of a transform or of a convolution, as workflows submit it. */
typedef struct {
  gboolean analysis;           /* map to a_lm (no iterations) instead of a_lm to map */
  ArmillaGrid *grid;           /* (transfer none): the grid */
  ArmillaAlmLayout layout;     /* layout of the a_lm */
  int batch;                   /* number of maps that are transformed together, at least 1 */
  /* spins of a map's fields, a pair of fields for each above 0: 0, 2 for I, Q, U; copied */
  int spins[ARMILLA_BENCHMARK_SPINS];
  int n_spins;                 /* how many; 0: one, of spin 0 */
  /* whether data stay in the memory of the worker that made them; otherwise they come from the
   * machine's memory and go back there at every call */
  gboolean resident;
  ArmillaTilingOptions tiling; /* how data are cut */
  /* (transfer none): the map is convolved with it; NULL: a transform is timed */
  ArmillaKernel *kernel;
  /* how it is convolved ring by ring; where its cut is 0, through a_lm up to layout's lmax */
  ArmillaRingConvolution convolution;
  /* how transforms sum over degrees; a table that butterfly names is made if it is not there */
  ArmillaLegendreOptions legendre;
} ArmillaBenchmarkCase;

/* A transform that can be timed again and again. Every rank of a run does the same. */
typedef struct _ArmillaBenchmark ArmillaBenchmark;

ArmillaBenchmark *armilla_benchmark_new (ArmillaRuntime *runtime, const ArmillaBenchmarkCase *what,
                                         GError **error);
gboolean armilla_benchmark_call (ArmillaBenchmark *self, double *seconds, GError **error);
double armilla_benchmark_first_seconds (ArmillaBenchmark *self);
ArmillaGraph *armilla_benchmark_graph (ArmillaBenchmark *self);
double armilla_benchmark_flops (ArmillaBenchmark *self);
double armilla_benchmark_bytes (ArmillaBenchmark *self);
void armilla_benchmark_free (ArmillaBenchmark *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaBenchmark, armilla_benchmark_free)

G_END_DECLS
