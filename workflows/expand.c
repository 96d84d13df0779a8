/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/expand.h"

#include <string.h>

#include "workflows/scanner.h"
#include "workflows/suggest.h"

/* A short file can ask for a value of any length (a = ${b}${b}, b = ${c}${c}, ...). */
#define LONGEST_VALUE 65536
#define MOST_STEPS 10000
#define DEEPEST 32

typedef struct {
  GHashTable *variables; /* name -> ArmillaEntry */
  gint64 index;
  GString *out;
  const char *stack[DEEPEST]; /* names of the variables that are being expanded */
  int base, depth; /* the value given stands at depth base */
  int steps;
  gboolean varies, nested;
} Expander;

static gboolean expand_value (Expander *x, const char *value, GError **error);

static void G_GNUC_PRINTF (5, 6)
fail (Expander *x, GError **error, gboolean nested, int code, const char *format, ...)
{
  va_list args;
  g_autofree char *message = NULL;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  x->nested = nested;
  g_set_error_literal (error, ARMILLA_ERROR, code, message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
fail_unknown (Expander *x, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, x->variables);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_ptr_array_add (names, (gpointer) "index");
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, "variables", (const char *const *) names->pdata);
  fail (x, error, x->depth > x->base, ARMILLA_ERROR_UNKNOWN,
        "unknown variable \"%s\"%s; define it in [variables] or with -D", name, hint);
}

/* Names the variables of the circle that closes with stack[first]. */
static void
fail_circle (Expander *x, int first, GError **error)
{
  g_autoptr (GString) circle = g_string_new (NULL);

  for (int i = first; i < x->depth; i++)
    g_string_append_printf (circle, "%s -> ", x->stack[i]);
  g_string_append (circle, x->stack[first]);
  /* The fault is the value's own only where the circle begins with its variable. */
  fail (x, error, first >= x->base, ARMILLA_ERROR_VALUE, "variables refer to each other: %s",
        circle->str);
}

static gboolean
expand_variable (Expander *x, const char *name, GError **error)
{
  const ArmillaEntry *entry;
  gboolean done;

  if (++x->steps > MOST_STEPS)
    {
      fail (x, error, FALSE, ARMILLA_ERROR_VALUE, "more than %d variables to replace", MOST_STEPS);
      return FALSE;
    }
  if (strcmp (name, "index") == 0)
    {
      x->varies = TRUE;
      g_string_append_printf (x->out, "%" G_GINT64_FORMAT, x->index);
      return TRUE;
    }
  entry = g_hash_table_lookup (x->variables, name);
  if (entry == NULL)
    {
      fail_unknown (x, name, error);
      return FALSE;
    }
  for (int i = 0; i < x->depth; i++)
    if (strcmp (x->stack[i], name) == 0)
      {
        fail_circle (x, i, error);
        return FALSE;
      }
  if (x->depth == DEEPEST)
    {
      fail (x, error, FALSE, ARMILLA_ERROR_VALUE, "variables are nested more than %d deep",
            DEEPEST);
      return FALSE;
    }
  x->stack[x->depth++] = name;
  done = expand_value (x, entry->value, error);
  x->depth--;
  return done;
}

static gboolean
expand_reference (Expander *x, const char *p, const char **after, GError **error)
{
  const char *close = strchr (p, '}');
  g_autofree char *name = NULL;

  if (*p != '{' || close == NULL || !armilla_is_name (p + 1, close - p - 1))
    {
      fail (x, error, x->depth > x->base, ARMILLA_ERROR_PARSE,
            "$ begins a variable, ${name}; write $$ for a dollar sign");
      return FALSE;
    }
  name = g_strndup (p + 1, close - p - 1);
  *after = close + 1;
  return expand_variable (x, name, error);
}

