/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of a run, one after the other. */
#pragma once

#include "workflows/run/collecting.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"
#include "workflows/run/together.h"

G_BEGIN_DECLS

/* What the passes of a run share. */
typedef struct {
  const ArmillaWorkflow *workflow;  /* what is run */
  ArmillaRuntime *runtime;          /* the runtime */
  ArmillaGraph *graph;              /* where tasks go */
  const ArmillaRunOptions *options; /* how it is run */
  ArmillaProgress *progress;        /* what the user is told */
  ArmillaTally *tally;              /* what nodes have read and written */
  ArmillaCollecting *collecting;    /* where what is collected is kept */
  GArray *left;                     /* realisations that are to be computed */
  ArmillaRealisation *once; /* (owned) : what is the same in all passes, prepared; may be NULL */
  ArmillaTogether together;         /* how many of them at once, and what they share */
} ArmillaPasses;

gboolean armilla_passes_stopped (GError **error);
void armilla_passes_run (ArmillaPasses *self, const ArmillaRunContext *context, gboolean whole,
                         GError **error);

G_END_DECLS
