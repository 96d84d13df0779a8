/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>
#include <sys/utsname.h>

#include "tasks/tuning/processor.h"

/* Returns the text after "KEY :" in /proc/cpuinfo. */
static char *
cpuinfo (const char *key)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++)
    {
      const char *colon = strchr (*line, ':');

      if (colon && g_str_has_prefix (*line, key))
        return g_strstrip (g_strdup (colon + 1));
    }
  return NULL;
}

/* Returns the processor's model name, or its architecture. */
char *
armilla_machine_processor (void)
{
  char *name = cpuinfo ("model name");
  struct utsname system;

  if (!name || name[0] == '\0')
    {
      g_free (name);
      name = g_strdup (uname (&system) == 0 ? system.machine : "unknown");
    }
  return name;
}
