/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"
#include "workflows/file/links.h"
#include "workflows/file/slot-use.h"
#include "workflows/text/property.h"
#include "workflows/text/suggest.h"

#define WIDTH 80

static const char *
text_of (const ArmillaDefinition *definition, const char *key)
{
  const ArmillaEntry *entry = armilla_group_entry (definition->group, key);

  return entry != NULL ? entry->value : NULL;
}

static void
list_stages (ArmillaRegistry *registry)
{
  GHashTable *shipped = armilla_definitions_shipped ();
  g_auto (GStrv) nicks = armilla_registry_nicks (registry);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (shipped),
                                         (GCompareFunc) strcmp);

  for (char **nick = nicks; *nick != NULL; nick++)
    printf ("%-18s %s\n", *nick, armilla_registry_lookup (registry, *nick)->summary);
  for (const GList *name = names; name != NULL; name = name->next)
    {
      const char *summary = text_of (g_hash_table_lookup (shipped, name->data), "summary");

      printf ("%-18s %s\n", (const char *) name->data, summary != NULL ? summary : "");
    }
}

/* Prints a text in lines of at most WIDTH columns, each after @indent blanks. */
static void
print_wrapped (const char *text, int indent)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  glong column = 0;

  for (char **word = words; *word != NULL; word++)
    {
      glong length = g_utf8_strlen (*word, -1);

      if (length == 0)
        continue;
      if (column > 0 && column + 1 + length > WIDTH)
        {
          putchar ('\n');
          column = 0;
        }
      if (column == 0)
        column = printf ("%*s", indent, "");
      else
        column += printf (" ");
      fputs (*word, stdout);
      column += length;
    }
  putchar ('\n');
}

static void
print_ports (ArmillaStageClass *klass, ArmillaPortFlags direction, const char *title)
{
  const ArmillaPort *port;

  for (int i = 0; (port = armilla_stage_port (klass, direction, i)) != NULL; i++)
    {
      g_autofree char *kind = armilla_port_kind (port);

      if (i == 0)
        printf ("\n%s\n", title);
      printf ("  %s: %s%s\n", port->name, kind,
              port->flags & ARMILLA_PORT_OPTIONAL ? ", optional" : "");
      print_wrapped (port->blurb, 6);
    }
}

/* @initial: the default; "": that of the property */
static void
print_property (GParamSpec *pspec, const char *name, const char *initial)
{
  g_autofree char *type = armilla_property_type (pspec);
  g_autofree char *range = armilla_property_range (pspec);
  g_autofree char *value = armilla_property_default (pspec);
  const char *units = armilla_dimension_units (armilla_param_spec_dimension (pspec));

  printf ("  %s: %s", name, type != NULL ? type : "(not for workflow files)");
  if (*units != '\0')
    printf (" (%s)", units);
  if (range != NULL && !G_IS_PARAM_SPEC_BOOLEAN (pspec))
    printf ("; %s%s", G_IS_PARAM_SPEC_ENUM (pspec) ? "one of " : "", range);
  if (*initial == '\0' && armilla_param_spec_is_required (pspec))
    printf ("; required");
  else if (*initial != '\0' || value != NULL)
    printf ("; default %s", *initial != '\0' ? initial : value);
  putchar ('\n');
  print_wrapped (g_param_spec_get_blurb (pspec), 6);
}

static void
print_stage (ArmillaRegistry *registry, ArmillaStageClass *klass)
{
  guint n;
  g_autofree GParamSpec **props = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n);

  printf ("%s: %s\n", klass->nick, klass->summary);
  if (klass->description != NULL)
    {
      putchar ('\n');
      print_wrapped (klass->description, 0);
    }
  print_ports (klass, ARMILLA_PORT_IN, "Inputs");
  print_ports (klass, ARMILLA_PORT_OUT, "Outputs");
  if (n > 0)
    puts ("\nProperties");
  for (guint i = 0; i < n; i++)
    print_property (props[i], props[i]->name, "");
  if (klass->reference != NULL)
    {
      puts ("\nReference");
      print_wrapped (klass->reference, 2);
    }
  armilla_print (stdout, "\nPlugin\n  %s\n", armilla_registry_origin (registry, klass->nick));
}

