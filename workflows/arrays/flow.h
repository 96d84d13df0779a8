/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/workflow-arrays.h>

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

struct ArmillaFlow {
  char *path;                /* file name for messages */
  char *text;
  gsize length;
  GPtrArray *set;            /* (element-type utf8): node.key=value */
  GPtrArray *define;         /* (element-type utf8): variable=value */
  GPtrArray *nodes;          /* (element-type ArmillaAddedNode): nodes that are not in the file */
  GPtrArray *inputs;         /* (element-type ArmillaInput): arrays that replace nodes */
  GPtrArray *asked;          /* (element-type utf8): requested outputs */
  gboolean asks_all;         /* whether every output that no node uses is requested */
  /* (element-type ArmillaResult): results; NULL once the caller has taken one */
  GPtrArray *results;
  char *problem;             /* text of the last error; may be NULL */
  ArmillaRegistry *registry; /* created at first use; NULL before */
  ArmillaWatch watch;        /* progress of the run */
  /* workflow while it runs (not owned); may be NULL */
  const ArmillaWorkflow *loaded;
};

ArmillaStatus armilla_flow_end (ArmillaFlow *self, ArmillaFailure *failure, GError *error);
ArmillaWorkflow *armilla_flow_load (ArmillaFlow *self, GError **error);

G_END_DECLS
