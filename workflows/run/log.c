/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/progress.h"

#include <stdio.h>

#include "core/base/printable.h"

static char *
read_clock (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *day = now != NULL ? g_date_time_format (now, "%Y-%m-%d %H:%M:%S") : NULL;

  return g_strdup_printf ("%s.%03d ", day != NULL ? day : "(no clock)",
                          now != NULL ? g_date_time_get_microsecond (now) / 1000 : 0);
}

/* Prints the lines of a text to standard error; with @clock each begins with the local date and
 * time. */
void
armilla_log (gboolean clock, const char *format, ...)
{
  g_autofree char *time = clock ? read_clock () : g_strdup ("");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      armilla_print (stderr, "%s%s\n", time, *line);
}
