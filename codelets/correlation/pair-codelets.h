/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/correlation/pair-histogram.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;    /* this rank's latch */
  ArmillaPairShape shape; /* what is counted */
} ArmillaPairArgs;

/**
 * ArmillaMergeArgs:
 * @fault: this rank's latch
 * @n_rows: rows of the histogram
 * @n_entries: entries of a row
 * @n_sums: sums that are kept
 * @first: whether the sum is written for the first time
 */
typedef struct {
  ArmillaFault *fault;
  int64_t n_rows, n_entries, n_sums;
  int32_t first;
} ArmillaMergeArgs;

/* Buffers of both: 0 R points of a, 1 R nodes of a, 2 R points of b, 3 R nodes of b, 4 R edges,
 * 5 R items, 6 W words, 7 SCRATCH for whatever worker. With sums over shears and arcs every pair is
 * visited, which takes longer: a codelet, and a model, of its own. */
extern ArmillaCodelet armilla_pair_histogram_cl;
extern ArmillaCodelet armilla_shear_histogram_cl;
/* Buffers: 0 R part, 1 W (first) or RW sum. */
extern ArmillaCodelet armilla_histogram_merge_cl;

G_END_DECLS
