/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables, escapes, lists, overrides, [workflow]. */
#include "workflows/text/expand.h"
#include "workflows/text/property.h"
#include "workflows/text/problems.h"
#include "workflows/file/workflow.h"

#include <glib/gstdio.h>
#include <string.h>

static ArmillaWorkflow *
parse (const char *text, char **set, char **define, char **messages)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  ArmillaOverrides overrides = { .set = set, .define = define };
  ArmillaWorkflow *workflow
      = armilla_workflow_parse ("f", text, strlen (text), &overrides, problems);

  *messages = armilla_problems_text (problems);
  return workflow;
}

static void
assert_says (const char *text, char **set, char **define, const char *expected)
{
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = parse (text, set, define, &messages);

  if (*expected == '\0' ? *messages != '\0' : strstr (messages, expected) == NULL)
    g_error ("expected \"%s\", got \"%s\"", expected, messages);
}

static void
assert_value (const char *text, const char *value, gint64 index, const char *expected)
{
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = parse (text, NULL, NULL, &messages);
  g_autoptr (GError) error = NULL;
  ArmillaExpansion expansion;

  g_assert_cmpstr (messages, ==, "");
  g_assert_true (armilla_expand (workflow->variables, workflow->points, value, index, 0, &expansion,
                                 &error));
  g_assert_no_error (error);
  g_assert_cmpstr (expansion.text, ==, expected);
  g_assert_cmpint (expansion.by_index, ==, strstr (value, "${index}") != NULL
                                             || strstr (value, "${out}") != NULL);
  g_free (expansion.text);
}

static void
test_variables (void)
{
  static const char text[] = "[variables]\na = 1\nb = <${a}>\nout = ${b}-${index}.fits\n";

  assert_value (text, "${a}", 0, "1");
  assert_value (text, "x${a}y${b}z", 0, "x1y<1>z");
  assert_value (text, "$$ $${a} $$$$", 0, "$ ${a} $$");
  assert_value (text, "${out}", 7, "<1>-7.fits");
  assert_value (text, "${index}${index}", 12, "1212");
  assert_value (text, "", 0, "");
  g_setenv ("ARMILLA_TEST_VARIABLE", "secret", TRUE);
  assert_says ("[variables]\na = ${ARMILLA_TEST_VARIABLE}\n", NULL, NULL,
               "f:2:5: [variables] a: unknown variable \"ARMILLA_TEST_VARIABLE\"");
}

static void
test_bad_variables (void)
{
  g_autoptr (GString) wide = g_string_new ("[variables]\nv0 = 012345678901234567890123456789\n");

  assert_says ("[variables]\na = ${a}\n", NULL, NULL,
               "f:2:5: [variables] a: variables refer to each other: a -> a");
  assert_says ("[variables]\na = ${b}\nb = ${c}\nc = ${b}\n", NULL, NULL,
               "f:3:5: [variables] b: variables refer to each other: b -> c -> b");
  assert_says ("[variables]\ndata = 1\nb = ${date}\n", NULL, NULL,
               "f:3:5: [variables] b: unknown variable \"date\"; did you mean \"data\"? "
               "(variables: b, data, index)");
  assert_says ("[variables]\na = $b\n", NULL, NULL, "f:2:5: [variables] a: $ begins a variable");
  assert_says ("[variables]\na = ${b\n", NULL, NULL, "$ begins a variable, ${name}");
  assert_says ("[variables]\na = ${}\n", NULL, NULL, "$ begins a variable, ${name}");
  assert_says ("[variables]\na = ${b c}\n", NULL, NULL, "$ begins a variable, ${name}");
  assert_says ("[variables]\na = x$\n", NULL, NULL, "$ begins a variable, ${name}");
  assert_says ("[variables]\nindex = 1\n", NULL, NULL,
               "f:2:1: [variables] index: reserved name");
  for (int i = 1; i < 40; i++)
    {
      g_string_append_printf (wide, "v%d = ${v%d}${v%d}\n", i, i - 1, i - 1);
    }
  assert_says (wide->str, NULL, NULL, "[variables] v12: the value is longer than 65536 bytes");
}

