/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections between nodes: resolves names, checks the kinds of data, and sorts the nodes. */
#include "workflows/file/links.h"

#include <armilla/correlation.h>
#include <string.h>

#include "workflows/file/workflow.h"
#include "workflows/text/problems.h"

/* Returns the user's name of a type of data: "map" for ArmillaMap. */
char *
armilla_data_kind (GType type)
{
  const char *name = g_type_name (type);

  /* These classes have names of their own. */
  if (type == ARMILLA_TYPE_OBJECTS)
    return g_strdup ("catalogue");
  if (type == ARMILLA_TYPE_TABLE_DATA)
    return g_strdup ("table");
  if (g_str_has_prefix (name, "Armilla") && name[7] != '\0')
    name += 7;
  return g_ascii_strdown (name, -1);
}

/* Returns the user's name of the port's data type. */
char *
armilla_port_kind (const ArmillaPort *port)
{
  if (port->get_type () == ARMILLA_TYPE_DATA)
    return g_strdup (port->flags & ARMILLA_PORT_AS_INPUT ? "as the input" : "any");
  return armilla_data_kind (port->get_type ());
}

static const ArmillaLink *
first_connected (const ArmillaNode *node)
{
  for (int i = 0; i < node->n_inputs; i++)
    if (node->inputs[i].node >= 0)
      return &node->inputs[i];
  return &node->inputs[0];
}

/* Returns the port whose type is the kind of data of a connection: the connected output or, if that
 * outputs whatever its node's first input gets, the output connected to that input, and so on; NULL
 * if unknown. */
const ArmillaPort *
armilla_link_port (const ArmillaWorkflow *workflow, const ArmillaLink *link)
{
  for (guint i = 0; link->node >= 0 && i <= workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, link->node);
      const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_OUT, link->port);

      if (!(port->flags & ARMILLA_PORT_AS_INPUT))
        return port;
      link = first_connected (node);
    }
  return NULL; /* the input is unconnected, or nodes form a circle */
}

static int
find_node (const ArmillaWorkflow *workflow, const char *name)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (strcmp (armilla_workflow_node (workflow, i)->name, name) == 0)
      return (int) i;
  return -1;
}

static int
find_port (const ArmillaNode *node, const char *name)
{
  for (int i = 0; i < node->n_outputs; i++)
    if (strcmp (armilla_stage_port (node->klass, ARMILLA_PORT_OUT, i)->name, name) == 0)
      return i;
  return -1;
}

/* Returns the output @port of a definition; if @port is %NULL, its only output. */
static const ArmillaSlot *
find_slot (const ArmillaDefinition *definition, const char *port)
{
  if (port != NULL)
    return armilla_definition_slot (definition, port, TRUE);
  if (armilla_definition_count (definition, ARMILLA_SLOT_OUTPUT) != 1)
    return NULL;
  for (guint i = 0; i < definition->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (definition->slots, i);

      if (slot->kind == ARMILLA_SLOT_OUTPUT)
        return slot;
    }
  return NULL;
}

/* Finds a node and an output from the name of a node, which may have been replaced by a definition.
 * @port: NULL for the only output. */
gboolean
armilla_link_output (const ArmillaWorkflow *workflow, const char *name, const char *port,
                     int *node, int *output)
{
  g_autofree char *at = g_strdup (name);
  g_autofree char *out = g_strdup (port);
  const ArmillaUse *use;
  const ArmillaNode *source;

  /* The output of a definition may be that of another definition inside it. */
  while ((use = armilla_use_find (workflow, at)) != NULL)
    {
      const ArmillaSlot *slot = find_slot (use->definition, out);
      const char *inner = slot != NULL ? slot->entry->value : "";
      const gsize length = strcspn (inner, ".");
      g_autofree char *rest = g_strndup (inner, length);
      char *longer = g_strconcat (at, "/", rest, NULL);

      g_free (out);
      out = inner[length] == '.' ? g_strdup (inner + length + 1) : NULL;
      g_free (at);
      at = longer;
      if (slot == NULL)
        return FALSE;
    }
  *node = find_node (workflow, at);
  if (*node < 0)
    return FALSE;
  source = armilla_workflow_node (workflow, *node);
  *output = out != NULL ? find_port (source, out) : source->n_outputs == 1 ? 0 : -1;
  return *output >= 0;
}

/* Returns the name by which nodes with prefix @scope (armilla_scope_of ()) may refer to a node;
 * NULL if they may not. */
