/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/overrides.h"

#include <string.h>

#include "workflows/text/expand.h"
#include "workflows/text/problems.h"

/* Creates a node without keys, with one reference. */
ArmillaAddedNode *
armilla_added_node_new (const char *name, const char *stage, const char *source)
{
  ArmillaAddedNode *self = g_rc_box_new0 (ArmillaAddedNode);

  self->name = g_strdup (name);
  self->stage = g_strdup (stage);
  self->source = g_strdup (source);
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
armilla_added_node_set (ArmillaAddedNode *self, const char *key, const char *value)
{
  g_ptr_array_add (self->keys, g_strdup (key));
  g_ptr_array_add (self->values, g_strdup (value));
}

static void
added_node_clear (gpointer data)
{
  ArmillaAddedNode *self = data;

  g_free (self->name);
  g_free (self->stage);
  g_free (self->source);
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->values);
}

void
armilla_added_node_unref (ArmillaAddedNode *self)
{
  g_rc_box_release_full (self, added_node_clear);
}

static char **
group_names (const ArmillaDocument *document)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < document->groups->len; i++)
    g_strv_builder_add (names, ((ArmillaGroup *) g_ptr_array_index (document->groups, i))->name);
  return g_strv_builder_end (names);
}

/* Checks a text from the command line by the rules for lines of a file. */
static gboolean
check_override (const char *option, const char *text, const char *equals, ArmillaPlace place,
                ArmillaProblems *problems)
{
  if (!g_utf8_validate (text, -1, NULL))
    {
      armilla_problems_add (problems, place, NULL, NULL, "not UTF-8 text");
      return FALSE;
    }
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) && *p != '\t')
      {
        armilla_problems_add (problems, place, NULL, NULL, "control character 0x%02x", (guchar) *p);
        return FALSE;
      }
  if (equals == NULL)
    armilla_problems_add (problems, place, NULL, NULL, "write %s", option);
  return equals != NULL;
}

static void
apply_set (ArmillaDocument *document, const char *text, ArmillaProblems *problems)
{
  const char *equals = strchr (text, '=');
  const char *dot = equals != NULL ? memchr (text, '.', equals - text) : NULL;
  g_autofree char *source = g_strdup_printf ("--set %s", text);
  ArmillaPlace place = { .source = source };
  g_autofree char *name = NULL;
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;
  ArmillaGroup *group;

  if (!check_override ("--set node.key=value", text, dot, place, problems))
    return;
  name = g_strstrip (g_strndup (text, dot - text));
  key = g_strstrip (g_strndup (dot + 1, equals - dot - 1));
  value = g_strstrip (g_strdup (equals + 1));
  group = armilla_document_group (document, name);
  if (group == NULL && strcmp (name, "workflow") == 0)
    group = armilla_document_add_group (document, name, (ArmillaPlace) { .source = "--set" });
  if (group == NULL)
    {
      g_auto (GStrv) names = group_names (document);
      g_autofree char *hint = armilla_suggest_text (name, "nodes", (const char *const *) names);

      armilla_problems_add (problems, place, NULL, NULL, "no node \"%s\"%s", name, hint);
    }
  else if (!armilla_is_name (key, -1))
    armilla_problems_add (problems, place, name, NULL,
                          "a key must consist of letters, digits, - and _");
  else
    armilla_document_set (document, group, key, value, source);
}

/* Returns the names of variables that the file defines or uses. */
static char **
known_variables (const ArmillaDocument *document)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; i < document->groups->len; i++)
    {
      const ArmillaGroup *group = g_ptr_array_index (document->groups, i);

      for (guint j = 0; j < group->entries->len; j++)
        {
          const ArmillaEntry *entry = g_ptr_array_index (group->entries, j);

          armilla_collect_variables (entry->value, names);
          if (strcmp (group->name, "variables") == 0)
            g_hash_table_add (names, g_strdup (entry->key));
        }
    }
  g_hash_table_remove (names, "index");
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (strchr (name, '.') == NULL) /* not swept keys (node.key), which are no variables */
      g_strv_builder_add (list, name);
  return g_strv_builder_end (list);
}

