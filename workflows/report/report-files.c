/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files read and written: pictures, names, checksums. */
#include "workflows/report/report-private.h"

#include <string.h>

#include "core/base/printable.h"
#include "core/files/regular-file.h"
#include "tasks/graph/graph.h"
#include "workflows/file/keys.h"

#define MAX_PER_NODE 4                 /* maximum number of pictures per node */
#define MAX_PICTURE (8 << 20)        /* maximum bytes of an embedded picture */
#define MAX_PICTURES (48 << 20)      /* maximum bytes of all embedded pictures */

static void
write_name (const ArmillaNamePattern *names, GString *page)
{
  g_autofree char *name = armilla_name_pattern_text (names);

  armilla_html_text (page, name, FALSE);
}

static const char *
type_of (const char *path)
{
  if (g_str_has_suffix (path, ".png"))
    return "image/png";
  return g_str_has_suffix (path, ".svg") ? "image/svg+xml" : NULL;
}

/* Embeds a picture; FALSE if it is too large or does not exist any more. */
static gboolean
write_picture (const ArmillaNode *node, const char *path, gsize *left, GString *page)
{
  const char *type = type_of (path);
  g_autofree char *bytes = NULL, *base64 = NULL, *name = g_path_get_basename (path);
  g_autofree char *shown = armilla_printable (name, FALSE);
  gsize length;

  if (type != NULL)
    bytes = armilla_regular_read (path, MIN (*left, MAX_PICTURE), &length, NULL);
  if (bytes == NULL)
    return FALSE;
  *left -= length;
  base64 = g_base64_encode ((const guchar *) bytes, length);
  armilla_html (page, "<figure><img alt=\"%s\" src=\"data:%s;base64,", shown, type);
  g_string_append (page, base64);
  armilla_html (page, "\" /><figcaption>%s<span class=\"stage\">%s</span></figcaption></figure>\n",
                shown, node->name);
  return TRUE;
}

/* Appends the first pictures that each node has drawn. */
void
armilla_report_pictures (const ArmillaReport *report, GString *page)
{
  g_autoptr (GString) pictures = g_string_new (NULL);
  gsize left = MAX_PICTURES;
  gint64 n_left_out = 0;

  for (guint i = 0; i < report->workflow->nodes->len; i++)
    {
      const ArmillaTallyNode *mine = &report->tally->nodes[i];
      g_autofree char *kind = armilla_tally_kind (report->tally, (int) i);
      gint64 n = 0;

      if (mine->written.n == 0 || strcmp (kind, "picture") != 0)
        continue;
      for (guint j = 0; j < mine->first->len && n < MAX_PER_NODE; j++)
        n += write_picture (armilla_workflow_node (report->workflow, (int) i),
                            g_ptr_array_index (mine->first, j), &left, pictures);
      n_left_out += mine->written.n - n;
    }
  if (pictures->len == 0)
    return;
  g_string_append_printf (page, "<section id=\"pictures\">\n<h2>Pictures</h2>\n"
                                "<div class=\"pictures\">\n%s</div>\n", pictures->str);
  if (n_left_out > 0)
    armilla_html (page, "<p class=\"dim\">%" G_GINT64_FORMAT " more are not shown.</p>\n",
                  n_left_out);
  g_string_append (page, "</section>\n");
}

static void
begin_table (GString *page, const char *caption, const char *last)
{
  armilla_html (page, "<div class=\"scroll\"><table><caption>%s</caption><thead><tr>"
                      "<th scope=\"col\">file</th><th scope=\"col\">node</th>"
                      "<th scope=\"col\">kind</th><th scope=\"col\">number</th>"
                      "<th scope=\"col\">%s</th><th scope=\"col\">time</th></tr></thead>"
                      "<tbody>\n", caption, last);
}

static void
begin_row (const ArmillaReport *report, int number, const ArmillaNamePattern *names,
           const char *kind, GString *page)
{
  g_autofree char *count = g_strdup_printf ("%" G_GINT64_FORMAT, names->n);

  g_string_append (page, "<tr><th scope=\"row\" class=\"file\">");
  write_name (names, page);
  g_string_append (page, "</th>");
  armilla_html_cell (page, "node", armilla_workflow_node (report->workflow, number)->name);
  armilla_html_cell (page, "kind", kind);
  armilla_html_cell (page, names->n > 1 && !names->differ ? "times" : "files", count);
}

