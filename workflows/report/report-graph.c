/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the workflow. */
#include "workflows/report/report-private.h"

#include <string.h>

#include "workflows/report/layout.h"

#define MAX_NODES 500 /* maximum number of nodes of a drawing */
#define HEIGHT 48.0
#define GAP_X 24.0
#define GAP_Y 34.0
#define MARGIN 8.0
#define MAX_CHARS 26
#define LETTER 7.6 /* width of a letter */

static double
top_of (const ArmillaLayoutItem *item)
{
  return MARGIN + item->layer * (HEIGHT + GAP_Y);
}

static const ArmillaLayoutItem *
get_item (const ArmillaLayout *layout, int number)
{
  return &g_array_index (layout->items, ArmillaLayoutItem, number);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const ArmillaLayoutEdge *x = a, *y = b;

  return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* Returns the edges between nodes, one for each pair of connected nodes. Nodes are numbered in the
 * order of the run. */
static GArray *
find_edges (const ArmillaWorkflow *workflow, const int *places)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (ArmillaLayoutEdge));
  guint n = 0;

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      ArmillaLayoutEdge edge = { .to = places[i] };

      for (int k = 0; k < node->n_inputs; k++)
        if (node->inputs[k].node >= 0)
          {
            edge.from = places[node->inputs[k].node];
            g_array_append_val (all, edge);
          }
      for (guint k = 0; k < node->reads->len; k++)
        {
          edge.from = places[g_array_index (node->reads, ArmillaRead, k).node];
          g_array_append_val (all, edge);
        }
    }
  g_array_sort (all, compare_edges);
  for (guint i = 0; i < all->len; i++)
    if (n == 0 || compare_edges (&g_array_index (all, ArmillaLayoutEdge, n - 1),
                                 &g_array_index (all, ArmillaLayoutEdge, i)) != 0)
      g_array_index (all, ArmillaLayoutEdge, n++) = g_array_index (all, ArmillaLayoutEdge, i);
  g_array_set_size (all, n);
  return all;
}

static void
curve_to (GString *page, double x0, double y0, double x1, double y1)
{
  const double middle = (y0 + y1) / 2;

  g_string_append_printf (page, " C%.1f %.1f %.1f %.1f %.1f %.1f", x0, middle, x1, middle, x1, y1);
}

static void
draw_edge (const ArmillaLayout *layout, const ArmillaLayoutEdge *edge, GString *page)
{
  const ArmillaLayoutItem *from = get_item (layout, edge->from), *to = get_item (layout, edge->to);
  double x = MARGIN + from->x, y = top_of (from) + HEIGHT;

  g_string_append_printf (page, "<path class=\"edge\" d=\"M%.1f %.1f", x, y);
  for (int i = 0; i < edge->n; i++)
    {
      const ArmillaLayoutItem *bend = get_item (layout, edge->first + i);

      curve_to (page, x, y, MARGIN + bend->x, top_of (bend));
      x = MARGIN + bend->x;
      y = top_of (bend) + HEIGHT;
      g_string_append_printf (page, " V%.1f", y);
    }
  curve_to (page, x, y, MARGIN + to->x, top_of (to) - 5);
  g_string_append (page, "\" marker-end=\"url(#tip)\" />\n");
}

/* Returns the text or, if it is long, its end, which distinguishes nodes of a definition better. */
static char *
shorten (const char *text)
{
  const gsize length = strlen (text);

  if (length <= MAX_CHARS)
    return g_strdup (text);
  return g_strconcat ("\342\200\246", text + length - MAX_CHARS + 1, NULL);
}

static double
width_of (const ArmillaNode *node)
{
  const gsize letters = MAX (strlen (node->name), strlen (node->klass->nick));

  return MAX (LETTER * (double) MIN (letters, MAX_CHARS) + 24, 96);
}

