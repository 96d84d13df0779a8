/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/**
 * ArmillaTraceUse:
 * @n_tasks: tasks it ran
 * @busy: seconds in tasks
 * @data: seconds between taking a task and its begin: data came, or memory was allocated
 * @scheduling: seconds in which it did neither, and a task was ready on its rank
 * @nothing: seconds in which no task was ready on its rank
 *
 * What a worker did during the run: the four add up to its length.
 */
typedef struct {
  gint64 n_tasks;
  double busy, data, scheduling, nothing;
} ArmillaTraceUse;

ArmillaTraceUse *armilla_trace_uses (const ArmillaTraceFile *file);

G_END_DECLS
