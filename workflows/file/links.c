/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections between nodes: what they name, whether kinds fit, in which order nodes can run. */
#include "workflows/file/links.h"

#include <armilla/correlation.h>
#include <string.h>

#include "workflows/file/suggest.h"

/**
 * armilla_port_kind:
 * @port: a port
 *
 * Returns: (transfer full): what a user calls the type of its data: "map" for ArmillaMap
 */
char *
armilla_port_kind (const ArmillaPort *port)
{
  GType type = port->get_type ();
  const char *name = g_type_name (type);

  /* in core, ArmillaCatalogue and ArmillaTable are what these carry */
  if (type == ARMILLA_TYPE_OBJECTS)
    return g_strdup ("catalogue");
  if (type == ARMILLA_TYPE_TABLE_DATA)
    return g_strdup ("table");
  if (g_str_has_prefix (name, "Armilla") && name[7] != '\0')
    name += 7;
  return g_ascii_strdown (name, -1);
}

static void
complain (ArmillaProblems *problems, const ArmillaNode *node, int input, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
complain (ArmillaProblems *problems, const ArmillaNode *node, int input, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  armilla_problems_add (problems, node->inputs[input].place, node->name,
                        armilla_stage_port (node->klass, ARMILLA_PORT_IN, input)->name, "%s",
                        message);
}

/* Nodes that could be connected: "sky, smoothed, maps.mean"; NULL when there is none. */
static char *
list_sources (ArmillaWorkflow *workflow, const ArmillaNode *self, GType type)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, i);

      for (int port = 0; node != self && port < node->n_outputs; port++)
        {
          const ArmillaPort *out = armilla_stage_port (node->klass, ARMILLA_PORT_OUT, port);

          if (g_type_is_a (out->get_type (), type))
            g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", node->name,
                                    node->n_outputs > 1 ? "." : "",
                                    node->n_outputs > 1 ? out->name : "");
        }
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static int
find_node (ArmillaWorkflow *workflow, const char *name)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (strcmp (armilla_workflow_node (workflow, i)->name, name) == 0)
      return (int) i;
  return -1;
}

static void
unknown_node (ArmillaWorkflow *workflow, const ArmillaNode *node, int input, const char *name,
              ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < workflow->nodes->len; i++)
    g_ptr_array_add (names, (gpointer) armilla_workflow_node (workflow, i)->name);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, "nodes", (const char *const *) names->pdata);
  complain (problems, node, input, "there is no node \"%s\"%s", name, hint);
}

/* The output that "node" or "node.port" means; -1 after complaining. */
static int
find_output (const ArmillaNode *node, int input, const ArmillaNode *source, const char *port,
             ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (int i = 0; i < source->n_outputs; i++)
    {
      const ArmillaPort *out = armilla_stage_port (source->klass, ARMILLA_PORT_OUT, i);

      if (port != NULL && strcmp (out->name, port) == 0)
        return i;
      g_ptr_array_add (names, (gpointer) out->name);
    }
  g_ptr_array_add (names, NULL);
  if (source->n_outputs == 0)
    complain (problems, node, input, "node %s gives nothing: %s has no outputs", source->name,
              source->klass->nick);
  else if (port == NULL && source->n_outputs == 1)
    return 0;
  else if (port == NULL)
    {
      hint = g_strjoinv (", ", (char **) names->pdata);
      complain (problems, node, input, "node %s has several outputs; write %s.PORT with one of: %s",
                source->name, source->name, hint);
    }
  else
    {
      hint = armilla_suggest_text (port, "outputs", (const char *const *) names->pdata);
      complain (problems, node, input, "node %s (%s) has no output \"%s\"%s", source->name,
                source->klass->nick, port, hint);
    }
  return -1;
}

static gboolean
check_kind (ArmillaWorkflow *workflow, const ArmillaNode *node, int input,
            const ArmillaNode *source, int output, ArmillaProblems *problems)
{
  const ArmillaPort *in = armilla_stage_port (node->klass, ARMILLA_PORT_IN, input);
  const ArmillaPort *out = armilla_stage_port (source->klass, ARMILLA_PORT_OUT, output);
  g_autofree char *takes = NULL;
  g_autofree char *gives = NULL;
  g_autofree char *sources = NULL;

  if (g_type_is_a (out->get_type (), in->get_type ()))
    return TRUE;
  takes = armilla_port_kind (in);
  gives = armilla_port_kind (out);
  sources = list_sources (workflow, node, in->get_type ());
  complain (problems, node, input,
            "this input takes data of kind %s, but node %s (%s) gives %s%s%s",
            takes, source->name, source->klass->nick, gives,
            sources != NULL ? "; nodes that fit: " : "; no node of the workflow fits",
            sources != NULL ? sources : "");
  return FALSE;
}

/**
 * armilla_link_parse:
 * @workflow: a workflow whose stages are known
 * @node: one of its nodes
 * @input: number of an input of @node; its place is set
 * @text: what the input is connected to: "node" or "node.port"
 * @problems: where problems are added
 *
 * Connects an input.
 */
