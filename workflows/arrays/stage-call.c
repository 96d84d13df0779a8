/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a stage: runs a workflow with that stage, whose arguments become its inputs and keys, and
 * whose outputs become results. */
#include "config.h"

#include <string.h>

#include "plugins/builtin/builtin.h"
#include "tasks/arrays/session.h"
#include "workflows/arrays/flow.h"
#include "workflows/arrays/given.h"
#include "workflows/arrays/input.h"
#include "workflows/arrays/taken.h"
#include "workflows/file/overrides.h"
#include "workflows/file/load.h"
#include "workflows/text/problems.h"

#define MAX_NESTED 64 /* maximum depth of nested calls */

typedef struct {
  ArmillaStages *stages;
  ArmillaFlow *flow;
  GHashTable *names; /* names of the nodes so far, owned by the nodes */
  int depth;
  /* number of runs: number of arrays of inputs with several arrays; 0 if there is no such input */
  int n_runs;
} Maker;

/* Returns (transfer full) a text with the escapes of workflow files, so that it is read
 * literally. */
static char *
escape (const char *text)
{
  static const char special[] = "\t\n\r\\$";
  static const char *const written[] = { "\\t", "\\n", "\\r", "\\\\", "$$" };
  const gsize n = strlen (text);
  GString *out = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    {
      const char *at = strchr (special, text[i]);

      if (at)
        g_string_append (out, written[at - special]);
      else if (text[i] == ' ' && (i == 0 || i == n - 1))
        g_string_append (out, "\\s");
      else
        g_string_append_c (out, text[i]);
    }
  return g_string_free (out, FALSE);
}

/* Returns (transfer full) @wanted, with a number appended if such a node exists. */
static char *
new_name (Maker *maker, const char *wanted)
{
  char *name = g_strdup (wanted);

  for (int i = 2; !g_hash_table_add (maker->names, g_strdup (name)); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%d", wanted, i);
    }
  return name;
}

static const ArmillaStagePart *
find_part (const ArmillaStageInfo *info, gboolean outputs, const char *name)
{
  for (int i = 0; i < info->n_parts; i++)
    if ((info->parts[i].role == ARMILLA_STAGE_OUTPUT) == outputs
        && (!name || strcmp (info->parts[i].name, name) == 0
            || g_strcmp0 (info->parts[i].old, name) == 0))
      return &info->parts[i];
  return NULL;
}

static int
count_outputs (const ArmillaStageInfo *info)
{
  int n = 0;

  for (int i = 0; i < info->n_parts; i++)
    n += info->parts[i].role == ARMILLA_STAGE_OUTPUT;
  return n;
}

/* Sets the error for a name that is no input, property or output of the stage. */
static gboolean
fail_part (const ArmillaStageInfo *info, gboolean outputs, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (int i = 0; i < info->n_parts; i++)
    if ((info->parts[i].role == ARMILLA_STAGE_OUTPUT) == outputs)
      g_ptr_array_add (names, (gpointer) info->parts[i].name);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, outputs ? "outputs" : "arguments",
                               (const char *const *) names->pdata);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN, "%s: %s: no such %s%s", info->name,
                       name, outputs ? "output" : "argument", hint);
}

/* Finds a stage or short form. Modules are loaded only if the library has none of this name, since
 * that takes longer than a call. (Short forms of the library use stages of the library only.) */
static const ArmillaStageInfo *
find_stage (Maker *maker, const char *name, GError **error)
{
  ArmillaStages *stages = maker->stages;
  const ArmillaStageInfo *info = name ? armilla_stage_infos_add (stages, name) : NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *hint = NULL;

  if (!info && !armilla_registry_load_modules (maker->flow->registry, error))
    return NULL;
  if (!info && name)
    info = armilla_stage_infos_add (stages, name);
  if (info)
    return info;
  names = armilla_stage_infos_names (stages);
  hint = armilla_suggest_text (name ? name : "", "stages", (const char *const *) names);
  return armilla_fail_null (error, ARMILLA_ERROR_UNKNOWN, "unknown stage \"%s\"%s",
                            name ? name : "", hint);
}

