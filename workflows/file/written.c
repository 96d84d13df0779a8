/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that nodes write: checks that all are different, and finds those that other nodes read. */

#include <string.h>

#include "plugins/base/stage.h"
#include "workflows/file/passes.h"

/* Node that writes a file, and the pass in which it writes it. */
typedef struct {
  int node;
  gint64 pass;
} Writer;

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  GHashTable *first; /* file name -> Writer, for the first realisation of each point of the sweep */
  GHashTable *all;   /* file name -> Writer, for the other realisations; NULL until needed */
  guint n_before;    /* number of problems found before, which may be the cause of equal names */
} Files;

/* Returns the setting that names the file that the node writes, or NULL. */
const ArmillaSetting *
armilla_written_setting (const ArmillaNode *node)
{
  for (guint i = 0; node->n_outputs == 0 && i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      if (strcmp (setting->pspec->name, "file") == 0 && G_IS_PARAM_SPEC_STRING (setting->pspec))
        return setting;
    }
  return NULL;
}

/* Returns the canonical name of a file in a pass; NULL if there is none. */
static char *
file_name (const ArmillaWorkflow *workflow, const ArmillaSetting *setting, gint64 pass,
           gboolean input)
{
  g_auto (GValue) value = G_VALUE_INIT;
  const char *text;

  if (!armilla_workflow_value (workflow, setting, pass, &value, NULL))
    return NULL; /* the value is invalid, which has been reported */
  text = g_value_get_string (&value);
  if (text == NULL || *text == '\0'
      || (input && !armilla_param_spec_names_input (setting->pspec, text)))
    return NULL;
  return g_canonicalize_filename (text, NULL);
}

static void
note_writer (GHashTable *files, char *name, int node, gint64 pass)
{
  Writer *writer = g_new (Writer, 1);

  *writer = (Writer) { node, pass };
  g_hash_table_insert (files, name, writer);
}

static void
note_first (Files *files, gint64 point)
{
  const ArmillaWorkflow *workflow = files->workflow;

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaSetting *setting
        = armilla_written_setting (armilla_workflow_node (workflow, (int) i));
      const gint64 pass = point * workflow->repeat;
      char *name = setting != NULL ? file_name (workflow, setting, pass, FALSE) : NULL;

      if (name != NULL)
        note_writer (files->first, name, (int) i, pass);
    }
}

/* Finds the node that writes a file that a node reads. */
static void
find_read (Files *files, int number, const ArmillaSetting *setting)
{
  ArmillaNode *node = armilla_workflow_node (files->workflow, number);
  g_autofree char *name = file_name (files->workflow, setting, 0, TRUE);
  const Writer *found = name != NULL ? g_hash_table_lookup (files->first, name) : NULL;
  ArmillaRead read = { found != NULL ? found->node : -1, setting->entry };

  if (read.node == number)
    armilla_problems_add (files->problems, setting->entry->value_place, node->name,
                          setting->entry->key, "the node itself writes this file");
  else if (found != NULL)
    g_array_append_val (node->reads, read);
}

/* Returns the swept keys that a file name must contain so that all points of the sweep write
 * different files. */
static char *
missing_keys (const ArmillaWorkflow *self, const ArmillaSetting *setting)
{
  GString *text = g_string_new (NULL);

  for (int k = 0; k < armilla_sweep_points_n_keys (self->points); k++)
    if (!(setting->by_keys >> k & 1))
      g_string_append_printf (text, "%s${%s}", text->len > 0 ? " and " : "",
                              armilla_sweep_points_key (self->points, k));
  return g_string_free (text, FALSE);
}

/* Reports a file that two nodes, realisations or points of the sweep would write. */
static void
check_output (Files *files, int number, const ArmillaSetting *setting)
{
  const ArmillaWorkflow *workflow = files->workflow;
  const ArmillaNode *node = armilla_workflow_node (workflow, number);
  const gboolean each = (node->passes & ARMILLA_PASS_EACH) != 0;
  const gint64 n_points
    = node->passes == ARMILLA_PASS_END ? 1 : armilla_sweep_points_count (workflow->points);

  for (gint64 point = 0; point < n_points; point++)
    {
      g_autofree char *message = NULL;
      char *name = file_name (workflow, setting, point * workflow->repeat, FALSE);
      const Writer *other = name != NULL ? g_hash_table_lookup (files->first, name) : NULL;

      if (name == NULL)
        return;
      if (other != NULL && other->node != number)
        message = g_strdup_printf ("node %s writes this file already",
                                   armilla_workflow_node (workflow, other->node)->name);
      else if (other != NULL && files->n_before == 0)
        {
          g_autofree char *missing = missing_keys (workflow, setting);

          message = g_strdup_printf ("several points of the sweep would write this file; put %s "
                                     "into its name", missing);
        }
      else if (each && workflow->repeat > 1 && !setting->by_index)
        message = g_strdup ("every realisation would write this file; put ${index} into its name");
      note_writer (files->first, name, number, point * workflow->repeat);
      if (message == NULL)
        continue;
      armilla_problems_add (files->problems, setting->entry->value_place, node->name, "file", "%s",
                            message);
      return;
    }
}

/* Begin an iteration over the passes for which a node's file names are checked: if there are many
 * realisations, the first and last ones. */