/* Tens of thousands of variables: each is expanded once, however often it is named. */
static void
test_many_variables (void)
{
  const int n = 100000;
  g_autoptr (GString) deep = g_string_new ("[variables]\n");
  g_autoptr (GString) wide = g_string_new ("[variables]\nx = 1\n");
  g_autoptr (GString) bad = g_string_new ("[variables]\n");
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = NULL;

  for (int i = 0; i < n; i++)
    {
      g_string_append_printf (deep, "v%d = ${v%d}${e}\n", i, i + 1);
      g_string_append_printf (wide, "v%d = ${b}\n", i);
      g_string_append_printf (bad, "v%d = ${b}\n", i);
    }
  g_string_append_printf (deep, "e =\nv%d = ${index}\n", n);
  g_string_append (wide, "b = ");
  g_string_append (bad, "e =\nb = ");
  for (int i = 0; i < 6500; i++)
    {
      g_string_append (wide, "${x}");
      g_string_append (bad, "${e}");
    }
  g_string_append (bad, "${unknown}\n");
  workflow = parse (deep->str, NULL, NULL, &messages);
  g_assert_cmpstr (messages, ==, "");
  {
    ArmillaExpansion expansion;

    g_assert_true (armilla_expand (workflow->variables, workflow->points, "<${v0}>", 42, 0,
                                   &expansion, NULL));
    g_assert_cmpstr (expansion.text, ==, "<42>");
    g_assert_true (expansion.by_index);
    g_free (expansion.text);
  }
  /* 16 MiB are 2581 times 6500 bytes; b is the first to be replaced. */
  assert_says (wide->str, NULL, NULL,
               "f:2583:9: [variables] v2580: the variables from the first to this one are longer "
               "than 16 MiB");
  g_free (messages);
  g_clear_pointer (&workflow, armilla_workflow_free);
  workflow = parse (bad->str, NULL, NULL, &messages);
  g_assert_null (strchr (messages, '\n'));
  g_assert_nonnull (strstr (messages, "[variables] b: unknown variable \"unknown\""));
}

static void
test_long_circle (void)
{
  g_autoptr (GString) text = g_string_new ("[variables]\n");

  for (int i = 0; i < 20; i++)
    g_string_append_printf (text, "v%d = ${v%d}\n", i, (i + 1) % 20);
  assert_says (text->str, NULL, NULL,
               "f:2:6: [variables] v0: variables refer to each other: v0 -> v1 -> v2 -> v3 -> v4 "
               "-> v5 -> ... (8 more) ... -> v14 -> v15 -> v16 -> v17 -> v18 -> v19 -> v0");
}

