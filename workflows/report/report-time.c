/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by node and kind of task, and by worker. */
#include "workflows/report/report-private.h"

#include <string.h>

#include "workflows/trace/trace-reader.h"

static double
share (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static void
seconds_cell (GString *page, const char *what, double seconds)
{
  g_autofree char *text = seconds > 0 ? armilla_html_seconds (seconds) : g_strdup ("-");

  armilla_html_cell (page, what, text);
}

static void
write_codelets (GArray *names, const char *node, GString *page)
{
  gboolean begun = FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      const ArmillaTraceGroup *group = &g_array_index (names, ArmillaTraceGroup, i);
      g_autofree char *seconds = armilla_html_seconds (group->seconds);

      if (strcmp (group->node, node) != 0 || strcmp (group->kind, "host") == 0)
        continue;
      if (!begun)
        g_string_append (page, "<details><summary>kinds of tasks</summary><ul>");
      begun = TRUE;
      armilla_html (page, "<li>%s on %s: %" G_GINT64_FORMAT ", %s", group->name, group->kind,
                    group->n, seconds);
      if (group->seconds > 0 && group->flops > 0)
        armilla_html (page, ", %.1f Gflop/s", 1e-9 * group->flops / group->seconds);
      if (group->seconds > 0 && group->bytes > 0)
        armilla_html (page, ", %.1f GB/s", 1e-9 * group->bytes / group->seconds);
      g_string_append (page, "</li>");
    }
  if (begun)
    g_string_append (page, "</ul></details>");
}

static void
write_node (const ArmillaReport *report, int number, const ArmillaNodeTime *time, double longest,
            GArray *names, GString *page)
{
  const ArmillaNode *node = armilla_workflow_node (report->workflow, number);
  g_autofree char *tasks = g_strdup_printf ("%" G_GINT64_FORMAT, time->n);

  armilla_html (page, "<tr id=\"node-%d\"><th scope=\"row\">%s<span class=\"stage\">%s</span></th>"
                      "<td data-name=\"data\" class=\"data\">", number, node->name,
                node->klass->nick);
  for (int i = 0; i < node->n_outputs; i++)
    if (report->tally->nodes[number].shapes[i] != NULL)
      {
        g_string_append (page, "<div>");
        armilla_html_text (page, report->tally->nodes[number].shapes[i], FALSE);
        g_string_append (page, "</div>");
      }
  write_codelets (names, node->name, page);
  g_string_append (page, "</td>");
  armilla_html_cell (page, "tasks", tasks);
  seconds_cell (page, "computing", time->seconds);
  seconds_cell (page, "files", time->host);
  g_string_append_printf (page,
                          "<td class=\"bar\" aria-hidden=\"true\"><div><span class=\"c\" "
                          "style=\"width:%.2f%%\"></span><span class=\"h\" "
                          "style=\"width:%.2f%%\"></span></div></td></tr>\n",
                          share (time->seconds, longest), share (time->host, longest));
}

static void
write_nodes (const ArmillaReport *report, const ArmillaNodeTime *times, GString *page)
{
  g_autoptr (GArray) names = armilla_trace_groups (report->trace, TRUE);
  const double longest = armilla_report_longest (report, times);

  g_string_append (page, "<div class=\"scroll\"><table class=\"nodes\"><caption>By node, in the "
                         "order of the run; seconds of all workers and ranks together</caption>"
                         "<thead><tr><th scope=\"col\">node</th><th scope=\"col\">data</th>"
                         "<th scope=\"col\">tasks</th><th scope=\"col\">computing</th>"
                         "<th scope=\"col\">files</th><th scope=\"col\">share</th></tr></thead>"
                         "<tbody>\n");
  for (guint i = 0; i < report->workflow->order->len; i++)
    {
      const int number = g_array_index (report->workflow->order, int, i);

      write_node (report, number, &times[number], longest, names, page);
    }
  g_string_append (page, "</tbody></table></div>\n");
}

typedef struct {
  const char *name, *css;
  double share;
} Part;

