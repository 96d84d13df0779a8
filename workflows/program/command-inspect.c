/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "workflows/file/links.h"
#include "workflows/file/property.h"
#include "workflows/file/suggest.h"

#define WIDTH 80

static void
list_stages (ArmillaRegistry *registry)
{
  g_auto (GStrv) nicks = armilla_registry_nicks (registry);

  for (char **nick = nicks; *nick != NULL; nick++)
    printf ("%-18s %s\n", *nick, armilla_registry_lookup (registry, *nick)->summary);
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

static void
print_property (GParamSpec *pspec)
{
  g_autofree char *type = armilla_property_type (pspec);
  g_autofree char *range = armilla_property_range (pspec);
  g_autofree char *value = armilla_property_default (pspec);
  const char *units = armilla_dimension_units (armilla_param_spec_dimension (pspec));

  printf ("  %s: %s", pspec->name, type != NULL ? type : "(not for workflow files)");
  if (*units != '\0')
    printf (" (%s)", units);
  if (range != NULL && !G_IS_PARAM_SPEC_BOOLEAN (pspec))
    printf ("; %s%s", G_IS_PARAM_SPEC_ENUM (pspec) ? "one of " : "", range);
  if (armilla_param_spec_is_required (pspec))
    printf ("; required");
  else if (value != NULL)
    printf ("; default %s", value);
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
    print_property (props[i]);
  if (klass->reference != NULL)
    {
      puts ("\nReference");
      print_wrapped (klass->reference, 2);
    }
  armilla_print (stdout, "\nPlugin\n  %s\n", armilla_registry_origin (registry, klass->nick));
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
                            "Lists the stages, or tells the inputs, outputs and properties of one.",
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
