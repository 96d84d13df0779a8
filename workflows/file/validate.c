/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the nodes of a workflow: stages, keys, connections, values. */
#include "workflows/file/load.h"

#include <string.h>

#include "core/base/compare.h"
#include "plugins/base/stage.h"
#include "workflows/file/copies.h"
#include "workflows/file/workflow.h"
#include "workflows/file/links.h"
#include "workflows/file/passes.h"
#include "workflows/text/expand.h"
#include "workflows/text/problems.h"

static void
complain (ArmillaProblems *problems, const ArmillaNode *node, const ArmillaEntry *entry,
          const char *message)
{
  armilla_problems_add (problems, entry->value_place, node->name, entry->key, "%s", message);
}

/* Returns the value of an entry that must be the same in all realisations; NULL, with a problem, if
 * it varies. */
static char *
fixed_text (ArmillaWorkflow *self, const ArmillaNode *node, const ArmillaEntry *entry,
            ArmillaProblems *problems)
{
  g_autoptr (GError) error = NULL;
  ArmillaExpansion expansion;

  if (!armilla_workflow_expand (self, entry->value, 0, &expansion, &error))
    {
      if (!expansion.nested)
        complain (problems, node, entry, error->message);
      return NULL;
    }
  if (expansion.by_index || expansion.by_keys != 0)
    {
      complain (problems, node, entry,
                "stages and connections must be the same in all realisations; ${index} and swept "
                "variables cannot be used here");
      g_clear_pointer (&expansion.text, g_free);
    }
  return expansion.text;
}

/* Lists the valid values of the key stage: stages, then definitions. */
static char **
list_stages (const ArmillaWorkflow *self, ArmillaRegistry *registry)
{
  g_auto (GStrv) nicks = armilla_registry_nicks (registry);
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  GHashTable *tables[] = { self->definitions, armilla_definitions_shipped () };

  g_strv_builder_addv (all, (const char **) nicks);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GList) names
        = g_list_sort (g_hash_table_get_keys (tables[i]), (GCompareFunc) strcmp);

      for (const GList *name = names; name != NULL; name = name->next)
        if (i == 0 || !g_hash_table_contains (tables[0], name->data))
          g_strv_builder_add (all, name->data);
    }
  return g_strv_builder_end (all);
}

static void
missing_stage (const ArmillaWorkflow *self, const ArmillaNode *node, ArmillaRegistry *registry,
               ArmillaProblems *problems)
{
  static const char *const others[] = { "workflow", "variables", NULL };
  const char *nearest = armilla_suggest (node->name, others);
  g_auto (GStrv) nicks = list_stages (self, registry);
  g_autofree char *list = g_strjoinv (", ", nicks);

  if (nearest != NULL)
    armilla_problems_add (problems, node->group->place, node->name, NULL,
                          "the node has no stage; did you mean [%s]?", nearest);
  else
    armilla_problems_add (problems, node->group->place, node->name, NULL,
                          "the node has no stage; add stage = NAME with one of: %s", list);
}

/* Reports definitions that have the name of a stage. */
static void
check_definitions (const ArmillaWorkflow *self, ArmillaRegistry *registry,
                   ArmillaProblems *problems)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->definitions);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      const ArmillaDefinition *definition = data;

      if (armilla_registry_lookup (registry, definition->name) != NULL)
        armilla_problems_add (problems, definition->group->place, definition->group->name, NULL,
                              "stage %s exists; choose another name for the definition",
                              definition->name);
    }
}

/* Replaces former names of inputs by the present ones. @alias: (nullable): former names of the
 * stage */
static void
use_present_names (ArmillaWorkflow *self, ArmillaNode *node, const ArmillaAlias *alias,
                   ArmillaRegistry *registry)
{
  gboolean former = alias != NULL && strcmp (alias->old, alias->nick) != 0;

  for (guint i = 0; alias != NULL && i < node->group->entries->len; i++)
    {
      ArmillaEntry *entry = g_ptr_array_index (node->group->entries, i);
      g_autofree char *input = armilla_alias_input (alias, entry->key);

      former |= input != NULL;
      if (input != NULL)
        entry->key = g_string_chunk_insert_const (self->document->strings, input);
    }
  if (former)
    armilla_registry_note_alias (registry, alias);
}

