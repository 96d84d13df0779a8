/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/output.h>

#include "workflows/run/tally.h"
#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/**
 * ArmillaReport:
 * @workflow: what was run
 * @tally: what was read and written
 * @trace: what was done when
 * @command: the command line
 * @machine: the machine of rank 0, in lines
 *
 * What a report is made of.
 */
typedef struct {
  const ArmillaWorkflow *workflow;
  const ArmillaTally *tally;
  const ArmillaTraceFile *trace;
  const char *command;
  const char *machine;
} ArmillaReport;

gboolean armilla_report_write (const ArmillaReport *report, ArmillaOutput *output, GError **error);

G_END_DECLS
