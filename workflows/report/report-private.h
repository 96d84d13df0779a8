/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a report. */
#pragma once

#include "workflows/report/report.h"
#include <glib.h>

G_BEGIN_DECLS

/* Time spent in a node. */
typedef struct {
  gint64 n;       /* number of tasks */
  double seconds; /* seconds of its tasks */
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

/* Append parts of a page, which is well-formed XML, too; in html.c. */
void armilla_html (GString *page, const char *format, ...) G_GNUC_PRINTF (2, 3);
void armilla_html_text (GString *page, const char *text, gboolean lines);
void armilla_html_json (GString *page, const char *text);
void armilla_html_cell (GString *page, const char *what, const char *value);
char *armilla_html_seconds (double seconds);

G_END_DECLS
