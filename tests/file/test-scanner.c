/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of workflow text. Its judge is GKeyFile: whatever the scanner accepts, GKeyFile must
 * accept and understand alike. */
#include "workflows/text/expand.h"
#include "workflows/text/scanner.h"

#include <string.h>

static ArmillaDocument *
parse (const char *text, gssize length, char **messages)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  ArmillaDocument *document = armilla_document_parse (
      "f", text, length < 0 ? strlen (text) : (gsize) length, problems);

  *messages = armilla_problems_text (problems);
  return document;
}

static void
test_places (void)
{
  static const char text[] = "# comment\n"
                             "\n"
                             "[one]\r\n"
                             "key = value with  blanks \t \n"
                             "  other\t=\xc3\xa9\n"
                             "empty =\n"
                             "  # indented comment\n"
                             "colour = #ff0000\n"
                             "[two]  \n"
                             "key=a = b";
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaDocument) document = parse (text, -1, &messages);
  const ArmillaGroup *one = armilla_document_group (document, "one");
  const ArmillaGroup *two = armilla_document_group (document, "two");
  const ArmillaEntry *entry;

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpuint (document->groups->len, ==, 2);
  g_assert_cmpuint (one->entries->len, ==, 4);
  g_assert_cmpint (one->place.line, ==, 3);
  g_assert_cmpint (one->place.column, ==, 2);
  entry = armilla_group_entry (one, "key");
  g_assert_cmpstr (entry->value, ==, "value with  blanks");
  g_assert_cmpint (entry->value_place.line, ==, 4);
  g_assert_cmpint (entry->value_place.column, ==, 7);
  entry = armilla_group_entry (one, "other");
  g_assert_cmpstr (entry->value, ==, "\xc3\xa9");
  g_assert_cmpint (entry->key_place.column, ==, 3);
  g_assert_cmpint (entry->value_place.column, ==, 10);
  g_assert_cmpstr (armilla_group_entry (one, "empty")->value, ==, "");
  g_assert_cmpstr (armilla_group_entry (one, "colour")->value, ==, "#ff0000");
  g_assert_cmpstr (armilla_group_entry (two, "key")->value, ==, "a = b");
  g_assert_null (armilla_group_entry (two, "other"));
}

static void
test_refused (void)
{
  static const struct {
    const char *text;
    const char *message;
  } cases[] = {
    { "[a]\nk = 1\n[a]\n", "f:3:2: [a]: duplicate group, also in line 1" },
    { "[a]\nk = 1\nl = 2\nk = 3\n", "f:4:1: [a] k: duplicate key, also in line 2" },
    { "[a] # x\n", "f:1:5: [a]: text after the ]" },
    { "[a]b\n", "f:1:4: [a]: text after the ]" },
    { "[a\n", "f:1:1: the name of a group must end with ]" },
    { "[]\n", "f:1:2: []: the name of a group must consist of" },
    { "[a.b]\n", "f:1:2: [a.b]: the name of a group must consist of" },
    { "k = 1\n", "f:1:1: k: a key must come after a [group]" },
    { "[a]\nhello\n", "f:2:1: [a]: a line must be a [group], key = value, or # a comment" },
    { "[a]\n= 1\n", "f:2:1: [a] : a key must consist of" },
    { "[a]\nk[de] = 1\n", "f:2:1: [a] k[de]: a key must consist of" },
    { "[a]\nk = 64 # degrees\n", "f:2:8: [a] k: write comments on separate lines" },
    { "[a]\nk = # nothing\n", "f:2:5: [a] k: write comments on separate lines" },
    { "\357\273\277[a]\n", "f:1:1: the file begins with a byte order mark" },
    { "[a]\nk = \377\n", "f:2:5: byte 0xff is not UTF-8 text" },
    { "[a]\nk = \001\n", "f:2:5: control character 0x01" },
    { "[a]\nk = 1\r", "f:2:6: control character 0x0d" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *messages = NULL;
      g_autoptr (ArmillaDocument) document = parse (cases[i].text, -1, &messages);

      g_assert_cmpstr (messages, !=, "");
      if (!g_str_has_prefix (messages, cases[i].message) || strchr (messages, '\n') != NULL)
        g_error ("expected \"%s\", got \"%s\"", cases[i].message, messages);
    }
}

static void
test_nul (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaDocument) document = parse ("[a]\nk = 1\0002\n", 11, &messages);

  g_assert_cmpstr (messages, ==, "f:2:6: byte 0x00 is not UTF-8 text");
}

/* All problems of a file are told, in the order of its lines; a great many are only counted. */
static void
test_many (void)
{
  g_autoptr (GString) text = g_string_new ("[a]\nx\n[b\nk = 1\n[a]\ny\n");
  g_autofree char *messages = NULL;
  g_autofree char *more = NULL;
  g_autoptr (ArmillaDocument) document = parse (text->str, -1, &messages);
  g_autoptr (ArmillaDocument) again = NULL;
  g_auto (GStrv) lines = g_strsplit (messages, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[0], "f:2:1: "));
  g_assert_true (g_str_has_prefix (lines[1], "f:3:1: "));
  g_assert_true (g_str_has_prefix (lines[2], "f:5:2: "));
  g_assert_true (g_str_has_prefix (lines[3], "f:6:1: "));
  for (int i = 0; i < 96; i++)
    g_string_append (text, "z\n");
  again = parse (text->str, -1, &more);
  g_assert_true (g_str_has_suffix (more, "\n... and 80 more"));
}

