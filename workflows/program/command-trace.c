/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "workflows/trace/trace-reader.h"

/* Returns ARMILLA_EXIT_USAGE if the file is not a trace. */
ArmillaExit
armilla_command_trace (char **words)
{
  g_autoptr (ArmillaTraceFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = NULL;
  g_autofree char *table = NULL;

  if (!armilla_parse_words (words, "FILE.json",
                            "Shows where the time of a run was spent, from its trace.",
                            NULL, 1, 1, &files))
    return ARMILLA_EXIT_USAGE;
  file = armilla_trace_file_read (files[0], &error);
  if (file == NULL)
    {
      armilla_say (error);
      return ARMILLA_EXIT_USAGE;
    }
  table = armilla_trace_table (file);
  armilla_print (stdout, "%s", table);
  return ARMILLA_EXIT_DONE;
}
