/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/workflow.h"

#include <string.h>

#include "workflows/text/property.h"
#include "workflows/text/problems.h"

#define MAX_REALISATIONS 1000000
#define MAX_TRIES 1000 /* realisations at either end whose values are tried */
#define MAX_TRIED (256 * 1024 * 1024) /* bytes of values that are tried, about */
#define N_KEYS 13 /* of [workflow] */

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
                              "this name is taken: ${index} is the number of the realisation");
      else
        g_hash_table_insert (self->variables, (gpointer) entry->key, entry);
    }
  armilla_expand_variables (self->variables, self->points, group, problems);
}

static GType
interpolation_type (void)
{
  static const GEnumValue values[] = { { ARMILLA_INTERPOLATION_AUTO, "AUTO", "auto" },
                                       { ARMILLA_INTERPOLATION_NEVER, "NEVER", "never" },
                                       { ARMILLA_INTERPOLATION_ALWAYS, "ALWAYS", "always" },
                                       { 0, NULL, NULL } };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("ArmillaInterpolation", values));
  return type;
}

static GType
dealing_type (void)
{
  static const GEnumValue values[]
    = { { ARMILLA_DEALING_AUTO, "AUTO", "auto" },
        { ARMILLA_DEALING_REALISATIONS, "REALISATIONS", "realisations" },
        { ARMILLA_DEALING_BLOCKS, "BLOCKS", "blocks" },
        { 0, NULL, NULL } };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("ArmillaDealing", values));
  return type;
}

/* The keys of [workflow], in the order of setting_of() below. */
static GParamSpec **
workflow_keys (void)
{
  GParamSpec **keys = g_new0 (GParamSpec *, N_KEYS + 1);

  keys[0] = g_param_spec_string ("title", NULL, "what it does", NULL, ARMILLA_PARAM_RW);
  keys[1] = g_param_spec_int64 ("repeat", NULL, "number of realisations", 1, MAX_REALISATIONS, 1,
                                ARMILLA_PARAM_RW);
  keys[2] = g_param_spec_int64 ("ring-block", NULL, "ring pairs per block, 0: by the grid", 0,
                                1 << 20, 0, ARMILLA_PARAM_RW);
  keys[3] = g_param_spec_int64 ("m-blocks", NULL, "blocks of orders, 0: by lmax", 0, 1 << 20, 0,
                                ARMILLA_PARAM_RW);
  keys[4] = g_param_spec_boolean ("overwrite", NULL, "replace existing outputs", FALSE,
                                  ARMILLA_PARAM_RW);
  keys[5] = g_param_spec_enum ("interpolation", NULL,
                               "whether transforms interpolate between rings",
                               interpolation_type (), ARMILLA_INTERPOLATION_AUTO,
                               ARMILLA_PARAM_RW);
  keys[6] = armilla_param_spec_quantity ("checkpoint", "time between checkpoints, 0 s: none",
                                         ARMILLA_DIMENSION_TIME, 0, 1e9, 0);
  keys[7] = g_param_spec_enum ("deal", NULL, "what is dealt to ranks", dealing_type (),
                               ARMILLA_DEALING_AUTO, ARMILLA_PARAM_RW);
  keys[8] = armilla_param_spec_quantity ("memory",
                                         "what each process may take of the machine's memory, "
                                         "0 B: all", ARMILLA_DIMENSION_BYTES, 0, 1e18, 0);
  keys[9] = g_param_spec_string ("spill", NULL, "folder for tiles that do not fit into memory",
                                 NULL, ARMILLA_PARAM_RW);
  keys[10] = g_param_spec_int64 ("together", NULL,
                                 "the most realisations whose transforms share a recurrence, 0: 8",
                                 0, 64, 0, ARMILLA_PARAM_RW);
  keys[11] = g_param_spec_string ("sweep", NULL, "keys and the values that they take", NULL,
                                  ARMILLA_PARAM_RW);
  keys[12] = g_param_spec_string ("report", NULL, "where armilla run writes a page of the run",
                                  NULL, ARMILLA_PARAM_RW);
  for (int i = 0; i < N_KEYS; i++)
    g_param_spec_ref_sink (keys[i]);
  return keys;
}

