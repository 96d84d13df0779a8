/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of stages and short forms for `armilla inspect`, the manual and Python. */
#include "config.h"

#include "workflows/file/load.h"

#include <string.h>

#include "core/base/quantity.h"
#include "plugins/base/stage.h"
#include "plugins/builtin/builtin.h"
#include "workflows/file/links.h"
#include "workflows/file/slot-use.h"
#include "workflows/text/property.h"

struct ArmillaStages {
  ArmillaRegistry *registry; /* owner of most texts */
  /* whether properties are described completely (then the registry is owned), or by their names
   * only */
  gboolean whole;
  GPtrArray *infos;          /* (element-type ArmillaStageInfo) */
  GStringChunk *strings;     /* owner of the other texts */
};

static void
info_free (gpointer data)
{
  ArmillaStageInfo *info = data;

  g_free ((gpointer) info->parts);
  g_free (info);
}

/* Stores a text in the list: (transfer full) (nullable) argument, (transfer none) result. */
static const char *
keep (ArmillaStages *self, char *text)
{
  const char *kept = text ? g_string_chunk_insert_const (self->strings, text) : NULL;

  g_free (text);
  return kept;
}

/* Returns the former name of an input, such as alm2 for input2. */
static const char *
old_name (ArmillaStages *self, const ArmillaPort *port, const ArmillaAlias *alias)
{
  if (!alias || !(port->flags & ARMILLA_PORT_IN) || strcmp (alias->key, alias->input) == 0
      || !g_str_has_prefix (port->name, alias->input))
    return NULL;
  return keep (self, g_strconcat (alias->key, port->name + strlen (alias->input), NULL));
}

/* Describes a port. @alias: (nullable): former names of the stage and its inputs */
static ArmillaStagePart
port_part (ArmillaStages *self, const ArmillaPort *port, const ArmillaAlias *alias)
{
  return (ArmillaStagePart) { .role = port->flags & ARMILLA_PORT_IN ? ARMILLA_STAGE_INPUT
                                                                    : ARMILLA_STAGE_OUTPUT,
                              .name = port->name,
                              .type = keep (self, armilla_port_kind (port)),
                              .units = "",
                              .range = "",
                              .blurb = port->blurb,
                              .old = old_name (self, port, alias),
                              .optional = (port->flags & ARMILLA_PORT_OPTIONAL) != 0 };
}

/* Describes a property. @initial: default in a short form; "": the default of the stage */
static ArmillaStagePart
property_part (ArmillaStages *self, GParamSpec *pspec, const char *name, const char *initial)
{
  const char *type = self->whole ? keep (self, armilla_property_type (pspec)) : NULL;
  const char *range = self->whole ? keep (self, armilla_property_range (pspec)) : NULL;
  const gboolean required = *initial == '\0' && armilla_param_spec_is_required (pspec);
  ArmillaStagePart part
    = { .role = ARMILLA_STAGE_PROPERTY,
        .name = name,
        .type = type ? type : "",
        .units = armilla_dimension_units (armilla_param_spec_dimension (pspec)),
        .range = range && !G_IS_PARAM_SPEC_BOOLEAN (pspec) ? range : "",
        .blurb = g_param_spec_get_blurb (pspec),
        .optional = !required };

  if (self->whole && !required)
    part.initial = *initial != '\0' ? initial : keep (self, armilla_property_default (pspec));
  return part;
}

static void
add_info (ArmillaStages *self, const ArmillaStageInfo *info, GArray *parts)
{
  ArmillaStageInfo *added = g_memdup2 (info, sizeof *info);

  added->n_parts = (int) parts->len;
  added->parts = (ArmillaStagePart *) g_array_free (parts, FALSE);
  g_ptr_array_add (self->infos, added);
}

/* Adds the ports. If the stage is called by a former name, the inputs that it had under that name
 * come first, and the first of them is required. */
static void
add_ports (ArmillaStages *self, const ArmillaPort *ports, const ArmillaAlias *alias, GArray *parts)
{
  enum { FORMER, IN, OUT, N_ROUNDS };
  const gboolean former = alias && strcmp (alias->old, alias->nick) != 0;

  for (int round = former ? FORMER : IN; round < N_ROUNDS; round++)
    for (const ArmillaPort *port = ports; port->name; port++)
      {
        ArmillaStagePart part = port_part (self, port, alias);
        const gboolean first = former && part.role == ARMILLA_STAGE_INPUT
                               && g_str_has_prefix (port->name, alias->input);

        if (round != (part.role == ARMILLA_STAGE_OUTPUT ? OUT : first ? FORMER : IN))
          continue;
        if (former && strcmp (port->name, alias->input) == 0)
          part.optional = FALSE;
        g_array_append_val (parts, part);
      }
}

