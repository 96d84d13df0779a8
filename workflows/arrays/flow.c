/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workflows with the caller's arrays as inputs and results. Each array is a stage, so that the code
 * that runs workflows needs no special case. */
#include "config.h"

#include "workflows/arrays/flow.h"

#include <string.h>

#include "core/base/printable.h"
#include "plugins/builtin/builtin.h"
#include "tasks/arrays/session.h"
#include "workflows/arrays/given.h"
#include "workflows/arrays/kinds.h"
#include "workflows/arrays/taken.h"
#include "workflows/file/workflow.h"
#include "workflows/file/links.h"
#include "workflows/file/load.h"
#include "workflows/file/passes.h"
#include "workflows/run/runner.h"

/* stands for the file name in messages if the workflow is given as text */
#define TEXT "(text)"
/* prefix of the names of nodes that keep results; with its blank, no node of a file can have such a
 * name */
#define RESULT "result "

/* Frees @error (may be NULL). Returns its status; stores its whole text in the flow, and the first
 * part of it in @failure. */
ArmillaStatus
armilla_flow_end (ArmillaFlow *self, ArmillaFailure *failure, GError *error)
{
  const gboolean of_file = g_error_matches (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  ArmillaStatus status;

  self->loaded = NULL;
  g_clear_pointer (&self->problem, g_free);
  if (error)
    self->problem = armilla_printable (error->message,
                                       g_error_matches (error, ARMILLA_ERROR,
                                                        ARMILLA_ERROR_PARSE));
  status = armilla_failure_set (failure, error);
  return of_file ? ARMILLA_STATUS_FILE : status;
}

static GPtrArray *
added_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_added_node_unref);
}

ArmillaStatus
armilla_flow_new (const char *path, const char *text, ArmillaFlow **flow, ArmillaFailure *failure)
{
  ArmillaFlow *self = g_new0 (ArmillaFlow, 1);
  GError *error = NULL;
  ArmillaStatus status;

  armilla_watch_init (&self->watch);
  self->set = g_ptr_array_new_with_free_func (g_free);
  self->define = g_ptr_array_new_with_free_func (g_free);
  self->nodes = added_new ();
  self->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_input_free);
  self->asked = g_ptr_array_new_with_free_func (g_free);
  self->results = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_result_free);
  self->path = g_strdup (path ? path : TEXT);
  self->text = text ? g_strdup (text) : NULL;
  self->length = text ? strlen (text) : 0;
  if (!text && !path)
    g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "path: must be either a file or a text");
  else if (!text)
    self->text = armilla_workflow_read (path, &self->length, &error);
  status = armilla_flow_end (self, failure, error);
  if (status != ARMILLA_STATUS_OK)
    g_clear_pointer (&self, armilla_flow_free);
  *flow = self;
  return status;
}

void
armilla_flow_free (ArmillaFlow *flow)
{
  if (!flow)
    return;
  g_clear_pointer (&flow->registry, armilla_registry_free);
  armilla_watch_clear (&flow->watch);
  g_ptr_array_unref (flow->set);
  g_ptr_array_unref (flow->define);
  g_ptr_array_unref (flow->nodes);
  g_ptr_array_unref (flow->inputs);
  g_ptr_array_unref (flow->asked);
  g_ptr_array_unref (flow->results);
  g_free (flow->path);
  g_free (flow->text);
  g_free (flow->problem);
  g_free (flow);
}

void
armilla_flow_set (ArmillaFlow *flow, const char *text)
{
  g_ptr_array_add (flow->set, g_strdup (text));
}

void
armilla_flow_define (ArmillaFlow *flow, const char *text)
{
  g_ptr_array_add (flow->define, g_strdup (text));
}

static guint
find_input (const ArmillaFlow *flow, const char *name)
{
  guint i = 0;

  while (i < flow->inputs->len
         && strcmp (((ArmillaInput *) g_ptr_array_index (flow->inputs, i))->name, name) != 0)
    i++;
  return i;
}

/* Checks @n arrays for one input, one for each realisation. Returns the first, which owns the
 * others. */
static ArmillaInput *
input_of_several (const char *name, const ArmillaFlowInput *inputs, int n, GError **error)
{
  g_autoptr (ArmillaInput) first = NULL;

  for (int i = 0; i < n; i++)
    {
      g_autofree char *called = n > 1 ? g_strdup_printf ("%s[%d]", name, i) : g_strdup (name);
      ArmillaInput *input = armilla_input_new (called, &inputs[i], error);

      if (!input)
        return NULL;
      if (i > 0)
        g_ptr_array_add (first->others, input);
      else
        first = input;
    }
  if (n > 1)
    {
      g_free (first->name);
      first->name = g_strdup (name);
      first->number = g_strdup ("${index}");
    }
  return g_steal_pointer (&first);
}