const char *
armilla_name_within (const char *name, const char *scope)
{
  const gsize length = strlen (scope);

  return strncmp (name, scope, length) == 0 && strchr (name + length, '/') == NULL ? name + length
                                                                                   : NULL;
}

static void
list_source (GString *text, const char *name, int n, const char *port)
{
  g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", name, n > 1 ? "." : "",
                          n > 1 ? port : "");
}

/* Lists outputs of definitions that have the type, for messages. */
static void
list_uses (ArmillaWorkflow *workflow, const char *scope, GType type, GString *text)
{
  for (guint i = 0; i < workflow->uses->len; i++)
    {
      const ArmillaUse *use = g_ptr_array_index (workflow->uses, i);
      const char *name = armilla_name_within (use->name, scope);
      const int n = armilla_definition_count (use->definition, ARMILLA_SLOT_OUTPUT);

      for (guint j = 0; name != NULL && j < use->definition->slots->len; j++)
        {
          const ArmillaSlot *slot = g_ptr_array_index (use->definition->slots, j);
          const ArmillaPort *gives = NULL;
          ArmillaLink link = { .node = -1 };

          if (slot->kind == ARMILLA_SLOT_OUTPUT
              && armilla_link_output (workflow, use->name, slot->name, &link.node, &link.port))
            gives = armilla_link_port (workflow, &link);
          if (gives != NULL && g_type_is_a (gives->get_type (), type))
            list_source (text, name, n, slot->name);
        }
    }
}

/* Lists outputs that have the type, such as "sky, smoothed, maps.mean"; NULL if there is none. */
static char *
list_sources (ArmillaWorkflow *workflow, const ArmillaNode *self, const char *scope, GType type)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, i);
      const char *name = armilla_name_within (node->name, scope);

      for (int port = 0; node != self && name != NULL && port < node->n_outputs; port++)
        {
          const ArmillaPort *out = armilla_stage_port (node->klass, ARMILLA_PORT_OUT, port);
          const ArmillaLink link = { .node = (int) i, .port = port };
          const ArmillaPort *gives = armilla_link_port (workflow, &link);

          if (gives != NULL && g_type_is_a (gives->get_type (), type))
            list_source (text, name, node->n_outputs, out->name);
        }
    }
  list_uses (workflow, scope, type, text);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
unknown_node (ArmillaWorkflow *workflow, const ArmillaNode *node, int input, const char *scope,
              const char *name, ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (workflow->incomplete)
    return;
  for (guint i = 0; i < workflow->nodes->len; i++)
    g_ptr_array_add (names, (gpointer) armilla_workflow_node (workflow, i)->name);
  for (guint i = 0; i < workflow->uses->len; i++)
    {
      const ArmillaUse *use = g_ptr_array_index (workflow->uses, i);

      g_ptr_array_add (names, (gpointer) use->name);
    }
  for (guint i = names->len; i-- > 0;)
    {
      const char *within = armilla_name_within (g_ptr_array_index (names, i), scope);

      if (within != NULL)
        names->pdata[i] = (gpointer) within;
      else
        g_ptr_array_remove_index (names, i);
    }
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, "nodes", (const char *const *) names->pdata);
  armilla_link_complain (problems, node, input, "no node \"%s\"%s", name, hint);
}

/* Reports an unknown output. @names: (element-type utf8): outputs that exist */
static void
unknown_output (const ArmillaNode *node, int input, const char *source, const char *stage,
                const char *port, GPtrArray *names, ArmillaProblems *problems)
{
  g_autofree char *hint = NULL;
  const guint n = names->len;

  g_ptr_array_add (names, NULL);
  if (n == 0)
    armilla_link_complain (problems, node, input, "node %s has no output: stage %s has none",
                           source, stage);
  else if (port == NULL)
    {
      hint = g_strjoinv (", ", (char **) names->pdata);
      armilla_link_complain (problems, node, input,
                             "node %s has several outputs; write %s.PORT with one of: %s", source,
                             source, hint);
    }
  else
    {
      hint = armilla_suggest_text (port, "outputs", (const char *const *) names->pdata);
      armilla_link_complain (problems, node, input, "node %s (%s) has no output \"%s\"%s", source,
                             stage, port, hint);
    }
}

static void
complain_output (const ArmillaNode *node, int input, const ArmillaNode *source, const char *port,
                 ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; i < source->n_outputs; i++)
    g_ptr_array_add (names,
                     (gpointer) armilla_stage_port (source->klass, ARMILLA_PORT_OUT, i)->name);
  unknown_output (node, input, source->name, source->klass->nick, port, names, problems);
}

