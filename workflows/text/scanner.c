/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/text/scanner.h"

#include <string.h>

/* State while a text is read. The current line is from @line to @end. */
typedef struct {
  ArmillaDocument *document;
  const char *path;
  ArmillaProblems *problems;
  /* current group; NULL before the first one, and after a group that was rejected */
  ArmillaGroup *group;
  gboolean skipping;   /* whether the group was rejected, so that its keys are skipped */
  GHashTable *keys;    /* keys of the current group */
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
  if (group->left_out != NULL)
    g_ptr_array_unref (group->left_out);
  g_free (group);
}

static ArmillaPlace
place_at (const Scanner *s, const char *p)
{
  return (ArmillaPlace) { .source = s->path,
                          .line = s->number,
                          .column = (int) g_utf8_pointer_to_offset (s->line, p) + 1 };
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* Returns whether a text can name a node, key or variable: letters, digits, "-" and "_". */
gboolean
armilla_is_name (const char *text, gssize length)
{
  gsize n = length < 0 ? strlen (text) : (gsize) length;

  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '-' && text[i] != '_')
      return FALSE;
  return n > 0;
}

/* Returns whether the text is a valid group name: NAME, define NAME or NAME/NAME. */
static gboolean
is_group_name (const char *text)
{
  const char *slash = strchr (text, '/');

  if (g_str_has_prefix (text, ARMILLA_DEFINE))
    return armilla_is_name (text + strlen (ARMILLA_DEFINE), -1);
  return slash != NULL ? armilla_is_name (text, slash - text) && armilla_is_name (slash + 1, -1)
                       : armilla_is_name (text, -1);
}

/* Returns whether the text is a key: NAME, in a definition also input, output or parameter NAME. */
static gboolean
is_key_name (const ArmillaGroup *group, const char *text)
{
  static const char *const words[] = { "input ", "output ", "parameter " };

  if (g_str_has_prefix (group->name, ARMILLA_DEFINE))
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
      if (g_str_has_prefix (text, words[i]))
        return armilla_is_name (text + strlen (words[i]), -1);
  return armilla_is_name (text, -1);
}

/* Describes the place of another group or key of the same name. */
static char *
describe_other (const Scanner *s, ArmillaPlace other)
{
  return strcmp (other.source, s->path) == 0
           ? g_strdup_printf ("line %d", other.line)
           : g_strdup_printf ("%s:%d", other.source, other.line);
}

/* Returns whether another file may add keys to a group that exists: to [workflow] and
 * [variables]. */
static gboolean
goes_on (const Scanner *s, const ArmillaGroup *group)
{
  return (strcmp (group->name, "workflow") == 0 || strcmp (group->name, "variables") == 0)
         && group->last != s->path;
}

static void
begin_group (Scanner *s, ArmillaGroup *group)
{
  s->group = group;
  s->skipping = FALSE;
  group->last = s->path;
  g_hash_table_remove_all (s->keys);
  for (guint i = 0; i < group->entries->len; i++)
    {
      ArmillaEntry *entry = g_ptr_array_index (group->entries, i);

      if (strcmp (entry->key, ARMILLA_INCLUDE) != 0) /* every file may have its own key `include` */
        g_hash_table_insert (s->keys, (gpointer) entry->key, entry);
    }
}

/* Rejects control characters, which are invisible and could become part of file names. */
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
                            "the name of a group must end with ]");
      return;
    }
  text = g_strndup (name, close - name);
  while (rest < s->end && is_blank (*rest))
    rest++;
  if (rest < s->end)
    armilla_problems_add (s->problems, place_at (s, rest), text, NULL,
                          "text after the ] of a group; write comments on separate lines");
  else if (!is_group_name (text))
    armilla_problems_add (s->problems, place_at (s, name), text, NULL,
                          "the name of a group must consist of letters, digits, - and _; a "
                          "definition is [define NAME], a node of it [NAME/NODE]");
  else if ((other = armilla_document_group (s->document, text)) == NULL)
    begin_group (s, armilla_document_add_group (s->document, text, place_at (s, name)));
  else if (goes_on (s, other))
    begin_group (s, other);
  else
    {
      g_autofree char *where = describe_other (s, other->place);

      armilla_problems_add (s->problems, place_at (s, name), text, NULL,
                            "duplicate group, also in %s", where);
    }
}

