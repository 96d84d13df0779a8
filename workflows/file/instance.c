/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces nodes whose stage is a definition by the nodes of that definition.
 *
 * The value that the user gives for an input or a parameter becomes a variable with a reserved
 * name, such as sky/fwhm for fwhm of node sky, to which the nodes of the definition refer. These
 * variables are then expanded and checked like others. */
#include "workflows/file/workflow.h"

#include <string.h>

#include "workflows/file/copies.h"
#include "workflows/text/expand.h"
#include "workflows/text/problems.h"

#define MAX_DEPTH 32
#define MAX_NAME 1000
#define MAX_BYTES (64 * 1024 * 1024)

/* A node, and the definition that replaces it. */
typedef struct _Frame Frame;
struct _Frame {
  const Frame *outer;
  const ArmillaDefinition *definition;
  const ArmillaGroup *use; /* the replaced node */
  const char *scope;       /* name of that node and a slash */
};

typedef struct {
  ArmillaWorkflow *workflow;
  ArmillaProblems *problems;
  GPtrArray *nodes;   /* (element-type ArmillaGroup): nodes after the replacement */
  ArmillaGroup *made; /* owner of the new variables */
  gsize bytes;        /* approximate number of bytes of all copied values */
} Expander;

static const char *
keep (Expander *x, const char *text)
{
  x->bytes += strlen (text) + sizeof (ArmillaEntry);
  return g_string_chunk_insert_const (x->workflow->document->strings, text);
}

/* Returns the user's value of an input or a parameter; NULL if there is none. */
static const ArmillaEntry *
given (const Frame *frame, const ArmillaSlot *slot)
{
  return armilla_group_entry (frame->use, slot->name);
}

static gboolean has_value (const Frame *frame, const ArmillaSlot *slot, int depth);

/* Returns whether all inputs and parameters that a text refers to have values. */
static gboolean
is_complete (const Frame *frame, const char *text, int depth)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name;

  armilla_collect_variables (text, names);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const ArmillaSlot *slot = armilla_definition_slot (frame->definition, name, FALSE);

      if (slot != NULL && !has_value (frame, slot, depth + 1))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether an input or parameter has a value: the user's or a default, unless empty. A
 * default may refer to other parameters; circles are reported later, as circles of variables. */
static gboolean
has_value (const Frame *frame, const ArmillaSlot *slot, int depth)
{
  const ArmillaEntry *said = given (frame, slot);

  if (said != NULL)
    return slot->kind != ARMILLA_SLOT_PARAMETER || *said->value != '\0';
  if (depth > MAX_DEPTH)
    return TRUE;
  return slot->kind == ARMILLA_SLOT_PARAMETER && *slot->entry->value != '\0'
         && is_complete (frame, slot->entry->value, depth);
}

/* Returns the input or parameter NAME if the text is ${NAME} and nothing else. */
static const ArmillaSlot *
only_slot (const Frame *frame, const char *text)
{
  const gsize length = strlen (text);
  g_autofree char *name = length > 3 && g_str_has_prefix (text, "${") && text[length - 1] == '}'
                            ? g_strndup (text + 2, length - 3) : NULL;

  return name != NULL ? armilla_definition_slot (frame->definition, name, FALSE) : NULL;
}

/* Returns the place to report: @place or, if that is in a shipped definition, which users do not
 * see, the place of the node that uses the definition. */
static ArmillaPlace
seen_place (const Frame *frame, ArmillaPlace place)
{
  return frame->definition->shipped ? frame->use->place : place;
}

/* Returns the place to blame for a wrong value: the user's value on which it depends or, if there
 * is none, the value itself. */
static ArmillaPlace
blamed_place (const Frame *frame, const ArmillaEntry *entry, int depth)
{
  for (guint i = 0; i < frame->definition->slots->len && depth < MAX_DEPTH; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (frame->definition->slots, i);
      g_autofree char *reference = g_strdup_printf ("${%s}", slot->name);
      const ArmillaEntry *said;

      if (slot->kind == ARMILLA_SLOT_OUTPUT || strstr (entry->value, reference) == NULL)
        continue;
      said = given (frame, slot);
      if (said != NULL)
        {
          ArmillaPlace place = said->value_place;

          place.node = place.node != NULL ? place.node : frame->use->name;
          place.key = place.key != NULL ? place.key : said->key;
          return place;
        }
      if (slot->kind == ARMILLA_SLOT_PARAMETER && has_value (frame, slot, 0))
        {
          ArmillaPlace place = blamed_place (frame, slot->entry, depth + 1);

          if (place.key != NULL)
            return place;
        }
    }
  return seen_place (frame, entry->value_place);
}

