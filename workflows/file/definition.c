/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions: [define NAME] with inputs, outputs and parameters, and its nodes, [NAME/NODE]. */
#include "workflows/file/definition.h"

#include <string.h>

#include "workflows/text/expand.h"
#include "workflows/text/problems.h"

static void
definition_free (gpointer data)
{
  ArmillaDefinition *self = data;

  g_ptr_array_unref (self->slots);
  g_ptr_array_unref (self->nodes);
  g_free (self);
}

static const char *
after (const char *text, const char *word)
{
  return g_str_has_prefix (text, word) ? text + strlen (word) : NULL;
}

static void
add_slot (ArmillaDefinition *self, const char *name, ArmillaSlotKind kind,
          const ArmillaEntry *entry, ArmillaProblems *problems)
{
  ArmillaSlot *slot = g_new (ArmillaSlot, 1);

  if (kind != ARMILLA_SLOT_OUTPUT
      && (strcmp (name, "stage") == 0 || strcmp (name, "each") == 0 || strcmp (name, "index") == 0
          || armilla_definition_slot (self, name, FALSE) != NULL))
    armilla_problems_add (problems, entry->key_place, self->group->name, entry->key,
                          "duplicate name %s; choose another", name);
  *slot = (ArmillaSlot) { name, kind, entry };
  g_ptr_array_add (self->slots, slot);
}

static void
read_define (ArmillaDefinition *self, ArmillaProblems *problems)
{
  static const char *const words[] = { "summary", "description", "reference", "example",
                                       "input NAME", "output NAME", "parameter NAME", NULL };

  for (guint i = 0; i < self->group->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (self->group->entries, i);
      const char *name;

      if ((name = after (entry->key, "input ")) != NULL)
        add_slot (self, name, ARMILLA_SLOT_INPUT, entry, problems);
      else if ((name = after (entry->key, "output ")) != NULL)
        add_slot (self, name, ARMILLA_SLOT_OUTPUT, entry, problems);
      else if ((name = after (entry->key, "parameter ")) != NULL)
        add_slot (self, name, ARMILLA_SLOT_PARAMETER, entry, problems);
      else if (!g_strv_contains (words, entry->key))
        {
          g_autofree char *hint = armilla_suggest_text (entry->key, "keys", words);

          armilla_problems_add (problems, entry->key_place, self->group->name, entry->key,
                                "a definition has no such key%s", hint);
        }
    }
}

/* Returns the node of the definition that a value names as NODE or NODE.PORT; NULL if it names
 * none. */
const ArmillaGroup *
armilla_definition_node (const ArmillaDefinition *self, const char *value)
{
  const gsize length = strcspn (value, ".");

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (self->nodes, i);
      const char *inner = armilla_definition_inner (node);

      if (strlen (inner) == length && strncmp (inner, value, length) == 0)
        return node;
    }
  return NULL;
}

static gboolean
is_used (const ArmillaDefinition *self, const char *name)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ArmillaGroup *node = g_ptr_array_index (self->nodes, i);
      g_auto (GStrv) only_with = armilla_definition_only_with (node);

      if (g_strv_contains ((const char *const *) only_with, name))
        return TRUE;
      for (guint j = 0; j < node->entries->len; j++)
        armilla_collect_variables (
          ((const ArmillaEntry *) g_ptr_array_index (node->entries, j))->value, names);
    }
  for (guint i = 0; i < self->slots->len; i++)
    armilla_collect_variables (
      ((const ArmillaSlot *) g_ptr_array_index (self->slots, i))->entry->value, names);
  return g_hash_table_contains (names, name);
}

static void
check_only_with (const ArmillaDefinition *self, const ArmillaGroup *node,
                 ArmillaProblems *problems)
{
  g_auto (GStrv) names = armilla_definition_only_with (node);

  for (char **name = names; *name != NULL; name++)
    {
      const ArmillaEntry *entry = armilla_group_entry (node, ARMILLA_ONLY_WITH);

      if (armilla_definition_slot (self, *name, FALSE) == NULL)
        armilla_problems_add (problems, entry->value_place, node->name, entry->key,
                              "\"%s\" is neither an input nor a parameter of the definition",
                              *name);
    }
}

static void
check_definition (const ArmillaDefinition *self, ArmillaProblems *problems)
{
  const char *group = self->group->name;

  if (self->nodes->len == 0)
    armilla_problems_add (problems, self->group->place, group, NULL,
                          "the definition has no node; must have at least one group [%s/NODE]",
                          self->name);
  if (self->nodes->len == 0)
    return;
  for (guint i = 0; i < self->nodes->len; i++)
    check_only_with (self, g_ptr_array_index (self->nodes, i), problems);
  for (guint i = 0; i < self->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (self->slots, i);
      const ArmillaEntry *entry = slot->entry;

      if (slot->kind != ARMILLA_SLOT_OUTPUT && !is_used (self, slot->name))
        armilla_problems_add (problems, entry->key_place, group, entry->key,
                              "no node of the definition uses it; write ${%s} in the value of a "
                              "key",
                              slot->name);
      else if (slot->kind == ARMILLA_SLOT_OUTPUT
               && armilla_definition_node (self, entry->value) == NULL)
        armilla_problems_add (problems, entry->value_place, group, entry->key,
                              "\"%s\" is not a node of the definition; must be NODE or NODE.PORT, "
                              "with a group [%s/NODE]", entry->value, self->name);
    }
}

