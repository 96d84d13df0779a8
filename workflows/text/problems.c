/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/text/problems.h"

#include <string.h>

#include "core/base/printable.h"

/* maximum number of messages that are stored; further problems are counted */
#define MAX_PROBLEMS 20
#define MAX_IN_CYCLE 12 /* maximum number of names in a message about a circle */

typedef struct {
  char *source;
  int line, column;
  guint number;
  char *text;
} Problem;

struct _ArmillaProblems {
  GPtrArray *list;
  GHashTable *meant; /* set of "node key": keys that were misspelt */
  guint count;
};

static void
problem_free (gpointer data)
{
  Problem *problem = data;

  g_free (problem->source);
  g_free (problem->text);
  g_free (problem);
}

ArmillaProblems *
armilla_problems_new (void)
{
  ArmillaProblems *self = g_new0 (ArmillaProblems, 1);

  self->list = g_ptr_array_new_with_free_func (problem_free);
  self->meant = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
armilla_problems_free (ArmillaProblems *self)
{
  g_ptr_array_unref (self->list);
  g_hash_table_unref (self->meant);
  g_free (self);
}

/* Returns the beginning of a message: `FILE:LINE:COLUMN: [node] key: `. @node and @key may be NULL;
 * if the place names a node and a key, those are used. */
char *
armilla_place_prefix (ArmillaPlace place, const char *node, const char *key)
{
  GString *text = g_string_new (place.source);

  node = place.node != NULL ? place.node : node;
  key = place.key != NULL ? place.key : key;
  if (place.line > 0)
    g_string_append_printf (text, ":%d:%d", place.line, place.column);
  g_string_append (text, ": ");
  /* Nodes that are not in a file may have their name as source; it is not repeated. */
  if (node != NULL && (place.line > 0 || strcmp (node, place.source) != 0))
    g_string_append_printf (text, "[%s]%s", node, key != NULL ? " " : ": ");
  if (key != NULL)
    g_string_append_printf (text, "%s: ", key);
  return g_string_free (text, FALSE);
}

/* Returns whether a problem with the same key and place exists. If several nodes of a definition
 * use one value, the shortest message is kept, that about the value itself. */
static gboolean
is_told (ArmillaProblems *self, ArmillaPlace place, const char *prefix, const char *line)
{
  for (guint i = 0; i < self->list->len; i++)
    {
      Problem *other = g_ptr_array_index (self->list, i);

      if (other->line != place.line || other->column != place.column
          || !g_str_has_prefix (other->text, prefix))
        continue;
      if (strlen (line) < strlen (other->text))
        {
          g_free (other->text);
          other->text = g_strdup (line);
        }
      return TRUE;
    }
  return FALSE;
}

/* Adds a problem, unless one with the same key and place exists. */
void
armilla_problems_add (ArmillaProblems *self, ArmillaPlace place, const char *node, const char *key,
                      const char *format, ...)
{
  g_autofree char *prefix = NULL;
  g_autofree char *message = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *line = NULL;
  Problem *problem;
  va_list args;

  if (self->list->len >= MAX_PROBLEMS)
    {
      self->count++;
      return;
    }
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  prefix = armilla_place_prefix (place, node, key);
  whole = g_strconcat (prefix, message, NULL);
  line = armilla_printable (whole, FALSE); /* without line ends: a problem is one line */
  if (is_told (self, place, place.key != NULL || key != NULL ? prefix : line, line))
    return;
  self->count++;
  problem = g_new0 (Problem, 1);
  problem->source = g_strdup (place.source);
  problem->line = place.line;
  problem->column = place.column;
  problem->number = self->count;
  problem->text = g_steal_pointer (&line);
  g_ptr_array_add (self->list, problem);
}

/* Notes that @key was misspelt, which is reported; then it is not also reported as missing. */
void
armilla_problems_mean (ArmillaProblems *self, const char *node, const char *key)
{
  if (key != NULL)
    g_hash_table_add (self->meant, g_strdup_printf ("%s %s", node, key));
}

/* Returns whether armilla_problems_mean () was called for the key. */
gboolean
armilla_problems_meant (const ArmillaProblems *self, ArmillaPlace place, const char *node,
                        const char *key)
{
  g_autofree char *name = g_strdup_printf ("%s %s", place.node != NULL ? place.node : node,
                                           place.key != NULL ? place.key : key);

  return g_hash_table_contains (self->meant, name);
}

guint
armilla_problems_count (const ArmillaProblems *self)
{
  return self->count;
}

/* Returns whether no further messages are stored. */
gboolean
armilla_problems_full (const ArmillaProblems *self)
{
  return self->list->len >= MAX_PROBLEMS;
}

/* Returns `a -> b -> a`; only the first and last names of a long circle. */
char *
armilla_problems_circle (const GPtrArray *names)
{
  GString *text = g_string_new (NULL);
  guint left_out = names->len > MAX_IN_CYCLE ? names->len - MAX_IN_CYCLE : 0;

  for (guint i = 0; i < names->len; i++)
    {
      g_string_append_printf (text, "%s -> ", (const char *) g_ptr_array_index (names, i));
      if (left_out > 0 && i + 1 == MAX_IN_CYCLE / 2)
        {
          g_string_append_printf (text, "... (%u more) ... -> ", left_out);
          i += left_out;
        }
    }
  g_string_append (text, g_ptr_array_index (names, 0));
  return g_string_free (text, FALSE);
}

static int
compare_problems (gconstpointer a, gconstpointer b)
{
  const Problem *x = *(Problem *const *) a, *y = *(Problem *const *) b;

  if (x->line > 0 && y->line > 0 && strcmp (x->source, y->source) != 0)
    return strcmp (x->source, y->source);
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns the problems in the order of files and lines, one per line, without a final newline;
 * "" if there are none. */
char *
armilla_problems_text (ArmillaProblems *self)
{
  GString *text = g_string_new (NULL);

  g_ptr_array_sort (self->list, compare_problems);
  for (guint i = 0; i < self->list->len; i++)
    {
      const Problem *problem = g_ptr_array_index (self->list, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", problem->text);
    }
  if (self->count > self->list->len)
    g_string_append_printf (text, "\n... and %u more", self->count - self->list->len);
  return g_string_free (text, FALSE);
}
