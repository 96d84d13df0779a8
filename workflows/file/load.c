/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/load.h"

#include "workflows/file/validate.h"

/**
 * armilla_workflow_load:
 * @registry: the stages; must outlive the workflow
 * @path: name of the file, for messages
 * @text: its content, any bytes
 * @length: length of @text
 * @overrides: (nullable): what is changed in it
 * @error: return location
 *
 * Parses and validates a workflow.
 *
 * Returns: (transfer full) (nullable): a workflow that can run; otherwise %ARMILLA_ERROR_PARSE with
 *   all its problems and the registry's warnings, one a line
 */
ArmillaWorkflow *
armilla_workflow_load (ArmillaRegistry *registry, const char *path, const char *text, gsize length,
                       const ArmillaOverrides *overrides, GError **error)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autoptr (ArmillaWorkflow) workflow
    = armilla_workflow_parse (path, text, length, overrides, problems);
  g_autofree char *messages = NULL;
  g_autofree char *warnings = NULL;

  if (armilla_workflow_validate (workflow, registry, problems))
    return g_steal_pointer (&workflow);
  messages = armilla_problems_text (problems);
  warnings = g_strchomp (g_strdup (armilla_registry_warnings (registry)));
  return armilla_fail_null (error, ARMILLA_ERROR_PARSE, "%s%s%s", messages,
                            *warnings != '\0' ? "\n" : "", warnings);
}
