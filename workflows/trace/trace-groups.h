/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/* Tasks of one name that one node asked for, by kind of worker. */
typedef struct {
  const char *node;  /* name of a node */
  const char *stage; /* name of its stage */
  const char *name;  /* name of a codelet; NULL: all tasks of the node */
  const char *kind;  /* kind of the workers, or "host" */
  gint64 n;          /* number of tasks or steps */
  double seconds;    /* what they took together */
  double flops;      /* their operations */
  double bytes;      /* their bytes */
} ArmillaTraceGroup;

GArray *armilla_trace_groups (const ArmillaTraceFile *file, gboolean by_name);

G_END_DECLS
