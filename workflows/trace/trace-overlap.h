/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/* What comes while a rank computes. */
typedef enum {
  ARMILLA_TRACE_MESSAGES, /* tiles of other ranks, on their way to a rank */
  /* tables of compressed Legendre matrices, on their way from their file into memory from which
   * a GPU reads them, checksums included */
  ARMILLA_TRACE_TABLES
} ArmillaTraceTraffic;

/* How far traffic hides behind tasks. */
typedef struct {
  double under_way; /* seconds in which something was on its way to a rank, summed over ranks */
  double exposed;   /* those of them in which no worker of that rank computed */
} ArmillaTraceOverlap;

ArmillaTraceOverlap armilla_trace_overlap (const ArmillaTraceFile *file,
                                           ArmillaTraceTraffic traffic);

G_END_DECLS