ArmillaStatus
armilla_flow_give (ArmillaFlow *flow, const char *name, const ArmillaFlowInput *inputs,
                   int n_inputs, ArmillaFailure *failure)
{
  GError *error = NULL;
  ArmillaInput *made = NULL;
  guint old = find_input (flow, name);

  if (!armilla_is_name (name, -1) || strcmp (name, "workflow") == 0
      || strcmp (name, "variables") == 0)
    g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "name: \"%s\" is not a valid name of a node; names consist of letters, digits, - "
                 "and _",
                 name);
  else if (n_inputs < 1)
    g_set_error (&error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "%s: must have at least one array",
                 name);
  else
    made = input_of_several (name, inputs, n_inputs, &error);
  if (made && old < flow->inputs->len)
    g_ptr_array_remove_index (flow->inputs, old);
  if (made)
    g_ptr_array_add (flow->inputs, made);
  return armilla_flow_end (flow, failure, error);
}

void
armilla_flow_ask (ArmillaFlow *flow, const char *name)
{
  if (name)
    g_ptr_array_add (flow->asked, g_strdup (name));
  else
    flow->asks_all = TRUE;
}

static void
add_inputs (const ArmillaFlow *flow, GPtrArray *added)
{
  for (guint i = 0; i < flow->nodes->len; i++)
    g_ptr_array_add (added, g_rc_box_acquire (g_ptr_array_index (flow->nodes, i)));
  for (guint i = 0; i < flow->inputs->len; i++)
    {
      const ArmillaInput *input = g_ptr_array_index (flow->inputs, i);
      g_autofree char *source = g_strdup_printf ("array %s", input->name);
      ArmillaAddedNode *node
        = armilla_added_node_new (input->name, armilla_array_kinds[input->kind].stage, source);

      if (input->number)
        armilla_added_node_set (node, ARMILLA_GIVEN_NUMBER, input->number);
      g_ptr_array_add (added, node);
    }
}

static void
add_asked (GPtrArray *added, const char *what)
{
  g_autofree char *name = g_strconcat (RESULT, what, NULL);
  ArmillaAddedNode *node = armilla_added_node_new (name, ARMILLA_TAKEN_STAGE, name);

  armilla_added_node_set (node, ARMILLA_TAKEN_INPUT, what);
  g_ptr_array_add (added, node);
}

/* Returns (transfer full) "node", or "node.output" if the node has several outputs, with the names
 * by which definitions are used. */
static char *
name_output (const ArmillaWorkflow *workflow, int node, int output)
{
  const ArmillaNode *source = armilla_workflow_node (workflow, node);
  const ArmillaPort *port = armilla_stage_port (source->klass, ARMILLA_PORT_OUT, output);
  const char *name = source->name, *part = source->n_outputs > 1 ? port->name : NULL;

  for (guint i = 0; i < workflow->uses->len; i++)
    {
      const ArmillaUse *use = g_ptr_array_index (workflow->uses, i);
      const int n = armilla_definition_count (use->definition, ARMILLA_SLOT_OUTPUT);

      for (guint j = 0; j < use->definition->slots->len; j++)
        {
          const ArmillaSlot *slot = g_ptr_array_index (use->definition->slots, j);
          int from, at;

          if (slot->kind != ARMILLA_SLOT_OUTPUT || strlen (use->name) >= strlen (name)
              || !armilla_link_output (workflow, use->name, slot->name, &from, &at)
              || from != node || at != output)
            continue;
          name = use->name;
          part = n > 1 ? slot->name : NULL;
        }
    }
  return part ? g_strdup_printf ("%s.%s", name, part) : g_strdup (name);
}

/* Requests every output that no node uses, except those of the caller's inputs. */
static void
add_unused (const ArmillaFlow *flow, const ArmillaWorkflow *workflow, GPtrArray *added)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      if (find_input (flow, node->name) < flow->inputs->len)
        continue;
      for (int j = 0; j < node->n_outputs; j++)
        {
          const ArmillaLink link = { .node = (int) i, .port = j };
          const ArmillaPort *gives = armilla_link_port (workflow, &link);
          g_autofree char *what = name_output (workflow, (int) i, j);

          if (armilla_node_collects (node) && j > 0)
            break; /* other outputs are returned only if they are requested */
          if (gives != NULL && armilla_array_kind_find (gives->get_type ()) >= 0
              && !armilla_output_is_used (workflow, (int) i, j))
            add_asked (added, what);
        }
    }
}

