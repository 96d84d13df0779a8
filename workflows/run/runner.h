/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

/* maximum number of passes at the start, and at the end, that are prepared as a trial before a
 * run */
#define ARMILLA_RUN_MAX_TRIES 500

/* Results of a run, successful or not. */
typedef struct {
  /* (owned): files read and written, of all ranks on rank 0; may be NULL */
  ArmillaTally *tally;
  gboolean traced; /* whether the trace was written */
  char *untraced;  /* (owned): why a failed run has no trace; may be NULL */
} ArmillaRunResult;

/* Options of a run. */
typedef struct {
  gboolean overwrite;       /* replace existing outputs */
  gboolean precompute;      /* make the tables that the stages name, and nothing else */
  gboolean calls;           /* a single call: small work is done in the calling thread */
  gboolean silent;          /* print nothing on standard error */
  gboolean log_time;        /* begin each line with date and time, and draw no bar */
  /* keep a journal, and compute only what an earlier run with the same journal has not completed;
   * implied if the workflow requests checkpoints */
  gboolean resume;
  const char *trace;        /* trace file of the run; may be NULL */
  const char *command;      /* the command line, for the trace; may be NULL */
  ArmillaWatch *watch;      /* lets other threads read the progress; may be NULL */
  ArmillaRunResult *result; /* receives the results of the run; may be NULL */
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