static void
find_stage (ArmillaWorkflow *self, ArmillaNode *node, ArmillaRegistry *registry,
            ArmillaProblems *problems)
{
  const ArmillaEntry *entry = armilla_group_entry (node->group, "stage");
  g_autofree char *text = NULL;

  if (entry == NULL)
    {
      missing_stage (self, node, registry, problems);
      return;
    }
  text = fixed_text (self, node, entry, problems);
  if (text == NULL)
    return;
  node->klass = armilla_registry_lookup (registry, text);
  if (node->klass == NULL)
    {
      g_auto (GStrv) nicks = list_stages (self, registry);
      g_autofree char *hint = armilla_suggest_text (text, "stages", (const char *const *) nicks);

      armilla_problems_add (problems, entry->value_place, node->name, entry->key,
                            "unknown stage \"%s\"%s", text, hint);
      return;
    }
  use_present_names (self, node, armilla_registry_alias (registry, text), registry);
  while (armilla_stage_port (node->klass, ARMILLA_PORT_IN, node->n_inputs) != NULL)
    node->n_inputs++;
  while (armilla_stage_port (node->klass, ARMILLA_PORT_OUT, node->n_outputs) != NULL)
    node->n_outputs++;
}

static int
find_input (const ArmillaNode *node, const char *key)
{
  for (int i = 0; i < node->n_inputs; i++)
    if (strcmp (armilla_stage_port (node->klass, ARMILLA_PORT_IN, i)->name, key) == 0)
      return i;
  return -1;
}

static void
unknown_key (const ArmillaNode *node, const ArmillaEntry *entry, ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree GParamSpec **props = NULL;
  g_autofree char *hint = NULL;
  guint n;

  for (const ArmillaPort *port = node->klass->ports; port->name != NULL; port++)
    if (port->flags & ARMILLA_PORT_IN)
      g_ptr_array_add (names, (gpointer) port->name);
    else if (strcmp (port->name, entry->key) == 0)
      {
        armilla_problems_add (problems, entry->key_place, node->name, entry->key,
                              "this is an output of %s; to use it, connect an input to %s.%s",
                              node->klass->nick, node->name, port->name);
        return;
      }
  props = g_object_class_list_properties (G_OBJECT_CLASS (node->klass), &n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) props[i]->name);
  g_ptr_array_sort (names, armilla_compare_texts);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (entry->key, "keys", (const char *const *) names->pdata);
  armilla_problems_add (problems, entry->key_place, node->name, entry->key,
                        "%s has no such key%s", node->klass->nick, hint);
  armilla_problems_mean (problems, node->name,
                         armilla_suggest (entry->key, (const char *const *) names->pdata));
}

typedef struct {
  ArmillaWorkflow *workflow;
  const ArmillaNode *node;
  const ArmillaSetting *setting;
  ArmillaProblems *problems;
} Try;

static gboolean
try_value (gpointer user, gint64 pass)
{
  const Try *try = user;
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *where = NULL;

  if (armilla_workflow_value (try->workflow, try->setting, pass, &value, &error))
    return TRUE;
  where = armilla_pass_describe (try->workflow, pass);
  if (try->setting->varies && *where != '\0')
    g_prefix_error (&error, "in %s: ", where);
  complain (try->problems, try->node, try->setting->entry, error->message);
  return FALSE;
}

/* Parses the values that a setting has in all realisations (if there are many, in the first and
 * last ones); reports the first invalid one. */
static void
check_setting (ArmillaWorkflow *self, const ArmillaNode *node, ArmillaSetting *setting,
               ArmillaProblems *problems)
{
  const Try try = { self, node, setting, problems };
  g_autoptr (GError) error = NULL;
  ArmillaExpansion expansion;
  gint64 tries;

  if (!armilla_workflow_expand (self, setting->entry->value, 0, &expansion, &error))
    {
      if (!expansion.nested)
        complain (problems, node, setting->entry, error->message);
      return;
    }
  tries = armilla_workflow_tries (self, expansion.text);
  g_free (expansion.text);
  setting->by_index = expansion.by_index;
  setting->by_keys = expansion.by_keys;
  setting->varies = expansion.by_index || expansion.by_keys != 0;
  armilla_setting_each_pass (self, setting, tries, try_value, (gpointer) &try);
}

