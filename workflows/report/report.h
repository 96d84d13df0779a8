/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/output.h>

#include "workflows/run/tally.h"
#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

/* What a report is made of. */
typedef struct {
  const ArmillaWorkflow *workflow; /* what was run */
  const ArmillaTally *tally;       /* what was read and written */
  const ArmillaTraceFile *trace;   /* what was done when */
  const char *command;             /* the command line */
  const char *machine;             /* the machine of rank 0, in lines */
} ArmillaReport;

gboolean armilla_report_write (const ArmillaReport *report, ArmillaOutput *output, GError **error);

G_END_DECLS
