/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text printed on a terminal may come from workflows, file names and damaged files: no byte of it
 * may control the terminal or change the display of other text. */
#include "core/base/printable.h"

/* Returns whether the character changes the direction of adjacent text, or ends a line. */
static gboolean
is_misleading (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

/* Returns a copy that cannot control a terminal: control characters and invalid UTF-8 are escaped
 * as `\x1b`, characters that change the direction of text as `\u202e`, and line ends unless lines
 * is set. */
char *
armilla_printable (const char *text, gboolean lines)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0';)
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      gsize length = 1;

      if (c >= 0x110000) /* -1 and -2: not a character */
        g_string_append_printf (out, "\\x%02x", (guchar) *p);
      else if ((c < ' ' && !(lines && c == '\n')) || c == 0x7f)
        g_string_append_printf (out, "\\x%02x", c);
      else
        {
          length = (gsize) (g_utf8_next_char (p) - p);
          if ((c >= 0x80 && c < 0xa0) || is_misleading (c))
            g_string_append_printf (out, "\\u%04x", c);
          else
            g_string_append_len (out, p, (gssize) length);
        }
      p += length;
    }
  return g_string_free (out, FALSE);
}

/* Replaces in place each byte that is not printable ASCII by '?', since bytes of damaged files
 * would appear in messages and other files. Returns text. */
char *
armilla_ascii (char *text)
{
  for (char *p = text; *p != 0; p++)
    if (!g_ascii_isprint (*p))
      *p = '?';
  return text;
}

/* Prints to a terminal; all text that may contain a user's bytes is escaped by armilla_printable
 * (). Write errors are checked when the program ends. */
void
armilla_print (FILE *file, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  shown = armilla_printable (text, TRUE);
  fputs (shown, file);
}