/* Passes the arrays of inputs and results to their stages; an ArmillaStageMade. */
static void
made (gpointer user, const ArmillaNode *node, gint64 index, ArmillaStage *stage)
{
  ArmillaFlow *flow = user;
  const guint input = find_input (flow, node->name);

  if (input < flow->inputs->len)
    armilla_given_set (stage, g_ptr_array_index (flow->inputs, input));
  else if (g_str_has_prefix (node->name, RESULT)
           && armilla_taken_set (stage, node->name + strlen (RESULT), index, flow->results)
           && flow->loaded && node->passes != ARMILLA_PASS_END)
    armilla_taken_set_point (stage, flow->loaded->points,
                             node->passes & ARMILLA_PASS_LAST ? index
                                                              : index / flow->loaded->repeat);
}

static ArmillaWorkflow *
parse (ArmillaFlow *flow, GPtrArray *added, GError **error)
{
  g_autofree char **set = g_new0 (char *, flow->set->len + 1);
  g_autofree char **define = g_new0 (char *, flow->define->len + 1);
  const ArmillaOverrides overrides = { set, define, added };
  ArmillaWorkflow *workflow;

  for (guint i = 0; i < flow->set->len; i++)
    set[i] = g_ptr_array_index (flow->set, i);
  for (guint i = 0; i < flow->define->len; i++)
    define[i] = g_ptr_array_index (flow->define, i);
  workflow = armilla_workflow_load (flow->registry, flow->path, flow->text, flow->length,
                                    &overrides, error);
  if (workflow)
    {
      workflow->made = made;
      workflow->made_user = flow;
    }
  flow->loaded = workflow;
  return workflow;
}

/* Loads the library's stages and modules, so that messages that list stages are those of the
 * program. Does nothing for a call of a single stage, which has loaded what it needs. @takes: adds
 * the stages that output arrays and keep results */
static gboolean
load_registry (ArmillaFlow *flow, gboolean takes, GError **error)
{
  if (flow->nodes->len > 0)
    return TRUE;
  g_clear_pointer (&flow->registry, armilla_registry_free);
  flow->registry = armilla_registry_new ();
  return armilla_registry_load_default (flow->registry, error)
         && (flow->inputs->len == 0 || armilla_given_register (flow->registry, error))
         && (!takes || armilla_taken_register (flow->registry, error));
}

/* Loads the workflow twice: first as the program does, to report mistakes and to find unused
 * outputs; then with the nodes for its arrays. For a call of a single stage the second time
 * suffices. */
ArmillaWorkflow *
armilla_flow_load (ArmillaFlow *self, GError **error)
{
  g_autoptr (GPtrArray) added = added_new ();
  g_autoptr (ArmillaWorkflow) workflow = NULL;

  add_inputs (self, added);
  if (self->nodes->len == 0 || self->asked->len == 0)
    {
      if (!load_registry (self, FALSE, error))
        return NULL;
      workflow = parse (self, added, error);
      if (!workflow || (self->asked->len == 0 && !self->asks_all))
        return g_steal_pointer (&workflow);
    }
  for (guint i = 0; i < self->asked->len; i++)
    add_asked (added, g_ptr_array_index (self->asked, i));
  if (self->asks_all)
    add_unused (self, workflow, added);
  g_clear_pointer (&workflow, armilla_workflow_free); /* before its registry is freed */
  return load_registry (self, TRUE, error) ? parse (self, added, error) : NULL;
}

ArmillaStatus
armilla_flow_check (ArmillaFlow *flow, ArmillaFailure *failure)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  GError *error = NULL;
  g_autoptr (ArmillaWorkflow) workflow = armilla_flow_load (flow, &error);
  ArmillaStatus status;

  if (workflow && !armilla_inputs_check (workflow, problems))
    {
      g_autofree char *text = armilla_problems_text (problems);

      g_set_error_literal (&error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, text);
      status = armilla_flow_end (flow, failure, error);
      return status == ARMILLA_STATUS_ARGUMENT ? ARMILLA_STATUS_FILE : status;
    }
  return armilla_flow_end (flow, failure, error);
}

const char *
armilla_flow_problem (const ArmillaFlow *flow)
{
  return flow->problem ? flow->problem : "";
}

int64_t
armilla_flow_n_results (const ArmillaFlow *flow)
{
  return flow->results->len;
}

ArmillaResult *
armilla_flow_result (ArmillaFlow *flow, int64_t number)
{
  if (number < 0 || number >= flow->results->len)
    return NULL;
  return g_steal_pointer (&g_ptr_array_index (flow->results, number));
}
