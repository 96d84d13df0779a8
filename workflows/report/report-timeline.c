/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data from which the script of the page draws the timeline. */
#include "workflows/report/report-private.h"

#include <math.h>
#include <string.h>

/* number of spans above which those that are close to each other on the screen are joined */
#define MAX_SPANS 40000
/* number of intervals of the run that can then be distinguished; halved until few spans remain */
#define FINEST 20000

/* A bar of the timeline: successive tasks in one lane. */
typedef struct {
  /* numbers of the lane, of the node that took most of the time, and of the name of the tasks; name
   * is -1 if they have several */
  int lane, node, name;
  double start, end, node_time; /* times in s; node_time: time of that node */
  gint64 n;
} Span;

typedef struct {
  const ArmillaTraceFile *trace;
  GPtrArray *lanes;  /* const char *: names of the lanes */
  GPtrArray *nodes;  /* const char *: name and stage of each node, alternating */
  GPtrArray *names;  /* const char *: names of tasks */
  GArray *spans;
} Timeline;

static int
number_of (GPtrArray *all, const char *text)
{
  guint number;

  if (g_ptr_array_find (all, text, &number))
    return (int) number;
  g_ptr_array_add (all, (gpointer) text);
  return (int) all->len - 1;
}

/* Returns the lane for a host step: the first one of its rank that is free. @free_at: time at which
 * each lane becomes free; @first: first lane of the rank. */
static int
host_lane (Timeline *self, GArray *free_at, int first, const ArmillaTraceEvent *event)
{
  const double end = event->start + event->duration;
  guint i = 0;

  while (i < free_at->len && g_array_index (free_at, double, i) > event->start)
    i++;
  if (i < free_at->len)
    g_array_index (free_at, double, i) = end;
  else
    {
      g_array_append_val (free_at, end);
      g_ptr_array_add (self->lanes, self->trace->n_ranks > 1
                                      ? g_strdup_printf ("rank %d files %u", event->rank, i + 1)
                                      : g_strdup_printf ("files %u", i + 1));
    }
  return first + (int) i;
}

static int
worker_lane (const Timeline *self, const ArmillaTraceEvent *event)
{
  for (guint w = 0; w < self->trace->workers->len; w++)
    {
      const ArmillaTraceWorker *worker
        = &g_array_index (self->trace->workers, ArmillaTraceWorker, w);

      if (worker->rank == event->rank && worker->number == event->worker)
        return (int) w;
    }
  return 0; /* the reader rejects such a trace */
}

static void
make_lanes (Timeline *self)
{
  for (guint w = 0; w < self->trace->workers->len; w++)
    {
      const ArmillaTraceWorker *worker
        = &g_array_index (self->trace->workers, ArmillaTraceWorker, w);

      g_ptr_array_add (self->lanes, self->trace->n_ranks > 1
                                      ? g_strdup_printf ("rank %d %s", worker->rank, worker->name)
                                      : g_strdup (worker->name));
    }
}

/* Creates the spans of each rank, lane by lane in the order of time. */
static void
make_spans (Timeline *self)
{
  make_lanes (self);
  for (int rank = 0; rank < self->trace->n_ranks; rank++)
    {
      g_autoptr (GArray) free_at = g_array_new (FALSE, FALSE, sizeof (double));
      const int first = (int) self->lanes->len;

      for (guint i = 0; i < self->trace->events->len; i++)
        {
          const ArmillaTraceEvent *event
            = &g_array_index (self->trace->events, ArmillaTraceEvent, i);
          Span span = { 0, number_of (self->nodes, event->node),
                        number_of (self->names, event->name), event->start,
                        event->start + event->duration, event->duration, 1 };

          if (event->rank != rank)
            continue;
          span.lane = event->worker < 0 ? host_lane (self, free_at, first, event)
                                        : worker_lane (self, event);
          g_array_append_val (self->spans, span);
        }
    }
}

static void
join (Span *before, const Span *span)
{
  const gboolean same = before->node == span->node;

  before->end = MAX (before->end, span->end);
  before->n += span->n;
  if (same && before->name != span->name)
    before->name = -1;
  if (!same && span->node_time > before->node_time)
    {
      before->node = span->node;
      before->name = span->name;
      before->node_time = span->node_time;
    }
  else if (same)
    before->node_time += span->node_time;
}

/* Joins spans of one node in a lane that are less than @gap apart. @any: also joins spans shorter
 * than @gap with the next span, whatever its node. */