static char *
rename_reference (gpointer user, const char *name)
{
  const Frame *frame = user;

  return armilla_definition_slot (frame->definition, name, FALSE) != NULL
           ? g_strdup_printf ("${%s%s}", frame->scope, name) : NULL;
}

/* Returns a text of the definition with ${sky/fwhm} in place of ${fwhm}. */
static const char *
rename_references (Expander *x, const Frame *frame, const char *text)
{
  g_autofree char *renamed
    = armilla_replace_references (text, rename_reference, (gpointer) frame);

  return keep (x, renamed);
}

/* Adds the variable for an input or parameter. */
static void
make_variable (Expander *x, const Frame *frame, const ArmillaSlot *slot)
{
  const ArmillaEntry *said = given (frame, slot);
  ArmillaEntry *entry;
  g_autofree char *name = g_strconcat (frame->scope, slot->name, NULL);

  if (!has_value (frame, slot, 0))
    return;
  entry = g_new0 (ArmillaEntry, 1);
  entry->key = keep (x, name);
  entry->value = said != NULL ? said->value : rename_references (x, frame, slot->entry->value);
  entry->value_place = said != NULL ? said->value_place : blamed_place (frame, slot->entry, 0);
  if (entry->value_place.node == NULL)
    {
      entry->value_place.node = frame->use->name;
      entry->value_place.key = slot->name;
    }
  entry->key_place = entry->value_place;
  armilla_group_add (x->made, entry);
  g_hash_table_insert (x->workflow->variables, (gpointer) entry->key, entry);
}

static void
unknown_key (Expander *x, const Frame *frame, const ArmillaEntry *entry)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;

  for (guint i = 0; i < frame->definition->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (frame->definition->slots, i);

      if (slot->kind != ARMILLA_SLOT_OUTPUT)
        g_ptr_array_add (names, (gpointer) slot->name);
      else if (strcmp (slot->name, entry->key) == 0)
        {
          armilla_problems_add (x->problems, entry->key_place, frame->use->name, entry->key,
                                "this is an output of %s; to use it, connect an input to %s.%s",
                                frame->definition->name, frame->use->name, slot->name);
          return;
        }
    }
  g_ptr_array_add (names, NULL);
  hint = armilla_suggest_text (entry->key, "keys", (const char *const *) names->pdata);
  armilla_problems_add (x->problems, entry->key_place, frame->use->name, entry->key,
                        "%s has no such key%s", frame->definition->name, hint);
  armilla_problems_mean (x->problems, frame->use->name,
                         armilla_suggest (entry->key, (const char *const *) names->pdata));
}

