/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the report of a run: a page without references to other files. */
#include "config.h"

#include "workflows/report/report-private.h"

#include <glib/gstdio.h>

#include "core/base/printable.h"
#include "workflows/file/passes.h"
#include "workflows/trace/trace-reader.h"

static void
tile (GString *page, const char *value, const char *what)
{
  armilla_html (page, "<div class=\"tile\"><dt>%s</dt><dd>%s</dd></div>\n", what, value);
}

static double
busy_share (const ArmillaTraceFile *trace)
{
  g_autofree ArmillaTraceUse *uses = armilla_trace_uses (trace);
  double busy = 0;

  for (guint w = 0; w < trace->workers->len; w++)
    busy += uses[w].busy;
  return trace->workers->len > 0 && trace->seconds > 0
           ? busy / (trace->workers->len * trace->seconds) : 0;
}

static void
write_tiles (const ArmillaReport *report, GString *page)
{
  const ArmillaTraceFile *trace = report->trace;
  g_autofree char *seconds = armilla_html_seconds (trace->start + trace->seconds);
  g_autofree char *workers
    = g_strdup_printf ("%u on %d rank%s", trace->workers->len, trace->n_ranks,
                       trace->n_ranks == 1 ? "" : "s");
  g_autofree char *tasks = g_strdup_printf ("%u", trace->events->len);
  g_autofree char *busy = g_strdup_printf ("%.1f %%", 100 * busy_share (trace));
  g_autofree char *realisations
    = g_strdup_printf ("%" G_GINT64_FORMAT, armilla_workflow_n_realisations (report->workflow));
  g_autofree char *files = NULL, *size = NULL;
  gint64 n = 0;
  double bytes = 0;

  for (guint i = 0; i < report->workflow->nodes->len; i++)
    {
      n += report->tally->nodes[i].written.n;
      bytes += report->tally->nodes[i].bytes;
    }
  size = armilla_tally_size (bytes);
  files = g_strdup_printf ("%" G_GINT64_FORMAT " (%s)", n, size);
  g_string_append (page, "<dl class=\"tiles\">\n");
  tile (page, seconds, "time");
  tile (page, workers, "workers");
  tile (page, busy, "of their time busy");
  tile (page, tasks, "tasks and steps");
  if (armilla_workflow_n_realisations (report->workflow) > 1)
    tile (page, realisations, "realisations");
  tile (page, files, "files written");
  g_string_append (page, "</dl>\n");
}

static void
write_head (const ArmillaReport *report, const char *title, GString *page)
{
  g_string_append (page, "<!DOCTYPE html>\n"
                         "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                         "<meta charset=\"utf-8\" />\n"
                         "<meta name=\"viewport\" content=\"width=device-width\" />\n"
                         "<meta name=\"color-scheme\" content=\"light dark\" />\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; img-src data:; style-src 'unsafe-inline'; script-src "
                         "'unsafe-inline'\" />\n");
  armilla_html (page, "<meta name=\"generator\" content=\"%s\" />\n<title>%s</title>\n",
                report->trace->program, title);
  g_string_append_printf (page, "<style>\n%s</style>\n</head>\n<body>\n",
                          armilla_report_style);
}

static void
write_header (const ArmillaReport *report, const char *title, GString *page)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = now != NULL ? g_date_time_format (now, "%Y-%m-%d %H:%M %Z") : NULL;
  g_autofree char *file = g_path_get_basename (report->workflow->document->path);

  armilla_html (page, "<header>\n<h1>%s</h1>\n<p class=\"state\">", title);
  if (report->trace->failure != NULL)
    armilla_html (page, "<strong class=\"bad\">The run failed.</strong> %s",
                  report->trace->failure);
  else
    g_string_append (page, "<strong class=\"good\">The run succeeded.</strong>");
  g_string_append (page, "</p>\n<p class=\"dim\">");
  armilla_html_text (page, file, FALSE);
  armilla_html (page, " &#183; %s &#183; %s</p>\n", date != NULL ? date : "(no clock)",
                report->trace->program);
  write_tiles (report, page);
  g_string_append (page, "</header>\n<nav aria-label=\"Parts of this page\"><ul>"
                         "<li><a href=\"#graph\">Workflow</a></li>"
                         "<li><a href=\"#time\">Time</a></li>"
                         "<li><a href=\"#timeline\">Timeline</a></li>"
                         "<li><a href=\"#files\">Files</a></li>"
                         "<li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n<main>\n");
}

/* Writes the page and renames the file. */
gboolean
armilla_report_write (const ArmillaReport *report, ArmillaOutput *output, GError **error)
{
  g_autoptr (GString) page = g_string_new (NULL);
  g_autofree ArmillaNodeTime *times = armilla_report_times (report);
  g_autofree char *name = g_path_get_basename (report->workflow->document->path);
  g_autofree char *title
    = armilla_printable (report->workflow->title != NULL ? report->workflow->title : name, FALSE);
  FILE *file;
  gboolean whole;

  write_head (report, title, page);
  write_header (report, title, page);
  armilla_report_graph (report, times, page);
  armilla_report_pictures (report, page);
  armilla_report_time (report, times, page);
  armilla_report_timeline (report, page);
  armilla_report_files (report, page);
  armilla_report_provenance (report, page);
  g_string_append_printf (page, "</main>\n<script>\n//<![CDATA[\n%s//]]>\n</script>\n"
                                "</body>\n</html>\n", armilla_report_script);
  file = g_fopen (armilla_output_temporary (output), "wbe");
  whole = file != NULL && fwrite (page->str, 1, page->len, file) == page->len;
  if (file != NULL && fclose (file) != 0)
    whole = FALSE;
  if (!whole)
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot write the report %s",
                         armilla_output_path (output));
  return armilla_output_commit (output, error);
}
