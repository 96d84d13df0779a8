/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/file/scanner.h"

#include <string.h>

/* State of one pass over a text. @line .. @end is the current line without its end. */
typedef struct {
  ArmillaDocument *document;
  ArmillaProblems *problems;
  ArmillaGroup *group; /* NULL before the first one, and after a group that was refused */
  gboolean skipping;   /* that group was refused: its keys are passed over */
  GHashTable *keys;    /* of the current group */
  const char *line, *end;
  int number;
} Scanner;

static void
entry_free (gpointer data)
{
  ArmillaEntry *entry = data;

  g_free (entry->expanded);
  g_free (entry);
}

static void
group_free (gpointer data)
{
  ArmillaGroup *group = data;

  g_ptr_array_unref (group->entries);
  g_free (group);
}

static ArmillaPlace
place_at (const Scanner *s, const char *p)
{
  return (ArmillaPlace) { s->document->path, s->number,
                          (int) g_utf8_pointer_to_offset (s->line, p) + 1 };
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/**
 * armilla_is_name:
 * @text: a text
 * @length: its length, or -1
 *
 * Returns: whether it can name a node, a key or a variable: letters, digits, "-" and "_"
 */
gboolean
armilla_is_name (const char *text, gssize length)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length;

  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '-' && text[i] != '_')
      return FALSE;
  return n > 0;
}

/* Bytes that no editor shows must not get into names of files. */
static gboolean
check_characters (Scanner *s)
{
  const char *bad;

  if (s->number == 1 && s->end - s->line >= 3 && memcmp (s->line, "\357\273\277", 3) == 0)
    {
      armilla_problems_add (s->problems, place_at (s, s->line), NULL, NULL,
                            "the file begins with a byte order mark; save it as plain UTF-8");
      return FALSE;
    }
  if (!g_utf8_validate_len (s->line, s->end - s->line, &bad))
    {
      armilla_problems_add (s->problems, place_at (s, bad), NULL, NULL,
                            "byte 0x%02x is not UTF-8 text", (guchar) *bad);
      return FALSE;
    }
  for (const char *p = s->line; p < s->end; p++)
    if (g_ascii_iscntrl (*p) && *p != '\t')
      {
        armilla_problems_add (s->problems, place_at (s, p), NULL, NULL,
                              "control character 0x%02x; remove it", (guchar) *p);
        return FALSE;
      }
  return TRUE;
}

static void
scan_group (Scanner *s, const char *p)
{
  const char *name = p + 1;
  const char *close = memchr (name, ']', s->end - name);
  const char *rest = close != NULL ? close + 1 : s->end;
  g_autofree char *text = NULL;
  ArmillaGroup *other;

  s->group = NULL;
  s->skipping = TRUE;
  if (close == NULL)
    {
      armilla_problems_add (s->problems, place_at (s, p), NULL, NULL,
                            "the name of a group ends with ]");
      return;
    }
  text = g_strndup (name, close - name);
  while (rest < s->end && is_blank (*rest))
    rest++;
  if (rest < s->end)
    armilla_problems_add (s->problems, place_at (s, rest), text, NULL,
                          "nothing may follow the ] of a group; a comment stands on a line of its "
                          "own");
  else if (!armilla_is_name (text, -1))
    armilla_problems_add (s->problems, place_at (s, name), text, NULL,
                          "the name of a group is made of letters, digits, - and _");
  else if ((other = armilla_document_group (s->document, text)) != NULL)
    armilla_problems_add (s->problems, place_at (s, name), text, NULL,
                          "there is a group of this name already, in line %d", other->place.line);
  else
    {
      s->group = armilla_document_add_group (s->document, text, place_at (s, name));
      s->skipping = FALSE;
      g_hash_table_remove_all (s->keys);
    }
}

/* "# ..." after a value is a comment in the eyes of most readers, but belongs to the value in those
 * of GKeyFile: it is refused. A value may begin with #, as colours do. */
static const char *
find_comment (const char *value, const char *end)
{
  if (value < end && *value == '#' && (value + 1 == end || is_blank (value[1])))
    return value;
  for (const char *p = value + 1; p < end; p++)
    if (*p == '#' && is_blank (p[-1]))
      return p;
  return NULL;
}

static void
add_entry (Scanner *s, const char *key, const char *key_text, const char *value, const char *end)
{
  ArmillaEntry *entry = g_new0 (ArmillaEntry, 1);

  entry->key = g_string_chunk_insert_const (s->document->strings, key_text);
  entry->value = g_string_chunk_insert_len (s->document->strings, value, end - value);
  entry->key_place = place_at (s, key);
  entry->value_place = place_at (s, value);
  g_ptr_array_add (s->group->entries, entry);
  g_hash_table_insert (s->keys, (gpointer) entry->key, entry);
}