/* Returns whether a node of the definition is present; see ARMILLA_ONLY_WITH. */
static gboolean
is_present (const Frame *frame, const ArmillaGroup *node)
{
  g_auto (GStrv) names = armilla_definition_only_with (node);

  for (char **name = names; *name != NULL; name++)
    {
      const ArmillaSlot *slot = armilla_definition_slot (frame->definition, *name, FALSE);

      if (slot != NULL && !has_value (frame, slot, 0))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether a value names an absent node of the definition. */
static gboolean
names_absent (const Frame *frame, const char *value)
{
  const ArmillaGroup *node = armilla_definition_node (frame->definition, value);

  return node != NULL && !is_present (frame, node);
}

/* Returns an entry for a key that is omitted, since its value refers to an input or a parameter
 * without value; for messages. */
static ArmillaEntry *
make_left_out (Expander *x, const Frame *frame, const ArmillaEntry *entry)
{
  const ArmillaSlot *slot = only_slot (frame, entry->value);
  ArmillaEntry *copy = g_new0 (ArmillaEntry, 1);

  *copy = (ArmillaEntry) { .key = entry->key, .value = keep (x, frame->definition->name) };
  copy->key_place = frame->use->place;
  if (copy->key_place.node == NULL)
    copy->key_place.node = frame->use->name;
  copy->key_place.key = slot != NULL ? slot->name : entry->key;
  if (slot != NULL)
    {
      const ArmillaEntry *outer = armilla_group_left_out (frame->use, slot->name);

      if (outer != NULL)
        {
          copy->key_place = outer->key_place;
          copy->value = outer->value;
        }
    }
  return copy;
}

static void
put_entry (Expander *x, const Frame *frame, const ArmillaEntry *entry, ArmillaGroup *node)
{
  const ArmillaSlot *slot = only_slot (frame, entry->value);
  ArmillaEntry *copy;

  if (strcmp (entry->key, ARMILLA_ONLY_WITH) == 0)
    return;
  if (!is_complete (frame, entry->value, 0) || names_absent (frame, entry->value))
    {
      armilla_group_leave_out (node, make_left_out (x, frame, entry));
      return;
    }
  copy = g_new0 (ArmillaEntry, 1);
  copy->key = entry->key;
  copy->value = rename_references (x, frame, entry->value);
  copy->key_place = seen_place (frame, entry->key_place);
  copy->value_place = blamed_place (frame, entry, 0);
  copy->scope = frame->scope;
  if (slot != NULL && given (frame, slot) != NULL)
    copy->scope = given (frame, slot)->scope;
  armilla_group_add (node, copy);
}

/* Returns whether there are so many nodes that the workflow will be rejected; then no more are
 * created. */
static gboolean
is_full (const Expander *x)
{
  return x->nodes->len > ARMILLA_MAX_NODES || x->bytes > MAX_BYTES;
}

static gboolean put_group (Expander *x, const Frame *outer, ArmillaGroup *group);

static void
put_node (Expander *x, const Frame *frame, const ArmillaGroup *inner)
{
  g_autofree char *name = g_strconcat (frame->scope, armilla_definition_inner (inner), NULL);
  ArmillaGroup *node;

  if (!is_present (frame, inner) || is_full (x))
    return;
  node = armilla_document_add_group (x->workflow->document, keep (x, name), frame->use->place);
  for (guint i = 0; i < inner->entries->len; i++)
    put_entry (x, frame, g_ptr_array_index (inner->entries, i), node);
  put_group (x, frame, node);
}

/* Reports definitions that contain each other or are nested too deeply. */
static gboolean
check_depth (Expander *x, const Frame *frame, const ArmillaEntry *stage)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  int depth = 0;

  for (const Frame *f = frame->outer; f != NULL; f = f->outer, depth++)
    {
      g_ptr_array_insert (names, 0, (gpointer) f->definition->name);
      if (f->definition == frame->definition)
        {
          g_autofree char *circle = armilla_problems_circle (names);

          armilla_problems_add (x->problems, stage->value_place, frame->use->name, stage->key,
                                "definitions contain each other: %s", circle);
          return FALSE;
        }
    }
  if (depth < MAX_DEPTH && strlen (frame->scope) <= MAX_NAME)
    return TRUE;
  armilla_problems_add (x->problems, stage->value_place, frame->use->name, stage->key,
                        "definitions contain each other more than %d deep, or their nodes' names "
                        "are longer than %d bytes", MAX_DEPTH, MAX_NAME);
  return FALSE;
}

static void
put_use (Expander *x, const Frame *frame)
{
  const ArmillaDefinition *definition = frame->definition;
  ArmillaUse *use = g_new (ArmillaUse, 1);

  *use = (ArmillaUse) { frame->use->name, definition, frame->use };
  g_ptr_array_add (x->workflow->uses, use);
  for (guint i = 0; i < frame->use->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (frame->use->entries, i);

      if (strcmp (entry->key, "stage") != 0
          && armilla_definition_slot (definition, entry->key, FALSE) == NULL)
        unknown_key (x, frame, entry);
    }
  for (guint i = 0; i < definition->slots->len; i++)
    {
      const ArmillaSlot *slot = g_ptr_array_index (definition->slots, i);

      if (slot->kind != ARMILLA_SLOT_OUTPUT)
        make_variable (x, frame, slot);
    }
  for (guint i = 0; i < definition->nodes->len; i++)
    put_node (x, frame, g_ptr_array_index (definition->nodes, i));
}

/* Copies an entry of a node to a copy of the node. Problems that all copies have are reported once,
 * with the name of the node. */
static void
copy_entry (Expander *x, const ArmillaCopies *copies, guint number, const ArmillaGroup *node,
            const ArmillaEntry *entry, ArmillaGroup *copy)
{
  g_autofree char *value = armilla_copies_replace (copies, number, entry->value);
  ArmillaEntry *own = g_memdup2 (entry, sizeof *entry);

  own->key_place.node = own->key_place.node != NULL ? own->key_place.node : node->name;
  if (strcmp (value, entry->value) != 0)
    own->value = keep (x, value);
  else if (own->value_place.node == NULL)
    own->value_place.node = node->name;
  armilla_group_add (copy, own);
}

static void
put_copies (Expander *x, const Frame *outer, const ArmillaGroup *node)
{
  ArmillaPlace place = node->place;
  g_autoptr (ArmillaCopies) copies = NULL;

  /* the values of each may contain parameters of the definitions that contain the node */
  armilla_expand_variables (x->workflow->variables, x->workflow->points, x->made, x->problems);
  copies = armilla_copies_new (x->workflow, node, x->problems);
  x->workflow->incomplete = x->workflow->incomplete || copies->values->len == 0;
  place.node = place.node != NULL ? place.node : node->name;
  for (guint i = 0; i < copies->values->len && !is_full (x); i++)
    {
      g_autofree char *name = armilla_copies_name (copies, i, node->name);
      ArmillaGroup *copy;

      if (armilla_document_group (x->workflow->document, name) != NULL)
        {
          const ArmillaEntry *each = armilla_group_entry (node, ARMILLA_EACH);

          armilla_problems_add (x->problems, each->value_place, node->name, each->key,
                                "it would create node %s, which exists already; rename one of them",
                                name);
          continue;
        }
      copy = armilla_document_add_group (x->workflow->document, keep (x, name), place);
      for (guint k = 0; k < node->entries->len; k++)
        {
          const ArmillaEntry *entry = g_ptr_array_index (node->entries, k);

          if (strcmp (entry->key, ARMILLA_EACH) != 0)
            copy_entry (x, copies, i, node, entry, copy);
        }
      for (guint k = 0; node->left_out != NULL && k < node->left_out->len; k++)
        armilla_group_leave_out (copy, g_memdup2 (node->left_out->pdata[k],
                                                  sizeof (ArmillaEntry)));
      put_group (x, outer, copy);
    }
}

/* Adds a node, or the nodes that replace it. Returns whether it is added itself. */
static gboolean
put_group (Expander *x, const Frame *outer, ArmillaGroup *group)
{
  const ArmillaEntry *stage = armilla_group_entry (group, "stage");
  const gboolean node
    = strcmp (group->name, "workflow") != 0 && strcmp (group->name, "variables") != 0;
  g_autofree char *scope = g_strconcat (group->name, "/", NULL);
  Frame frame = { outer, NULL, group, NULL };
  ArmillaExpansion expansion = { NULL };

  if (node && armilla_group_entry (group, ARMILLA_EACH) != NULL)
    {
      put_copies (x, outer, group);
      return FALSE;
    }
  if (node && stage != NULL
      && armilla_expand (x->workflow->variables, x->workflow->points, stage->value, 0, 0,
                         &expansion, NULL)
      && !expansion.by_index && expansion.by_keys == 0)
    frame.definition = armilla_definition_find (x->workflow->definitions, expansion.text);
  g_free (expansion.text);
  if (frame.definition == NULL)
    {
      g_ptr_array_add (x->nodes, group);
      return TRUE;
    }
  frame.scope = keep (x, scope);
  if (check_depth (x, &frame, stage))
    put_use (x, &frame);
  return FALSE;
}

static gboolean
is_no_node (const ArmillaGroup *group, gpointer user)
{
  return !g_hash_table_contains (user, group);
}

/* Replaces nodes whose stage is a definition by the nodes of that definition; lists the replaced
 * nodes in workflow->uses. Definitions and variables must have been read. */
void
armilla_instances_expand (ArmillaWorkflow *workflow, ArmillaProblems *problems)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GPtrArray) before = g_ptr_array_copy (workflow->document->groups, NULL, NULL);
  g_autoptr (GHashTable) stay = g_hash_table_new (NULL, NULL);
  Expander x = { workflow, problems, nodes, NULL, 0 };

  x.made = armilla_document_add_group (workflow->document, " ", (ArmillaPlace) { .source = "" });
  g_ptr_array_set_free_func (before, NULL);
  for (guint i = 0; i < before->len; i++)
    put_group (&x, NULL, g_ptr_array_index (before, i));
  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_add (stay, g_ptr_array_index (nodes, i));
  armilla_document_set_aside (workflow->document, is_no_node, stay);
  if (x.bytes > MAX_BYTES)
    armilla_problems_add (problems,
                          (ArmillaPlace) { .source = workflow->document->path, .line = 1,
                                           .column = 1 }, NULL, NULL,
                          "definitions expand the workflow by more than %d MiB", MAX_BYTES >> 20);
  armilla_expand_variables (workflow->variables, workflow->points, x.made, problems);
}

/* Returns the replaced node of that name; NULL if there is none. */
const ArmillaUse *
armilla_use_find (const ArmillaWorkflow *workflow, const char *name)
{
  for (guint i = 0; i < workflow->uses->len; i++)
    {
      const ArmillaUse *use = g_ptr_array_index (workflow->uses, i);

      if (strcmp (use->name, name) == 0)
        return use;
    }
  return NULL;
}

/* Returns the part of a node's name that other nodes of the same definition share: "sky/" of
 * "sky/beam"; "" for nodes of the file itself. */
char *
armilla_scope_of (const char *name)
{
  const char *slash = strrchr (name, '/');

  return g_strndup (name, slash != NULL ? (gsize) (slash + 1 - name) : 0);
}