static void
draw_node (const ArmillaReport *report, int number, const ArmillaLayoutItem *item,
           const ArmillaNodeTime *time, double longest, GString *page)
{
  const ArmillaNode *node = armilla_workflow_node (report->workflow, number);
  const double left = MARGIN + item->x - item->width / 2, top = top_of (item);
  const double total = time->seconds + time->host;
  const double share = longest > 0 ? total / longest : 0;
  g_autofree char *name = shorten (node->name), *stage = shorten (node->klass->nick);
  g_autofree char *took = armilla_html_seconds (total);

  armilla_html (page, "<a href=\"#node-%d\"><title>[%s] %s, %s", number, node->name,
                node->klass->nick, took);
  for (int i = 0; i < node->n_outputs; i++)
    if (report->tally->nodes[number].shapes[i] != NULL)
      {
        g_string_append (page, "\n");
        armilla_html_text (page, report->tally->nodes[number].shapes[i], FALSE);
      }
  g_string_append_printf (page,
                          "</title><rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"%.1f\" rx=\"6\" />",
                          left, top, item->width, HEIGHT);
  g_string_append_printf (page,
                          "<rect class=\"track\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"4\" rx=\"2\" />",
                          left + 8, top + HEIGHT - 9, item->width - 16);
  g_string_append_printf (page,
                          "<rect class=\"heat\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                          "height=\"4\" rx=\"2\" />",
                          left + 8, top + HEIGHT - 9, share * (item->width - 16));
  g_string_append_printf (page, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", MARGIN + item->x,
                          top + 18);
  armilla_html (page, "%s</text>", name);
  g_string_append_printf (page, "<text class=\"stage\" x=\"%.1f\" y=\"%.1f\">", MARGIN + item->x,
                          top + 33);
  armilla_html (page, "%s</text></a>\n", stage);
}

static void
draw (const ArmillaReport *report, const ArmillaNodeTime *times, GString *page)
{
  const ArmillaWorkflow *workflow = report->workflow;
  const int n = (int) workflow->nodes->len;
  g_autofree double *widths = g_new (double, n + 1);
  g_autofree int *places = g_new (int, n + 1);
  const double longest = armilla_report_longest (report, times);
  g_autoptr (GArray) edges = NULL;
  g_autoptr (ArmillaLayout) layout = NULL;
  double width, height;

  for (int i = 0; i < n; i++)
    {
      const int number = g_array_index (workflow->order, int, i);

      places[number] = i;
      widths[i] = width_of (armilla_workflow_node (workflow, number));
    }
  edges = find_edges (workflow, places);
  layout = armilla_layout_new (widths, n, (ArmillaLayoutEdge *) edges->data, (int) edges->len,
                               GAP_X);
  width = layout->width + 2 * MARGIN;
  height = layout->n_layers * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN;
  g_string_append_printf (page,
                          "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The "
                          "workflow as a graph\"><svg class=\"graph\" "
                          "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                          "width=\"%.0f\" height=\"%.0f\">\n",
                          width, height, width, height);
  g_string_append (page,
                   "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" "
                   "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
                   "<path class=\"tip\" d=\"M0 0 L8 4 L0 8 z\" /></marker></defs>\n");
  for (guint e = 0; e < edges->len; e++)
    draw_edge (layout, &g_array_index (edges, ArmillaLayoutEdge, e), page);
  for (int i = 0; i < n; i++)
    {
      const int number = g_array_index (workflow->order, int, i);

      draw_node (report, number, get_item (layout, i), &times[number], longest, page);
    }
  g_string_append (page, "</svg></div>\n");
}

void
armilla_report_graph (const ArmillaReport *report, const ArmillaNodeTime *times, GString *page)
{
  g_string_append (page, "<section id=\"graph\">\n<h2>Workflow</h2>\n");
  if (report->workflow->nodes->len > MAX_NODES)
    armilla_html (page, "<p>%u nodes are too many for a drawing.</p>\n",
                  report->workflow->nodes->len);
  else
    {
      g_string_append (page, "<p class=\"dim\">Data flow downwards. The bar in a node is its share "
                             "of the time: of the node that took most it is full.</p>\n");
      draw (report, times, page);
    }
  g_string_append (page, "</section>\n");
}