static gboolean
expand_value (Expander *x, const char *value, GError **error)
{
  while (*value != '\0')
    {
      gsize plain = strcspn (value, "$");

      g_string_append_len (x->out, value, plain);
      value += plain;
      if (value[0] == '$' && value[1] == '$')
        {
          g_string_append_c (x->out, '$');
          value += 2;
        }
      else if (value[0] == '$' && !expand_reference (x, value + 1, &value, error))
        return FALSE;
      if (x->out->len > LONGEST_VALUE)
        {
          fail (x, error, FALSE, ARMILLA_ERROR_VALUE, "the value is longer than %d bytes",
                LONGEST_VALUE);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * armilla_expand:
 * @variables: (element-type utf8 ArmillaEntry): the variables
 * @value: a value as it stands in the file
 * @self: (nullable): name of the variable that @value belongs to
 * @index: number of the realisation
 * @result: (out caller-allocates): the value with ${name} and $$ replaced
 * @error: return location
 *
 * Replaces variables. Their values may name other variables. The environment is not looked at.
 *
 * Returns: whether all was replaced; %ARMILLA_ERROR_PARSE, %ARMILLA_ERROR_UNKNOWN or, for variables
 *   that refer to each other or grow out of bounds, %ARMILLA_ERROR_VALUE
 */
gboolean
armilla_expand (GHashTable *variables, const char *value, const char *self, gint64 index,
                ArmillaExpansion *result, GError **error)
{
  Expander x = { .variables = variables, .index = index, .out = g_string_new (NULL) };
  gboolean done;

  if (self != NULL)
    x.stack[x.depth++] = self;
  x.base = x.depth;
  done = expand_value (&x, value, error);
  result->varies = x.varies;
  result->nested = x.nested;
  result->text = g_string_free (x.out, !done);
  return done;
}

/* GKeyFile's escapes: \s \n \t \r \\, and in lists an escaped separator. */
static gboolean
append_escape (GString *out, const char *p, gboolean list, GError **error)
{
  static const char from[] = "sntr\\", to[] = " \n\t\r\\";
  const char *found = *p != '\0' ? strchr (from, *p) : NULL;

  if (found != NULL)
    g_string_append_c (out, to[found - from]);
  else if (list && (*p == ';' || *p == ','))
    g_string_append_c (out, *p);
  else
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE,
                   "a backslash begins an escape; allowed are \\s (blank), \\t, \\n, \\r, \\\\%s",
                   list ? ", \\; and \\," : "");
      return FALSE;
    }
  return TRUE;
}

/**
 * armilla_unescape:
 * @value: a value whose variables are replaced
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the value with its escapes resolved; %ARMILLA_ERROR_PARSE
 *   for one that GKeyFile does not know either
 */
char *
armilla_unescape (const char *value, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *p = value; *p != '\0'; p++)
    if (*p != '\\')
      g_string_append_c (out, *p);
    else if (!append_escape (out, ++p, FALSE, error))
      return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/**
 * armilla_split:
 * @value: a value whose variables are replaced
 * @error: return location
 *
 * Takes a list apart: elements are separated by ; or , and may have blanks around them; one
 * separator may follow the last.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): the elements, escapes resolved
 */
char **
armilla_split (const char *value, GError **error)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  const char *p = value;

  while (*p != '\0')
    {
      g_autoptr (GString) element = g_string_new (NULL);
      gsize solid = 0; /* length up to the last byte that is no blank or was escaped */

      while (*p == ' ' || *p == '\t')
        p++;
      for (; *p != '\0' && *p != ';' && *p != ','; p++)
        {
          if (*p != '\\')
            g_string_append_c (element, *p);
          else if (!append_escape (element, ++p, TRUE, error))
            return NULL;
          if (*p != ' ' && *p != '\t')
            solid = element->len;
        }
      g_string_truncate (element, solid);
      if (*p == '\0' && element->len == 0)
        break;
      g_strv_builder_add (list, element->str);
      if (*p != '\0')
        p++;
    }
  return g_strv_builder_end (list);
}

/**
 * armilla_collect_variables:
 * @value: a value as it stands in the file
 * @names: (element-type utf8): set to which names are added; frees its keys itself
 *
 * Adds the names of the variables that @value mentions.
 */
void
armilla_collect_variables (const char *value, GHashTable *names)
{
  for (const char *p = strchr (value, '$'); p != NULL; p = strchr (p, '$'))
    {
      const char *close = p[1] == '{' ? strchr (p, '}') : NULL;

      if (close != NULL)
        g_hash_table_add (names, g_strndup (p + 2, close - p - 2));
      p += p[1] == '$' ? 2 : 1;
    }
}
