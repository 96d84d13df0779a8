/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts and sums over the pairs of two sets of cells. Raw pointers. */
#pragma once

#include <stdint.h>

#include "codelets/correlation/cells.h"
#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of an item: node of a, node of b, number of edges that are below every pair of the two, and
 * of those that are below any. A node with itself is its own pairs, once each. */
#define ARMILLA_ITEM_WORDS 4

/**
 * ArmillaPairShape:
 * @n_bins: number of bins
 * @n_patches: number of patches that have a row of their own
 * @n_within: @n_patches where the pairs within each have a row, too; 0 otherwise
 * @n_items: pairs of nodes
 * @slots: of a and b: words of a row of the points
 * @strides: of a and b: words of a row of the nodes
 * @exponents: of each sum: its unit is 2 to this power
 * @pairs: about how many pairs of objects the items have, for the cost
 * @sums: 1 << s for each #ArmillaHistogramSum s
 * @is_auto: whether a and b are the same
 * @brute: whether every pair is looked at
 * @isa: instruction set (CPU kernels only), #ArmillaIsa
 *
 * Edges are double, [2][n_bins + 2]: the squared chords, then the chords, each followed by
 * infinity. Words are those of #ArmillaHistogramShape.
 */
typedef struct {
  int64_t n_bins, n_patches, n_within, n_items;
  int64_t slots[2], strides[2];
  int64_t exponents[4];
  double pairs;
  int32_t sums, is_auto, brute, isa;
} ArmillaPairShape;

/**
 * ArmillaPairInput:
 * @edges: [2][n_bins + 2]
 * @items: [n_items][ARMILLA_ITEM_WORDS]
 * @points: of a and b
 * @nodes: of a and b
 *
 * What the kernels read.
 */
typedef struct {
  const double *edges;
  const int64_t *items;
  const double *points[2], *nodes[2];
} ArmillaPairInput;

/* Words of scratch that the CPU needs. */
int64_t armilla_pair_histogram_scratch (const ArmillaPairShape *shape);
/* words <- header and rows of all items. */
void armilla_pair_histogram_cpu (const ArmillaPairShape *shape, const ArmillaPairInput *input,
                                 int64_t *words, int64_t *scratch);
/* sum <- part, or sum <- sum + part: words of a histogram. n_entries: of a row; n_sums: how many
 * are kept. */
void armilla_histogram_merge_cpu (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first,
                                  const int64_t *part, int64_t *sum);

/* CUDA kernels: everything but the shape in device memory. */
/* Words of scratch. */
int64_t armilla_pair_histogram_device_scratch (const ArmillaPairShape *shape);
int armilla_pair_histogram_launch (const ArmillaPairShape *shape,
                                   const ArmillaPairInput *input, int64_t *words,
                                   int64_t *scratch, cudaStream_t stream);
int armilla_histogram_merge_launch (int64_t n_rows, int64_t n_entries, int64_t n_sums,
                                    int first, const int64_t *part, int64_t *sum,
                                    cudaStream_t stream);

#ifdef __cplusplus
}
#endif