/* An input or an output of a definition; what it says of itself, or else what the stage says. */
static void
print_slot_port (const ArmillaSlot *slot, const ArmillaSlotUse *use)
{
  g_autofree char *kind = armilla_port_kind (use->port);
  const gboolean input = slot->kind == ARMILLA_SLOT_INPUT;

  printf ("  %s: %s%s\n", slot->name, kind,
          input && (use->port->flags & ARMILLA_PORT_OPTIONAL) ? ", optional" : "");
  print_wrapped (input && *slot->entry->value != '\0' ? slot->entry->value : use->port->blurb, 6);
}

static void
print_slots (ArmillaRegistry *registry, const ArmillaDefinition *definition, ArmillaSlotKind kind,
             const char *title)
{
  gboolean first = TRUE;

  for (guint i = 0; i < definition->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (definition->slots, i);
      ArmillaSlotUse use;

      if (slot->kind != kind
          || !armilla_slot_use (armilla_definitions_shipped (), registry, definition, slot, &use))
        continue;
      if (first)
        printf ("\n%s\n", title);
      first = FALSE;
      if (use.pspec != NULL)
        print_property (use.pspec, slot->name, slot->entry->value);
      else
        print_slot_port (slot, &use);
    }
}

static void
print_definition (ArmillaRegistry *registry, const ArmillaDefinition *definition)
{
  const char *summary = text_of (definition, "summary");
  const char *description = text_of (definition, "description");

  printf ("%s: %s\n", definition->name, summary != NULL ? summary : "");
  if (description != NULL)
    {
      putchar ('\n');
      print_wrapped (description, 0);
    }
  print_slots (registry, definition, ARMILLA_SLOT_INPUT, "Inputs");
  print_slots (registry, definition, ARMILLA_SLOT_OUTPUT, "Outputs");
  print_slots (registry, definition, ARMILLA_SLOT_PARAMETER, "Parameters");
  puts ("\nStages");
  for (guint i = 0; i < definition->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (definition->nodes, i);
      const ArmillaEntry *stage = armilla_group_entry (node, "stage");

      printf ("  %s: %s\n", armilla_definition_inner (node), stage != NULL ? stage->value : "");
    }
  printf ("\nPlugin\n  none: a definition, workflows/%s\n", definition->group->place.source);
}

/**
 * armilla_command_inspect:
 * @words: name of the command and its words
 *
 * `armilla inspect [STAGE]`.
 *
 * Returns: the exit status
 */
ArmillaExit
armilla_command_inspect (char **words)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) rest = NULL;
  ArmillaStageClass *klass;

  if (!armilla_parse_words (words, "[STAGE]",
                            "Lists the stages, or describes the inputs, outputs and properties "
                            "of one.",
                            NULL, 0, 1, &rest))
    return ARMILLA_EXIT_USAGE;
  if (!armilla_registry_load_default (registry, &error))
    {
      armilla_say (error);
      return ARMILLA_EXIT_USAGE;
    }
  armilla_print (stderr, "%s", armilla_registry_warnings (registry));
  if (rest[0] == NULL)
    {
      list_stages (registry);
      return ARMILLA_EXIT_DONE;
    }
  klass = armilla_registry_lookup (registry, rest[0]);
  if (klass == NULL && g_hash_table_contains (armilla_definitions_shipped (), rest[0]))
    {
      print_definition (registry, g_hash_table_lookup (armilla_definitions_shipped (), rest[0]));
      return ARMILLA_EXIT_DONE;
    }
  if (klass == NULL)
    {
      g_auto (GStrv) nicks = armilla_registry_nicks (registry);
      g_autofree char *hint
          = armilla_suggest_text (rest[0], "stages", (const char *const *) nicks);

      armilla_print (stderr, "armilla inspect: unknown stage \"%s\"%s\n", rest[0], hint);
      return ARMILLA_EXIT_USAGE;
    }
  print_stage (registry, klass);
  return ARMILLA_EXIT_DONE;
}
