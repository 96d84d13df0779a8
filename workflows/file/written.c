/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that nodes write: no two of them the same, and which of them other nodes read. */
#include "workflows/file/written.h"

#include <string.h>

/* Who writes a file, and in which realisation. */
typedef struct {
  int node;
  gint64 index;
} Writer;

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  GHashTable *first; /* name of a file -> Writer, in the first realisation */
  GHashTable *all;   /* in the others, too; NULL until somebody asks */
} Files;

/* The setting that says which file a node writes. */
static gboolean
is_output (const ArmillaNode *node, const ArmillaSetting *setting)
{
  return node->n_outputs == 0 && strcmp (setting->pspec->name, "file") == 0
         && G_IS_PARAM_SPEC_STRING (setting->pspec);
}

/* The name of a file in a realisation, the same for all ways to write it; NULL for none. */
static char *
file_name (const ArmillaWorkflow *workflow, const ArmillaSetting *setting, gint64 index,
           gboolean input)
{
  g_auto (GValue) value = G_VALUE_INIT;
  const char *text;

  if (!armilla_workflow_value (workflow, setting, index, &value, NULL))
    return NULL; /* it has been complained about */
  text = g_value_get_string (&value);
  if (text == NULL || *text == '\0'
      || (input && !armilla_param_spec_names_input (setting->pspec, text)))
    return NULL;
  return g_canonicalize_filename (text, NULL);
}

static void
note_writer (GHashTable *files, char *name, int node, gint64 index)
{
  Writer *writer = g_new (Writer, 1);

  *writer = (Writer) { node, index };
  g_hash_table_insert (files, name, writer);
}

/* Two nodes, or two realisations, that write one file: the last would win. */
static void
check_output (Files *files, int number, const ArmillaSetting *setting)
{
  const ArmillaNode *node = armilla_workflow_node (files->workflow, number);
  char *name = file_name (files->workflow, setting, 0, FALSE);
  const Writer *other = name != NULL ? g_hash_table_lookup (files->first, name) : NULL;

  if (name == NULL)
    return;
  if (other != NULL)
    armilla_problems_add (files->problems, setting->entry->value_place, node->name, "file",
                          "node %s writes this file already",
                          armilla_workflow_node (files->workflow, other->node)->name);
  else if (files->workflow->repeat > 1 && !setting->varies)
    armilla_problems_add (files->problems, setting->entry->value_place, node->name, "file",
                          "every realisation would write this file; put ${index} into its name");
  note_writer (files->first, name, number, 0);
}

/* The next realisation that is looked at; of very many the first and the last ones. */
static gint64
next_index (const ArmillaWorkflow *workflow, gint64 index, gint64 tries)
{
  return index + 1 == tries ? MAX (index + 1, workflow->repeat - tries) : index + 1;
}

static void
gather_all (Files *files)
{
  const ArmillaWorkflow *workflow = files->workflow;

  files->all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (guint j = 0; j < node->settings->len; j++)
        {
          const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, j);
          gint64 tries = is_output (node, setting) && setting->varies
                           ? armilla_workflow_tries (workflow, setting->entry->value) : 0;

          for (gint64 index = 0; tries > 0 && index < workflow->repeat;
               index = next_index (workflow, index, tries))
            {
              char *name = file_name (workflow, setting, index, FALSE);

              if (name != NULL)
                note_writer (files->all, name, (int) i, index);
            }
        }
    }
}

/* A realisation may read what it writes itself, and no other does: those run in any order. */
static gboolean
check_realisations (Files *files, const ArmillaNode *node, const ArmillaSetting *setting,
                    int writer)
{
  const ArmillaWorkflow *workflow = files->workflow;
  const gint64 tries = armilla_workflow_tries (workflow, setting->entry->value);

  if (files->all == NULL)
    gather_all (files);
  for (gint64 index = 0; index < workflow->repeat; index = next_index (workflow, index, tries))
    {
      g_autofree char *name = file_name (workflow, setting, index, TRUE);
      const Writer *other = name != NULL ? g_hash_table_lookup (files->all, name) : NULL;

      if (other == NULL ? writer < 0 : other->node == writer && other->index == index)
        continue;
      armilla_problems_add (files->problems, setting->entry->value_place, node->name,
                            setting->entry->key,
                            "in realisation %" G_GINT64_FORMAT ": node %s writes this file in "
                            "%s; a realisation can read only what it writes itself, with "
                            "${index} in both names", index,
                            armilla_workflow_node (workflow, other != NULL ? other->node
                                                                           : writer)->name,
                            other != NULL && other->index != index ? "another one"
                                                                   : "some of them");
      return FALSE;
    }
  return TRUE;
}

static void
check_input (Files *files, int number, guint at)
{
  ArmillaNode *node = armilla_workflow_node (files->workflow, number);
  const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, at);
  g_autofree char *name = file_name (files->workflow, setting, 0, TRUE);
  const Writer *found = name != NULL ? g_hash_table_lookup (files->first, name) : NULL;
  ArmillaRead read = { found != NULL ? found->node : -1, setting->entry };

  if (read.node == number)
    {
      armilla_problems_add (files->problems, setting->entry->value_place, node->name,
                            setting->entry->key, "the node writes this file itself");
      return;
    }
  if ((files->workflow->repeat == 1 || check_realisations (files, node, setting, read.node))
      && found != NULL)
    g_array_append_val (node->reads, read);
}

/**
 * armilla_written_check:
 * @workflow: a workflow whose values are known
 * @problems: where problems are added
 *
 * Complains about files that are written twice, and finds out which nodes read what others write:
 * they come after those.
 */
void
armilla_written_check (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Files files = { workflow, problems, first, NULL };

  for (int inputs = 0; inputs < 2; inputs++)
    for (guint i = 0; i < workflow->nodes->len; i++)
      {
        const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

        for (guint j = 0; j < node->settings->len; j++)
          {
            const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, j);

            if (!inputs && is_output (node, setting))
              check_output (&files, (int) i, setting);
            else if (inputs && g_hash_table_size (first) > 0
                     && armilla_param_spec_is_input_file (setting->pspec))
              check_input (&files, (int) i, j);
          }
      }
  g_clear_pointer (&files.all, g_hash_table_unref);
}

/**
 * armilla_written_by:
 * @node: a node
 * @setting: one of its properties
 *
 * Returns: number of the node that writes the file that the property names; -1: none does
 */
int
armilla_written_by (const ArmillaNode *node, const ArmillaSetting *setting)
{
  for (guint i = 0; i < node->reads->len; i++)
    {
      const ArmillaRead *read = &g_array_index (node->reads, ArmillaRead, i);

      if (read->entry == setting->entry)
        return read->node;
    }
  return -1;
}