static void
apply_define (ArmillaDocument *document, const char *text, ArmillaProblems *problems)
{
  const char *equals = strchr (text, '=');
  g_autofree char *source = g_strdup_printf ("-D %s", text);
  ArmillaPlace place = { .source = source };
  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  g_auto (GStrv) known = NULL;
  ArmillaGroup *group;

  if (!check_override ("-D variable=value", text, equals, place, problems))
    return;
  name = g_strstrip (g_strndup (text, equals - text));
  value = g_strstrip (g_strdup (equals + 1));
  known = known_variables (document);
  if (!g_strv_contains ((const char *const *) known, name))
    {
      g_autofree char *hint = armilla_suggest_text (name, "variables",
                                                    (const char *const *) known);

      armilla_problems_add (problems, place, NULL, NULL,
                            "the workflow has no variable \"%s\"%s", name, hint);
      return;
    }
  group = armilla_document_group (document, "variables");
  if (group == NULL)
    group = armilla_document_add_group (document, "variables", (ArmillaPlace) { .source = "-D" });
  armilla_document_set (document, group, name, value, source);
}

static void
add_node (ArmillaDocument *document, const ArmillaAddedNode *node)
{
  const ArmillaPlace place
    = { .source = g_string_chunk_insert (document->strings, node->source) };
  ArmillaGroup *group = armilla_document_group (document, node->name);

  if (group == NULL)
    group = armilla_document_add_group (document, node->name, place);
  g_ptr_array_set_size (group->entries, 0);
  armilla_document_set (document, group, "stage", node->stage, node->source);
  for (guint i = 0; i < node->keys->len; i++)
    armilla_document_set (document, group, g_ptr_array_index (node->keys, i),
                          g_ptr_array_index (node->values, i), node->source);
}

/* Returns whether a text of --set names a node of a definition, which does not exist before
 * definitions are expanded. */
static gboolean
is_within (const char *text)
{
  const gsize length = strcspn (text, "./=");

  return text[length] == '/';
}

static void
apply_sets (const ArmillaOverrides *self, ArmillaDocument *document, gboolean within,
            GString *text, ArmillaProblems *problems)
{
  for (char **p = self->set; p != NULL && *p != NULL; p++)
    if (is_within (*p) == within)
      {
        apply_set (document, *p, problems);
        g_string_append_printf (text, "# --set %s\n", *p);
      }
}

/* Changes values of nodes of definitions (--set sky/beam.fwhm=...) after
 * armilla_instances_expand (). */
void
armilla_overrides_apply_within (const ArmillaOverrides *self, ArmillaDocument *document,
                                GString *text, ArmillaProblems *problems)
{
  apply_sets (self, document, TRUE, text, problems);
}

/* Adds nodes and changes values as --set and -D request, except in nodes of definitions. Appends
 * the changes to @text as comments, for HISTORY. */
void
armilla_overrides_apply (const ArmillaOverrides *self, ArmillaDocument *document, GString *text,
                         ArmillaProblems *problems)
{
  gboolean any = (self->set != NULL && *self->set != NULL)
                 || (self->define != NULL && *self->define != NULL)
                 || (self->added != NULL && self->added->len > 0);

  if (any && text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  for (guint i = 0; self->added != NULL && i < self->added->len; i++)
    {
      const ArmillaAddedNode *node = g_ptr_array_index (self->added, i);

      add_node (document, node);
      g_string_append_printf (text, "# [%s] is added: stage = %s\n", node->name, node->stage);
      for (guint k = 0; k < node->keys->len; k++)
        g_string_append_printf (text, "#   %s = %s\n",
                                (const char *) g_ptr_array_index (node->keys, k),
                                (const char *) g_ptr_array_index (node->values, k));
    }
  apply_sets (self, document, FALSE, text, problems);
  for (char **p = self->define; p != NULL && *p != NULL; p++)
    {
      apply_define (document, *p, problems);
      g_string_append_printf (text, "# -D %s\n", *p);
    }
}
