/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces: what every task did and where data went. Functions are called by the thread that has
 * started the runtime, on every rank alike and in the same order. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

/* A record of every task, host step and transfer of a graph. */
typedef struct _ArmillaTrace ArmillaTrace;

/* What a trace says of the run beside the events. */
typedef struct {
  const char *program;  /* name and version of the program */
  const char *command;  /* the command line */
  const char *workflow; /* path of the workflow */
  const char *files;    /* what was read and written, as JSON; may be NULL */
  const char *failure;  /* why the run failed; NULL when it went well */
  double start; /* from the start of the program to armilla_graph_trace(), s; 0: not known */
} ArmillaTraceInfo;

gboolean armilla_graph_trace (ArmillaGraph *graph, GError **error);
gint64 armilla_graph_n_submitted (ArmillaGraph *graph);
gboolean armilla_graph_write_trace (ArmillaGraph *graph, const ArmillaTraceInfo *info,
                                    ArmillaOutput *output, GError **error);

G_END_DECLS
