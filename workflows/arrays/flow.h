/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/workflow-arrays.h>

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

/**
 * ArmillaFlow:
 * @path: name of the file, for messages
 * @text: what is in it
 * @length: of @text
 * @set: (element-type utf8): node.key=value
 * @define: (element-type utf8): variable=value
 * @nodes: (element-type ArmillaAddedNode): nodes that stand in no file
 * @inputs: (element-type ArmillaInput): arrays that take the place of nodes
 * @asked: (element-type utf8): what shall come back
 * @asks_all: whether all that no node uses shall
 * @results: (element-type ArmillaResult): what has come; %NULL where the caller has it
 * @problem: (nullable): what went wrong last, all of it
 * @registry: (nullable): the stages, once they are needed
 * @watch: how far the run is
 * @loaded: (nullable): the workflow while it runs, which this does not own
 */
struct ArmillaFlow {
  char *path, *text;
  gsize length;
  GPtrArray *set, *define;
  GPtrArray *nodes;
  GPtrArray *inputs;
  GPtrArray *asked;
  gboolean asks_all;
  GPtrArray *results;
  char *problem;
  ArmillaRegistry *registry;
  ArmillaWatch watch;
  const ArmillaWorkflow *loaded;
};

ArmillaStatus armilla_flow_end (ArmillaFlow *self, ArmillaFailure *failure, GError *error);
ArmillaWorkflow *armilla_flow_load (ArmillaFlow *self, GError **error);

G_END_DECLS