static void
write_worker (const ArmillaTraceFile *trace, guint number, const ArmillaTraceUse *use,
              GString *page)
{
  const ArmillaTraceWorker *worker = &g_array_index (trace->workers, ArmillaTraceWorker, number);
  const Part parts[] = {
    { "busy", "c", share (use->busy, trace->seconds) },
    { "data", "d", share (use->data, trace->seconds) },
    { "schedule", "s", share (use->scheduling, trace->seconds) },
    { "not worth", "w", share (use->unworthy, trace->seconds) },
    { "submission", "b", share (use->behind, trace->seconds) },
    { "not ready", "n", share (use->nothing, trace->seconds) },
  };

  armilla_html (page, "<tr><th scope=\"row\">");
  if (trace->n_ranks > 1)
    armilla_html (page, "rank %d ", worker->rank);
  armilla_html (page, "%s</th>", worker->name);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    armilla_html (page, "<td data-name=\"%s\">%.1f %%</td>", parts[i].name, parts[i].share);
  g_string_append (page, "<td class=\"bar\" aria-hidden=\"true\"><div>");
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_string_append_printf (page, "<span class=\"%s\" style=\"width:%.2f%%\"></span>",
                            parts[i].css, parts[i].share);
  g_string_append (page, "</div></td></tr>\n");
}

static void
write_workers (const ArmillaTraceFile *trace, GString *page)
{
  g_autofree ArmillaTraceUse *uses = armilla_trace_uses (trace);

  g_string_append (page,
                   "<div class=\"scroll\"><table class=\"workers\"><caption>By worker: <i "
                   "class=\"c\"></i> busy with tasks, <i class=\"d\"></i> waiting for the data of "
                   "one, <i class=\"s\"></i> idle though a task was ready, <i class=\"w\"></i> not "
                   "worth it: tasks were ready, and went to workers of another kind, "
                   "<i class=\"b\"></i> submission was behind: the next task was not submitted, "
                   "<i class=\"n\"></i> not ready: all submitted tasks waited for others"
                   "</caption><thead><tr><th scope=\"col\">worker</th>"
                   "<th scope=\"col\">busy</th><th scope=\"col\">data</th>"
                   "<th scope=\"col\">schedule</th><th scope=\"col\">not worth</th>"
                   "<th scope=\"col\">submission</th><th scope=\"col\">not ready</th>"
                   "<th scope=\"col\">share of the run</th></tr></thead><tbody>\n");
  for (guint w = 0; w < trace->workers->len; w++)
    write_worker (trace, w, &uses[w], page);
  g_string_append (page, "</tbody></table></div>\n");
}

static void
write_overlap (const ArmillaTraceFile *trace, ArmillaTraceTraffic traffic, const char *what,
               GString *page)
{
  const ArmillaTraceOverlap overlap = armilla_trace_overlap (trace, traffic);
  g_autofree char *all = armilla_html_seconds (overlap.under_way);

  if (overlap.under_way > 0)
    armilla_html (page, "<p>%s for %s (all ranks together); for %.1f %% of that, the receiving "
                        "rank computed nothing.</p>\n",
                  what, all, share (overlap.exposed, overlap.under_way));
}

void
armilla_report_time (const ArmillaReport *report, const ArmillaNodeTime *times, GString *page)
{
  g_autofree char *start = armilla_html_seconds (report->trace->start);
  g_autofree char *seconds = armilla_html_seconds (report->trace->seconds);

  g_string_append (page, "<section id=\"time\">\n<h2>Where the time went</h2>\n");
  armilla_html (page, "<p class=\"dim\">%s to start and to open the files, then %s of tasks. <i "
                      "class=\"c\"></i> computing, <i class=\"h\"></i> reading, drawing and "
                      "writing, which happen meanwhile.</p>\n", start, seconds);
  write_nodes (report, times, page);
  write_workers (report->trace, page);
  write_overlap (report->trace, ARMILLA_TRACE_MESSAGES, "Tiles were on their way between ranks",
                 page);
  write_overlap (report->trace, ARMILLA_TRACE_TABLES, "Tables were read and verified", page);
  g_string_append (page, "</section>\n");
}