void
armilla_link_parse (ArmillaWorkflow *workflow, ArmillaNode *node, int input, const char *text,
                    ArmillaProblems *problems)
{
  const char *dot = strchr (text, '.');
  gsize length = dot != NULL ? (gsize) (dot - text) : strlen (text);
  g_autofree char *name = g_strndup (text, length);
  const ArmillaNode *source;
  int number, output;

  if (strpbrk (text, ",; \t") != NULL)
    {
      complain (problems, node, input,
                "an input takes one connection, node or node.port, not a list");
      return;
    }
  if (!armilla_is_name (name, -1) || (dot != NULL && !armilla_is_name (dot + 1, -1)))
    {
      complain (problems, node, input, "a connection is written node or node.port");
      return;
    }
  number = find_node (workflow, name);
  if (number < 0)
    {
      unknown_node (workflow, node, input, name, problems);
      return;
    }
  source = armilla_workflow_node (workflow, number);
  if (source->klass == NULL)
    return; /* its stage has been complained about */
  output = find_output (node, input, source, dot != NULL ? dot + 1 : NULL, problems);
  if (output >= 0 && check_kind (workflow, node, input, source, output, problems))
    {
      node->inputs[input].node = number;
      node->inputs[input].port = output;
    }
}

/**
 * armilla_links_check_missing:
 * @workflow: a workflow
 * @node: one of its nodes, whose connections are made
 * @problems: where problems are added
 *
 * Complains about inputs that must be connected and are not.
 */
void
armilla_links_check_missing (ArmillaWorkflow *workflow, const ArmillaNode *node,
                             ArmillaProblems *problems)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_IN, i);
      g_autofree char *kind = NULL;
      g_autofree char *sources = NULL;

      if ((port->flags & ARMILLA_PORT_OPTIONAL) || node->inputs[i].place.source != NULL)
        continue;
      kind = armilla_port_kind (port);
      sources = list_sources (workflow, node, port->get_type ());
      armilla_problems_add (problems, node->group->place, node->name, port->name,
                            "input of %s is not connected; add %s = NODE, a node that gives "
                            "data of kind %s%s%s",
                            node->klass->nick, port->name, kind, sources != NULL ? ": " : "",
                            sources != NULL ? sources : "");
    }
}

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  enum { NEW, OPEN, DONE } *state;
  GArray *path; /* nodes that are being visited, each one needing the next */
} Sort;

/* @number is on the path: the nodes from there to its end need each other. */
static void
report_circle (Sort *sort, int number, const ArmillaNode *last, int input)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *circle = NULL;
  guint first = 0;

  while (g_array_index (sort->path, int, first) != number)
    first++;
  for (guint i = sort->path->len; i-- > first;)
    {
      int node = g_array_index (sort->path, int, i);

      g_ptr_array_add (names, (gpointer) armilla_workflow_node (sort->workflow, node)->name);
    }
  circle = armilla_problems_circle (names);
  complain (sort->problems, last, input, "the connections go in a circle: %s", circle);
}

/* Depth first: what a node needs is built just before it, so that little is alive at a time. */
static void
visit (Sort *sort, int number)
{
  const ArmillaNode *node = armilla_workflow_node (sort->workflow, number);

  sort->state[number] = OPEN;
  g_array_append_val (sort->path, number);
  for (int i = 0; i < node->n_inputs; i++)
    {
      int source = node->inputs[i].node;

      if (source >= 0 && sort->state[source] == OPEN)
        report_circle (sort, source, node, i);
      else if (source >= 0 && sort->state[source] == NEW)
        visit (sort, source);
    }
  g_array_set_size (sort->path, sort->path->len - 1);
  sort->state[number] = DONE;
  g_array_append_val (sort->workflow->order, number);
}

/**
 * armilla_links_sort:
 * @workflow: a workflow whose connections are made
 * @problems: where circles are reported
 *
 * Finds an order in which every node comes after those it needs; the same for the same file.
 */
void
armilla_links_sort (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  Sort sort = { .workflow = workflow, .problems = problems };
  g_autofree gboolean *used = g_new0 (gboolean, workflow->nodes->len + 1);

  sort.state = g_malloc0 ((workflow->nodes->len + 1) * sizeof *sort.state);
  sort.path = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_set_size (workflow->order, 0);
  for (guint i = 0; i < workflow->nodes->len; i++)
    for (int j = 0; j < armilla_workflow_node (workflow, i)->n_inputs; j++)
      if (armilla_workflow_node (workflow, i)->inputs[j].node >= 0)
        used[armilla_workflow_node (workflow, i)->inputs[j].node] = TRUE;
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (!used[i] && sort.state[i] == NEW)
      visit (&sort, (int) i);
  for (guint i = 0; i < workflow->nodes->len; i++) /* only nodes of circles are left */
    if (sort.state[i] == NEW)
      visit (&sort, (int) i);
  g_array_unref (sort.path);
  g_free (sort.state);
}
