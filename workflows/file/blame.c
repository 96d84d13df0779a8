/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes the error of a stage or task to a line of the workflow file. Stages do not know lines,
 * but their messages begin with the name of the wrong property, or mention the file that it
 * names. */
#include "workflows/file/workflow.h"

#include <string.h>

#include "workflows/file/passes.h"

/* maximum number of realisations whose file names are searched for in a message */
#define MAX_TRIES 10000

typedef struct {
  const ArmillaNode *node;
  const ArmillaEntry *entry;
  gsize length; /* length of the property's text that the message contains */
} Blame;

static gboolean
belongs_to_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '/';
}

/* Returns whether @message mentions @text as a word of its own. */
static gboolean
mentions (const char *message, const char *text)
{
  gsize length = strlen (text);

  if (length == 0)
    return FALSE;
  for (const char *p = strstr (message, text); p != NULL; p = strstr (p + 1, text))
    if ((p == message || (!belongs_to_word (p[-1]) && p[-1] != '.'))
        && !belongs_to_word (p[length]))
      return TRUE;
  return FALSE;
}

/* Returns the key of @node with which @message begins, as in "nside is not set" or "file = x:
 * ...". */
static const ArmillaEntry *
find_first_word (const ArmillaNode *node, const char *message)
{
  for (guint i = 0; i < node->group->entries->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (node->group->entries, i);
      gsize length = strlen (entry->key);

      if (strncmp (message, entry->key, length) == 0
          && (message[length] == ' ' || message[length] == ':'))
        return entry;
    }
  return NULL;
}

/* Returns the property of @node whose text in realisation @index occurs in @message. */
static void
find_text (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 index,
           const char *message, Blame *blame)
{
  for (guint i = 0; i < node->settings->len; i++)
    {
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);
      g_auto (GValue) value = G_VALUE_INIT;
      const char *text;

      if (!G_IS_PARAM_SPEC_STRING (setting->pspec) || (index > 0 && !setting->varies)
          || !armilla_workflow_value (workflow, setting, index, &value, NULL))
        continue;
      text = g_value_get_string (&value);
      if (strlen (text) > blame->length && mentions (message, text))
        *blame = (Blame) { node, setting->entry, strlen (text) };
    }
}

/* Removes the key at the beginning of a message if @prefix already ends with it. */
static void
drop_key (const char *prefix, const ArmillaEntry *entry, GError *error)
{
  g_autofree char *key = g_strdup_printf ("%s: ", entry->key);
  char *message = error->message;

  if (!g_str_has_prefix (message, key) || !g_str_has_suffix (prefix, key))
    return;
  error->message = g_strdup (message + strlen (key));
  g_free (message);
}

/* If a message begins with the name of a node in brackets, `[plot]: `, removes it and returns that
 * node. A stage may report errors of other nodes, such as those that describe panels of its
 * picture. */
static const ArmillaNode *
find_other (const ArmillaWorkflow *workflow, const ArmillaNode *node, GError *error)
{
  char *message = error->message;
  const char *end = *message == '[' ? strstr (message, "]: ") : NULL;

  for (guint i = 0; end != NULL && i < workflow->nodes->len; i++)
    {
      const ArmillaNode *other = armilla_workflow_node (workflow, (int) i);
      const gsize length = strlen (other->name);

      if (message + 1 + length != end || strncmp (message + 1, other->name, length) != 0)
        continue;
      error->message = g_strdup (end + 3);
      g_free (message);
      return other;
    }
  return node;
}

/* Prefixes an error with the place in the file, the node and, if it can be found, the key. A
 * message that begins with the name of another node in brackets is attributed to that node. */
void
armilla_blame_node (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 index,
                    GError **error)
{
  Blame blame = { NULL, NULL, 0 };
  g_autofree char *prefix = NULL, *pass = NULL;

  node = find_other (workflow, node, *error);
  blame.entry = find_first_word (node, (*error)->message);
  if (blame.entry == NULL)
    {
      find_text (workflow, node, 0, (*error)->message, &blame);
      find_text (workflow, node, index, (*error)->message, &blame);
    }
  if (blame.entry != NULL)
    prefix = armilla_place_prefix (blame.entry->value_place, node->name, blame.entry->key);
  else
    prefix = armilla_place_prefix (node->group->place, node->name, NULL);
  pass = armilla_pass_describe (workflow, index);
  if (blame.entry != NULL)
    drop_key (prefix, blame.entry, *error);
  g_prefix_error (error, "%s%s%s", prefix, pass, *pass != '\0' ? ": " : "");
}

/* Like armilla_blame_node (), for an error of an unknown node: if it mentions a file that a node
 * reads or writes, it is prefixed with that node's place. */
void
armilla_blame_workflow (const ArmillaWorkflow *workflow, GError **error)
{
  const gint64 n = MIN (armilla_workflow_n_realisations (workflow), MAX_TRIES);
  Blame blame = { NULL, NULL, 0 };
  g_autofree char *prefix = NULL;

  for (guint i = 0; i < workflow->nodes->len; i++)
    for (gint64 index = 0; index < n; index++)
      find_text (workflow, armilla_workflow_node (workflow, (int) i), index, (*error)->message,
                 &blame);
  if (blame.entry == NULL)
    return;
  prefix = armilla_place_prefix (blame.entry->value_place, blame.node->name, blame.entry->key);
  g_prefix_error (error, "%s", prefix);
}