static void
check_required (const ArmillaNode *node, ArmillaProblems *problems)
{
  guint n;
  g_autofree GParamSpec **props
      = g_object_class_list_properties (G_OBJECT_CLASS (node->klass), &n);

  for (guint i = 0; i < n; i++)
    if (armilla_param_spec_is_required (props[i])
        && armilla_group_entry (node->group, props[i]->name) == NULL)
      {
        const ArmillaEntry *entry = armilla_group_left_out (node->group, props[i]->name);
        const ArmillaPlace place = entry != NULL ? entry->key_place : node->group->place;

        if (!armilla_problems_meant (problems, place, node->name, props[i]->name))
          armilla_problems_add (problems, place, node->name, props[i]->name,
                                "%s requires this key: %s",
                                entry != NULL ? entry->value : node->klass->nick,
                                g_param_spec_get_blurb (props[i]));
      }
}

static void
check_node (ArmillaWorkflow *self, ArmillaNode *node, ArmillaProblems *problems)
{
  for (guint i = 0; i < node->group->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (node->group->entries, i);
      int input = find_input (node, entry->key);
      g_autofree char *text = NULL;

      if (strcmp (entry->key, "stage") == 0)
        continue;
      if (input >= 0)
        {
          text = fixed_text (self, node, entry, problems);
          if (node->inputs[input].place.source != NULL) /* by the list of an input before */
            complain (problems, node, entry, "is also connected by a list; use one of them");
          /* The place marks the input as mentioned, so that it is not reported as missing if its
           * value is wrong. */
          node->inputs[input].place = entry->value_place;
          if (text != NULL)
            armilla_link_parse (self, node, input, entry->scope, text, problems);
        }
      else
        {
          ArmillaSetting setting = { .entry = entry };

          setting.pspec = g_object_class_find_property (G_OBJECT_CLASS (node->klass), entry->key);
          if (setting.pspec == NULL || strcmp (setting.pspec->name, entry->key) != 0)
            unknown_key (node, entry, problems);
          else
            {
              check_setting (self, node, &setting, problems);
              g_array_append_val (node->settings, setting);
            }
        }
    }
  check_required (node, problems);
  armilla_links_check_missing (self, node, problems);
}

/* Checks everything that can be known without opening files: stages, keys, values with ranges and
 * units in every realisation, connections and their kinds, names of files, circles. Sorts the
 * nodes. Returns whether there are no problems, so that the workflow can run. */
gboolean
armilla_workflow_validate (ArmillaWorkflow *self, ArmillaRegistry *registry,
                           ArmillaProblems *problems)
{
  ArmillaPlace start = { .source = self->document->path, .line = 1, .column = 1 };

  check_definitions (self, registry, problems);
  if (self->nodes->len == 0 && armilla_problems_count (problems) == 0)
    armilla_problems_add (problems, start, NULL, NULL,
                          "the workflow has no node; must have at least one [group] with stage = "
                          "NAME");
  if (self->nodes->len > ARMILLA_MAX_NODES)
    {
      armilla_problems_add (problems, start, NULL, NULL, "more than %d nodes", ARMILLA_MAX_NODES);
      return FALSE;
    }
  for (guint i = 0; i < self->nodes->len; i++)
    find_stage (self, armilla_workflow_node (self, i), registry, problems);
  for (guint i = 0; i < self->nodes->len; i++)
    if (armilla_workflow_node (self, i)->klass != NULL)
      check_node (self, armilla_workflow_node (self, i), problems);
  armilla_links_check_kinds (self, problems);
  armilla_written_find (self, problems);
  armilla_links_sort (self, problems);
  armilla_workflow_find_roles (self, problems);
  armilla_written_check (self, problems);
  return armilla_problems_count (problems) == 0;
}

/* Parses and validates a workflow; the registry must outlive it. On failure ARMILLA_ERROR_PARSE
 * contains all problems and the registry's warnings, one per line. */
ArmillaWorkflow *
armilla_workflow_load (ArmillaRegistry *registry, const char *path, const char *text, gsize length,
                       const ArmillaOverrides *overrides, GError **error)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autoptr (ArmillaWorkflow) workflow
    = armilla_workflow_parse (path, text, length, overrides, problems);
  g_autofree char *messages = NULL;
  g_autofree char *warnings = NULL;

  if (armilla_workflow_validate (workflow, registry, problems))
    return g_steal_pointer (&workflow);
  messages = armilla_problems_text (problems);
  warnings = g_strchomp (g_strdup (armilla_registry_warnings (registry)));
  return armilla_fail_null (error, ARMILLA_ERROR_PARSE, "%s%s%s", messages,
                            *warnings != '\0' ? "\n" : "", warnings);
}
