/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read on a terminal may come from workflows, names of files and damaged files: no byte
 * of it shall command the terminal, or make it show something else than what is there. */
#include "core/base/printable.h"

/* Characters that change the direction of what stands beside them, or end a line. */
static gboolean
is_misleading (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

/**
 * armilla_printable:
 * @text: any bytes
 * @lines: whether line ends stay; otherwise they are escaped, too
 *
 * Escapes what a terminal would obey: control characters and bytes that are not UTF-8 as `\x1b`,
 * those of Unicode, and characters that turn the direction of text, as `\u202e`. Other UTF-8 stays.
 *
 * Returns: (transfer full): text that can be shown
 */
char *
armilla_printable (const char *text, gboolean lines)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0';)
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      gsize length = 1;

      if (c >= 0x110000) /* -1 and -2 say that there is no character */
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

/**
 * armilla_ascii:
 * @text: any bytes
 *
 * Puts '?' in the place of each byte that is not printable ASCII: what damaged files hold would end
 * up in messages and in other files.
 *
 * Returns: (transfer none): @text
 */
char *
armilla_ascii (char *text)
{
  for (char *p = text; *p != 0; p++)
    if (!g_ascii_isprint (*p))
      *p = '?';
  return text;
}

/**
 * armilla_print:
 * @file: standard output or standard error
 * @format: as for printf()
 * @...: arguments of @format
 *
 * Prints what armilla_printable() makes of a text; its line ends stay. Everything that may hold
 * text of a user's comes this way. Whether @file could be written is asked when the program ends.
 */
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
