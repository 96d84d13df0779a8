/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the passes of a workflow. */
#pragma once

#include "workflows/run/collecting.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"
#include "workflows/run/together.h"

G_BEGIN_DECLS

/* What the passes of a run share. */
typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaGraph *graph;              /* graph that receives the tasks */
  const ArmillaRunOptions *options; /* options of the run */
  ArmillaProgress *progress;        /* progress reports for the user */
  ArmillaTally *tally;              /* files that nodes have read and written */
  ArmillaCollecting *collecting;    /* files of collected data */
  GArray *left;                     /* numbers of the realisations that remain to be computed */
  ArmillaRealisation *once; /* (owned): shared pass; may be NULL */
  ArmillaTogether together; /* size of batches, and whether common data are computed once */
} ArmillaPasses;

gboolean armilla_passes_stopped (GError **error);
void armilla_passes_run (ArmillaPasses *self, const ArmillaRunContext *context, gboolean whole,
                         GError **error);

G_END_DECLS