static void
complain_use (const ArmillaNode *node, int input, const ArmillaUse *use, const char *port,
              ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const ArmillaSlot *found = find_slot (use->definition, port);

  for (guint i = 0; i < use->definition->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (use->definition->slots, i);

      if (slot->kind == ARMILLA_SLOT_OUTPUT)
        g_ptr_array_add (names, (gpointer) slot->name);
    }
  if (found == NULL)
    unknown_output (node, input, use->name, use->definition->name, port, names, problems);
  /* not if earlier problems may have caused this one */
  else if (armilla_problems_count (problems) == 0)
    armilla_problems_add (problems, found->entry->value_place, use->definition->group->name,
                          found->entry->key, "\"%s\" is missing, or is not a single output; "
                                             "write NODE.PORT", found->entry->value);
}

static void
check_kind (ArmillaWorkflow *workflow, const ArmillaNode *node, int input,
            ArmillaProblems *problems)
{
  const ArmillaPort *in = armilla_stage_port (node->klass, ARMILLA_PORT_IN, input);
  const ArmillaPort *out = armilla_link_port (workflow, &node->inputs[input]);
  g_autofree char *takes = NULL;
  g_autofree char *gives = NULL;
  g_autofree char *sources = NULL;
  const ArmillaEntry *entry = armilla_group_entry (node->group, in->name);
  const char *scope = entry != NULL && entry->scope != NULL ? entry->scope : "";
  const ArmillaNode *source;

  if (out == NULL || g_type_is_a (out->get_type (), in->get_type ()))
    return;
  source = armilla_workflow_node (workflow, node->inputs[input].node);
  takes = armilla_port_kind (in);
  gives = armilla_port_kind (out);
  sources = list_sources (workflow, node, scope, in->get_type ());
  armilla_link_complain (problems, node, input,
                         "this input accepts data of kind %s, but node %s (%s) outputs %s%s%s",
                         takes,
                         source->name, source->klass->nick, gives,
                         sources != NULL ? "; nodes that fit: " : "; no node of the workflow fits",
                         sources != NULL ? sources : "");
}

/* Reports inputs that are connected to outputs of another kind of data. */
void
armilla_links_check_kinds (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (int input = 0; input < node->n_inputs; input++)
        if (node->inputs[input].node >= 0)
          check_kind (workflow, node, input, problems);
    }
}

/* Connects an input, whose place is set, to the output that "node" or "node.port" names. @scope:
 * prefix of names in a definition. */
void
armilla_link_connect (ArmillaWorkflow *workflow, ArmillaNode *node, int input,
                      const char *scope, const char *text, ArmillaProblems *problems)
{
  const char *dot = strchr (text, '.'), *port = dot != NULL ? dot + 1 : NULL;
  g_autofree char *name = g_strndup (text, dot != NULL ? (gsize) (dot - text) : strlen (text));
  g_autofree char *full = g_strconcat (scope, name, NULL);
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/", '-');
  const ArmillaUse *use = armilla_use_find (workflow, full);
  int number = find_node (workflow, full), output;

  if (!armilla_is_name (plain, -1) || (port != NULL && !armilla_is_name (port, -1)))
    armilla_link_complain (problems, node, input, "a connection must have the form node or "
                                                  "node.port");
  else if (number < 0 && use == NULL)
    unknown_node (workflow, node, input, scope, name, problems);
  else if (number >= 0 && armilla_workflow_node (workflow, number)->klass == NULL)
    return; /* its stage is unknown, which has been reported */
  else if (!armilla_link_output (workflow, full, port, &number, &output))
    {
      if (use == NULL)
        complain_output (node, input, armilla_workflow_node (workflow, number), port, problems);
      else if (number < 0 || armilla_workflow_node (workflow, number)->klass != NULL)
        complain_use (node, input, use, port, problems);
    }
  else
    {
      node->inputs[input].node = number;
      node->inputs[input].port = output;
    }
}