static char *add_call (Maker *maker, const ArmillaStageCall *call, const char *output,
                       const char *wanted, GError **error);

/* Adds the arrays of an input. Returns (transfer full) (nullable) the name of their node. */
static char *
add_arrays (Maker *maker, const ArmillaStageInfo *info, const ArmillaStageArgument *argument,
            GError **error)
{
  g_autofree char *name = NULL;
  ArmillaFailure failure;

  if (argument->n_inputs < 1
      || (argument->n_inputs > 1 && maker->n_runs > 1 && argument->n_inputs != maker->n_runs))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s: %s: %d arrays; must be one, or as "
                                                          "many as other inputs have (%d)",
                                                          info->name,
                              argument->name, argument->n_inputs, maker->n_runs);
  name = new_name (maker, argument->name);
  if (armilla_flow_give (maker->flow, name, argument->inputs, argument->n_inputs, &failure)
      != ARMILLA_STATUS_OK)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s: %s", info->name,
                              armilla_flow_problem (maker->flow));
  return g_steal_pointer (&name);
}

/* Makes the workflow run once for each array of the argument. */
static void
set_runs (Maker *maker, const ArmillaStageInfo *info, const ArmillaStageArgument *argument)
{
  ArmillaInput *input = g_ptr_array_index (maker->flow->inputs, maker->flow->inputs->len - 1);
  g_autoptr (GString) text = g_string_new (NULL);

  if (argument->n_inputs == 1 && !info->gathers)
    return;
  maker->n_runs = argument->n_inputs;
  if (!info->joins)
    {
      g_string_printf (text, "workflow.repeat=%d", argument->n_inputs);
      armilla_flow_set (maker->flow, text->str);
      return;
    }
  g_free (input->number);
  input->number = g_strdup ("${point}");
  g_string_assign (text, "workflow.sweep=point: ");
  for (int i = 0; i < argument->n_inputs; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", i);
  armilla_flow_set (maker->flow, text->str);
}

static gboolean
add_argument (Maker *maker, const ArmillaStageInfo *info, const ArmillaStageArgument *argument,
              ArmillaAddedNode *node, GError **error)
{
  const ArmillaStagePart *part = find_part (info, FALSE, argument->name);
  g_autofree char *value = NULL;

  if (!part)
    return fail_part (info, FALSE, argument->name, error);
  if ((argument->value != NULL) != (part->role == ARMILLA_STAGE_PROPERTY)
      || (argument->value != NULL) + (argument->inputs != NULL) + (argument->call != NULL) != 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: %s: this is %s", info->name,
                         argument->name, part->role == ARMILLA_STAGE_PROPERTY
                                           ? "a property, whose value must be a single value"
                                           : "an input, whose value must be arrays or a call");
  if (argument->value)
    value = escape (argument->value);
  else if (argument->call)
    value = add_call (maker, argument->call, argument->output, argument->name, error);
  else if ((value = add_arrays (maker, info, argument, error)) != NULL)
    set_runs (maker, info, argument);
  if (!value)
    return FALSE;
  armilla_added_node_set (node, argument->name, value);
  return TRUE;
}

/* Adds the nodes of a call that is an argument of another call. Returns (transfer full) (nullable)
 * the value of the key that connects its output. */
static char *
add_call (Maker *maker, const ArmillaStageCall *call, const char *output, const char *wanted,
          GError **error)
{
  const ArmillaStageInfo *info = find_stage (maker, call->stage, error);
  const ArmillaStagePart *taken = info ? find_part (info, TRUE, output) : NULL;
  g_autofree char *name = NULL;
  ArmillaAddedNode *node;

  if (!info)
    return NULL;
  if (output && !taken)
    {
      fail_part (info, TRUE, output, error);
      return NULL;
    }
  if (++maker->depth > MAX_NESTED)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s: calls are nested more than %d deep",
                              info->name, MAX_NESTED);
  name = new_name (maker, wanted);
  node = armilla_added_node_new (name, info->name, name);
  g_ptr_array_add (maker->flow->nodes, node);
  for (int i = 0; i < call->n_arguments; i++)
    if (!add_argument (maker, info, &call->arguments[i], node, error))
      return NULL;
  maker->depth--;
  return taken && count_outputs (info) > 1 ? g_strdup_printf ("%s.%s", name, taken->name)
                                           : g_steal_pointer (&name);
}

