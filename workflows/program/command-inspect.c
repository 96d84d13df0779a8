/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"
#include "workflows/file/definition.h"
#include "workflows/file/load.h"
#include "workflows/text/problems.h"

#define WIDTH 80

static void
list_stages (const ArmillaStages *stages)
{
  const ArmillaStageInfo *info;

  for (int i = 0; (info = armilla_stages_get (stages, i)) != NULL; i++)
    if (info->renamed == NULL)
      printf ("%-18s %s\n", info->name, info->summary);
}

/* Prints a text in lines of at most WIDTH columns, indented by @indent blanks. */
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

/* Prints an input or output, or several inputs from part to last. */
static void
print_port (const ArmillaStagePart *part, const ArmillaStagePart *last)
{
  printf ("  %s", part->name);
  if (last > part)
    printf (" to %s", last->name);
  printf (": %s%s\n", part->type, part->optional ? ", optional" : "");
}

/* Returns the last of the parts that follow one with the same text, as inputs of one name and many
 * numbers have. */
static int
last_alike (const ArmillaStageInfo *info, int i)
{
  const ArmillaStagePart *part = &info->parts[i];

  while (part->role == ARMILLA_STAGE_INPUT && i + 1 < info->n_parts
         && info->parts[i + 1].role == part->role
         && strcmp (info->parts[i + 1].type, part->type) == 0
         && strcmp (info->parts[i + 1].blurb, part->blurb) == 0)
    i++;
  return i;
}

static void
print_property (const ArmillaStagePart *part)
{
  printf ("  %s: %s", part->name, *part->type != '\0' ? part->type : "(not for workflow files)");
  if (*part->units != '\0')
    printf (" (%s)", part->units);
  if (*part->range != '\0')
    printf ("; %s%s", strcmp (part->type, "choice") == 0 ? "one of " : "", part->range);
  if (!part->optional)
    printf ("; required");
  else if (part->initial != NULL)
    printf ("; default %s", part->initial);
  putchar ('\n');
}

static void
print_parts (const ArmillaStageInfo *info, ArmillaStageRole role, const char *title)
{
  gboolean first = TRUE;

  for (int i = 0; i < info->n_parts; i++)
    {
      const ArmillaStagePart *part = &info->parts[i];

      if (part->role != role)
        continue;
      i = last_alike (info, i);
      if (first)
        printf ("\n%s\n", title);
      first = FALSE;
      if (role == ARMILLA_STAGE_PROPERTY)
        print_property (part);
      else
        print_port (part, &info->parts[i]);
      print_wrapped (part->blurb, 6);
    }
}

static void
print_stages_within (const ArmillaDefinition *definition)
{
  puts ("\nStages");
  for (guint i = 0; i < definition->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (definition->nodes, i);
      const ArmillaEntry *stage = armilla_group_entry (node, "stage");

      printf ("  %s: %s\n", armilla_definition_inner (node), stage != NULL ? stage->value : "");
    }
}

/* Prints a stage. @definition: (nullable): definition of a short form */
static void
print_stage (const ArmillaStageInfo *info, const ArmillaDefinition *definition)
{
  if (info->renamed != NULL)
    printf ("%s is now called %s; the next release will not know the former name.\n", info->name,
            info->renamed);
  printf ("%s: %s\n", info->renamed != NULL ? info->renamed : info->name, info->summary);
  if (info->description != NULL)
    {
      putchar ('\n');
      print_wrapped (info->description, 0);
    }
  print_parts (info, ARMILLA_STAGE_INPUT, "Inputs");
  print_parts (info, ARMILLA_STAGE_OUTPUT, "Outputs");
  print_parts (info, ARMILLA_STAGE_PROPERTY, definition != NULL ? "Parameters" : "Properties");
  if (definition != NULL)
    print_stages_within (definition);
  if (info->reference != NULL)
    {
      puts ("\nReference");
      print_wrapped (info->reference, 2);
    }
  armilla_print (stdout, definition != NULL ? "\nOrigin\n  a definition, workflows/%s\n"
                                            : "\nOrigin\n  %s\n", info->origin);
}

static ArmillaExit
fail_unknown (const ArmillaStages *stages, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  const ArmillaStageInfo *info;

  for (int i = 0; (info = armilla_stages_get (stages, i)) != NULL; i++)
    g_ptr_array_add (names, (gpointer) info->name);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, "stages", (const char *const *) names->pdata);
  armilla_print (stderr, "armilla inspect: unknown stage \"%s\"%s\n", name, hint);
  return ARMILLA_EXIT_USAGE;
}

ArmillaExit
armilla_command_inspect (char **words)
{
  g_autoptr (ArmillaStages) stages = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) rest = NULL;
  const ArmillaStageInfo *info;

  if (!armilla_parse_words (words, "[STAGE]",
                            "Lists the stages, or describes the inputs, outputs and properties "
                            "of one.",
                            NULL, 0, 1, &rest))
    return ARMILLA_EXIT_USAGE;
  stages = armilla_stage_infos_new (&error);
  if (stages == NULL)
    {
      armilla_say (error);
      return ARMILLA_EXIT_USAGE;
    }
  armilla_print (stderr, "%s", armilla_stages_warnings (stages));
  if (rest[0] == NULL)
    {
      list_stages (stages);
      return ARMILLA_EXIT_DONE;
    }
  info = armilla_stages_find (stages, rest[0]);
  if (info == NULL)
    return fail_unknown (stages, rest[0]);
  print_stage (info, g_hash_table_lookup (armilla_definitions_shipped (), info->name));
  return ARMILLA_EXIT_DONE;
}
