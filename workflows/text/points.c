/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps. A swept key gets the value ${node.key}, which is replaced by the key's value at each
 * point. */
#include "workflows/text/points.h"

#include <string.h>

#include "workflows/text/problems.h"

#define MAX_KEYS 20
#define MAX_POINTS 100000

typedef struct {
  char *name;    /* node.key, or the name of a variable */
  char **values; /* values, with no blank before units, so that they can be parts of file names */
  gint64 n;
} Key;

struct _ArmillaSweepPoints {
  GArray *keys; /* Key: the swept keys; the value of the last one changes fastest */
  gint64 n;
  gboolean failed;
};

static void
key_clear (gpointer data)
{
  Key *key = data;

  g_free (key->name);
  g_strfreev (key->values);
}

/* Returns whether ${name} may be a variable or a swept key: a name, or node.key. */
gboolean
armilla_is_reference (const char *name)
{
  const char *dot = strchr (name, '.');

  return dot == NULL ? armilla_is_name (name, -1)
                     : armilla_is_name (name, dot - name) && armilla_is_name (dot + 1, -1);
}

#define complain(entry, problems, ...) \
  armilla_problems_add (problems, (entry)->value_place, "workflow", (entry)->key, __VA_ARGS__)

/* Splits at commas and removes blanks; a comma may follow the last value. */
static char **
split_values (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (char **part = parts; *part != NULL; part++)
    if (*g_strstrip (*part) != '\0' || part[1] != NULL)
      g_strv_builder_add (list, *part);
  return g_strv_builder_end (list);
}

/* Returns the unit after the number in @text, "" if there is none; NULL if the text is no
 * number. */
static const char *
after_number (const char *text)
{
  char *end;

  g_ascii_strtod (text, &end);
  if (end == text)
    return NULL;
  while (*end == ' ')
    end++;
  for (const char *p = end; *p != '\0'; p++)
    if (!g_ascii_isalpha (*p))
      return NULL; /* an expression, or a name */
  return end;
}

/* Adds the unit of the last value to numbers without unit: 5, 10, 20 arcmin. */
static void
spread_unit (char **values, gint64 n)
{
  const char *last = n > 0 ? after_number (values[n - 1]) : NULL;
  g_autofree char *unit = g_strdup (last != NULL ? last : "");

  for (gint64 i = 0; i < n; i++)
    {
      const char *rest = after_number (values[i]);
      g_autofree char *number = NULL;
      char *text;

      if (rest == NULL)
        continue;
      number = g_strchomp (g_strndup (values[i], (gsize) (rest - values[i])));
      text = g_strconcat (number, *rest != '\0' ? rest : unit, NULL);
      g_free (values[i]);
      values[i] = text;
    }
}

/* Returns the group of the node whose key is swept. */
static ArmillaGroup *
find_group (ArmillaDocument *document, const ArmillaEntry *entry, const char *node,
            ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  if (strcmp (node, "workflow") == 0 || strcmp (node, "variables") == 0)
    {
      complain (entry, problems,
                "[%s] cannot be swept; write node.key for a key of a node, or the name of a "
                "variable", node);
      return NULL;
    }
  if (armilla_document_group (document, node) != NULL)
    return armilla_document_group (document, node);
  for (guint i = 0; i < document->groups->len; i++)
    {
      const char *name = ((ArmillaGroup *) g_ptr_array_index (document->groups, i))->name;

      if (strcmp (name, "workflow") != 0 && strcmp (name, "variables") != 0)
        g_ptr_array_add (names, (gpointer) name);
    }
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (node, "nodes", (const char *const *) names->pdata);
  complain (entry, problems, "no node \"%s\"%s", node, hint);
  return NULL;
}

/* Sets the value of a swept key to ${node.key}. Messages about it name the place of the sweep. */
static gboolean
replace_value (ArmillaDocument *document, const ArmillaEntry *entry, const char *name,
               ArmillaProblems *problems)
{
  const char *dot = strchr (name, '.');
  g_autofree char *node = dot != NULL ? g_strndup (name, (gsize) (dot - name)) : NULL;
  g_autofree char *value = g_strdup_printf ("${%s}", name);
  const ArmillaPlace place = entry->value_place;
  ArmillaGroup *group;
  ArmillaEntry *swept;

  if (dot == NULL)
    return TRUE;
  group = find_group (document, entry, node, problems);
  if (group == NULL)
    return FALSE;
  armilla_document_set (document, group, dot + 1, value, "sweep");
  swept = armilla_group_entry (group, dot + 1);
  swept->key_place = swept->value_place = place;
  return TRUE;
}

static gboolean
check_name (const ArmillaSweepPoints *self, const ArmillaEntry *entry, const char *name,
            ArmillaProblems *problems)
{
  if (!armilla_is_reference (name))
    complain (entry, problems,
              "write a sweep as node.key: value, value or as variable: value, value; separate "
              "several keys by semicolons");
  else if (strcmp (name, "index") == 0)
    complain (entry, problems,
              "reserved name: ${index} is the number of the realisation; use repeat");
  else if (armilla_sweep_points_find (self, name) >= 0)
    complain (entry, problems, "%s is swept already", name);
  else if (self->keys->len == MAX_KEYS)
    complain (entry, problems, "more than %d keys are swept", MAX_KEYS);
  else
    return TRUE;
  return FALSE;
}

