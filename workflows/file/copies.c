/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces a node with `each = i: 1..3; j: ${i}..3` by one copy for each combination of the values.
 * In the keys of a copy, ${i} is its value. */
#include "workflows/file/copies.h"

#include <math.h>
#include <string.h>

#include "workflows/text/property.h"
#include "workflows/text/expand.h"

#define MAX_NAMES 8
/* maximum number of values that are tried; not all of them belong to a copy */
#define MAX_STEPS 16384

typedef struct {
  const ArmillaWorkflow *workflow;
  const ArmillaGroup *node;
  const ArmillaEntry *entry;
  ArmillaProblems *problems;
  ArmillaCopies *copies;
  GPtrArray *lists; /* lists of values: text after the colon of each name */
  char *current[MAX_NAMES + 1];
  guint steps;
} Reader;

/* Reports a problem. Its value is FALSE, so that a function can return it. */
#define complain(r, ...) \
  (armilla_problems_add ((r)->problems, (r)->entry->value_place, (r)->node->name, \
                         (r)->entry->key, __VA_ARGS__), FALSE)

/* The first @n names, which have values. */
typedef struct {
  const GPtrArray *names;
  guint n;
  char *const *values;
} Known;

static char *
known_value (gpointer user, const char *name)
{
  const Known *known = user;

  for (guint k = 0; k < known->n; k++)
    if (strcmp (known->names->pdata[k], name) == 0)
      return g_strdup (known->values[k]);
  return NULL;
}

/* Returns @text with ${name} of the first @n names replaced by @values. */
static char *
replace (const GPtrArray *names, guint n, char *const *values, const char *text)
{
  Known known = { names, n, values };

  return armilla_replace_references (text, known_value, &known);
}

/* Returns whether a key of the node contains ${name}; otherwise copies would be identical. */
static gboolean
is_used (const Reader *r, const char *name)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < r->node->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (r->node->entries, i);

      if (entry != r->entry)
        armilla_collect_variables (entry->value, names);
    }
  return g_hash_table_contains (names, name);
}

static gboolean
add_name (Reader *r, const char *part)
{
  const char *colon = strchr (part, ':');
  char *name = g_strstrip (g_strndup (part, colon != NULL ? (gsize) (colon - part) : 0));

  g_ptr_array_add (r->copies->names, name);
  if (!armilla_is_name (name, -1))
    return complain (r, "each must have the form name: value, value; or name: 1..3, with ; between "
                        "several names");
  if (strcmp (name, "index") == 0)
    return complain (r, "reserved name: ${index} is the number of the realisation; use repeat");
  for (guint k = 0; k + 1 < r->copies->names->len; k++)
    if (strcmp (r->copies->names->pdata[k], name) == 0)
      return complain (r, "%s is given twice", name);
  if (r->copies->names->len > MAX_NAMES)
    return complain (r, "more than %d names", MAX_NAMES);
  if (!is_used (r, name))
    return complain (r, "no other key of the node has ${%s} in its value: its copies would all be "
                     "the same", name);
  g_ptr_array_add (r->lists, (gpointer) (colon + 1));
  return TRUE;
}

static gboolean
compute_end (const Reader *r, const char *range, const char *text, double *end)
{
  g_autoptr (GError) error = NULL;

  if (!armilla_arithmetic_compute (text, ARMILLA_DIMENSION_NONE, end, &error))
    return complain (r, "%s: %s; a range must have the form 1..3, with integers", range,
                     error->message);
  if (*end != floor (*end) || fabs (*end) > 1e9)
    return complain (r, "%s: %s is %.15g; the ends of a range must be integers", range,
                     text, *end);
  return TRUE;
}

static gboolean enumerate (Reader *r, guint level);

static gboolean
go_on_with (Reader *r, guint level, const char *value)
{
  gboolean good;

  if (++r->steps > MAX_STEPS)
    return complain (r, "more than %d values", MAX_STEPS);
  if (!armilla_is_name (value, -1))
    return complain (r, "\"%s\" cannot be part of the name of a node; must be letters, digits, - "
                        "and _, or a range of integers, 1..3", value);
  r->current[level] = g_strdup (value);
  good = enumerate (r, level + 1);
  g_clear_pointer (&r->current[level], g_free);
  return good;
}

