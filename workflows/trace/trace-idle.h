/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/* What a worker did during the run: the six add up to its length. */
typedef struct {
  gint64 n_tasks; /* tasks it ran */
  double busy;    /* seconds in tasks */
  double data; /* seconds between taking a task and its begin: data came, or memory was allocated */
  /* seconds in which it did neither, while a task was ready that its kind took later */
  double scheduling;
  /* seconds in which tasks were ready, but only such that workers of another kind took: it would
   * have taken longer */
  double unworthy;
  /* seconds in which no task was ready on its rank, since the next one was not submitted */
  double behind;
  /* other seconds in which no task was ready on its rank: all submitted tasks waited for others, or
   * none was left */
  double nothing;
} ArmillaTraceUse;

ArmillaTraceUse *armilla_trace_uses (const ArmillaTraceFile *file);

G_END_DECLS
