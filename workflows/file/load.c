/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/load.h"


/* Parses and validates a workflow; the registry must outlive it. On failure ARMILLA_ERROR_PARSE
 * contains all problems and the registry's warnings, one per line. */
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