static void
join_spans (Timeline *self, double gap, gboolean any)
{
  g_autofree int *last = g_new (int, self->lanes->len + 1);
  int n = 0;

  for (guint i = 0; i < self->lanes->len; i++)
    last[i] = -1;
  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span span = g_array_index (self->spans, Span, i);
      Span *before
        = last[span.lane] >= 0 ? &g_array_index (self->spans, Span, last[span.lane]) : NULL;

      if (before != NULL && span.start - before->end < gap
          && (before->node == span.node || (any && span.end - before->start < 2 * gap)))
        {
          join (before, &span);
          continue;
        }
      last[span.lane] = n;
      g_array_index (self->spans, Span, n++) = span;
    }
  g_array_set_size (self->spans, (guint) n);
}

static void
thin_out (Timeline *self)
{
  for (double gap = self->trace->seconds / FINEST;
       self->spans->len > MAX_SPANS && gap < self->trace->seconds; gap *= 2)
    {
      join_spans (self, gap, FALSE);
      if (self->spans->len > MAX_SPANS)
        join_spans (self, gap, TRUE);
    }
}

static void
write_strings (const char *key, const GPtrArray *all, GString *page)
{
  g_string_append_printf (page, "\"%s\":[", key);
  for (guint i = 0; i < all->len; i++)
    {
      if (i > 0)
        g_string_append_c (page, ',');
      armilla_html_json (page, g_ptr_array_index (all, i));
    }
  g_string_append (page, "],\n");
}

static void
write_data (const Timeline *self, GString *page)
{
  g_string_append_printf (page, "<script type=\"application/json\" id=\"spans\">{\"us\":%.0f,\n",
                          ceil (1e6 * self->trace->seconds));
  write_strings ("lanes", self->lanes, page);
  write_strings ("nodes", self->nodes, page);
  write_strings ("names", self->names, page);
  g_string_append (page, "\"spans\":[");
  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);

      g_string_append_printf (page, "%s%d,%d,%d,%.0f,%.0f,%" G_GINT64_FORMAT, i > 0 ? ",\n" : "",
                              span->lane, span->node, span->name, 1e6 * span->start,
                              1e6 * (span->end - span->start), span->n);
    }
  g_string_append (page, "]}</script>\n");
}

void
armilla_report_timeline (const ArmillaReport *report, GString *page)
{
  Timeline self = { .trace = report->trace };
  const guint n = report->trace->events->len;

  self.lanes = g_ptr_array_new_with_free_func (g_free);
  self.nodes = g_ptr_array_new ();
  self.names = g_ptr_array_new ();
  self.spans = g_array_new (FALSE, FALSE, sizeof (Span));
  make_spans (&self);
  thin_out (&self);
  g_string_append (page,
                   "<section id=\"timeline\">\n<h2>Timeline</h2>\n"
                   "<p class=\"dim\">What each worker did when. Drag to move, "
                   "<kbd>+</kbd> <kbd>-</kbd> or Ctrl and the wheel to zoom, <kbd>0</kbd> for "
                   "all.</p>\n");
  if (self.spans->len < n)
    armilla_html (page, "<p class=\"dim\">Of %u tasks, those that follow each other closely are "
                        "drawn as one, in the colour of the node that took most.</p>\n", n);
  g_string_append (page,
                   "<div id=\"view\" hidden=\"hidden\"><div class=\"buttons\">"
                   "<button type=\"button\" data-do=\"in\" aria-label=\"Zoom in\">+</button>"
                   "<button type=\"button\" data-do=\"out\" aria-label=\"Zoom out\">"
                   "&#8722;</button>"
                   "<button type=\"button\" data-do=\"left\" aria-label=\"Earlier\">"
                   "&#8592;</button>"
                   "<button type=\"button\" data-do=\"right\" aria-label=\"Later\">"
                   "&#8594;</button>"
                   "<button type=\"button\" data-do=\"all\">All</button>"
                   "<output id=\"said\" aria-live=\"polite\"></output></div>"
                   "<canvas id=\"lanes\" tabindex=\"0\" role=\"img\" aria-label=\"Timeline of the "
                   "workers; the tables above say the same in numbers\"></canvas>"
                   "<ul id=\"legend\"></ul></div>\n"
                   "<noscript><p>The timeline is drawn by a script of this page.</p></noscript>\n");
  write_data (&self, page);
  g_string_append (page, "</section>\n");
  g_ptr_array_unref (self.lanes);
  g_ptr_array_unref (self.nodes);
  g_ptr_array_unref (self.names);
  g_array_unref (self.spans);
}