static gint64
first_pass (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  if (node->passes == ARMILLA_PASS_END)
    return armilla_workflow_n_passes (workflow) - 1;
  return node->passes & ARMILLA_PASS_EACH ? 0 : armilla_workflow_n_realisations (workflow);
}

static gint64
next_pass (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 pass, gint64 tries)
{
  const gint64 n = armilla_workflow_n_realisations (workflow);

  if (!(node->passes & ARMILLA_PASS_EACH))
    return pass + 1 < n + armilla_sweep_points_count (workflow->points)
             ? pass + 1 : armilla_workflow_n_passes (workflow);
  pass = pass + 1 == tries ? MAX (pass + 1, n - tries) : pass + 1;
  return pass == n ? armilla_workflow_n_passes (workflow) : pass;
}

static void
gather_all (Files *files)
{
  const ArmillaWorkflow *workflow = files->workflow;
  const gint64 n = armilla_workflow_n_passes (workflow);

  files->all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      const ArmillaSetting *setting = armilla_written_setting (node);
      const gint64 tries = setting != NULL
                             ? armilla_workflow_tries (workflow, setting->entry->value) : 0;

      for (gint64 pass = first_pass (workflow, node); tries > 0 && pass < n;
           pass = next_pass (workflow, node, pass, tries))
        {
          char *name = file_name (workflow, setting, pass, FALSE);

          if (name != NULL)
            note_writer (files->all, name, (int) i, pass);
        }
    }
}

/* Returns whether a file may be read in pass @read: pass @written is the same, or the only
 * realisation of its point. */
static gboolean
is_own (const ArmillaWorkflow *workflow, gint64 written, gint64 read)
{
  return written == read
         || (workflow->repeat == 1
             && armilla_pass_point (workflow, written) == armilla_pass_point (workflow, read));
}

static void
complain_once (Files *files, const ArmillaNode *node, const ArmillaSetting *setting, int writer)
{
  armilla_problems_add (files->problems, setting->entry->value_place, node->name,
                        setting->entry->key,
                        "node %s writes this file once, after the last realisation, since it is "
                        "equal in all of them; connect this node to its input instead of reading "
                        "the file",
                        armilla_workflow_node (files->workflow, writer)->name);
}

/* Reports a node that reads a file that another pass writes, since passes run in any order. */
static void
check_input (Files *files, int number, const ArmillaSetting *setting)
{
  const ArmillaWorkflow *workflow = files->workflow;
  const ArmillaNode *node = armilla_workflow_node (workflow, number);
  const gint64 tries = armilla_workflow_tries (workflow, setting->entry->value);
  const int writer = armilla_written_by (node, setting);
  const gint64 n = armilla_workflow_n_passes (workflow);

  if (files->all == NULL)
    gather_all (files);
  for (gint64 pass = first_pass (workflow, node); pass < n;
       pass = next_pass (workflow, node, pass, tries))
    {
      g_autofree char *name = file_name (workflow, setting, pass, TRUE);
      const Writer *other = name != NULL ? g_hash_table_lookup (files->all, name) : NULL;
      g_autofree char *where = NULL;

      if (other == NULL ? writer < 0
                        : other->node == writer && is_own (workflow, other->pass, pass))
        continue;
      if (other != NULL && !armilla_pass_is_last (workflow, pass)
          && armilla_pass_is_last (workflow, other->pass))
        {
          complain_once (files, node, setting, other->node);
          return;
        }
      where = armilla_pass_describe (workflow, pass);
      armilla_problems_add (files->problems, setting->entry->value_place, node->name,
                            setting->entry->key,
                            "%s%s: node %s writes this file in %s; a realisation can read only its "
                            "own files, with ${index} in both names",
                            armilla_pass_is_last (workflow, pass) ? "" : "in ", where,
                            armilla_workflow_node (workflow, other != NULL ? other->node
                                                                           : writer)->name,
                            other != NULL && !is_own (workflow, other->pass, pass)
                              ? "another one" : "some of them");
      return;
    }
}

static void
each_input (Files *files, void (*look) (Files *files, int number, const ArmillaSetting *setting))
{
  for (guint i = 0; g_hash_table_size (files->first) > 0 && i < files->workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (files->workflow, (int) i);

      for (guint j = 0; j < node->settings->len; j++)
        {
          const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, j);

          if (armilla_param_spec_is_input_file (setting->pspec))
            look (files, (int) i, setting);
        }
    }
}

static GHashTable *
table_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* Finds the nodes that read files of other nodes; they run in later phases. */
void
armilla_written_find (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  g_autoptr (GHashTable) first = table_new ();
  Files files = { workflow, problems, first, NULL, 0 };

  note_first (&files, 0);
  each_input (&files, find_read);
}

/* Reports files that are written twice, or that are written in one realisation and read in
 * another. */
void
armilla_written_check (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  g_autoptr (GHashTable) first = table_new ();
  Files files = { workflow, problems, first, NULL, armilla_problems_count (problems) };

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaSetting *setting
        = armilla_written_setting (armilla_workflow_node (workflow, (int) i));

      if (setting != NULL)
        check_output (&files, (int) i, setting);
    }
  if (armilla_workflow_n_realisations (workflow) > 1)
    each_input (&files, check_input);
  g_clear_pointer (&files.all, g_hash_table_unref);
}

/* Returns the node that writes the file that the property names; -1 if there is none. */
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
