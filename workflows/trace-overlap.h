/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace-reader.h"

G_BEGIN_DECLS

/**
 * ArmillaTraceOverlap:
 * @under_way: seconds in which tiles of other ranks were on their way to a rank, summed over ranks
 * @exposed: those of them in which no worker of that rank computed
 *
 * How far messages hide behind tasks.
 */
typedef struct {
  double under_way, exposed;
} ArmillaTraceOverlap;

ArmillaTraceOverlap armilla_trace_overlap (const ArmillaTraceFile *file);

G_END_DECLS
