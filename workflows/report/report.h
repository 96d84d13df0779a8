/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/output.h>

#include "workflows/run/tally.h"
#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/* Contents of a report. */
typedef struct {
  const ArmillaWorkflow *workflow;
  const ArmillaTally *tally;       /* files read and written */
  const ArmillaTraceFile *trace;   /* trace of the run */
  const char *command;
  const char *machine;             /* description of the machine of rank 0 */
} ArmillaReport;

gboolean armilla_report_write (const ArmillaReport *report, ArmillaOutput *output, GError **error);

G_END_DECLS
