/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections of an input, and lists of connections of inputs that have one name and numbers. */
#include <string.h>

#include "workflows/file/links.h"
#include "workflows/file/workflow.h"

/* Returns how many inputs have the name of @input and the numbers 2, 3, ...: 1 if there are none.
 * */
static int
count_numbered (const ArmillaNode *node, int input)
{
  const char *name = armilla_stage_port (node->klass, ARMILLA_PORT_IN, input)->name;
  int n = 1;

  for (; input + n < node->n_inputs; n++)
    {
      g_autofree char *next = g_strdup_printf ("%s%d", name, n + 1);

      if (strcmp (armilla_stage_port (node->klass, ARMILLA_PORT_IN, input + n)->name, next) != 0)
        break;
    }
  return n;
}

/* Adds a connection of a list; "*" in the name of its node stands for any characters: all such
 * nodes, in the order of the file. */
static void
add_connections (const ArmillaWorkflow *workflow, const ArmillaNode *node, const char *scope,
                 const char *item, GPtrArray *connections)
{
  const char *dot = strchr (item, '.');
  g_autofree char *name = g_strndup (item, dot != NULL ? (gsize) (dot - item) : strlen (item));
  const gsize prefix = strlen (scope);

  if (strchr (name, '*') == NULL)
    g_ptr_array_add (connections, g_strdup (item));
  for (guint i = 0; strchr (name, '*') != NULL && i < workflow->nodes->len; i++)
    {
      const ArmillaNode *other = armilla_workflow_node (workflow, (int) i);

      if (other != node && g_str_has_prefix (other->name, scope)
          && strchr (other->name + prefix, '/') == NULL
          && g_pattern_match_simple (name, other->name + prefix))
        g_ptr_array_add (connections, g_strconcat (other->name + prefix, dot, NULL));
    }
}

/* Connects the elements of a list in turn to an input and to those that have its name followed by a
 * number (map, map2, map3). */
static void
connect_list (ArmillaWorkflow *workflow, ArmillaNode *node, int input, const char *scope,
              const char *text, ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) connections = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  const char *name = armilla_stage_port (node->klass, ARMILLA_PORT_IN, input)->name;
  const int n_inputs = count_numbered (node, input);

  for (char **item = items; *item != NULL; item++)
    {
      const guint before = connections->len;

      add_connections (workflow, node, scope, g_strstrip (*item), connections);
      if (connections->len == before)
        {
          armilla_link_complain (problems, node, input, "no other node is called %s", *item);
          return;
        }
    }
  if (n_inputs == 1 && connections->len > 1)
    armilla_link_complain (problems, node, input,
                           "an input accepts one connection, node or node.port, not a list");
  else if (connections->len > (guint) n_inputs)
    armilla_link_complain (problems, node, input, "the list has %u connections; %s accepts at most "
                           "%d", connections->len, name, n_inputs);
  else
    for (int i = 0; i < (int) connections->len; i++)
      {
        if (i > 0 && node->inputs[input + i].place.source != NULL)
          {
            armilla_link_complain (problems, node, input + i, "%s is also connected by the list of "
                                   "%s; use one of them",
                                   armilla_stage_port (node->klass, ARMILLA_PORT_IN,
                                                       input + i)->name, name);
            return;
          }
        node->inputs[input + i].place = node->inputs[input].place;
        armilla_link_connect (workflow, node, input + i, scope, connections->pdata[i], problems);
      }
}

/* Connects an input, whose place is set, to "node" or "node.port"; or connects it, and the inputs
 * that have its name followed by a number, to a list of these. Scope (nullable) is the prefix of
 * names within a definition. */
void
armilla_link_parse (ArmillaWorkflow *workflow, ArmillaNode *node, int input, const char *scope,
                    const char *text, ArmillaProblems *problems)
{
  const char *prefix = scope != NULL ? scope : "";

  if (strpbrk (text, ",*") != NULL)
    connect_list (workflow, node, input, prefix, text, problems);
  else if (strpbrk (text, "; \t") != NULL)
    armilla_link_complain (problems, node, input,
                           "an input accepts one connection, node or node.port, not a list");
  else
    armilla_link_connect (workflow, node, input, prefix, text, problems);
}
