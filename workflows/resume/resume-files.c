/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files that a run writes. */
#include <string.h>

#include "workflows/resume/resume-private.h"

/* The setting of a node that says which file it writes; NULL for a node that writes none. */
static const ArmillaSetting *
file_setting (const ArmillaNode *node)
{
  for (guint i = 0; node->n_outputs == 0 && i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (strcmp (setting->pspec->name, "file") == 0 && G_IS_PARAM_SPEC_STRING (setting->pspec))
        return setting;
    }
  return NULL;
}

/**
 * armilla_resume_output:
 * @workflow: a workflow
 * @node: one of its nodes
 * @index: number of a realisation
 *
 * Returns: (transfer full) (nullable): the file that the node writes; %NULL when it writes none
 */
char *
armilla_resume_output (const ArmillaWorkflow *workflow, const ArmillaNode *node,
                       gint64 index)
{
  const ArmillaSetting *setting = file_setting (node);
  g_auto (GValue) value = G_VALUE_INIT;

  if (setting == NULL || !armilla_workflow_value (workflow, setting, index, &value, NULL))
    return NULL;
  return g_value_dup_string (&value);
}

/**
 * armilla_resume_part:
 * @self: what is left to do
 * @index: number of a realisation
 * @node: number of a node
 * @port: number of one of its outputs
 *
 * Returns: (transfer full): name of the file that keeps what the node gives there
 */
char *
armilla_resume_part (const ArmillaResume *self, gint64 index, int node, int port)
{
  /* a node of a definition has a slash in its name */
  g_autofree char *name
    = g_strdelimit (g_strdup (armilla_workflow_node (self->workflow, node)->name), "/", '.');

  return g_strdup_printf ("%s.%" G_GINT64_FORMAT ".%s.%d.part", self->path, index, name, port);
}
