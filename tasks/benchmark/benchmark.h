/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms and convolutions that `armilla bench` times call by call. Every rank calls these
 * functions in the same order, in the thread that started the runtime. */
#pragma once

#include <armilla/alm.h>
#include <armilla/data.h>
#include <armilla/runtime.h>

#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/harmonic/harmonic.h"

G_BEGIN_DECLS

/* maximum number of spins of a map; a pair of fields with spin counts once */
#define ARMILLA_BENCHMARK_SPINS 8

/* Operation to time: the task graph of a transform or a convolution, as workflows submit it. */
typedef struct {
  gboolean analysis;           /* map to a_lm (no iterations) instead of a_lm to map */
  ArmillaGrid *grid;           /* (transfer none): the grid */
  ArmillaAlmLayout layout;     /* layout of the a_lm */
  int batch;                   /* number of maps transformed together, at least 1 */
  /* spins of the fields of a map, copied. A spin above 0 stands for a pair of fields: I, Q, U have
   * the spins 0, 2 */
  int spins[ARMILLA_BENCHMARK_SPINS];
  int n_spins;                 /* number of spins; 0: one field of spin 0 */
  /* whether data stay in the memory of the worker that computed them; otherwise each call copies
   * them from host memory and back */
  gboolean resident;
  ArmillaTilingOptions tiling; /* how data are cut */
  /* (transfer none): kernel that convolves the map; NULL: a transform is timed */
  ArmillaKernel *kernel;
  /* options of the convolution by rings; if its cut is 0, the map is convolved through a_lm of
   * @layout */
  ArmillaRingConvolution convolution;
  /* method to sum over multipoles; the table that butterfly names is created if it is missing */
  ArmillaLegendreOptions legendre;
} ArmillaBenchmarkCase;

/* Transform that can be timed repeatedly. */
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