static void
scan_entry (Scanner *s, const char *key)
{
  const char *equals = memchr (key, '=', s->end - key);
  const char *key_end = equals, *value, *end = s->end, *comment;
  const char *node = s->group != NULL ? s->group->name : NULL;
  g_autofree char *text = NULL;
  const ArmillaEntry *other;

  if (equals == NULL)
    {
      armilla_problems_add (s->problems, place_at (s, key), node, NULL,
                            "a line is a [group], key = value, or # a comment");
      return;
    }
  while (key_end > key && is_blank (key_end[-1]))
    key_end--;
  for (value = equals + 1; value < end && is_blank (*value);)
    value++;
  while (end > value && is_blank (end[-1]))
    end--;
  text = g_strndup (key, key_end - key);
  if (s->skipping)
    return;
  if (s->group == NULL)
    armilla_problems_add (s->problems, place_at (s, key), NULL, text,
                          "a key must come after a [group]");
  else if (!armilla_is_name (text, -1))
    armilla_problems_add (s->problems, place_at (s, key), node, text,
                          "a key is made of letters, digits, - and _");
  else if ((other = g_hash_table_lookup (s->keys, text)) != NULL)
    armilla_problems_add (s->problems, place_at (s, key), node, text,
                          "this key is there already, in line %d; keep one of the two",
                          other->key_place.line);
  else if ((comment = find_comment (value, end)) != NULL)
    armilla_problems_add (s->problems, place_at (s, comment), node, text,
                          "a comment stands on a line of its own (where # belongs to the value, "
                          "write the blank before it as \\s)");
  else
    add_entry (s, key, text, value, end);
}

static void
scan_line (Scanner *s)
{
  const char *p = s->line;

  if (!check_characters (s))
    return;
  while (p < s->end && is_blank (*p))
    p++;
  if (p == s->end || *p == '#')
    return;
  if (*p == '[')
    scan_group (s, p);
  else
    scan_entry (s, p);
}

/**
 * armilla_document_parse:
 * @path: name of the file, for messages
 * @text: its content, any bytes
 * @length: length of @text
 * @problems: where problems are added
 *
 * Takes a text apart. Lines with a problem are left out of the result.
 *
 * Returns: (transfer full): the groups and keys
 */
ArmillaDocument *
armilla_document_parse (const char *path, const char *text, gsize length,
                        ArmillaProblems *problems)
{
  ArmillaDocument *self = g_new0 (ArmillaDocument, 1);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  Scanner s = { .document = self, .problems = problems, .keys = keys };
  const char *end = text + length;

  self->strings = g_string_chunk_new (4096);
  self->path = g_string_chunk_insert (self->strings, path);
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->group_names = g_hash_table_new (g_str_hash, g_str_equal);
  while (text < end)
    {
      const char *newline = memchr (text, '\n', end - text);

      s.line = text;
      s.end = newline != NULL ? newline : end;
      s.number++;
      text = newline != NULL ? newline + 1 : end;
      if (newline != NULL && s.end > s.line && s.end[-1] == '\r')
        s.end--;
      scan_line (&s);
    }
  return self;
}

/**
 * armilla_document_free:
 * @self: (transfer full): a document
 */
void
armilla_document_free (ArmillaDocument *self)
{
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->group_names);
  g_string_chunk_free (self->strings);
  g_free (self);
}

/**
 * armilla_document_group:
 * @self: a document
 * @name: name of a group
 *
 * Returns: (transfer none) (nullable): the group
 */
ArmillaGroup *
armilla_document_group (const ArmillaDocument *self, const char *name)
{
  return g_hash_table_lookup (self->group_names, name);
}

/**
 * armilla_group_entry:
 * @group: a group
 * @key: a key
 *
 * Returns: (transfer none) (nullable): the key and its value
 */
ArmillaEntry *
armilla_group_entry (const ArmillaGroup *group, const char *key)
{
  for (guint i = 0; i < group->entries->len; i++)
    {
      ArmillaEntry *entry = g_ptr_array_index (group->entries, i);

      if (strcmp (entry->key, key) == 0)
        return entry;
    }
  return NULL;
}

/**
 * armilla_document_add_group:
 * @self: a document
 * @name: name of a group that is not there yet
 * @place: where its name stands
 *
 * Returns: (transfer none): the new group
 */
ArmillaGroup *
armilla_document_add_group (ArmillaDocument *self, const char *name, ArmillaPlace place)
{
  ArmillaGroup *group = g_new0 (ArmillaGroup, 1);

  group->name = g_string_chunk_insert_const (self->strings, name);
  group->place = place;
  group->entries = g_ptr_array_new_with_free_func (entry_free);
  g_ptr_array_add (self->groups, group);
  g_hash_table_insert (self->group_names, (gpointer) group->name, group);
  return group;
}

/**
 * armilla_document_set:
 * @self: a document
 * @group: one of its groups
 * @key: a key
 * @value: its value
 * @source: where the value comes from, for messages: a command-line option
 *
 * Gives a key a value, instead of the one in the file if there is one.
 */
void
armilla_document_set (ArmillaDocument *self, ArmillaGroup *group, const char *key,
                      const char *value, const char *source)
{
  ArmillaEntry *entry = armilla_group_entry (group, key);
  ArmillaPlace place = { g_string_chunk_insert (self->strings, source), 0, 0 };

  if (entry == NULL)
    {
      entry = g_new0 (ArmillaEntry, 1);
      entry->key = g_string_chunk_insert_const (self->strings, key);
      g_ptr_array_add (group->entries, entry);
    }
  entry->value = g_string_chunk_insert (self->strings, value);
  entry->key_place = entry->value_place = place;
}
