/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

/* Realisations at either end that are tried beforehand. */
#define ARMILLA_RUN_MAX_TRIES 500

/* What is left of a run, whether it went well or not. */
typedef struct {
  /* (owned) : what was read and written; of all ranks on rank 0; may be NULL */
  ArmillaTally *tally;
  gboolean traced; /* whether the trace was written */
  char *untraced;  /* (owned) : why there is no trace of a run that has failed; may be NULL */
} ArmillaRunResult;

/* How to run a workflow. */
typedef struct {
  gboolean overwrite;       /* replace existing outputs */
  gboolean precompute;      /* make the tables that its stages name, and nothing else */
  gboolean silent;          /* say nothing on standard error */
  gboolean log_time;        /* begin each line with date and time, and draw no bar */
  /* keep a journal, and do only what an earlier run with the same one has left; on as well where
   * the workflow asks for checkpoints */
  gboolean resume;
  const char *trace;        /* file that the trace of the run goes to; may be NULL */
  const char *command;      /* the command line, for the trace; may be NULL */
  ArmillaWatch *watch;      /* where other threads see how far the run is; may be NULL */
  ArmillaRunResult *result; /* told what is left of the run; may be NULL */
} ArmillaRunOptions;

void armilla_run_result_clear (ArmillaRunResult *self);

gboolean armilla_run (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                      const ArmillaRunOptions *options, GError **error);
gboolean armilla_run_deals_whole (const ArmillaWorkflow *workflow, gint64 n_left, int n_ranks);
char *armilla_plan (const ArmillaWorkflow *workflow, const ArmillaRunOptions *options,
                    GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaRunResult, armilla_run_result_clear)

/* inputs.c */
gboolean armilla_inputs_check (const ArmillaWorkflow *workflow, ArmillaProblems *problems);

G_END_DECLS