static gboolean
ask (Maker *maker, const ArmillaStageInfo *info, const char *const *outputs, const char *first,
     GError **error)
{
  if (!outputs && count_outputs (info) > 0)
    armilla_flow_ask (maker->flow, first);
  for (int i = 0; outputs && outputs[i]; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.%s", info->name, outputs[i]);

      if (!find_part (info, TRUE, outputs[i]))
        return fail_part (info, TRUE, outputs[i], error);
      armilla_flow_ask (maker->flow, count_outputs (info) > 1 ? name : info->name);
    }
  return TRUE;
}

static gboolean
make (Maker *maker, const ArmillaStageCall *call, const char *const *outputs, GError **error)
{
  const ArmillaStageInfo *info = find_stage (maker, call->stage, error);
  g_autofree char *first = info ? add_call (maker, call, NULL, info->name, error) : NULL;

  return first && ask (maker, info, outputs, first, error);
}

ArmillaStatus
armilla_stages_new (ArmillaStages **stages, ArmillaFailure *failure)
{
  GError *error = NULL;

  *stages = armilla_stage_infos_new (&error);
  if (*stages)
    return ARMILLA_STATUS_OK;
  armilla_failure_set (failure, error);
  return ARMILLA_STATUS_FILE;
}

ArmillaStatus
armilla_stage_flow (const ArmillaStageCall *call, const char *const *outputs, ArmillaFlow **flow,
                    ArmillaFailure *failure)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (ArmillaStages) stages = NULL;
  Maker maker = { .names = names };
  GError *error = NULL;
  ArmillaStatus status = armilla_flow_new (call->stage, "", &maker.flow, failure);

  *flow = NULL;
  if (status != ARMILLA_STATUS_OK)
    return status;
  maker.flow->registry = armilla_registry_new ();
  maker.stages = stages = armilla_stage_infos_open (maker.flow->registry);
  if (armilla_registry_add_builtin (maker.flow->registry, &error)
      && make (&maker, call, outputs, &error)
      && armilla_given_register (maker.flow->registry, &error)
      && armilla_taken_register (maker.flow->registry, &error))
    {
      *flow = maker.flow;
      return ARMILLA_STATUS_OK;
    }
  status = armilla_flow_end (maker.flow, failure, error);
  armilla_flow_free (maker.flow);
  return status;
}

/* Moves the results out of the flow, run by run, in the order of the requests. */
static void
take_results (ArmillaFlow *flow, ArmillaResult **results)
{
  const guint n = flow->asked->len;

  for (guint i = 0; i < flow->results->len; i++)
    results[i] = NULL;
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < flow->results->len; j++)
      {
        const ArmillaResult *result = g_ptr_array_index (flow->results, j);

        ArmillaResult **to = result ? &results[(guint) result->realisation * n + i] : NULL;

        if (to && !*to && strcmp (result->name, g_ptr_array_index (flow->asked, i)) == 0)
          *to = armilla_flow_result (flow, j);
      }
}

ArmillaStatus
armilla_stage_call (ArmillaSession *session, const ArmillaStageCall *call,
                    const char *const *outputs, ArmillaResult **results, ArmillaFailure *failure)
{
  ArmillaFlow *flow;
  ArmillaStatus status;

  for (int i = 0; results && (outputs ? outputs[i] != NULL : i < 1); i++)
    results[i] = NULL;
  status = armilla_stage_flow (call, outputs, &flow, failure);
  if (status != ARMILLA_STATUS_OK)
    return status;
  status = armilla_flow_run (flow, session, FALSE, failure);
  if (status == ARMILLA_STATUS_OK)
    take_results (flow, results);
  armilla_flow_free (flow);
  return status;
}
