/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "workflows/file/workflow.h"
#include "workflows/run/progress.h"

G_BEGIN_DECLS

/* maximum number of first and of last passes that are prepared before a run to find errors */
#define ARMILLA_RUN_MAX_TRIES 500

/* Results of a run that succeeded or failed. */
typedef struct {
  /* (owned): files read and written, of all ranks on rank 0; may be NULL */
  ArmillaTally *tally;
  gboolean traced; /* whether the trace was written */
  char *untraced;  /* (owned): why a failed run has no trace; may be NULL */
} ArmillaRunResult;

/* Options of a run. */
typedef struct {
  gboolean overwrite;       /* whether existing outputs may be replaced */
  /* whether to create the tables of Legendre matrices that nodes use, and nothing else */
  gboolean precompute;
  /* whether the run is a call of a session: small work is then done in the calling thread */
  gboolean calls;
  gboolean silent;          /* whether to print nothing on standard error */
  gboolean log_time;        /* whether to begin each line with date and time, and draw no bar */
  /* whether to keep a journal, and to compute only what an earlier run with the same journal has
   * not completed; implied if the workflow requests checkpoints */
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

/* in inputs.c */
gboolean armilla_inputs_check (const ArmillaWorkflow *workflow, ArmillaProblems *problems);

G_END_DECLS