static gboolean
go_through (Reader *r, guint level, const char *range)
{
  const char *dots = strstr (range, "..");
  g_autofree char *from = g_strndup (range, (gsize) (dots - range));
  double first, last;

  if (!compute_end (r, range, from, &first) || !compute_end (r, range, dots + 2, &last))
    return FALSE;
  if (first < 0 && first <= last)
    return complain (r, "%s: numbers in names of nodes must be 0 or more", range);
  for (double at = first; at <= last; at++)
    {
      g_autofree char *value = g_strdup_printf ("%.0f", at);

      if (!go_on_with (r, level, value))
        return FALSE;
    }
  return TRUE;
}

/* Enumerates the values of list number @level; the names before it have values. */
static gboolean
enumerate_list (Reader *r, guint level)
{
  const char *name = r->copies->names->pdata[level];
  g_autofree char *text
    = replace (r->copies->names, level, r->current, r->lists->pdata[level]);
  g_autofree char *plain = NULL;
  g_auto (GStrv) parts = NULL;
  g_autoptr (GError) error = NULL;
  ArmillaExpansion expansion;

  if (!armilla_expand (r->workflow->variables, r->workflow->points, text, 0, 0, &expansion, &error))
    return expansion.nested ? FALSE : complain (r, "%s", error->message);
  plain = expansion.text;
  if (expansion.by_index || expansion.by_keys != 0)
    return complain (r, "nodes must be the same in all realisations; ${index} and swept variables "
                        "cannot be used here");
  parts = g_strsplit (plain, ",", -1);
  for (char **part = parts; *part != NULL; part++)
    g_strstrip (*part);
  if (*plain == '\0' || *parts[0] == '\0')
    return complain (r, "%s has no value; write %s: value, value", name, name);
  for (char **part = parts; *part != NULL; part++)
    if (**part == '\0' && part[1] == NULL)
      return TRUE; /* one trailing comma is allowed */
    else if (strstr (*part, "..") != NULL ? !go_through (r, level, *part)
                                          : !go_on_with (r, level, *part))
      return FALSE;
  return TRUE;
}

static gboolean
enumerate (Reader *r, guint level)
{
  if (level < r->copies->names->len)
    return enumerate_list (r, level);
  if (r->copies->values->len >= ARMILLA_MAX_NODES)
    return complain (r, "more than %d nodes", ARMILLA_MAX_NODES);
  g_ptr_array_add (r->copies->values, g_strdupv (r->current));
  return TRUE;
}

/* Adds all copies; the value of the last name changes fastest. */
static gboolean
read_copies (Reader *r)
{
  g_auto (GStrv) parts = g_strsplit (r->entry->value, ";", -1);

  for (char **part = parts; *part != NULL; part++)
    if ((*g_strstrip (*part) != '\0' || parts[1] == NULL) && !add_name (r, *part))
      return FALSE;
  if (!enumerate (r, 0))
    return FALSE;
  return r->copies->values->len > 0
         || complain (r, "no value: all ranges end before they begin");
}

/* Returns the copies of a node with the key ARMILLA_EACH; none if there is a problem. Variables
 * must be expanded. */
ArmillaCopies *
armilla_copies_new (const ArmillaWorkflow *workflow, const ArmillaGroup *node,
                    ArmillaProblems *problems)
{
  ArmillaCopies *self = g_new (ArmillaCopies, 1);
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  Reader reader = { workflow, node, armilla_group_entry (node, ARMILLA_EACH), problems, self,
                    lists, { NULL }, 0 };

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  if (!read_copies (&reader))
    g_ptr_array_set_size (self->values, 0);
  return self;
}

/* Returns the name of a copy: `xi-1-3`. */
char *
armilla_copies_name (const ArmillaCopies *self, guint copy, const char *node)
{
  g_autofree char *values = g_strjoinv ("-", self->values->pdata[copy]);

  return g_strconcat (node, "-", values, NULL);
}

/* Returns @text, a value of the node, with the copy's values in place of their names. */
char *
armilla_copies_replace (const ArmillaCopies *self, guint copy, const char *text)
{
  return replace (self->names, self->names->len, self->values->pdata[copy], text);
}

void
armilla_copies_free (ArmillaCopies *self)
{
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->values);
  g_free (self);
}
