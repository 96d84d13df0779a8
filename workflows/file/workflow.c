/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/workflow.h"

#include <string.h>

#include "plugins/base/stage.h"
#include "workflows/text/property.h"
#include "workflows/text/problems.h"

#define MAX_REALISATIONS 1000000
#define MAX_TRIES 1000 /* number of first and of last realisations for which values are parsed */
/* approximate maximum size of all values that are parsed to check them */
#define MAX_TRIED (256 * 1024 * 1024)
#define N_KEYS G_N_ELEMENTS (properties) /* number of keys of [workflow] */

static void
read_variables (ArmillaWorkflow *self, ArmillaProblems *problems)
{
  const ArmillaGroup *group = armilla_document_group (self->document, "variables");

  if (group == NULL)
    return;
  for (guint i = 0; i < group->entries->len; i++)
    {
      ArmillaEntry *entry = g_ptr_array_index (group->entries, i);

      if (strcmp (entry->key, "index") == 0)
        armilla_problems_add (problems, entry->key_place, group->name, entry->key,
                              "reserved name: ${index} is the number of the realisation");
      else
        g_hash_table_insert (self->variables, (gpointer) entry->key, entry);
    }
  armilla_expand_variables (self->variables, self->points, group, problems);
}

static const char *const interpolations[] = { [ARMILLA_INTERPOLATION_AUTO] = "auto",
                                              [ARMILLA_INTERPOLATION_NEVER] = "never",
                                              [ARMILLA_INTERPOLATION_ALWAYS] = "always", NULL };
static const char *const dealings[] = { [ARMILLA_DEALING_AUTO] = "auto",
                                        [ARMILLA_DEALING_REALISATIONS] = "realisations",
                                        [ARMILLA_DEALING_BLOCKS] = "blocks", NULL };

static const ArmillaProperty properties[] = {
  { "title", ARMILLA_TEXT (ArmillaWorkflow, title, NULL), "what the workflow does" },
  { "repeat", ARMILLA_INT64 (ArmillaWorkflow, repeat, 1, MAX_REALISATIONS, 1),
    "number of realisations" },
  { "ring-block", ARMILLA_INT64 (ArmillaWorkflow, ring_block, 0, 1 << 20, 0),
    "ring pairs per block, 0: chosen for the grid" },
  { "m-blocks", ARMILLA_INT64 (ArmillaWorkflow, m_blocks, 0, 1 << 20, 0),
    "blocks of orders, 0: chosen for lmax" },
  { "overwrite", ARMILLA_BOOLEAN (ArmillaWorkflow, overwrite, FALSE),
    "replace existing outputs" },
  { "interpolation",
    ARMILLA_ENUM (ArmillaWorkflow, interpolation, interpolations, ARMILLA_INTERPOLATION_AUTO),
    "whether transforms interpolate between rings" },
  { "checkpoint",
    ARMILLA_QUANTITY (ArmillaWorkflow, checkpoint, ARMILLA_DIMENSION_TIME, 0, 1e9, 0),
    "time between checkpoints, 0 s: none" },
  { "deal", ARMILLA_ENUM (ArmillaWorkflow, deal, dealings, ARMILLA_DEALING_AUTO),
    "unit of work that is distributed to ranks" },
  { "memory", ARMILLA_QUANTITY (ArmillaWorkflow, memory, ARMILLA_DIMENSION_BYTES, 0, 1e18, 0),
    "maximum memory of each process, 0 B: all of the machine" },
  { "spill", ARMILLA_TEXT (ArmillaWorkflow, spill, NULL),
    "folder for tiles that do not fit into memory" },
  { "together", ARMILLA_INT64 (ArmillaWorkflow, together, 0, 64, 0),
    "maximum number of realisations whose transforms share a recurrence, 0: 8" },
  /* read by armilla_sweep_points_new() */
  { "sweep", .value = { .type = G_TYPE_STRING }, "keys to sweep, and the values of each" },
  { "report", ARMILLA_TEXT (ArmillaWorkflow, report, NULL),
    "file of the report of armilla run" },
};

static GParamSpec *const *
workflow_keys (void)
{
  static GParamSpec *keys[N_KEYS];
  static gsize made;

  if (g_once_init_enter (&made))
    {
      for (gsize i = 0; i < N_KEYS; i++)
        keys[i]
          = g_param_spec_ref_sink (armilla_property_spec ("ArmillaWorkflow", &properties[i]));
      g_once_init_leave (&made, 1);
    }
  return keys;
}

static void
read_workflow_key (ArmillaWorkflow *self, GParamSpec *const *keys, const ArmillaEntry *entry,
                   ArmillaProblems *problems)
{
  const char *names[N_KEYS + 1] = { NULL };
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *expression = NULL;
  ArmillaExpansion expansion;
  int number = 0;

  for (gsize i = 0; i < N_KEYS; i++)
    names[i] = properties[i].name;
  while (names[number] != NULL && strcmp (names[number], entry->key) != 0)
    number++;
  if (strcmp (entry->key, ARMILLA_INCLUDE) == 0)
    {
      armilla_problems_add (problems, entry->value_place, "workflow", entry->key,
                            "files are included before this is read; write it into the file "
                            "directly");
      return;
    }
  if (names[number] == NULL)
    {
      g_autofree char *hint = armilla_suggest_text (entry->key, "keys", names);

      armilla_problems_add (problems, entry->key_place, "workflow", entry->key,
                            "[workflow] has no such key%s", hint);
      return;
    }
  if (strcmp (entry->key, "sweep") == 0)
    return; /* read before the variables; its errors are reported already */
  if (armilla_expand (self->variables, self->points, entry->value, 0, 0, &expansion, &error))
    {
      text = expansion.text;
      expression = armilla_expand_expression (self->variables, self->points, entry->value, 0, 0);
      if (expansion.by_index || expansion.by_keys != 0)
        g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                     "[workflow] must be the same in all realisations; ${index} and swept "
                     "variables cannot be used here");
      else if (armilla_property_parse (keys[number], text, expression, &value, &error))
        armilla_property_store ((char *) self + properties[number].value.offset, &value,
                                keys[number]);
    }
  else if (expansion.nested)
    return; /* the error is in the value of a variable, where it was reported */
  if (error != NULL)
    armilla_problems_add (problems, entry->value_place, "workflow", entry->key, "%s",
                          error->message);
}