/* Reports mandatory inputs that are not connected. */
void
armilla_links_check_missing (ArmillaWorkflow *workflow, const ArmillaNode *node,
                             ArmillaProblems *problems)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaPort *port = armilla_stage_port (node->klass, ARMILLA_PORT_IN, i);
      const ArmillaEntry *entry = armilla_group_left_out (node->group, port->name);
      g_autofree char *scope = armilla_scope_of (node->name);
      g_autofree char *kind = NULL;
      g_autofree char *sources = NULL;
      const ArmillaPlace place = entry != NULL ? entry->key_place : node->group->place;

      if ((port->flags & ARMILLA_PORT_OPTIONAL) || node->inputs[i].place.source != NULL
          || armilla_problems_meant (problems, place, node->name, port->name))
        continue;
      kind = armilla_port_kind (port);
      sources = list_sources (workflow, node, scope, port->get_type ());
      armilla_problems_add (problems, place, node->name, port->name,
                            "input of %s is not connected; add %s = NODE, a node with an output of "
                            "kind %s%s%s",
                            entry != NULL ? entry->value : node->klass->nick,
                            entry != NULL ? entry->key_place.key : port->name, kind,
                            sources != NULL && entry == NULL ? ": " : "",
                            sources != NULL && entry == NULL ? sources : "");
    }
}

/* Returns whether an input is connected to output @port of the node; to any of its outputs if @port
 * is -1. */
gboolean
armilla_output_is_used (const ArmillaWorkflow *workflow, int node, int port)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *reader = armilla_workflow_node (workflow, (int) i);

      for (int k = 0; k < reader->n_inputs; k++)
        if (reader->inputs[k].node == node && (port < 0 || reader->inputs[k].port == port))
          return TRUE;
    }
  return FALSE;
}

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  enum { NEW, OPEN, DONE } *state;
  GArray *path; /* nodes on the way to the visited one, each of which depends on the next */
} Sort;

/* Reports the nodes from @number to the end of the path, which depend on each other in a circle.
 * @read: (nullable): the file that closes the circle; NULL: @input does */
static void
report_circle (Sort *sort, int number, const ArmillaNode *last, int input,
               const ArmillaRead *read)
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
  if (read == NULL)
    armilla_link_complain (sort->problems, last, input, "the connections form a circle: %s",
                           circle);
  else
    armilla_problems_add (sort->problems, read->entry->value_place, last->name, read->entry->key,
                          "node %s writes this file, and depends on this node: %s",
                          armilla_workflow_node (sort->workflow, read->node)->name, circle);
}

/* Visits nodes depth first: a node comes just before the first node that needs it, so that few data
 * exist at a time. */
static void
visit (Sort *sort, int number)
{
  ArmillaNode *node = armilla_workflow_node (sort->workflow, number);

  sort->state[number] = OPEN;
  g_array_append_val (sort->path, number);
  for (int i = 0; i < node->n_inputs; i++)
    {
      int source = node->inputs[i].node;

      if (source >= 0 && sort->state[source] == OPEN)
        report_circle (sort, source, node, i, NULL);
      else if (source >= 0 && sort->state[source] == NEW)
        visit (sort, source);
      if (source >= 0)
        node->phase = MAX (node->phase, armilla_workflow_node (sort->workflow, source)->phase);
    }
  for (guint i = 0; i < node->reads->len; i++)
    {
      const ArmillaRead *read = &g_array_index (node->reads, ArmillaRead, i);

      if (sort->state[read->node] == OPEN)
        report_circle (sort, read->node, node, 0, read);
      else if (sort->state[read->node] == NEW)
        visit (sort, read->node);
      node->phase = MAX (node->phase,
                         armilla_workflow_node (sort->workflow, read->node)->phase + 1);
    }
  g_array_set_size (sort->path, sort->path->len - 1);
  sort->state[number] = DONE;
  g_array_append_val (sort->workflow->order, number);
}

/* Sorts nodes by phase; those of one phase keep their order. */
static void
sort_phases (ArmillaWorkflow *workflow)
{
  g_autoptr (GArray) order = workflow->order;

  workflow->order = g_array_new (FALSE, FALSE, sizeof (int));
  workflow->n_phases = 1;
  for (int phase = 0; phase < workflow->n_phases; phase++)
    for (guint i = 0; i < order->len; i++)
      {
        int number = g_array_index (order, int, i);
        const ArmillaNode *node = armilla_workflow_node (workflow, number);

        workflow->n_phases = MAX (workflow->n_phases, node->phase + 1);
        if (node->phase == phase)
          g_array_append_val (workflow->order, number);
      }
}

/* Sorts the nodes: each comes after those whose outputs or files it reads. The order depends on the
 * file only. Reports nodes that depend on each other in a cycle. */
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
  /* reports circles: only their nodes were not visited */
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (sort.state[i] == NEW)
      visit (&sort, (int) i);
  sort_phases (workflow);
  g_array_unref (sort.path);
  g_free (sort.state);
}
