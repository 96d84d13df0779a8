/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/workflow-arrays.h>

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

struct ArmillaFlow {
  char *path;                /* name of the file, for messages */
  char *text;                /* what is in it */
  gsize length;              /* of text */
  GPtrArray *set;            /* (element-type utf8): node.key=value */
  GPtrArray *define;         /* (element-type utf8): variable=value */
  GPtrArray *nodes;          /* (element-type ArmillaAddedNode): nodes that stand in no file */
  GPtrArray *inputs;         /* (element-type ArmillaInput): arrays that take the place of nodes */
  GPtrArray *asked;          /* (element-type utf8): what shall come back */
  gboolean asks_all;         /* whether all that no node uses shall */
  /* (element-type ArmillaResult): what has come; NULL where the caller has it */
  GPtrArray *results;
  char *problem;             /* what went wrong last, all of it; may be NULL */
  ArmillaRegistry *registry; /* the stages, once they are needed; may be NULL */
  ArmillaWatch watch;        /* how far the run is */
  /* the workflow while it runs, which this does not own; may be NULL */
  const ArmillaWorkflow *loaded;
};

ArmillaStatus armilla_flow_end (ArmillaFlow *self, ArmillaFailure *failure, GError *error);
ArmillaWorkflow *armilla_flow_load (ArmillaFlow *self, GError **error);

G_END_DECLS
