/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/**
 * ArmillaTraceGroup:
 * @node: name of a node
 * @stage: name of its stage
 * @name: (nullable): name of a codelet; %NULL: all tasks of the node
 * @kind: kind of the workers, or "host"
 * @n: number of tasks or steps
 * @seconds: what they took together
 * @flops: their operations
 * @bytes: their bytes
 *
 * Tasks of one name that one node asked for, by kind of worker.
 */
typedef struct {
  const char *node, *stage, *name, *kind;
  gint64 n;
  double seconds, flops, bytes;
} ArmillaTraceGroup;

GArray *armilla_trace_groups (const ArmillaTraceFile *file, gboolean by_name);

G_END_DECLS