static void
store_workflow_key (ArmillaWorkflow *self, int number, const GValue *value)
{
  switch (number)
    {
    case 0:
      g_free (self->title);
      self->title = g_value_dup_string (value);
      break;
    case 1:
      self->repeat = g_value_get_int64 (value);
      break;
    case 2:
      self->ring_block = g_value_get_int64 (value);
      break;
    case 3:
      self->m_blocks = g_value_get_int64 (value);
      break;
    case 4:
      self->overwrite = g_value_get_boolean (value);
      break;
    case 5:
      self->interpolation = g_value_get_enum (value);
      break;
    case 6:
      self->checkpoint = g_value_get_double (value);
      break;
    case 7:
      self->deal = g_value_get_enum (value);
      break;
    case 8:
      self->memory = g_value_get_double (value);
      break;
    case 9:
      g_free (self->spill);
      self->spill = g_value_dup_string (value);
      break;
    case 10:
      self->together = g_value_get_int64 (value);
      break;
    case 12:
      g_free (self->report);
      self->report = g_value_dup_string (value);
      break;
    default:
      break; /* armilla_sweep_points_new() has read the sweep */
    }
}

static void
read_workflow_key (ArmillaWorkflow *self, GParamSpec **keys, const ArmillaEntry *entry,
                   ArmillaProblems *problems)
{
  const char *names[N_KEYS + 1] = { NULL };
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *expression = NULL;
  ArmillaExpansion expansion;
  int number = 0;

  for (int i = 0; i < N_KEYS; i++)
    names[i] = keys[i]->name;
  while (names[number] != NULL && strcmp (names[number], entry->key) != 0)
    number++;
  if (strcmp (entry->key, ARMILLA_INCLUDE) == 0)
    {
      armilla_problems_add (problems, entry->value_place, "workflow", entry->key,
                            "files are included before this is read; write it into the file");
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
    return; /* read before the variables, and complained about */
  if (armilla_expand (self->variables, self->points, entry->value, 0, 0, &expansion, &error))
    {
      text = expansion.text;
      expression = armilla_expand_expression (self->variables, self->points, entry->value, 0, 0);
      if (expansion.by_index || expansion.by_keys != 0)
        g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                     "[workflow] is the same for all realisations; ${index} and what is swept "
                     "cannot be used here");
      else if (armilla_property_parse (keys[number], text, expression, &value, &error))
        store_workflow_key (self, number, &value);
    }
  else if (expansion.nested)
    return; /* the variable's own value has been complained about */
  if (error != NULL)
    armilla_problems_add (problems, entry->value_place, "workflow", entry->key, "%s",
                          error->message);
}

static void
read_workflow_group (ArmillaWorkflow *self, ArmillaProblems *problems)
{
  const ArmillaGroup *group = armilla_document_group (self->document, "workflow");
  GParamSpec **keys;

  if (group == NULL)
    return;
  keys = workflow_keys ();
  for (guint i = 0; i < group->entries->len; i++)
    read_workflow_key (self, keys, g_ptr_array_index (group->entries, i), problems);
  for (int i = 0; i < N_KEYS; i++)
    g_param_spec_unref (keys[i]);
  g_free (keys);
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

/* Reads groups, variables, [workflow] and the names of nodes; armilla_workflow_validate ()
 * checks the nodes. Text may be any bytes. */
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

/* Returns the port of that number among the ports of its direction, or NULL. */
const ArmillaPort *
armilla_stage_port (ArmillaStageClass *klass, ArmillaPortFlags direction, int number)
{
  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    if ((port->flags & direction) && number-- == 0)
      return port;
  return NULL;
}

/* Returns how many first and last realisations are checked for errors in a value that varies. */
gint64
armilla_workflow_tries (const ArmillaWorkflow *self, const char *text)
{
  gint64 entries = 1;

  for (guint i = 0; i < self->nodes->len; i++)
    entries += armilla_workflow_node (self, (int) i)->group->entries->len;
  return CLAMP (MAX_TRIED / entries / (gint64) (strlen (text) + 1), 1, MAX_TRIES);
}
