/* SPDX-License-Identifier: GPL-3.0-or-later */
/* armilla check and armilla graph describe a workflow without running it. */
#include "workflows/program/commands.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "workflows/file/links.h"
#include "workflows/file/passes.h"
#include "workflows/run/runner.h"

static gboolean
load (char **words, const char *summary, ArmillaLoaded *loaded)
{
  ArmillaOverrides overrides = { 0 };
  g_auto (GStrv) files = NULL;
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    ARMILLA_OVERRIDE_OPTIONS (overrides),
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  gboolean good = armilla_parse_words (words, "FILE", summary, entries, 1, 1, &files);

  if (good && !armilla_load (files[0], &overrides, loaded, &error))
    {
      armilla_say (error);
      good = FALSE;
    }
  if (good)
    armilla_print (stderr, "%s", armilla_registry_warnings (loaded->registry));
  g_strfreev (overrides.set);
  g_strfreev (overrides.define);
  return good;
}

/* Prepares all nodes as a run does before its first task, which checks the headers of inputs, and
 * whether properties fit them. */
static gboolean
prepare (const ArmillaWorkflow *workflow)
{
  const ArmillaRunOptions options = { .overwrite = TRUE, .silent = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = armilla_plan (workflow, &options, &error);

  if (text == NULL)
    armilla_say (error);
  return text != NULL;
}

ArmillaExit
armilla_command_check (char **words)
{
  g_auto (ArmillaLoaded) loaded = { NULL, NULL };
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  gint64 n;

  if (!load (words, "Checks a workflow, and whether its input files exist.",
             &loaded))
    return ARMILLA_EXIT_USAGE;
  if (!armilla_inputs_check (loaded.workflow, problems))
    {
      g_autofree char *text = armilla_problems_text (problems);

      armilla_print (stderr, "%s\n", text);
      return ARMILLA_EXIT_USAGE;
    }
  if (!prepare (loaded.workflow))
    return ARMILLA_EXIT_USAGE;
  n = armilla_workflow_n_realisations (loaded.workflow);
  armilla_print (stderr, "%s: %u nodes, %" G_GINT64_FORMAT " realisation%s, no problems\n",
                 loaded.workflow->document->path, loaded.workflow->nodes->len,
                 n, n == 1 ? "" : "s");
  return ARMILLA_EXIT_DONE;
}

static char *
dot_quote (const char *text)
{
  g_autoptr (GString) out = g_string_new ("\"");

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (out, '\\');
      if (*p != '\n' && *p != '\r')
        g_string_append_c (out, *p);
      else
        g_string_append (out, "\\n");
    }
  g_string_append_c (out, '"');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
print_edges (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaLink *link = &node->inputs[i];
      const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_IN, i);
      const ArmillaNode *source;
      g_autofree char *kind = NULL;

      if (link->node < 0)
        continue;
      source = armilla_workflow_node (workflow, link->node);
      kind = armilla_port_kind (armilla_link_port (workflow, link));
      printf ("  \"%s\" -> \"%s\" [label=\"%s\", headlabel=\"%s\"];\n", source->name, node->name,
              kind, g_str_equal (kind, port->name) ? "" : port->name);
    }
}

/* Prints the nodes, those of a definition as a group. Their names need no quotes: letters, digits,
 * - and _ only. */
static void
print_nodes (const ArmillaWorkflow *workflow, const char *scope)
{
  for (guint i = 0; i < workflow->order->len; i++)
    {
      const ArmillaNode *node
        = armilla_workflow_node (workflow, g_array_index (workflow->order, int, i));
      const char *name = armilla_name_within (node->name, scope);

      if (name != NULL)
        printf ("  \"%s\" [label=\"%s\\n%s\"%s];\n", node->name, name, node->klass->nick,
                node->passes == ARMILLA_PASS_EACH ? "" : ", style=rounded");
    }
  for (guint i = 0; i < workflow->uses->len; i++)
    {
      const ArmillaUse *use = g_ptr_array_index (workflow->uses, i);
      const char *name = armilla_name_within (use->name, scope);
      g_autofree char *inner = g_strconcat (use->name, "/", NULL);

      if (name == NULL)
        continue;
      printf ("  subgraph \"cluster_%s\" {\n  label=\"%s\\n%s\";\n", use->name, name,
              use->definition->name);
      print_nodes (workflow, inner);
      puts ("  }");
    }
}

/* Prints the graph of the nodes in the order of the run, those of a definition as a cluster. Edges
 * are labelled with the kind of data, and with the name of the input if that differs. */
ArmillaExit
armilla_command_graph (char **words)
{
  g_auto (ArmillaLoaded) loaded = { NULL, NULL };
  const ArmillaWorkflow *workflow;

  if (!load (words, "Prints a workflow as a graph in the language of Graphviz.", &loaded))
    return ARMILLA_EXIT_USAGE;
  workflow = loaded.workflow;
  puts ("digraph workflow {\n  node [shape=box];");
  if (workflow->title != NULL)
    {
      g_autofree char *shown = armilla_printable (workflow->title, TRUE);
      g_autofree char *title = dot_quote (shown);

      printf ("  label=%s;\n", title);
    }
  print_nodes (workflow, "");
  for (guint i = 0; i < workflow->order->len; i++)
    print_edges (workflow,
                 armilla_workflow_node (workflow, g_array_index (workflow->order, int, i)));
  puts ("}");
  return ARMILLA_EXIT_DONE;
}
