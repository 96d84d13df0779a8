/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/correlation/pair-histogram.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;    /* error latch of this rank */
  ArmillaPairShape shape;
} ArmillaPairArgs;

typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
  int64_t n_rows;      /* number of rows of the histogram */
  int64_t n_entries;   /* number of entries per row */
  int64_t n_sums;      /* number of sums that are kept */
  int32_t first;       /* whether the sum is written for the first time */
} ArmillaMergeArgs;

/* Buffers of both codelets: 0 R points of a, 1 R nodes of a, 2 R points of b, 3 R nodes of b, 4 R
 * edges, 5 R items, 6 W words, 7 SCRATCH for CPU or GPU. Sums over shears and arcs have a codelet
 * and so a performance model of their own, because every pair is visited. */
extern ArmillaCodelet armilla_pair_histogram_cl;
extern ArmillaCodelet armilla_shear_histogram_cl;
/* Pairs by distance; for cores only. */
extern ArmillaCodelet armilla_space_histogram_cl;
/* Buffers: 0 R part, 1 W (first) or RW sum. */
extern ArmillaCodelet armilla_histogram_merge_cl;

G_END_DECLS