static void
write_read (const ArmillaReport *report, int number, const ArmillaTallyRead *read, GString *page)
{
  const ArmillaTallyNode *mine = &report->tally->nodes[number];
  const gboolean own = strcmp (read->property, "file") == 0;
  g_autofree char *amount
    = own && mine->objects > 0  ? g_strdup_printf ("%" G_GINT64_FORMAT " objects", mine->objects)
      : own && mine->pixels > 0 ? g_strdup_printf ("%.0f pixels", mine->pixels)
                                : g_strdup ("-");
  g_autofree char *seconds = own ? armilla_html_seconds (mine->seconds) : g_strdup ("-");
  g_autofree char *kind = armilla_tally_kind (report->tally, number);

  begin_row (report, number, &read->names, own ? kind : read->property, page);
  armilla_html_cell (page, "amount", amount);
  armilla_html_cell (page, "time", seconds);
  g_string_append (page, "</tr>\n");
}

static void
write_reads (const ArmillaReport *report, GString *page)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 0; i < report->workflow->nodes->len; i++)
    for (guint j = 0; j < report->tally->nodes[i].reads->len; j++)
      write_read (report, (int) i,
                  &g_array_index (report->tally->nodes[i].reads, ArmillaTallyRead, j), rows);
  if (rows->len == 0)
    return;
  begin_table (page, "Read", "amount");
  g_string_append_printf (page, "%s</tbody></table></div>\n", rows->str);
}

static void
write_writes (const ArmillaReport *report, GString *page)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 0; i < report->workflow->nodes->len; i++)
    {
      const ArmillaTallyNode *mine = &report->tally->nodes[i];
      g_autofree char *size = armilla_tally_size (mine->bytes);
      g_autofree char *seconds = armilla_html_seconds (mine->seconds);
      g_autofree char *kind = armilla_tally_kind (report->tally, (int) i);

      if (mine->written.n == 0)
        continue;
      begin_row (report, (int) i, &mine->written, kind, rows);
      armilla_html_cell (rows, "size", size);
      armilla_html_cell (rows, "time", seconds);
      g_string_append (rows, "</tr>\n");
    }
  if (rows->len == 0)
    return;
  begin_table (page, "Written", "size");
  g_string_append_printf (page, "%s</tbody></table></div>\n", rows->str);
}

static void
write_sums (const ArmillaReport *report, GString *page)
{
  gint64 n_left_out = 0;

  g_string_append (page, "<details><summary>SHA-256 of the files written</summary>"
                         "<pre class=\"sums\">");
  for (guint i = 0; i < report->workflow->nodes->len; i++)
    {
      const ArmillaTallyNode *mine = &report->tally->nodes[i];

      n_left_out += mine->written.n - mine->first->len;
      for (guint j = 0; j < mine->first->len; j++)
        {
          const char *path = g_ptr_array_index (mine->first, j);
          g_autofree char *sum = armilla_keys_sum_file (path, NULL);

          g_string_append_printf (page, "%s  ", sum != NULL ? sum : "(cannot be read here)");
          armilla_html_text (page, path, FALSE);
          g_string_append_c (page, '\n');
        }
    }
  g_string_append (page, "</pre>");
  if (n_left_out > 0)
    armilla_html (page, "<p class=\"dim\">%d of each node; %" G_GINT64_FORMAT " more are left "
                        "out.</p>", ARMILLA_LEDGER_MAX_NAMES, n_left_out);
  g_string_append (page, "</details>\n");
}

/* Appends the files read and written, with checksums. */
void
armilla_report_files (const ArmillaReport *report, GString *page)
{
  g_string_append (page, "<section id=\"files\">\n<h2>Files</h2>\n");
  write_reads (report, page);
  write_writes (report, page);
  write_sums (report, page);
  g_string_append (page, "</section>\n");
}