static void
compare_value (GKeyFile *key_file, const char *group, const ArmillaEntry *entry)
{
  g_autofree char *value = g_key_file_get_value (key_file, group, entry->key, NULL);
  g_autofree char *theirs = NULL;
  g_autofree char *ours = NULL;
  g_auto (GStrv) list = NULL;
  g_auto (GStrv) split = NULL;

  g_assert_nonnull (value);
  g_strchomp (value); /* GKeyFile keeps blanks at the end of a line */
  g_assert_cmpstr (value, ==, entry->value);
  g_key_file_set_value (key_file, group, entry->key, value);
  /* GKeyFile leaves an escape that it does not know as it is (and, in 2.74, sets an error over
   * another for two of them); ours is an error. */
  ours = armilla_unescape (entry->value, NULL);
  if (ours != NULL)
    {
      theirs = g_key_file_get_string (key_file, group, entry->key, NULL);
      g_assert_cmpstr (ours, ==, theirs);
    }
  if (strpbrk (value, ", \t") != NULL)
    return; /* a comma separates ours only, and blanks around elements stay in theirs */
  split = armilla_split (entry->value, NULL);
  if (split != NULL)
    {
      list = g_key_file_get_string_list (key_file, group, entry->key, NULL, NULL);
      g_assert_cmpstrv (list, split);
    }
}

/* Returns whether the scanner accepted the text. */
static gboolean
compare (const char *text, gsize length)
{
  g_autoptr (GKeyFile) key_file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaDocument) document = parse (text, length, &messages);
  g_auto (GStrv) groups = NULL;

  if (*messages != '\0')
    return FALSE;
  /* GKeyFile does not take an empty text; there is nothing to compare in one. */
  if (!g_key_file_load_from_data (key_file, text, length, G_KEY_FILE_NONE, &error))
    {
      if (length > 0)
        g_error ("GKeyFile refuses what we accept: %s\n%s", error->message, text);
      return FALSE;
    }
  groups = g_key_file_get_groups (key_file, NULL);
  g_assert_cmpuint (g_strv_length (groups), ==, document->groups->len);
  for (guint i = 0; i < document->groups->len; i++)
    {
      const ArmillaGroup *group = g_ptr_array_index (document->groups, i);
      g_auto (GStrv) keys = g_key_file_get_keys (key_file, groups[i], NULL, NULL);

      g_assert_cmpstr (groups[i], ==, group->name);
      g_assert_cmpuint (g_strv_length (keys), ==, group->entries->len);
      for (guint j = 0; j < group->entries->len; j++)
        {
          const ArmillaEntry *entry = g_ptr_array_index (group->entries, j);

          g_assert_cmpstr (keys[j], ==, entry->key);
          compare_value (key_file, groups[i], entry);
        }
    }
  return TRUE;
}

static void
test_key_file (void)
{
  static const char *const texts[] = {
    "[a]\nk=1\n",
    "# c\n\n \t\n[a]\n[b]\nk = v \n\n[c]\r\nk = \\s x\\ty \\\\ \\n\r\n",
    "[a]\nlist = one;two;three;\nlist2 = a\\;b;c\nlist3 = ;;\nlist4 = ;\n",
    "[a]\nbad = \\q\nbad2 = x\\\n",
    "[a]\nk = [x]\nl = a = b = c\nm = ${x} $$\n",
    "[a]\nk = \xc3\xa9\xe2\x82\xac\n   l   =   m   \n",
    "",
    "\n\n# nothing\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    compare (texts[i], strlen (texts[i]));
  g_assert_true (compare (texts[1], strlen (texts[1])));
  g_assert_true (compare (texts[5], strlen (texts[5])));
}

static void
test_key_file_random (void)
{
  static const char *const pieces[] = {
    "[a]\n", "[b]\n", "[c-1]\r\n", "[_]", "k = ", "l=", "m\t=\t", "key = value\n", "n = 1;2;3\n",
    "\n", "\n", "\n", "\r\n", " ", "\t", "#", "=", "[", "]", "\\", "\\s", "\\;", "\\\\", ";", "x",
    "y", "\xc3\xa9", "$", "${v}", "\xff", "\001", "\r", "# comment\n",
  };
  int accepted = 0;

  for (int i = 0; i < 100000; i++)
    {
      g_autoptr (GString) text = g_string_new (g_test_rand_bit () ? "[start]\n" : NULL);
      int n = g_test_rand_int_range (0, 12);

      while (n-- > 0)
        g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      accepted += compare (text->str, text->len);
    }
  g_test_message ("%d of 100000 random texts were accepted by both", accepted);
  g_assert_cmpint (accepted, >, 1000); /* else this compares nothing */
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scanner/places", test_places);
  g_test_add_func ("/scanner/refused", test_refused);
  g_test_add_func ("/scanner/nul", test_nul);
  g_test_add_func ("/scanner/many", test_many);
  g_test_add_func ("/scanner/key-file", test_key_file);
  g_test_add_func ("/scanner/key-file-random", test_key_file_random);
  return g_test_run ();
}
