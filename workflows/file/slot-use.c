/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which port or property of a stage each input, output and parameter ("slot") of a definition
 * stands for. */
#include "workflows/file/slot-use.h"

#include <string.h>

#define MAX_DEPTH 32

typedef struct {
  GHashTable *definitions;
  ArmillaRegistry *registry;
  int depth;
} Search;

static gboolean find_use (Search *search, const ArmillaDefinition *definition,
                          const ArmillaSlot *slot, ArmillaSlotUse *use);

static const ArmillaPort *
find_port (ArmillaStageClass *klass, ArmillaPortFlags direction, const char *name)
{
  const ArmillaPort *only = NULL;
  int n = 0;

  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    if (port->flags & direction)
      {
        if (name != NULL && strcmp (port->name, name) == 0)
          return port;
        only = port;
        n++;
      }
  return name == NULL && n == 1 ? only : NULL;
}

/* Finds the port or property NAME of the stage of a node of the definition. */
static gboolean
find_in_node (Search *search, const ArmillaGroup *node, const char *name, gboolean outputs,
              ArmillaSlotUse *use)
{
  const ArmillaEntry *stage = armilla_group_entry (node, "stage");
  const ArmillaDefinition *inner;
  const ArmillaAlias *alias;
  g_autofree char *input = NULL;

  if (stage == NULL)
    return FALSE;
  inner = armilla_definition_find (search->definitions, stage->value);
  if (inner != NULL)
    for (guint i = 0; i < inner->slots->len; i++)
      {
        const ArmillaSlot *slot = g_ptr_array_index (inner->slots, i);

        if ((slot->kind == ARMILLA_SLOT_OUTPUT) == outputs
            && (name == NULL || strcmp (slot->name, name) == 0))
          return find_use (search, inner, slot, use);
      }
  use->klass = armilla_registry_lookup (search->registry, stage->value);
  if (use->klass == NULL)
    return FALSE;
  alias = armilla_registry_alias (search->registry, stage->value);
  if (alias != NULL && !outputs && (input = armilla_alias_input (alias, name)) != NULL)
    name = input;
  use->port = find_port (use->klass, outputs ? ARMILLA_PORT_OUT : ARMILLA_PORT_IN, name);
  use->pspec = use->port == NULL && !outputs
                 ? g_object_class_find_property (G_OBJECT_CLASS (use->klass), name) : NULL;
  return use->port != NULL || use->pspec != NULL;
}

static gboolean
find_output (Search *search, const ArmillaDefinition *definition, const char *value,
             ArmillaSlotUse *use)
{
  const ArmillaGroup *node = armilla_definition_node (definition, value);
  const char *dot = strchr (value, '.');

  return node != NULL && find_in_node (search, node, dot != NULL ? dot + 1 : NULL, TRUE, use);
}

static gboolean
mentions (const char *text, const char *name, gboolean only)
{
  g_autofree char *reference = g_strdup_printf ("${%s}", name);

  return only ? strcmp (text, reference) == 0 : strstr (text, reference) != NULL;
}

static gboolean
find_use (Search *search, const ArmillaDefinition *definition, const ArmillaSlot *slot,
          ArmillaSlotUse *use)
{
  *use = (ArmillaSlotUse) { NULL, NULL, NULL };
  if (++search->depth > MAX_DEPTH)
    return FALSE;
  if (slot->kind == ARMILLA_SLOT_OUTPUT)
    return find_output (search, definition, slot->entry->value, use);
  /* first looks for a key whose value is ${slot} alone, since its description fits best */
  for (int only = 1; only >= 0; only--)
    for (guint i = 0; i < definition->nodes->len; i++)
      {
        const ArmillaGroup *node = g_ptr_array_index (definition->nodes, i);

        for (guint j = 0; j < node->entries->len; j++)
          {
            const ArmillaEntry *entry = g_ptr_array_index (node->entries, j);

            if (mentions (entry->value, slot->name, only)
                && find_in_node (search, node, entry->key, FALSE, use))
              return TRUE;
          }
      }
  return FALSE;
}

/* Finds the first port or property of a stage that a slot of a definition stands for. @definitions:
 * definitions of the workflow, which its nodes may use besides the shipped ones. */
gboolean
armilla_slot_use (GHashTable *definitions, ArmillaRegistry *registry,
                  const ArmillaDefinition *definition, const ArmillaSlot *slot,
                  ArmillaSlotUse *use)
{
  Search search = { definitions, registry, 0 };

  return find_use (&search, definition, slot, use);
}
