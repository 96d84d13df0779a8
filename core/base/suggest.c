/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/suggest.h"

#include <string.h>

#define MAX_LENGTH 64   /* longer names get no suggestion */
#define MAX_NAMES 40   /* longer lists of names are omitted from messages */

/* Returns the edits (insert, delete, replace, swap neighbours) that turn one name into the other;
 * changes of case are free. Both have at most MAX_LENGTH bytes. */
static gsize
distance (const char *a, gsize na, const char *b, gsize nb)
{
  gsize rows[3][MAX_LENGTH + 1];
  gsize *before = rows[0], *last = rows[1], *now = rows[2];

  for (gsize j = 0; j <= nb; j++)
    last[j] = j;
  for (gsize i = 1; i <= na; i++)
    {
      gsize *oldest = before;

      now[0] = i;
      for (gsize j = 1; j <= nb; j++)
        {
          char x = g_ascii_tolower (a[i - 1]), y = g_ascii_tolower (b[j - 1]);

          now[j] = MIN (last[j - 1] + (x != y), MIN (last[j], now[j - 1]) + 1);
          if (i > 1 && j > 1 && x == g_ascii_tolower (b[j - 2])
              && y == g_ascii_tolower (a[i - 2]))
            now[j] = MIN (now[j], before[j - 2] + 1);
        }
      before = last;
      last = now;
      now = oldest;
    }
  return last[nb];
}

/* Returns the most probable candidate: the nearest one if at most a third of its letters differ,
 * or one that begins with name; NULL if there is none. */
const char *
armilla_suggest (const char *name, const char *const *candidates)
{
  gsize length = strlen (name), best = G_MAXSIZE;
  const char *nearest = NULL, *longer = NULL;

  if (length == 0 || length > MAX_LENGTH)
    return NULL;
  for (const char *const *p = candidates; *p != NULL; p++)
    {
      gsize n = strlen (*p), d;

      if (n > MAX_LENGTH)
        continue;
      d = distance (name, length, *p, n);
      if (d <= MAX (1, MAX (n, length) / 3) && d < MAX (n, length) && d < best)
        {
          best = d;
          nearest = *p;
        }
      if (longer == NULL && length >= 2 && g_ascii_strncasecmp (*p, name, length) == 0)
        longer = *p;
    }
  return nearest != NULL ? nearest : longer;
}

/* Returns the end of a message: `; did you mean "x"? (WHAT: a, x, z)`. what: a plural noun. */
char *
armilla_suggest_text (const char *name, const char *what, const char *const *candidates)
{
  const char *nearest = armilla_suggest (name, candidates);
  GString *text = g_string_new (NULL);
  gsize n = 0;

  while (candidates[n] != NULL)
    n++;
  if (nearest != NULL)
    g_string_append_printf (text, "; did you mean \"%s\"?", nearest);
  if (n == 0)
    g_string_append_printf (text, "; there are no %s", what);
  else if (n <= MAX_NAMES)
    {
      g_autofree char *list = g_strjoinv (", ", (char **) candidates);

      g_string_append_printf (text, nearest != NULL ? " (%s: %s)" : "; %s: %s", what, list);
    }
  return g_string_free (text, FALSE);
}