static void
test_escapes (void)
{
  g_autofree char *text = armilla_unescape ("\\sa\\tb\\\\c\\n", NULL);
  g_auto (GStrv) list = armilla_split (" a ; b\\s,c\\;d,\\,;;", NULL);
  static const char *const expected[] = { "a", "b ", "c;d", ",", "", NULL };
  g_auto (GStrv) none = armilla_split ("", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (text, ==, " a\tb\\c\n");
  g_assert_cmpstrv (list, expected);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_null (armilla_unescape ("a\\q", &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_clear_error (&error);
  g_assert_null (armilla_unescape ("a\\", &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_clear_error (&error);
  g_assert_null (armilla_split ("a;b\\", &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
}

static void
test_workflow_group (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow
      = parse ("[workflow]\ntitle = A\\sb\nrepeat = ${n}\nring-block = 16\nm-blocks = 4\n"
               "overwrite = true\n[variables]\nn = 100\n",
               NULL, NULL, &messages);
  g_autoptr (ArmillaWorkflow) plain = NULL;

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpstr (workflow->title, ==, "A b");
  g_assert_cmpint (workflow->repeat, ==, 100);
  g_assert_cmpint (workflow->ring_block, ==, 16);
  g_assert_cmpint (workflow->m_blocks, ==, 4);
  g_assert_true (workflow->overwrite);
  g_clear_pointer (&messages, g_free);
  plain = parse ("[node]\n", NULL, NULL, &messages);
  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpint (plain->repeat, ==, 1);
  g_assert_false (plain->overwrite);
  g_assert_cmpuint (plain->nodes->len, ==, 1);
  assert_says ("[workflow]\nrepeats = 3\n", NULL, NULL,
               "f:2:1: [workflow] repeats: [workflow] has no such key; did you mean \"repeat\"? "
               "(keys: title, repeat, ring-block, m-blocks, overwrite, interpolation, "
               "checkpoint, deal, memory, spill, together, sweep, report)");
  assert_says ("[workflow]\nrepeat = 0\n", NULL, NULL,
               "f:2:10: [workflow] repeat: 0 is out of range; allowed: 1 to 1000000");
  assert_says ("[workflow]\nrepeat = 1e3\n", NULL, NULL, "\"1e3\" is not a whole number");
  assert_says ("[workflow]\nrepeat = 99999999999999999999\n", NULL, NULL, "is out of range");
  assert_says ("[workflow]\noverwrite = yes\n", NULL, NULL,
               "f:2:13: [workflow] overwrite: \"yes\" is neither true nor false");
  assert_says ("[workflow]\nrepeat = ${index}\n", NULL, NULL,
               "${index} and swept variables cannot be used here");
}

static void
test_overrides (void)
{
  static const char text[] = "[variables]\nn = 1\n[node]\na = ${n}\nb = ${only-here}";
  char *set[] = { (char *) "node.a=x=y", (char *) "node.new = z ", (char *) "workflow.repeat=5",
                  NULL };
  char *define[] = { (char *) "n=2", (char *) "only-here=3", NULL };
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = parse (text, set, define, &messages);
  const ArmillaGroup *node = armilla_document_group (workflow->document, "node");
  const ArmillaEntry *entry;

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpint (workflow->repeat, ==, 5);
  entry = armilla_group_entry (node, "a");
  g_assert_cmpstr (entry->value, ==, "x=y");
  g_assert_cmpstr (entry->value_place.source, ==, "--set node.a=x=y");
  g_assert_cmpint (entry->value_place.line, ==, 0);
  g_assert_cmpstr (armilla_group_entry (node, "new")->value, ==, "z");
  entry = g_hash_table_lookup (workflow->variables, "n");
  g_assert_cmpstr (entry->value, ==, "2");
  entry = g_hash_table_lookup (workflow->variables, "only-here");
  g_assert_cmpstr (entry->value, ==, "3");
  g_assert_true (g_str_has_suffix (workflow->text,
                                   "${only-here}\n# --set node.a=x=y\n# --set node.new = z \n"
                                   "# --set workflow.repeat=5\n# -D n=2\n# -D only-here=3\n"));
}

static void
test_bad_overrides (void)
{
  static const struct {
    const char *set, *define, *message;
  } cases[] = {
    { "node", NULL, "--set node: write --set node.key=value" },
    { "node=1", NULL, "--set node=1: write --set node.key=value" },
    { "nod.a=1", NULL, "--set nod.a=1: no node \"nod\"; did you mean \"node\"?" },
    { "node.a b=1", NULL, "--set node.a b=1: [node]: a key must consist of" },
    { "workflow.repeat=x", NULL, "--set workflow.repeat=x: [workflow] repeat: \"x\" is not a" },
    { "node.a=\xff", NULL, "not UTF-8 text" },
    { "node.a=\n", NULL, "control character 0x0a" },
    { NULL, "dat", "-D dat: write -D variable=value" },
    { NULL, "dat=1", "-D dat=1: the workflow has no variable \"dat\"; did you mean \"data\"?" },
    { NULL, "index=1", "-D index=1: the workflow has no variable \"index\"" },
    { NULL, "data=${data}", "-D data=${data}: [variables] data: variables refer to each other" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *set[] = { (char *) cases[i].set, NULL };
      char *define[] = { (char *) cases[i].define, NULL };

      assert_says ("[variables]\ndata = 1\n[node]\na = 1\n", set, define, cases[i].message);
    }
}

static void
test_read (void)
{
  g_autofree char *folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.workflow", NULL);
  g_autofree char *text = NULL;
  g_autofree char *large = g_strnfill (4 * 1024 * 1024 + 1, '\n');
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_null (armilla_workflow_read (path, &length, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "w.workflow: cannot open the workflow: No such file"));
  g_clear_error (&error);
  g_assert_null (armilla_workflow_read (folder, &length, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "it is a folder"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  g_assert_null (armilla_workflow_read (path, &length, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "longer than 4 MiB"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "[a]\n", -1, NULL));
  text = armilla_workflow_read (path, &length, &error);
  g_assert_cmpstr (text, ==, "[a]\n");
  g_assert_cmpuint (length, ==, 4);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_suggest (void)
{
  static const char *const stages[] = { "alm2cl", "alm2map", "map2alm", "read-map", "smooth-alm",
                                        "write-map", NULL };

  g_assert_cmpstr (armilla_suggest ("red-map", stages), ==, "read-map");
  g_assert_cmpstr (armilla_suggest ("map2aml", stages), ==, "map2alm");
  g_assert_cmpstr (armilla_suggest ("READ-MAP", stages), ==, "read-map");
  g_assert_cmpstr (armilla_suggest ("smooth", stages), ==, "smooth-alm");
  g_assert_null (armilla_suggest ("histogram", stages));
  g_assert_null (armilla_suggest ("", stages));
  g_assert_null (armilla_suggest ("x", stages));
}

static void
assert_range (GParamSpec *pspec, const char *type, const char *range, const char *value)
{
  g_autofree char *t = armilla_property_type (pspec);
  g_autofree char *r = armilla_property_range (pspec);
  g_autofree char *d = armilla_property_default (pspec);

  g_assert_cmpstr (t, ==, type);
  g_assert_cmpstr (r, ==, range);
  g_assert_cmpstr (d, ==, value);
  g_param_spec_sink (pspec);
}

static void
test_describe (void)
{
  assert_range (armilla_param_spec_quantity ("a", "", ARMILLA_DIMENSION_ANGLE, 0, G_PI,
                                             G_PI / 180 / 60),
                "angle", "0 deg to 180 deg", "1 arcmin");
  assert_range (armilla_param_spec_quantity ("a", "", ARMILLA_DIMENSION_ANGLE, G_MINDOUBLE, 1,
                                             G_PI / 180 / 3600 * 4.5),
                "angle", "more than 0, at most 57.29577951 deg", "4.5 arcsec");
  assert_range (armilla_param_spec_quantity ("a", "", ARMILLA_DIMENSION_BYTES, 1, 1 << 30, 65536),
                "size", "1 B to 1 GiB", "64 KiB");
  assert_range (armilla_param_spec_quantity ("a", "", ARMILLA_DIMENSION_TIME, 0, G_MAXDOUBLE, 1.5),
                "time", "at least 0 s", "1.5 s");
  assert_range (g_param_spec_double ("a", NULL, "", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                     ARMILLA_PARAM_RW),
                "number", "any", "0");
  assert_range (g_param_spec_int ("a", NULL, "", -3, 5, 1, ARMILLA_PARAM_RW), "whole number",
                "-3 to 5", "1");
  assert_range (g_param_spec_uint64 ("a", NULL, "", 1, G_MAXUINT64, 7, ARMILLA_PARAM_RW),
                "whole number", "at least 1", "7");
  assert_range (g_param_spec_boolean ("a", NULL, "", TRUE, ARMILLA_PARAM_RW), "boolean",
                "true, false", "true");
  assert_range (g_param_spec_string ("a", NULL, "", NULL, ARMILLA_PARAM_RW), "text", NULL, NULL);
  assert_range (g_param_spec_pointer ("a", NULL, "", ARMILLA_PARAM_RW), NULL, NULL, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workflow/variables", test_variables);
  g_test_add_func ("/workflow/bad-variables", test_bad_variables);
  g_test_add_func ("/workflow/many-variables", test_many_variables);
  g_test_add_func ("/workflow/long-circle", test_long_circle);
  g_test_add_func ("/workflow/escapes", test_escapes);
  g_test_add_func ("/workflow/workflow-group", test_workflow_group);
  g_test_add_func ("/workflow/overrides", test_overrides);
  g_test_add_func ("/workflow/bad-overrides", test_bad_overrides);
  g_test_add_func ("/workflow/read", test_read);
  g_test_add_func ("/workflow/suggest", test_suggest);
  g_test_add_func ("/workflow/describe", test_describe);
  return g_test_run ();
}
