/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tasks of a convolution by rings share: which input rings each output ring needs, at
 * which azimuths the kernel is sampled, and how many orders are kept; see doc/convolution.md. */
#pragma once

#include "codelets/convolution/convolve.h"
#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/**
 * ArmillaConvolvePiece:
 * @in_block: number of the input ring block
 * @fresh: whether it writes its output pairs for the first time
 * @gridding: what its gridding task is about
 * @reduction: what its reduction task is about, for one field
 * @groups: (array): [gridding.n_groups]
 * @first: (array): number of each output pair's first group; one more
 * @groups_handle: @groups, for StarPU
 * @first_handle: @first, for StarPU
 *
 * Some output pairs of a ring block with one input block.
 */
typedef struct {
  int in_block;
  gboolean fresh;
  ArmillaGriddingShape gridding;
  ArmillaReductionShape reduction;
  ArmillaConvolveGroup *groups;
  gint32 *first;
  starpu_data_handle_t groups_handle, first_handle;
} ArmillaConvolvePiece;

/**
 * ArmillaConvolvePlan:
 * @rings: ring blocks
 * @kernel: the kernel
 * @options: what was asked for
 * @table: its table
 * @band: degrees above this one do not matter
 * @mmax: (array): highest order of each ring block
 * @pieces: (array): for each output block, its pieces in the order of the input blocks
 * @first_in: (array): first input block of each output block
 * @last_in: (array): last one
 * @cosines: (array): what the groups point into
 * @n_cosines: number of doubles
 * @cosines_handle: @cosines, for StarPU
 * @terms_handle: the table's terms, for StarPU
 * @n_rows: input ring pairs of all output pairs
 * @polar_pairs: ring pairs from the poles on that are summed pixel by pixel
 * @n_fields: number of fields
 * @first_block: number of ring block 0 in the workers' plans
 * @scratch: of ring transforms and of sums pixel by pixel
 *
 * Made once a graph for equal kernels and options.
 */
typedef struct {
  ArmillaRingBlocks *rings;
  ArmillaKernel *kernel;
  ArmillaRingConvolution options;
  ArmillaKernelTable *table;
  gint64 band;
  gint64 *mmax;
  GArray **pieces;
  int *first_in, *last_in;
  double *cosines;
  gint64 n_cosines;
  starpu_data_handle_t cosines_handle, terms_handle;
  gint64 n_rows, polar_pairs;
  int n_fields;
  gint64 first_block;
  ArmillaTile scratch;
} ArmillaConvolvePlan;

/* Where estimates of errors end, as a part of the accuracy: what large scales lose of a kernel's
 * last degrees may be more than what noise does. */
#define ARMILLA_CONVOLVE_MIN_REPORTED 1e-4
/* Where nothing but the whole pixel sum will do. */
#define ARMILLA_CONVOLVE_EXACT 1e-9

gint64 armilla_convolve_order (double band, double sine, double tolerance);
gint64 armilla_convolve_circle (gint64 order);
double armilla_convolve_tolerance (const ArmillaRingConvolution *options);
ArmillaConvolvePlan *armilla_convolve_plan_new (ArmillaRingBlocks *rings, ArmillaKernel *kernel,
                                                const ArmillaRingConvolution *options,
                                                GError **error);
void armilla_convolve_plan_free (ArmillaConvolvePlan *plan);
const ArmillaConvolvePlan *armilla_graph_convolve_plan (ArmillaGraph *graph,
                                                        ArmillaRingBlocks *rings,
                                                        ArmillaKernel *kernel,
                                                        const ArmillaRingConvolution *options,
                                                        int n_fields, GError **error);

/**
 * ArmillaConvolvePart:
 * @kernel: a kernel
 * @table: (nullable): its table, up to a cut, which is taken for it
 * @taken: (nullable): another kernel that is taken for it
 * @left: (nullable): what is left out of it, if that is known better than by a difference
 *
 * A kernel, and what a method makes of it, by one of the last three.
 */
typedef struct {
  const ArmillaKernel *kernel;
  const ArmillaKernelTable *table;
  const ArmillaKernel *taken, *left;
} ArmillaConvolvePart;

/* Roots of means of squares. */
typedef struct {
  double noise, lost, of_mean;
} ArmillaConvolveLost;

ArmillaConvolveLost armilla_convolve_lost (const ArmillaGrid *grid,
                                           const ArmillaConvolvePart *part, double reach,
                                           gint64 some);

/* Seconds of a convolution by rings, and through a_lm: as built-in rates have it. */
typedef struct {
  double ring, harmonic;
} ArmillaConvolvePrediction;

ArmillaConvolvePrediction armilla_convolve_predict (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                    ArmillaKernel *kernel,
                                                    const ArmillaConvolution *what, int n_fields);

G_END_DECLS
