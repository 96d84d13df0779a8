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

/**
 * ARMILLA_BENCHMARK_SPINS:
 *
 * The most fields and pairs of fields of a map of a benchmark.
 */
#define ARMILLA_BENCHMARK_SPINS 8

/**
 * ArmillaBenchmarkCase:
 * @analysis: map to a_lm (no iterations) instead of a_lm to map
 * @grid: (transfer none): the grid
 * @layout: layout of the a_lm
 * @batch: number of maps that are transformed together, at least 1
 * @spins: spins of a map's fields, a pair of fields for each above 0: 0, 2 for I, Q, U; copied
 * @n_spins: how many; 0: one, of spin 0
 * @resident: whether data stay in the memory of the worker that made them; otherwise they come
 *   from the machine's memory and go back there at every call
 * @tiling: how data are cut
 * @kernel: (nullable) (transfer none): the map is convolved with it; %NULL: a transform is timed
 * @convolution: how it is convolved ring by ring; where its cut is 0, through a_lm up to
 *   @layout's lmax
 * @legendre: how transforms sum over degrees; a table that butterfly names is made if it is not
 *   there
 *
 * What is timed: the task graph of a transform or of a convolution, as workflows submit it.
 */
typedef struct {
  gboolean analysis;
  ArmillaGrid *grid;
  ArmillaAlmLayout layout;
  int batch;
  int spins[ARMILLA_BENCHMARK_SPINS];
  int n_spins;
  gboolean resident;
  ArmillaTilingOptions tiling;
  ArmillaKernel *kernel;
  ArmillaRingConvolution convolution;
  ArmillaLegendreOptions legendre;
} ArmillaBenchmarkCase;

/**
 * ArmillaBenchmark:
 *
 * A transform that can be timed again and again. Every rank of a run does the same.
 */
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
