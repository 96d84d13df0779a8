/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets of the statistics of maps. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/fields/statistics.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;          /* error latch of this rank */
  ArmillaStatisticsShape shape; /* the tile */
  gboolean first;               /* whether the sum is uninitialised before the task (merge) */
} ArmillaStatisticsArgs;

/* Buffers: 0 R map, 1 W part, 2 SCRATCH (CUDA: armilla_statistics_scratch()), 3 R mask, if any. */
extern ArmillaCodelet armilla_statistics_cl;
/* Buffers: 0 R part, 1 W (first) or RW sum. */
extern ArmillaCodelet armilla_statistics_merge_cl;

G_END_DECLS
