/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-pointer kernels that count triangles by the bins of their sides. */
#pragma once

#include <stdint.h>

#include "codelets/correlation/cells.h"
#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The apex of a triangle is its first object in the order of the slots, or the object from the
 * other catalogue. Edges are those of ArmillaPairShape. */
typedef struct {
  int64_t n_bins;     /* number of bins */
  int32_t equal;      /* whether only triangles with all sides in one bin are counted */
  /* whether all three objects are from one catalogue; otherwise the apex is from another */
  int32_t within;
  int32_t isa;        /* instruction set (CPU kernels only), ArmillaIsa */
  int64_t first_leaf; /* first leaf of apexes */
  int64_t n_leaves;   /* number of leaves of apexes */
  int64_t slots[2];   /* words per row of the points, of the apexes and of the others */
  int64_t strides[2]; /* words per row of the nodes, of the apexes and of the others */
  int64_t n_nodes;    /* number of nodes of the others */
  int64_t n_roots;    /* number of roots, the last of these nodes */
  int64_t reach;      /* maximum number of objects within the last edge from an apex */
  double tests;       /* estimated number of pairs of neighbours, for the cost */
} ArmillaTripleShape;

/* Input of the kernels. */
typedef struct {
  const double *edges;     /* [2][n_bins + 2]: as ArmillaPairShape has them, see pair-histogram.h */
  const double *points[2]; /* of the apexes and of the others */
  const double *nodes[2];  /* likewise */
} ArmillaTripleInput;

/* Return the number of entries of the histogram, and of its words. */
int64_t armilla_triple_entries (const ArmillaTripleShape *shape);
/* Returns the number of words of scratch that the CPU needs. */
int64_t armilla_triple_histogram_scratch (const ArmillaTripleShape *shape);
void armilla_triple_histogram_cpu (const ArmillaTripleShape *shape,
                                   const ArmillaTripleInput *input, int64_t *words,
                                   double *scratch);
/* Computes, for each leaf of apexes, the number of other objects that may be within the last
 * edge. */
void armilla_triple_reach (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                           int64_t *reach);

/* CUDA kernel: all arguments except the shape are in device memory. */
/* Returns the number of words of scratch. */
int64_t armilla_triple_histogram_device_scratch (const ArmillaTripleShape *shape);
int armilla_triple_histogram_launch (const ArmillaTripleShape *shape,
                                     const ArmillaTripleInput *input, int64_t *words,
                                     double *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
