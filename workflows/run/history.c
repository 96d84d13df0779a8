/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text about the workflow in the headers of outputs. A large workflow is not copied into all of
 * its many outputs. */
#include "workflows/run/realisation.h"

#include <string.h>

#include "workflows/file/passes.h"
#include "workflows/resume/resume.h"

/* maximum bytes of a workflow that is copied into every output, and of the excerpt from a larger
 * one */
#define MAX_BYTES 16384

static gboolean
keeps_history (const char *path)
{
  return g_str_has_suffix (path, ".fits") || g_str_has_suffix (path, ".fit")
         || g_str_has_suffix (path, ".ecsv");
}

/* Returns the pass in which a node writes its first file. */
static gint64
first_pass (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  return node->passes & ARMILLA_PASS_EACH ? 0 : armilla_workflow_n_realisations (workflow);
}

/* Finds the output that contains the whole text: the first one whose format has a header. Returns
 * its node. */
static int
find_keeper (const ArmillaWorkflow *workflow, char **path)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      g_autofree char *name = NULL;

      if (armilla_written_setting (node) == NULL)
        continue;
      name = armilla_resume_output (workflow, node, first_pass (workflow, node));
      if (name == NULL || !keeps_history (name))
        continue;
      *path = g_steal_pointer (&name);
      return (int) i;
    }
  return -1;
}

static void
add_node (const ArmillaNode *node, GString *text)
{
  g_string_append_printf (text, "[%s]\n", node->name);
  for (guint i = 0; i < node->group->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (node->group->entries, i);

      g_string_append_printf (text, "%s = %s\n", entry->key, entry->value);
    }
}

/* Appends the node and the nodes on which it depends, nearest first, up to MAX_BYTES. */
static void
add_part (const ArmillaWorkflow *workflow, int number, GString *text)
{
  g_autofree gboolean *seen = g_new0 (gboolean, workflow->nodes->len);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_append_val (left, number);
  seen[number] = TRUE;
  for (guint i = 0; i < left->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, g_array_index (left, int, i));

      if (text->len > MAX_BYTES)
        {
          g_string_append (text, "...\n");
          return;
        }
      add_node (node, text);
      for (int k = 0; k < node->n_inputs; k++)
        if (node->inputs[k].node >= 0 && !seen[node->inputs[k].node])
          {
            seen[node->inputs[k].node] = TRUE;
            g_array_append_val (left, node->inputs[k].node);
          }
    }
}

/* Returns the text that a node's file contains if the workflow is too large to be copied into every
 * file: the nodes on which the file depends, and the name of the file with the whole text. NULL:
 * the file contains the whole text. @sum: checksum of the whole text, computed if NULL and freed by
 * the caller */
char *
armilla_workflow_history (const ArmillaWorkflow *workflow, int number, gint64 pass, char **sum)
{
  const ArmillaNode *node = armilla_workflow_node (workflow, number);
  const gsize size = strlen (workflow->text);
  g_autofree char *path = NULL;
  GString *text;
  int keeper;

  if (size <= MAX_BYTES)
    return NULL;
  keeper = find_keeper (workflow, &path);
  if (keeper == number && pass == first_pass (workflow, node))
    return NULL;
  if (*sum == NULL)
    *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, workflow->text, (gssize) size);
  text = g_string_new (NULL);
  g_string_append_printf (text, "# of a workflow of %" G_GSIZE_FORMAT " bytes, SHA-256 %s\n", size,
                          *sum);
  if (path != NULL)
    g_string_append_printf (text, "# all of it is in %s\n", path);
  add_part (workflow, number, text);
  return g_string_free (text, FALSE);
}