/* Describes a stage. @nick: present or former name of the stage */
static void
describe_stage (ArmillaStages *self, const char *nick)
{
  ArmillaStageClass *klass = armilla_registry_lookup (self->registry, nick);
  const ArmillaAlias *alias = armilla_registry_alias (self->registry, nick);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (ArmillaStagePart));
  guint n;
  g_autofree GParamSpec **props = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n);
  const ArmillaStageInfo info = { .name = alias ? alias->old : klass->nick,
                                  .summary = klass->summary,
                                  .description = klass->description,
                                  .reference = klass->reference,
                                  .example = armilla_stage_example (klass),
                                  .renamed = strcmp (nick, klass->nick) != 0 ? klass->nick : NULL,
                                  .origin = armilla_registry_origin (self->registry, klass->nick),
                                  .gathers = klass->gather != NULL,
                                  .joins = klass->gather != NULL && klass->joins };

  add_ports (self, klass->ports, alias, parts);
  for (guint i = 0; i < n; i++)
    {
      const ArmillaStagePart part = property_part (self, props[i], props[i]->name, "");

      g_array_append_val (parts, part);
    }
  add_info (self, &info, parts);
}

static gboolean
is_only_with (const ArmillaGroup *node, const char *name)
{
  g_auto (GStrv) names = armilla_definition_only_with (node);

  return g_strv_contains ((const char *const *) names, name);
}

/* Returns whether a value refers to the input, or to a node that is omitted without the input. */
static gboolean
depends_on (const ArmillaDefinition *definition, const char *value, const char *input)
{
  g_autofree char *reference = g_strdup_printf ("${%s}", input);
  const ArmillaGroup *node = armilla_definition_node (definition, value);

  return strcmp (value, reference) == 0 || (node && is_only_with (node, input));
}

static gboolean needs_input (const ArmillaStages *self, const char *stage, const char *name);

/* Returns whether a definition requires an input: a node that is present without it has a required
 * input that depends on it. */
static gboolean
definition_needs (const ArmillaStages *self, const ArmillaDefinition *definition,
                  const char *input)
{
  for (guint i = 0; i < definition->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (definition->nodes, i);
      const ArmillaEntry *stage = armilla_group_entry (node, "stage");

      for (guint j = 0; stage && !is_only_with (node, input) && j < node->entries->len; j++)
        {
          const ArmillaEntry *entry = g_ptr_array_index (node->entries, j);

          if (depends_on (definition, entry->value, input)
              && needs_input (self, stage->value, entry->key))
            return TRUE;
        }
    }
  return FALSE;
}

/* Returns whether a stage or a short form has a required input of this name. */
static gboolean
needs_input (const ArmillaStages *self, const char *stage, const char *name)
{
  const ArmillaDefinition *definition
    = g_hash_table_lookup (armilla_definitions_shipped (), stage);
  const ArmillaStageClass *klass = armilla_registry_lookup (self->registry, stage);

  if (definition)
    return definition_needs (self, definition, name);
  for (const ArmillaPort *port = klass ? klass->ports : NULL; port && port->name; port++)
    if (strcmp (port->name, name) == 0)
      return (port->flags & (ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL)) == ARMILLA_PORT_IN;
  return FALSE;
}

/* Describes an input, output or parameter of a definition by its own text or, if it has none, by
 * the text of the port or property that it stands for. */
static ArmillaStagePart
slot_part (ArmillaStages *self, const ArmillaDefinition *definition, const ArmillaSlot *slot,
           const ArmillaSlotUse *use)
{
  ArmillaStagePart part;

  if (!use->port)
    return property_part (self, use->pspec, slot->name, slot->entry->value);
  part = port_part (self, use->port, NULL);
  part.name = slot->name;
  if (slot->kind == ARMILLA_SLOT_INPUT)
    part.optional = !definition_needs (self, definition, slot->name);
  if (slot->kind == ARMILLA_SLOT_INPUT && *slot->entry->value != '\0')
    part.blurb = slot->entry->value;
  return part;
}

/* Describes a parameter that no property has: nodes of the definition are left out if it is
 * empty. */
static ArmillaStagePart
switch_part (ArmillaStages *self, const ArmillaDefinition *definition, const ArmillaSlot *slot)
{
  g_autoptr (GString) nodes = g_string_new (NULL);

  for (guint i = 0; i < definition->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (definition->nodes, i);

      if (is_only_with (node, slot->name))
        g_string_append_printf (nodes, "%s%s", nodes->len > 0 ? ", " : "",
                                armilla_definition_inner (node));
    }
  g_string_prepend (nodes, "any text; if it is empty, these stages are left out: ");
  return (ArmillaStagePart) { .role = ARMILLA_STAGE_PROPERTY,
                              .name = slot->name,
                              .type = "text",
                              .units = "",
                              .range = "",
                              .initial = slot->entry->value,
                              .blurb = keep (self, g_strdup (nodes->str)),
                              .optional = TRUE };
}

