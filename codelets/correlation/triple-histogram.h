/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Triangles by the bins of their sides. Raw pointers. */
#pragma once

#include <stdint.h>

#include "codelets/correlation/cells.h"
#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaTripleShape:
 * @n_bins: number of bins
 * @equal: whether only triangles count whose sides are in one bin
 * @within: whether all three objects are of one catalogue; otherwise the apex is of another
 * @isa: instruction set (CPU kernels only), #ArmillaIsa
 * @first_leaf: first leaf of apexes
 * @n_leaves: how many
 * @slots: of the apexes and of the others: words of a row of the points
 * @strides: of the apexes and of the others: words of a row of the nodes
 * @n_nodes: of the others, the last @n_roots of which are roots
 * @n_roots: likewise
 * @reach: the most objects that can be within the last edge of an apex
 * @tests: about how many pairs of neighbours there are, for the cost
 *
 * An apex is the first object of a triangle in the order of the slots, or the one of the other
 * catalogue. Edges are those of #ArmillaPairShape.
 */
typedef struct {
  int64_t n_bins;
  int32_t equal, within, isa;
  int64_t first_leaf, n_leaves;
  int64_t slots[2], strides[2], n_nodes, n_roots, reach;
  double tests;
} ArmillaTripleShape;

/**
 * ArmillaTripleInput:
 * @edges: [2][n_bins + 2]
 * @points: of the apexes and of the others
 * @nodes: likewise
 *
 * What the kernels read.
 */
typedef struct {
  const double *edges;
  const double *points[2], *nodes[2];
} ArmillaTripleInput;

/* Entries of the histogram, and words. */
int64_t armilla_triple_entries (const ArmillaTripleShape *shape);
/* Words of scratch that the CPU needs. */
int64_t armilla_triple_histogram_scratch (const ArmillaTripleShape *shape);
void armilla_triple_histogram_cpu (const ArmillaTripleShape *shape,
                                   const ArmillaTripleInput *input, int64_t *words,
                                   double *scratch);
/* For each leaf of apexes how many objects of the others may be within the last edge. */
void armilla_triple_reach (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                           int64_t *reach);

/* CUDA kernel: everything but the shape in device memory. */
/* Words of scratch. */
int64_t armilla_triple_histogram_device_scratch (const ArmillaTripleShape *shape);
int armilla_triple_histogram_launch (const ArmillaTripleShape *shape,
                                     const ArmillaTripleInput *input, int64_t *words,
                                     double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
