/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/text/expand.h"

#include <string.h>

#include "core/base/compare.h"
#include "workflows/text/problems.h"

/* maximum bytes of a value: in a short file, variables (a = ${b}${b}, b = ${c}${c}, ...) can make
 * values of any length */
#define MAX_VALUE 65536
#define MAX_VARIABLES (16 * 1024 * 1024)
/* Control characters that stand for something in expanded values. Values of a file cannot contain
 * them, since they are rejected there. */
#define INDEX '\001' /* stands for ${index} until that is known */
#define OPEN '\002'  /* encloses, with CLOSE, the value of a variable */
#define CLOSE '\003'
#define SWEPT '\004' /* stands for a swept value; the number of the key follows */
#define FIRST_KEY 'A'
#define OPERATORS "+-*/^?:<>=&|,"

typedef struct {
  GHashTable *variables; /* name -> ArmillaEntry */
  const ArmillaSweepPoints *points;
  GString *out;
  gboolean hints; /* whether messages suggest similar names */
  gboolean nested;
} Expander;

typedef struct {
  ArmillaEntry *entry;
  const char *rest; /* part of the value that is not searched yet */
} Frame;

static gboolean
fail_unknown (Expander *x, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, x->variables);
  while (x->hints && g_hash_table_iter_next (&iter, &key, NULL))
    if (strchr (key, '/') == NULL)
      g_ptr_array_add (names, key);
  g_ptr_array_add (names, (gpointer) "index");
  for (int k = 0; x->hints && k < armilla_sweep_points_n_keys (x->points); k++)
    g_ptr_array_add (names, (gpointer) armilla_sweep_points_key (x->points, k));
  g_ptr_array_sort (names, armilla_compare_texts);
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (name, "variables", (const char *const *) names->pdata);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "unknown variable \"%s\"%s; %s", name, hint,
                       strchr (name, '.') != NULL
                         ? "a key of a node can be used here if sweep of [workflow] names it"
                         : "define it in [variables] or with -D");
}

/* Returns the name in the ${name} at the beginning of @p; NULL if there is none. */
static char *
reference_name (const char *p, const char **after)
{
  const char *close = p[0] == '$' && p[1] == '{' ? strchr (p, '}') : NULL;
  g_autofree char *name = close != NULL ? g_strndup (p + 2, close - p - 2) : NULL;
  const char *last; /* names of a definition's values are NODE/NAME */

  if (name == NULL)
    return NULL;
  last = strrchr (name, '/');
  if (!armilla_is_reference (last != NULL ? last + 1 : name))
    return NULL;
  *after = close + 1;
  return g_steal_pointer (&name);
}

static gboolean
is_one_piece (const char *text)
{
  return text[0] == OPEN && text[strlen (text) - 1] == CLOSE && strchr (text + 1, OPEN) == NULL;
}

/* Appends the value of a variable, enclosed so that it becomes one factor of an expression,
 * whatever operators it contains. */
static void
append_piece (GString *out, const char *text)
{
  gboolean one = strpbrk (text, OPERATORS) == NULL || is_one_piece (text);

  if (!one)
    g_string_append_c (out, OPEN);
  g_string_append (out, text);
  if (!one)
    g_string_append_c (out, CLOSE);
}

static gboolean
expand_reference (Expander *x, const char *p, const char **after, GError **error)
{
  g_autofree char *name = reference_name (p, after);
  const ArmillaEntry *entry;
  int key;

  if (name == NULL)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "$ begins a variable, ${name}; write $$ for a dollar sign");
  if (strcmp (name, "index") == 0)
    {
      g_string_append_c (x->out, INDEX);
      return TRUE;
    }
  key = armilla_sweep_points_find (x->points, name);
  if (key >= 0)
    {
      g_string_append_c (x->out, SWEPT);
      g_string_append_c (x->out, (char) (FIRST_KEY + key));
      return TRUE;
    }
  entry = g_hash_table_lookup (x->variables, name);
  if (entry == NULL)
    {
      /* The value may be missing since the sweep is wrong, which was reported. */
      x->nested = armilla_sweep_points_failed (x->points);
      return fail_unknown (x, name, error);
    }
  if (entry->expanded == NULL)
    {
      x->nested = TRUE;
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "variable \"%s\" has no value", name);
    }
  append_piece (x->out, entry->expanded);
  return TRUE;
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
      else if (value[0] == '$' && !expand_reference (x, value, &value, error))
        return FALSE;
      if (x->out->len > MAX_VALUE)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "the value is longer than %d bytes",
                             MAX_VALUE);
    }
  return TRUE;
}