/* Returns the position of "# ..." after a value, which is rejected: readers take it for a comment,
 * but GKeyFile for part of the value. A value may begin with #, as colours do. */
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
                            "a line must be a [group], key = value, or # a comment");
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
                          "a key must come after a [group]: [workflow], [variables], or a node's");
  else if (!is_key_name (s->group, text))
    armilla_problems_add (s->problems, place_at (s, key), node, text,
                          "a key must consist of letters, digits, - and _");
  else if ((other = g_hash_table_lookup (s->keys, text)) != NULL)
    {
      g_autofree char *where = describe_other (s, other->key_place);

      armilla_problems_add (s->problems, place_at (s, key), node, text,
                            "duplicate key, also in %s; remove one of the two", where);
    }
  else if ((comment = find_comment (value, end)) != NULL)
    armilla_problems_add (s->problems, place_at (s, comment), node, text,
                          "write comments on separate lines (if # is part of the value, write the "
                          "blank before it as \\s)");
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

ArmillaDocument *
armilla_document_new (const char *path)
{
  ArmillaDocument *self = g_new0 (ArmillaDocument, 1);

  self->strings = g_string_chunk_new (4096);
  self->path = g_string_chunk_insert (self->strings, path);
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->defined = g_ptr_array_new_with_free_func (group_free);
  self->group_names = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/* Parses a text, which may contain any bytes, and adds its groups. Lines with a problem are
 * omitted. [workflow] and [variables] of several files are merged; other groups must differ. */
void
armilla_document_add (ArmillaDocument *self, const char *path, const char *text, gsize length,
                      ArmillaProblems *problems)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  Scanner s = { .document = self, .problems = problems, .keys = keys };
  const char *end = text + length;

  s.path = g_string_chunk_insert (self->strings, path);
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
}

/* Parses one text, which may contain any bytes. Lines with a problem are omitted. */
ArmillaDocument *
armilla_document_parse (const char *path, const char *text, gsize length,
                        ArmillaProblems *problems)
{
  ArmillaDocument *self = armilla_document_new (path);

  armilla_document_add (self, path, text, length, problems);
  return self;
}

void
armilla_document_free (ArmillaDocument *self)
{
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->defined);
  g_hash_table_unref (self->group_names);
  g_string_chunk_free (self->strings);
  g_free (self);
}

ArmillaGroup *
armilla_document_group (const ArmillaDocument *self, const char *name)
{
  return g_hash_table_lookup (self->group_names, name);
}

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

/* Adds a group with a new name. */
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

/* Moves the groups for which @goes returns TRUE out of self->groups; the document still owns
 * them. */
void
armilla_document_set_aside (ArmillaDocument *self,
                            gboolean (*goes) (const ArmillaGroup *group, gpointer user),
                            gpointer user)
{
  g_autoptr (GPtrArray) all = self->groups;

  self->groups = g_ptr_array_new_with_free_func (group_free);
  g_hash_table_remove_all (self->group_names);
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    {
      ArmillaGroup *group = g_ptr_array_index (all, i);
      gboolean gone = goes (group, user);

      g_ptr_array_add (gone ? self->defined : self->groups, group);
      if (!gone)
        g_hash_table_insert (self->group_names, (gpointer) group->name, group);
    }
}

/* Adds an entry, which the group owns. */
void
armilla_group_add (ArmillaGroup *group, ArmillaEntry *entry)
{
  g_ptr_array_add (group->entries, entry);
}

/* Records an entry (taken) of a definition's node that has no value, because it refers to an input
 * or a parameter without value. */
void
armilla_group_leave_out (ArmillaGroup *group, ArmillaEntry *entry)
{
  if (group->left_out == NULL)
    group->left_out = g_ptr_array_new_with_free_func (entry_free);
  g_ptr_array_add (group->left_out, entry);
}

/* Returns the entry of armilla_group_leave_out () with that key; NULL if there is none. */
const ArmillaEntry *
armilla_group_left_out (const ArmillaGroup *group, const char *key)
{
  for (guint i = 0; group->left_out != NULL && i < group->left_out->len; i++)
    {
      const ArmillaEntry *entry = g_ptr_array_index (group->left_out, i);

      if (strcmp (entry->key, key) == 0)
        return entry;
    }
  return NULL;
}

/* Sets the value of a key, also if the file has one. @source: the command-line option, for
 * messages. */
void
armilla_document_set (ArmillaDocument *self, ArmillaGroup *group, const char *key,
                      const char *value, const char *source)
{
  ArmillaEntry *entry = armilla_group_entry (group, key);
  ArmillaPlace place = { .source = g_string_chunk_insert (self->strings, source) };

  if (entry == NULL)
    {
      entry = g_new0 (ArmillaEntry, 1);
      entry->key = g_string_chunk_insert_const (self->strings, key);
      g_ptr_array_add (group->entries, entry);
    }
  entry->value = g_string_chunk_insert (self->strings, value);
  entry->key_place = entry->value_place = place;
  entry->scope = NULL;
}
