/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of tasks and data transfers. Every rank calls these functions in the same order, in the
 * thread that started the runtime. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

/* Record of every task, host step and transfer of a graph. */
typedef struct _ArmillaTrace ArmillaTrace;

/* Description of the run in a trace. */
typedef struct {
  const char *program;  /* name and version of the program */
  const char *command;
  const char *workflow; /* path of the workflow */
  const char *files;    /* files read and written, as JSON; may be NULL */
  const char *failure;  /* error message of the run; NULL if it succeeded */
  double start; /* seconds from the start of the program to armilla_graph_trace(); 0: unknown */
} ArmillaTraceInfo;

gboolean armilla_graph_trace (ArmillaGraph *graph, GError **error);
gint64 armilla_graph_n_submitted (ArmillaGraph *graph);
gboolean armilla_graph_write_trace (ArmillaGraph *graph, const ArmillaTraceInfo *info,
                                    ArmillaOutput *output, GError **error);

G_END_DECLS