/* Returns the next variable in a value that is not expanded completely; NULL if there is none. */
static ArmillaEntry *
next_needed (GHashTable *variables, Frame *frame)
{
  while ((frame->rest = strchr (frame->rest, '$')) != NULL)
    {
      g_autofree char *name = NULL;
      const char *after = frame->rest + (frame->rest[1] == '$' ? 2 : 1);
      ArmillaEntry *entry = NULL;

      name = reference_name (frame->rest, &after);
      if (name != NULL)
        entry = g_hash_table_lookup (variables, name);
      frame->rest = after;
      if (entry != NULL && entry->state != ARMILLA_ENTRY_DONE)
        return entry;
    }
  frame->rest = "";
  return NULL;
}

/* Reports a circle of variables: those from @first to the end of the stack. */
static void
report_circle (const GArray *stack, const ArmillaEntry *first, ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *circle = NULL;
  guint i = 0;

  while (g_array_index (stack, Frame, i).entry != first)
    i++;
  for (; i < stack->len; i++)
    g_ptr_array_add (names, (gpointer) g_array_index (stack, Frame, i).entry->key);
  circle = armilla_problems_circle (names);
  armilla_problems_add (problems, first->value_place, "variables", first->key,
                        "variables refer to each other: %s", circle);
}

/* Expands the value of a variable. The variables in it have been expanded, or reported. */
static void
replace_variable (GHashTable *variables, const ArmillaSweepPoints *points, ArmillaEntry *entry,
                  gsize *total, ArmillaProblems *problems)
{
  Expander x = { .variables = variables, .points = points, .out = g_string_new (NULL) };
  g_autoptr (GError) error = NULL;
  gboolean fits = *total <= MAX_VARIABLES, done;

  x.hints = !armilla_problems_full (problems);
  done = fits && expand_value (&x, entry->value, &error);
  *total += x.out->len;
  if (fits && *total > MAX_VARIABLES)
    armilla_problems_add (problems, entry->value_place, "variables", entry->key,
                          "the variables from the first to this one are longer than %d MiB after "
                          "expansion; use fewer or shorter ones",
                          MAX_VARIABLES >> 20);
  else if (fits && !done && !x.nested)
    armilla_problems_add (problems, entry->value_place, "variables", entry->key, "%s",
                          error->message);
  entry->expanded = g_string_free (x.out, !done);
  entry->state = ARMILLA_ENTRY_DONE;
}

/* Expands the values of all variables, each after the variables that it contains. */
void
armilla_expand_variables (GHashTable *variables, const ArmillaSweepPoints *points,
                          const ArmillaGroup *group, ArmillaProblems *problems)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  gsize total = 0;

  for (guint i = 0; i < group->entries->len; i++)
    {
      ArmillaEntry *needed = g_ptr_array_index (group->entries, i);

      if (needed->state == ARMILLA_ENTRY_NEW)
        do
          {
            if (needed == NULL)
              {
                replace_variable (variables, points,
                                  g_array_index (stack, Frame, stack->len - 1).entry, &total,
                                  problems);
                g_array_set_size (stack, stack->len - 1);
              }
            else if (needed->state == ARMILLA_ENTRY_OPEN)
              report_circle (stack, needed, problems);
            else
              {
                Frame frame = { needed, needed->value };

                needed->state = ARMILLA_ENTRY_OPEN;
                g_array_append_val (stack, frame);
              }
            if (stack->len > 0)
              needed = next_needed (variables,
                                    &g_array_index (stack, Frame, stack->len - 1));
          }
        while (stack->len > 0);
    }
}

/* Replaces the characters that stand for ${index} and swept values. @expression: puts values in
 * parentheses. */
