/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Information for reproducing the results. */
#include "workflows/report/report-private.h"

#include "workflows/file/passes.h"
#include "workflows/text/property.h"

/* Returns the seed of a node as text; NULL if it has none. */
static char *
seed_of (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (node->klass), "seed");

  if (pspec == NULL)
    return NULL;
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *text = NULL;

      if (setting->pspec != pspec
          || !armilla_workflow_value (workflow, setting, 0, &value, NULL))
        continue;
      text = g_strdup_value_contents (&value);
      return setting->varies ? g_strdup_printf ("%s (%s)", text, setting->entry->value)
                             : g_steal_pointer (&text);
    }
  return armilla_property_default (pspec);
}

static void
write_seeds (const ArmillaWorkflow *workflow, GString *page)
{
  gboolean begun = FALSE;

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      g_autofree char *seed = seed_of (workflow, node);

      if (seed == NULL)
        continue;
      g_string_append (page, begun ? ", " : "<dt>seeds</dt><dd>");
      armilla_html (page, "[%s] ", node->name);
      armilla_html_text (page, seed, FALSE);
      begun = TRUE;
    }
  if (begun && armilla_workflow_n_realisations (workflow) > 1)
    g_string_append (page, "; with the number of the realisation");
  if (begun)
    g_string_append (page, "</dd>\n");
}

/* Appends versions, command line, seeds, machine and workflow. */
void
armilla_report_provenance (const ArmillaReport *report, GString *page)
{
  const ArmillaWorkflow *workflow = report->workflow;
  g_autofree char *sum
    = g_compute_checksum_for_string (G_CHECKSUM_SHA256, workflow->text, -1);

  g_string_append (page, "<section id=\"provenance\">\n<h2>Provenance</h2>\n<dl class=\"facts\">\n"
                         "<dt>command</dt><dd><code>");
  armilla_html_text (page, report->command, FALSE);
  g_string_append (page, "</code></dd>\n<dt>workflow</dt><dd>");
  armilla_html_text (page, workflow->document->path, FALSE);
  armilla_html (page, ", SHA-256 <code>%s</code> with what the command line changes</dd>\n"
                      "<dt>versions</dt><dd>%s, GLib %u.%u.%u</dd>\n", sum, report->trace->program,
                glib_major_version, glib_minor_version, glib_micro_version);
  write_seeds (workflow, page);
  g_string_append (page, "</dl>\n<details open=\"open\"><summary>Machine of rank 0</summary><pre>");
  armilla_html_text (page, report->machine, TRUE);
  g_string_append (page, "</pre></details>\n<details><summary>The workflow</summary><pre>");
  armilla_html_text (page, workflow->text, TRUE);
  g_string_append (page, "</pre></details>\n</section>\n");
}
