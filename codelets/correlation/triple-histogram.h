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
 * @equal: whether only triangles with all sides in one bin are counted
 * @within: whether all three objects are from one catalogue; otherwise the apex is from another
 * @isa: instruction set (CPU kernels only), #ArmillaIsa
 * @first_leaf: first leaf of apexes
 * @n_leaves: number of leaves of apexes
 * @slots: words per row of the points, of the apexes and of the others
 * @strides: words per row of the nodes, of the apexes and of the others
 * @n_nodes: number of nodes of the others
 * @n_roots: number of roots, the last of these nodes
 * @reach: maximum number of objects within the last edge from an apex
 * @tests: estimated number of pairs of neighbours, for the cost
 *
 * The apex of a triangle is its first object in the order of the slots, or the object from the
 * other catalogue. Edges are those of #ArmillaPairShape.
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
 * Input of the kernels.
 */
typedef struct {
  const double *edges;
  const double *points[2], *nodes[2];
} ArmillaTripleInput;

/* Number of entries of the histogram, and of words. */
int64_t armilla_triple_entries (const ArmillaTripleShape *shape);
/* Returns the number of words of scratch that the CPU needs. */
int64_t armilla_triple_histogram_scratch (const ArmillaTripleShape *shape);
void armilla_triple_histogram_cpu (const ArmillaTripleShape *shape,
                                   const ArmillaTripleInput *input, int64_t *words,
                                   double *scratch);
/* For each leaf of apexes, the number of other objects that may be within the last edge. */
void armilla_triple_reach (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                           int64_t *reach);

/* CUDA kernel: all arguments except the shape in device memory. */
/* Returns the number of words of scratch. */
int64_t armilla_triple_histogram_device_scratch (const ArmillaTripleShape *shape);
int armilla_triple_histogram_launch (const ArmillaTripleShape *shape,
                                     const ArmillaTripleInput *input, int64_t *words,
                                     double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