static void
put_in (const GString *text, const ArmillaSweepPoints *points, gint64 index, gint64 point,
        gboolean expression, ArmillaExpansion *result)
{
  const gboolean whole = is_one_piece (text->str);
  GString *out = g_string_sized_new (text->len);

  for (const char *p = text->str; *p != '\0'; p++)
    if (*p == INDEX)
      {
        result->by_index = TRUE;
        g_string_append_printf (out, "%" G_GINT64_FORMAT, index);
      }
    else if (*p == SWEPT)
      {
        const int key = *++p - FIRST_KEY;
        const char *value = armilla_sweep_points_text (points, key, point);
        const gboolean pieces = expression && text->len > 2 && strpbrk (value, OPERATORS) != NULL;

        result->by_keys |= 1U << key;
        g_string_append_printf (out, "%s%s%s", pieces ? "(" : "", value, pieces ? ")" : "");
      }
    else if (*p == OPEN || *p == CLOSE)
      {
        if (expression && !whole)
          g_string_append_c (out, *p == OPEN ? '(' : ')');
      }
    else
      g_string_append_c (out, *p);
  result->text = g_string_free (out, FALSE);
}

/* Replaces ${name} and $$ in a value, after armilla_expand_variables (). Environment variables are
 * not used. ARMILLA_ERROR_VALUE if the value becomes too long, or a variable has no value. */
gboolean
armilla_expand (GHashTable *variables, const ArmillaSweepPoints *points, const char *value,
                gint64 index, gint64 point, ArmillaExpansion *result, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Expander x = { .variables = variables, .points = points, .out = out, .hints = TRUE };
  gboolean done = expand_value (&x, value, error);

  *result = (ArmillaExpansion) { .nested = x.nested };
  if (done)
    put_in (out, points, index, point, FALSE, result);
  return done;
}

/* Returns the value as an expression in which the value of a variable is in parentheses: 3*${n}
 * is 3*(1 + 2) if n = 1 + 2. armilla_expand () must accept the value. */
char *
armilla_expand_expression (GHashTable *variables, const ArmillaSweepPoints *points,
                           const char *value, gint64 index, gint64 point)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Expander x = { .variables = variables, .points = points, .out = out };
  ArmillaExpansion result = { NULL };

  if (expand_value (&x, value, NULL))
    put_in (out, points, index, point, TRUE, &result);
  return result.text;
}

/* Appends the character that an escape stands for, as in GKeyFile: \s \n \t \r \\, and in lists an
 * escaped separator. */
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
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "a backslash begins an escape; allowed are \\s (blank), \\t, \\n, \\r, "
                         "\\\\%s", list ? ", \\; and \\," : "");
  return TRUE;
}

/* Returns an expanded value with its escapes replaced; ARMILLA_ERROR_PARSE for escapes that
 * GKeyFile does not know. */
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

/* Splits an expanded list at ; or , around which there may be blanks; one may follow the last
 * element. Replaces escapes. */
char **
armilla_split (const char *value, GError **error)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  const char *p = value;

  while (*p != '\0')
    {
      g_autoptr (GString) element = g_string_new (NULL);
      gsize solid = 0; /* length up to the last byte that is not a plain blank */

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

/* Returns @text with those ${name} replaced for which @value returns a text. */
char *
armilla_replace_references (const char *text, char *(*value) (gpointer user, const char *name),
                            gpointer user)
{
  GString *out = g_string_new (NULL);

  while (*text != '\0')
    {
      const char *close = text[0] == '$' && text[1] == '{' ? strchr (text, '}') : NULL;
      g_autofree char *name = close != NULL ? g_strndup (text + 2, close - text - 2) : NULL;
      g_autofree char *found = name != NULL ? value (user, name) : NULL;
      const gssize step = text[0] == '$' && text[1] == '$' ? 2 : 1;

      g_string_append_len (out, found != NULL ? found : text, found != NULL ? -1 : step);
      text = found != NULL ? close + 1 : text + step;
    }
  return g_string_free (out, FALSE);
}

/* Adds the names of the variables in a value to @names, a set that frees its keys. */
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