static gboolean
has_twice (const Key *key, const ArmillaEntry *entry, ArmillaProblems *problems)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (gint64 i = 0; i < key->n; i++)
    if (!g_hash_table_add (seen, key->values[i]))
      {
        complain (entry, problems, "%s has the value %s twice", key->name, key->values[i]);
        return TRUE;
      }
  return FALSE;
}

static void
add_key (ArmillaSweepPoints *self, ArmillaDocument *document, const ArmillaEntry *entry,
         const char *text, ArmillaProblems *problems)
{
  const char *colon = strchr (text, ':');
  g_autofree char *name = g_strstrip (g_strndup (text, colon != NULL ? (gsize) (colon - text) : 0));
  Key key = { NULL, NULL, 0 };

  if (!check_name (self, entry, name, problems))
    return;
  key.values = split_values (colon + 1);
  key.name = g_steal_pointer (&name);
  key.n = (gint64) g_strv_length (key.values);
  spread_unit (key.values, key.n);
  if (key.n == 0)
    complain (entry, problems, "%s has no value; write %s: value, value", key.name, key.name);
  else if (self->n > MAX_POINTS / key.n)
    complain (entry, problems, "the sweep has more than %d points", MAX_POINTS);
  else if (!has_twice (&key, entry, problems)
           && replace_value (document, entry, key.name, problems))
    {
      self->n *= key.n;
      g_array_append_val (self->keys, key);
      return;
    }
  key_clear (&key);
}

/* Reads the key `sweep` of [workflow], and sets the swept keys to ${node.key}. Without `sweep`
 * there is one point. */
ArmillaSweepPoints *
armilla_sweep_points_new (ArmillaDocument *document, ArmillaProblems *problems)
{
  const guint n_problems = armilla_problems_count (problems);
  const ArmillaGroup *group = armilla_document_group (document, "workflow");
  const ArmillaEntry *entry = group != NULL ? armilla_group_entry (group, "sweep") : NULL;
  ArmillaSweepPoints *self = g_new0 (ArmillaSweepPoints, 1);
  g_auto (GStrv) parts = NULL;

  self->n = 1;
  self->keys = g_array_new (FALSE, FALSE, sizeof (Key));
  g_array_set_clear_func (self->keys, key_clear);
  if (entry == NULL)
    return self;
  if (strpbrk (entry->value, "$\\") != NULL)
    {
      complain (entry, problems,
                "a sweep lists its values; variables and escapes cannot be used here");
      self->failed = TRUE;
      return self;
    }
  parts = g_strsplit (entry->value, ";", -1);
  for (char **part = parts; *part != NULL; part++)
    if (*g_strstrip (*part) != '\0' || parts[1] == NULL)
      add_key (self, document, entry, *part, problems);
  self->failed = armilla_problems_count (problems) > n_problems;
  return self;
}

/* Returns whether the sweep has a problem, so that some of its keys may be missing. */
gboolean
armilla_sweep_points_failed (const ArmillaSweepPoints *self)
{
  return self->failed;
}

gint64
armilla_sweep_points_count (const ArmillaSweepPoints *self)
{
  return self->n;
}

int
armilla_sweep_points_n_keys (const ArmillaSweepPoints *self)
{
  return (int) self->keys->len;
}

/* Returns the name of swept key number @key. */
const char *
armilla_sweep_points_key (const ArmillaSweepPoints *self, int key)
{
  return g_array_index (self->keys, Key, key).name;
}

/* Returns the number of the swept key of this name, or -1. */
int
armilla_sweep_points_find (const ArmillaSweepPoints *self, const char *name)
{
  for (guint i = 0; i < self->keys->len; i++)
    if (strcmp (g_array_index (self->keys, Key, i).name, name) == 0)
      return (int) i;
  return -1;
}

const char *
armilla_sweep_points_text (const ArmillaSweepPoints *self, int key, gint64 point)
{
  for (int i = (int) self->keys->len - 1; i > key; i--)
    point /= g_array_index (self->keys, Key, i).n;
  return g_array_index (self->keys, Key, key).values[point % g_array_index (self->keys, Key,
                                                                            key).n];
}

/* Describes the values at a point, such as "beam.fwhm = 10arcmin, sky.lmax = 64"; "" if nothing is
 * swept. */
char *
armilla_sweep_points_describe (const ArmillaSweepPoints *self, gint64 point)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < armilla_sweep_points_n_keys (self); i++)
    g_string_append_printf (text, "%s%s = %s", i > 0 ? ", " : "",
                            armilla_sweep_points_key (self, i),
                            armilla_sweep_points_text (self, i, point));
  return g_string_free (text, FALSE);
}

void
armilla_sweep_points_free (ArmillaSweepPoints *self)
{
  g_array_unref (self->keys);
  g_free (self);
}