static void
read_workflow_group (ArmillaWorkflow *self, ArmillaProblems *problems)
{
  const ArmillaGroup *group = armilla_document_group (self->document, "workflow");

  for (guint i = 0; group != NULL && i < group->entries->len; i++)
    read_workflow_key (self, workflow_keys (), g_ptr_array_index (group->entries, i), problems);
}

static void
node_free (gpointer data)
{
  ArmillaNode *node = data;

  g_array_unref (node->settings);
  g_array_unref (node->reads);
  g_free (node);
}

static void
make_nodes (ArmillaWorkflow *self)
{
  for (guint i = 0; i < self->document->groups->len; i++)
    {
      const ArmillaGroup *group = g_ptr_array_index (self->document->groups, i);
      ArmillaNode *node;

      if (strcmp (group->name, "workflow") == 0 || strcmp (group->name, "variables") == 0)
        continue;
      node = g_new0 (ArmillaNode, 1);
      node->name = group->name;
      node->group = group;
      node->settings = g_array_new (FALSE, TRUE, sizeof (ArmillaSetting));
      node->reads = g_array_new (FALSE, TRUE, sizeof (ArmillaRead));
      for (int port = 0; port < ARMILLA_STAGE_MAX_PORTS; port++)
        node->inputs[port].node = -1;
      g_ptr_array_add (self->nodes, node);
    }
}

/* Reads groups, variables, the keys of [workflow] and the names of nodes; armilla_workflow_validate
 * () checks the nodes. @text may contain any bytes. */
ArmillaWorkflow *
armilla_workflow_parse (const char *path, const char *text, gsize length,
                        const ArmillaOverrides *overrides, ArmillaProblems *problems)
{
  ArmillaWorkflow *self = g_new0 (ArmillaWorkflow, 1);
  g_autoptr (GString) whole = g_string_new (NULL);

  self->repeat = 1;
  self->n_phases = 1;
  self->variables = g_hash_table_new (g_str_hash, g_str_equal);
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->order = g_array_new (FALSE, FALSE, sizeof (int));
  self->uses = g_ptr_array_new_with_free_func (g_free);
  self->document = armilla_include_parse (path, text, length, whole, problems);
  self->definitions = armilla_definitions_take (self->document, problems);
  if (overrides != NULL)
    armilla_overrides_apply (overrides, self->document, whole, problems);
  self->points = armilla_sweep_points_new (self->document, problems);
  read_variables (self, problems);
  armilla_instances_expand (self, problems);
  if (overrides != NULL)
    armilla_overrides_apply_within (overrides, self->document, whole, problems);
  self->text = g_string_free (g_steal_pointer (&whole), FALSE);
  read_workflow_group (self, problems);
  if (armilla_sweep_points_count (self->points) > MAX_REALISATIONS / self->repeat)
    armilla_problems_add (problems,
                          armilla_group_entry (armilla_document_group (self->document, "workflow"),
                                               "sweep")->value_place,
                          "workflow", "sweep",
                          "%" G_GINT64_FORMAT " points of %" G_GINT64_FORMAT " realisations each "
                          "are more than %d", armilla_sweep_points_count (self->points),
                          self->repeat, MAX_REALISATIONS);
  make_nodes (self);
  return self;
}

void
armilla_workflow_free (ArmillaWorkflow *self)
{
  g_ptr_array_unref (self->nodes);
  g_array_unref (self->order);
  g_hash_table_unref (self->variables);
  g_hash_table_unref (self->definitions);
  g_ptr_array_unref (self->uses);
  armilla_sweep_points_free (self->points);
  armilla_document_free (self->document);
  g_free (self->text);
  g_free (self->title);
  g_free (self->spill);
  g_free (self->report);
  g_free (self);
}

ArmillaNode *
armilla_workflow_node (const ArmillaWorkflow *self, int number)
{
  return g_ptr_array_index (self->nodes, number);
}

/* Returns the port with this number among the inputs, or among the outputs, of the class; NULL if
 * there is none. */
const ArmillaPort *
armilla_stage_port (ArmillaStageClass *klass, ArmillaPortFlags direction, int number)
{
  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    if ((port->flags & direction) && number-- == 0)
      return port;
  return NULL;
}

/* Returns in how many first and in how many last realisations a value is checked that varies. */
gint64
armilla_workflow_tries (const ArmillaWorkflow *self, const char *text)
{
  gint64 entries = 1;

  for (guint i = 0; i < self->nodes->len; i++)
    entries += armilla_workflow_node (self, (int) i)->group->entries->len;
  return CLAMP (MAX_TRIED / entries / (gint64) (strlen (text) + 1), 1, MAX_TRIES);
}
