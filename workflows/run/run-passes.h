/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of a run, one after the other. */
#pragma once

#include "workflows/run/collecting.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"
#include "workflows/run/together.h"

G_BEGIN_DECLS

/**
 * ArmillaPasses:
 * @workflow: what is run
 * @runtime: the runtime
 * @graph: where tasks go
 * @options: how it is run
 * @progress: what the user is told
 * @tally: what nodes have read and written
 * @collecting: where what is collected is kept
 * @left: (element-type gint64): realisations that are to be computed
 * @once: (owned) (nullable): what is the same in all passes, prepared
 * @together: how many of them at once, and what they share
 *
 * What the passes of a run share.
 */
typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaGraph *graph;
  const ArmillaRunOptions *options;
  ArmillaProgress *progress;
  ArmillaTally *tally;
  ArmillaCollecting *collecting;
  GArray *left;
  ArmillaRealisation *once;
  ArmillaTogether together;
} ArmillaPasses;

gboolean armilla_passes_stopped (GError **error);
void armilla_passes_run (ArmillaPasses *self, const ArmillaRunContext *context, gboolean whole,
                         GError **error);

G_END_DECLS
