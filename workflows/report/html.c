/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/report/report-private.h"

#include <math.h>

#include "core/base/printable.h"

/* Appends markup to a page, formatted as by printf(). Strings among the arguments are escaped, and
 * control characters in them removed. */
void
armilla_html (GString *page, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_markup_vprintf_escaped (format, args);
  va_end (args);
  g_string_append (page, text);
}

/* Appends any text: bytes that a page cannot contain are escaped. @lines: keeps line ends */
void
armilla_html_text (GString *page, const char *text, gboolean lines)
{
  g_autofree char *shown = armilla_printable (text, lines);

  armilla_html (page, "%s", shown);
}

/* Appends a JSON text in which no part can end the surrounding element. */
void
armilla_html_json (GString *page, const char *text)
{
  g_string_append_c (page, '"');
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '"' || *p == '\\' || *p == '<' || *p == '>' || *p == '&' || (guchar) *p < ' ')
      g_string_append_printf (page, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (page, *p);
  g_string_append_c (page, '"');
}

/* Appends a cell of a table. @what: heading of the cell on narrow screens. */
void
armilla_html_cell (GString *page, const char *what, const char *value)
{
  armilla_html (page, "<td data-name=\"%s\">%s</td>", what, value);
}

/* Returns a time with about three digits. */
char *
armilla_html_seconds (double seconds)
{
  if (seconds < 1e-3)
    return g_strdup_printf ("%.0f \302\265s", ceil (1e6 * seconds));
  if (seconds < 1)
    return g_strdup_printf ("%.3g ms", 1e3 * seconds);
  if (seconds < 100)
    return g_strdup_printf ("%.3g s", seconds);
  if (seconds < 6000)
    return g_strdup_printf ("%d min %d s", (int) seconds / 60, (int) seconds % 60);
  return g_strdup_printf ("%.0f h %d min", (double) (int) (seconds / 3600),
                          (int) (seconds / 60) % 60);
}
