/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparation and writing of a report by armilla run. */
#pragma once

#include <armilla/output.h>
#include <armilla/runtime.h>

#include "workflows/run/runner.h"

G_BEGIN_DECLS

/* A report to be written; all zero if no report was requested. */
typedef struct {
  ArmillaOutput *output; /* (owned): the file, on rank 0; may be NULL */
  char *folder; /* (owned): temporary folder of a trace made for the report only; may be NULL */
  char *trace;           /* (owned): path of the trace */
} ArmillaReporting;

gboolean armilla_reporting_begin (ArmillaReporting *self, const char *path, const char *trace,
                                  gboolean overwrite, ArmillaRuntime *runtime, GError **error);
gboolean armilla_reporting_end (ArmillaReporting *self, const ArmillaRunResult *result,
                                const char *command, ArmillaRuntime *runtime, GError **error);
void armilla_reporting_clear (ArmillaReporting *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaReporting, armilla_reporting_clear)

G_END_DECLS