/* Returns the name of a node without that of its definition. */
const char *
armilla_definition_inner (const ArmillaGroup *node)
{
  return strrchr (node->name, '/') + 1;
}

static gboolean
is_of_definition (const ArmillaGroup *group, gpointer user)
{
  (void) user;
  return strchr (group->name, '/') != NULL || g_str_has_prefix (group->name, ARMILLA_DEFINE);
}

/* Moves the definitions out of the document's groups. The result refers to texts of the
 * document. */
GHashTable *
armilla_definitions_take (ArmillaDocument *document, ArmillaProblems *problems)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, definition_free);

  armilla_document_set_aside (document, is_of_definition, NULL);
  for (guint i = 0; i < document->defined->len; i++)
    {
      const ArmillaGroup *group = g_ptr_array_index (document->defined, i);
      ArmillaDefinition *self;

      if (after (group->name, ARMILLA_DEFINE) == NULL)
        continue;
      self = g_new0 (ArmillaDefinition, 1);
      self->name = after (group->name, ARMILLA_DEFINE);
      self->group = group;
      self->slots = g_ptr_array_new_with_free_func (g_free);
      self->nodes = g_ptr_array_new ();
      read_define (self, problems);
      g_hash_table_insert (all, (gpointer) self->name, self);
    }
  for (guint i = 0; i < document->defined->len; i++)
    {
      ArmillaGroup *group = g_ptr_array_index (document->defined, i);
      const char *slash = strchr (group->name, '/');
      g_autofree char *name = slash != NULL ? g_strndup (group->name, slash - group->name) : NULL;
      ArmillaDefinition *self = name != NULL ? g_hash_table_lookup (all, name) : NULL;

      if (self != NULL)
        g_ptr_array_add (self->nodes, group);
      else if (name != NULL)
        armilla_problems_add (problems, group->place, group->name, NULL,
                              "this is a node of a definition, but there is no [define %s]; to "
                              "change keys of node %s, use --set", name, name);
    }
  for (guint i = 0; i < document->defined->len; i++)
    {
      const char *name = after (((const ArmillaGroup *) g_ptr_array_index (document->defined, i))
                                  ->name, ARMILLA_DEFINE);

      if (name != NULL)
        check_definition (g_hash_table_lookup (all, name), problems);
    }
  return all;
}

/* The shipped definitions, and the document to whose texts they refer. */
typedef struct
{
  ArmillaDocument *document;
  GHashTable *definitions;
} Shipped;

/* Reads the shipped definitions; tests check that they are valid. */
static gpointer
read_shipped (gpointer unused)
{
  Shipped *shipped = g_new (Shipped, 1);
  ArmillaDocument *document = armilla_document_new ("stages");
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autofree char *messages = NULL;
  GHashTable *all;

  (void) unused;
  for (const ArmillaShipped *file = armilla_shipped; file->name != NULL; file++)
    armilla_document_add (document, file->name, file->text, strlen (file->text), problems);
  all = armilla_definitions_take (document, problems);
  messages = armilla_problems_text (problems);
  if (*messages != '\0')
    g_warning ("%s", messages);
  for (guint i = 0; i < document->defined->len; i++)
    {
      const char *name = after (((const ArmillaGroup *) g_ptr_array_index (document->defined, i))
                                  ->name, ARMILLA_DEFINE);

      if (name != NULL)
        ((ArmillaDefinition *) g_hash_table_lookup (all, name))->shipped = TRUE;
    }
  *shipped = (Shipped) { document, all };
  return shipped;
}

/* Returns the shipped definitions by name. */
GHashTable *
armilla_definitions_shipped (void)
{
  static GOnce once = G_ONCE_INIT;

  return ((const Shipped *) g_once (&once, read_shipped, NULL))->definitions;
}

/* Returns the workflow's own definition of that name, else the shipped one, else NULL. */
const ArmillaDefinition *
armilla_definition_find (GHashTable *definitions, const char *name)
{
  const ArmillaDefinition *own = g_hash_table_lookup (definitions, name);

  return own != NULL ? own : g_hash_table_lookup (armilla_definitions_shipped (), name);
}

/* Returns the output, input or parameter of that name; NULL if there is none. */
const ArmillaSlot *
armilla_definition_slot (const ArmillaDefinition *self, const char *name, gboolean outputs)
{
  for (guint i = 0; i < self->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (self->slots, i);

      if ((slot->kind == ARMILLA_SLOT_OUTPUT) == outputs && strcmp (slot->name, name) == 0)
        return slot;
    }
  return NULL;
}

/* Returns the names of inputs and parameters without which the node is omitted; see
 * ARMILLA_ONLY_WITH. */
char **
armilla_definition_only_with (const ArmillaGroup *node)
{
  const ArmillaEntry *entry = armilla_group_entry (node, ARMILLA_ONLY_WITH);
  char **names = g_strsplit (entry != NULL ? entry->value : "", ",", -1);

  for (char **name = names; *name != NULL; name++)
    g_strstrip (*name);
  return names;
}

int
armilla_definition_count (const ArmillaDefinition *self, ArmillaSlotKind kind)
{
  int n = 0;

  for (guint i = 0; i < self->slots->len; i++)
    n += ((const ArmillaSlot *) g_ptr_array_index (self->slots, i))->kind == kind;
  return n;
}