static const char *
text_of (const ArmillaDefinition *definition, const char *key)
{
  const ArmillaEntry *entry = armilla_group_entry (definition->group, key);

  return entry ? entry->value : NULL;
}

static void
describe_definition (ArmillaStages *self, const ArmillaDefinition *definition)
{
  static const ArmillaSlotKind kinds[] = { ARMILLA_SLOT_INPUT, ARMILLA_SLOT_OUTPUT,
                                           ARMILLA_SLOT_PARAMETER };
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (ArmillaStagePart));
  const char *summary = text_of (definition, "summary");
  const ArmillaStageInfo info = { .name = definition->name,
                                  .summary = summary ? summary : "",
                                  .description = text_of (definition, "description"),
                                  .reference = text_of (definition, "reference"),
                                  .example = text_of (definition, "example"),
                                  .origin = definition->group->place.source };

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint i = 0; i < definition->slots->len; i++)
      {
        const ArmillaSlot *slot = g_ptr_array_index (definition->slots, i);
        ArmillaStagePart part;
        ArmillaSlotUse use;

        if (slot->kind != kinds[k])
          continue;
        if (armilla_slot_use (armilla_definitions_shipped (), self->registry, definition, slot,
                              &use))
          part = slot_part (self, definition, slot, &use);
        else if (slot->kind == ARMILLA_SLOT_PARAMETER)
          part = switch_part (self, definition, slot);
        else
          continue;
        g_array_append_val (parts, part);
      }
  add_info (self, &info, parts);
}

/* Returns an empty list, to which armilla_stage_infos_add () adds stages, described by the names of
 * their properties only. The registry must outlive it. */
ArmillaStages *
armilla_stage_infos_open (ArmillaRegistry *registry)
{
  ArmillaStages *self = g_new0 (ArmillaStages, 1);

  self->registry = registry;
  self->infos = g_ptr_array_new_with_free_func (info_free);
  self->strings = g_string_chunk_new (4096);
  return self;
}

/* Returns the description of a stage or short form; NULL if the name is unknown. */
const ArmillaStageInfo *
armilla_stage_infos_add (ArmillaStages *self, const char *name)
{
  const ArmillaStageInfo *info = armilla_stages_find (self, name);
  const ArmillaDefinition *definition
    = info ? NULL : g_hash_table_lookup (armilla_definitions_shipped (), name);

  if (definition)
    describe_definition (self, definition);
  else if (!info && armilla_registry_lookup (self->registry, name))
    describe_stage (self, name);
  return info ? info : armilla_stages_find (self, name);
}

/* Returns (transfer full) the names of the stages, then of the short forms. */
char **
armilla_stage_infos_names (const ArmillaStages *self)
{
  g_auto (GStrv) nicks = armilla_registry_nicks (self->registry);
  g_autoptr (GList) forms = g_list_sort (g_hash_table_get_keys (armilla_definitions_shipped ()),
                                         (GCompareFunc) strcmp);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_strv_builder_addv (names, (const char **) nicks);
  for (const GList *form = forms; form; form = form->next)
    g_strv_builder_add (names, form->data);
  return g_strv_builder_end (names);
}

/* Returns descriptions of all stages and short forms. */
ArmillaStages *
armilla_stage_infos_new (GError **error)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_auto (GStrv) names = NULL;
  const ArmillaAlias *alias;
  ArmillaStages *self;

  if (!armilla_registry_load_default (registry, error))
    return NULL;
  self = armilla_stage_infos_open (g_steal_pointer (&registry));
  self->whole = TRUE;
  names = armilla_stage_infos_names (self);
  for (char **name = names; *name; name++)
    armilla_stage_infos_add (self, *name);
  for (guint i = 0; (alias = armilla_registry_old_name (self->registry, i)); i++)
    armilla_stage_infos_add (self, alias->old);
  return self;
}

void
armilla_stages_free (ArmillaStages *stages)
{
  if (!stages)
    return;
  g_ptr_array_unref (stages->infos);
  g_string_chunk_free (stages->strings);
  if (stages->whole)
    armilla_registry_free (stages->registry);
  g_free (stages);
}

const ArmillaStageInfo *
armilla_stages_get (const ArmillaStages *stages, int number)
{
  return number >= 0 && number < (int) stages->infos->len
           ? g_ptr_array_index (stages->infos, number) : NULL;
}

const ArmillaStageInfo *
armilla_stages_find (const ArmillaStages *stages, const char *name)
{
  for (guint i = 0; i < stages->infos->len; i++)
    {
      const ArmillaStageInfo *info = g_ptr_array_index (stages->infos, i);

      if (strcmp (info->name, name) == 0)
        return info;
    }
  return NULL;
}

const char *
armilla_stages_warnings (const ArmillaStages *stages)
{
  return armilla_registry_warnings (stages->registry);
}
