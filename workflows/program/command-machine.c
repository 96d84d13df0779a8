/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <armilla/runtime.h>
#include <stdio.h>

#include "core/base/printable.h"
#include "tasks/runtime/runtime.h"

ArmillaExit
armilla_command_machine (char **words)
{
  g_auto (GStrv) rest = NULL;
  g_autofree char *text = NULL;
  g_autofree char *warnings = NULL;
  ArmillaRuntime *runtime;
  ArmillaExit status;

  if (!armilla_parse_words (words, "", "Shows the workers and memory of this machine.", NULL, 0, 0,
                            &rest))
    return ARMILLA_EXIT_USAGE;
  runtime = armilla_start (NULL, NULL, &status);
  if (runtime == NULL)
    return status;
  text = armilla_runtime_describe (runtime);
  warnings = armilla_runtime_warnings (runtime);
  if (armilla_runtime_rank (runtime) == 0)
    {
      armilla_print (stdout, "%s", text);
      if (warnings != NULL)
        armilla_print (stderr, "%s", warnings);
    }
  armilla_runtime_stop (runtime);
  return ARMILLA_EXIT_DONE;
}
