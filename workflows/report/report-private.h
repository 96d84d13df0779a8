/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a report. */
#pragma once

#include "workflows/report/html.h"
#include "workflows/report/report.h"

G_BEGIN_DECLS

/* What a node took. */
typedef struct {
  gint64 n;       /* tasks */
  double seconds; /* of its tasks */
  double host;    /* seconds of its steps on the host */
} ArmillaNodeTime;

extern const char *const armilla_report_script, *const armilla_report_style;

ArmillaNodeTime *armilla_report_times (const ArmillaReport *report);
double armilla_report_longest (const ArmillaReport *report, const ArmillaNodeTime *times);
void armilla_report_graph (const ArmillaReport *report, const ArmillaNodeTime *times,
                           GString *page);
void armilla_report_pictures (const ArmillaReport *report, GString *page);
void armilla_report_time (const ArmillaReport *report, const ArmillaNodeTime *times,
                          GString *page);
void armilla_report_timeline (const ArmillaReport *report, GString *page);
void armilla_report_files (const ArmillaReport *report, GString *page);
void armilla_report_provenance (const ArmillaReport *report, GString *page);

G_END_DECLS
