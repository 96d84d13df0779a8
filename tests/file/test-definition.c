/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions and includes: what they become, and what is said of wrong ones. */
#include "tests/lib/sample-stages.h"
#include "workflows/file/passes.h"

#include <glib/gstdio.h>
#include <string.h>

#define SKY "[sky]\nstage = source\nfile = a.fits\n" /* 3 lines */
#define SMOOTH                                                                                     \
  "[define smooth]\ninput map = a map\noutput map = b.smoothed\nparameter fwhm = 1 deg\n"          \
  "parameter lmax =\nparameter nside =\n"                                                          \
  "[smooth/a]\nstage = analyse\nmap = ${map}\nlmax = ${lmax}\niterations = 2*${nside} - 1\n"       \
  "[smooth/b]\nstage = beam\nalm = a\nfwhm = ${fwhm}\n" /* 15 lines */

#define EACH(copies) /* 5 lines */                                                                 \
  "[a]\neach = " copies "\nstage = analyse\nmap = sky\nlmax = ${i}\n"

static const SampleCase cases[] = {
  { "unit", SKY "[s]\nstage = smooth\nmap = sky\nfwhm = 10\n" SMOOTH,
    "f:7:8: [s] fwhm: \"10\" has no unit; an angle takes one of..." },
  { "expression", SKY "[s]\nstage = smooth\nmap = sky\nnside = 99\n" SMOOTH,
    "f:7:9: [s] nside: 2*99 - 1: 197 is out of range; allowed: 0 to 100" },
  { "unknown-key", SKY "[s]\nstage = smooth\nmap = sky\nfhwm = 10 deg\n" SMOOTH,
    "f:7:1: [s] fhwm: smooth has no such key; did you mean \"fwhm\"? (keys: map, fwhm, lmax, "
    "nside)" },
  { "output-as-key", SKY "[s]\nstage = twice\nmap = sky\nout = s\n"
    "[define twice]\ninput map =\noutput out = s.north\n[twice/s]\nstage = split\n"
    "map = ${map}\n",
    "f:7:1: [s] out: this is an output of twice; to use it, connect an input to s.out" },
  { "several-outputs", SKY "[s]\nstage = twice\nmap = sky\n[b]\nstage = split\nmap = s\n"
    "[define twice]\ninput map =\noutput out = s\n[twice/s]\nstage = split\nmap = ${map}\n",
    "f:12:14: [define twice] output out: \"s\" is missing, or is not a single output; write "
    "NODE.PORT" },
  { "not-connected", SKY "[s]\nstage = smooth\n" SMOOTH,
    "f:4:2: [s] map: input of smooth is not connected; add map = NODE, a node with "
    "an output of kind samplemap" },
  { "unknown-node", SKY "[s]\nstage = smooth\nmap = skyy\n" SMOOTH,
    "f:6:7: [s] map: no node \"skyy\"; did you mean \"sky\"? (nodes: sky, s)" },
  { "required-misspelt", "[s]\nstage = read\nnam = x\n[define read]\noutput map = a\n"
    "parameter name =\n[read/a]\nstage = source\nfile = ${name}\n",
    "f:3:1: [s] nam: read has no such key; did you mean \"name\"? (keys: name)" },
  { "value-twice", SKY "[s]\nstage = two\nmap = sky\nn = -8\n[define two]\ninput map =\n"
    "parameter n =\noutput o = a\n[two/a]\nstage = analyse\nmap = ${map}\nlmax = 3*${n} - 1\n"
    "iterations = ${n}\n",
    "f:7:5: [s] n: -8 is out of range..." },
  { "kind-of-input", SKY "[a]\nstage = analyse\nmap = sky\n[s]\nstage = smooth\nmap = a\n" SMOOTH,
    "f:9:7: [s] map: this input accepts data of kind samplemap, but node a (analyse) outputs "
    "samplealm; nodes that fit: sky" },
  { "kind", SKY "[s]\nstage = smooth\nmap = sky\n[o]\nstage = sink\nfile = o\nmap = s\n" SMOOTH,
    "f:10:7: [o] map: this input accepts data of kind samplemap, but node s/b (beam) outputs "
    "samplealm; nodes that fit: sky" },
  { "unknown-port", SKY "[s]\nstage = smooth\nmap = sky\n[b]\nstage = beam\nalm = s.mp\n" SMOOTH,
    "f:9:7: [b] alm: node s (smooth) has no output \"mp\"; did you mean \"map\"? (outputs: map)" },
  { "required", "[s]\nstage = read\n[define read]\noutput map = a\nparameter name =\n[read/a]\n"
    "stage = source\nfile = ${name}\n",
    "f:1:2: [s] name: read requires this key: name of the file" },
  { "unknown-variable", SKY "[s]\nstage = smooth\nmap = sky\nfwhm = ${f} deg\n" SMOOTH,
    "f:7:8: [s] fwhm: unknown variable \"f\"; variables: index; define it in [variables] or with "
    "-D" },
  { "varies", SKY "[s]\nstage = smooth\nmap = sky${index}\n" SMOOTH,
    "f:6:7: [s] map: stages and connections must be the same..." },
  { "recursive", SKY "[s]\nstage = a\n[define a]\noutput o = b\n[a/b]\nstage = b\n"
    "[define b]\noutput o = a\n[b/a]\nstage = a\n",
    "f:13:9: [s/b/a] stage: definitions contain each other: a -> b -> a" },
  { "itself", SKY "[s]\nstage = a\n[define a]\noutput o = b\n[a/b]\nstage = a\n",
    "f:9:9: [s/b] stage: definitions contain each other: a -> a" },
  { "itself-used", SKY "[s]\nstage = a\nmap = sky\n[o]\nstage = sink\nmap = s\nfile = o\n"
    "[define a]\ninput map =\noutput o = b\n[a/b]\nstage = a\nmap = ${map}\n",
    "f:15:9: [s/b] stage: definitions contain each other: a -> a" },
  { "no-node-used", SKY "[s]\nstage = a\n[o]\nstage = sink\nmap = s\nfile = o\n"
    "[define a]\noutput o = b\n",
    "f:10:2: [define a]: the definition has no node; must have at least one group [a/NODE]" },
  { "no-node", SKY "[define a]\noutput o = b\n",
    "f:4:2: [define a]: the definition has no node; must have at least one group [a/NODE]" },
  { "no-definition", SKY "[sm/a]\nstage = split\nmap = sky\n",
    "f:4:2: [sm/a]: this is a node of a definition, but there is no [define sm]; to change "
    "keys of node sm, use --set" },
  { "output-of-nothing", SKY "[define a]\noutput o = c\n[a/b]\nstage = source\nfile = x\n",
    "f:5:12: [define a] output o: \"c\" is not a node of the definition; must be NODE or "
    "NODE.PORT, with a group [a/NODE]" },
  { "only-with", SKY "[define a]\nparameter p =\noutput o = b\n[a/b]\nstage = source\nfile = ${p}\n"
    "only-with = p, q\n",
    "f:10:13: [a/b] only-with: \"q\" is neither an input nor a parameter of the definition" },
  { "unused", SKY "[define a]\nparameter p = 1\noutput o = b\n[a/b]\nstage = source\nfile = x\n",
    "f:5:1: [define a] parameter p: no node of the definition uses it; write ${p} in the "
    "value of a key" },
  { "taken", SKY "[define a]\nparameter p = 1\ninput p = b\noutput o = b\n[a/b]\nstage = source\n"
    "file = ${p}\n", "f:6:1: [define a] input p: duplicate name p; choose another" },
  { "key-of-definition", SKY "[define a]\nsumary = b\noutput o = b\n[a/b]\nstage = source\n"
    "file = p\n", "f:5:1: [define a] sumary: a definition has no such key; did you mean "
    "\"summary\"?..." },
  { "name-of-stage", SKY "[define add]\noutput o = b\n[add/b]\nstage = source\nfile = x\n",
    "f:4:2: [define add]: stage add exists; choose another name for the definition" },
  { "defined-twice", SKY SMOOTH "[define smooth]\n",
    "f:19:2: [define smooth]: duplicate group, also in line 4" },
  { "defaults-in-a-circle", SKY "[s]\nstage = a\n[define a]\nparameter p = ${q}\n"
    "parameter q = ${p}\noutput o = b\n[a/b]\nstage = source\nfile = ${p}\n",
    "f:7:15: [s] p: variables refer to each other: s/p -> s/q -> s/p" },
  { "each-unused", SKY "[b]\neach = i: 1, 2\nstage = split\nmap = sky\n",
    "f:5:8: [b] each: no other key of the node has ${i} in its value: its copies would all be the "
    "same" },
  { "each-no-name", SKY EACH ("1..2"),
    "f:5:8: [a] each: each must have the form name: value, value; or name: 1..3, with ; between "
    "several names" },
  { "each-no-value", SKY EACH ("i:"), "f:5:8: [a] each: i has no value; write i: value, value" },
  { "each-twice", SKY EACH ("i: 1; i: 2"), "f:5:8: [a] each: i is given twice" },
  { "each-index", SKY EACH ("index: 1"), "f:5:8: [a] each: reserved name: ${index}..." },
  { "each-varies", SKY EACH ("i: 1..${index}"),
    "f:5:8: [a] each: nodes must be the same in all..." },
  { "each-no-number", SKY EACH ("i: 1..x"), "f:5:8: [a] each: 1..x: \"x\" cannot be computed..." },
  { "each-no-whole-number", SKY EACH ("i: 1..5/2"),
    "f:5:8: [a] each: 1..5/2: 5/2 is 2.5; the ends of a range must be integers" },
  { "each-negative", SKY EACH ("i: -1..2"),
    "f:5:8: [a] each: -1..2: numbers in names of nodes must be 0 or more" },
  { "each-nothing", SKY EACH ("i: 3..2"),
    "f:5:8: [a] each: no value: all ranges end before they begin" },
  { "each-no-part-of-a-name", SKY EACH ("i: 0.5, 1"),
    "f:5:8: [a] each: \"0.5\" cannot be part of the name of a node; must be letters, "
    "digits, - and _, or a range of integers, 1..3" },
  { "each-many", SKY EACH ("i: 1..1000000000"), "f:5:8: [a] each: more than 4096 nodes" },
  { "each-for-nothing", SKY EACH ("i: 1..1000000000; lmax: 2..1"),
    "f:5:8: [a] each: no other key of the node has ${lmax}..." },
  { "each-value-twice", SKY EACH ("i: 1, 1"),
    "f:5:8: [a] each: it would create node a-1, which exists already; rename one of them" },
  { "each-variable", SKY EACH ("i: 1..${n}"),
    "f:5:8: [a] each: unknown variable \"n\"; variables: index; define it in [variables] or with "
    "-D" },
  { "each-same-mistake", SKY EACH ("i: 1..9") "iterations = no\n",
    "f:9:14: [a] iterations: \"no\"..." },
  { "each-own-mistake", SKY EACH ("i: 99..100") "iterations = ${i} + 1\n",
    "f:9:14: [a-100] iterations: 100 + 1: 101 is out of range; allowed: 0 to 100" },
  { "each-by-its-name", SKY EACH ("i: 1, 2") "[b]\nstage = beam\nalm = a\n",
    "f:11:7: [b] alm: no node \"a\"; nodes: sky, b, a-1, a-2" },
  { "bad-name", SKY "[define a/b]\n",
    "f:4:2: [define a/b]: the name of a group must consist of letters, digits, - and _; a "
    "definition is [define NAME], a node of it [NAME/NODE]" },
};

static char *
value_of (const ArmillaWorkflow *workflow, const char *name, const char *key)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (guint j = 0; strcmp (node->name, name) == 0 && j < node->settings->len; j++)
        {
          const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, j);
          g_auto (GValue) value = G_VALUE_INIT;

          if (strcmp (setting->pspec->name, key) != 0)
            continue;
          g_assert_true (armilla_workflow_value (workflow, setting, 0, &value, NULL));
          return g_strdup_value_contents (&value);
        }
    }
  return NULL;
}

static void
assert_value (const ArmillaWorkflow *workflow, const char *name, const char *key,
              const char *expected)
{
  g_autofree char *value = value_of (workflow, name, key);

  g_assert_cmpstr (value, ==, expected);
}

static void
assert_link (const ArmillaWorkflow *workflow, const char *name, int input, const char *source)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      if (strcmp (node->name, name) != 0)
        continue;
      if (source == NULL)
        g_assert_cmpint (node->inputs[input].node, ==, -1);
      else
        g_assert_cmpstr (armilla_workflow_node (workflow, node->inputs[input].node)->name, ==,
                         source);
      return;
    }
  g_assert_not_reached ();
}

/* Definitions within definitions, defaults that name others, keys that are left out. */
static void
test_expanded (void)
{
  static const char text[]
    = "[variables]\nn = 3 + 1\n" SKY
      "[once]\nstage = smooth\nmap = sky\nlmax = 7\n"
      "[both]\nstage = twice\nmap = sky\nnside = ${n}\n"
      "[end]\nstage = beam\nalm = both\nfwhm = 1 rad\n"
      "[define twice]\ninput map =\ninput window =\noutput alm = second\nparameter nside =\n"
      "parameter lmax = 3*${nside} - 1\n"
      "[twice/first]\nstage = smooth\nmap = ${map}\nlmax = ${lmax}\nnside = ${nside}\n"
      "[twice/second]\nstage = beam\nalm = first.map\nfwhm = 2 deg\n"
      "[twice/third]\nonly-with = window\nstage = beam\nalm = first\nwindow = ${window}\n" SMOOTH;
  char *set[] = { (char *) "both/first/b.fwhm=1 rad", (char *) "once.nside=5", NULL };
  const ArmillaOverrides overrides = { .set = set };
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, &overrides, &messages);

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpuint (workflow->nodes->len, ==, 7);
  g_assert_cmpuint (workflow->uses->len, ==, 3);
  assert_value (workflow, "once/a", "lmax", "7");
  assert_value (workflow, "once/a", "iterations", "9");
  assert_value (workflow, "both/first/a", "lmax", "11");
  assert_value (workflow, "both/first/a", "iterations", "7");
  assert_value (workflow, "both/first/b", "fwhm", "1.000000");
  assert_value (workflow, "once/b", "fwhm", "0.017453");
  assert_link (workflow, "once/a", 0, "sky");
  assert_link (workflow, "once/b", 0, "once/a");
  assert_link (workflow, "both/first/a", 0, "sky");
  assert_link (workflow, "both/second", 0, "both/first/b");
  assert_link (workflow, "end", 0, "both/second");
  assert_link (workflow, "end", 1, NULL);
}

/* What several inputs or parameters are needed for, and a default that the user takes away. */
static void
test_only_with (void)
{
  static const char text[]
    = SKY "[all]\nstage = chain\nmap = sky\nwindow = sky\n"
          "[one]\nstage = chain\nmap = sky\n"
          "[none]\nstage = chain\nmap = sky\nwindow = sky\nsoft =\n"
          "[define chain]\ninput map =\ninput window =\noutput alm = a\nparameter soft = yes\n"
          "[chain/a]\nstage = analyse\nmap = ${map}\n"
          "[chain/b]\nonly-with = window,  soft\nstage = analyse\nmap = ${window}\n";
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, NULL, &messages);

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpuint (workflow->nodes->len, ==, 5);
  assert_link (workflow, "all/b", 0, "sky");
}

/* Nodes for each combination of values, also of definitions and within them. */
static void
test_each (void)
{
  static const char text[]
    = "[variables]\nn = 2\n" SKY
      "[a]\neach = i: 1..${n}, 7\nstage = analyse\nmap = sky\nlmax = 3*${i}\n"
      "[b]\neach = i: 1..2; j: ${i}+1..3\nstage = beam\nalm = a-${i}\n"
      "fwhm = (${i} + ${j}) * 0.25 rad\n"
      "[c]\neach = name: x, y_z\nstage = sink\nmap = sky\nfile = ${name}$${i}\n"
      "[both]\neach = i: 1..2\nstage = many\nmap = sky\nparts = ${i}\n"
      "[define many]\ninput map =\nparameter parts =\n"
      "[many/s]\neach = k: 1..${parts}; i: 4\nstage = smooth\nmap = ${map}\n"
      "lmax = ${k} + ${parts} + ${i}\n" SMOOTH;
  static const char *const nodes[] = {
    "sky", "a-1", "a-2", "a-7", "b-1-2", "b-1-3", "b-2-3", "c-x", "c-y_z",
    "both-1/s-1-4/a", "both-1/s-1-4/b", "both-2/s-1-4/a", "both-2/s-1-4/b",
    "both-2/s-2-4/a", "both-2/s-2-4/b",
  };
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, NULL, &messages);

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpuint (workflow->nodes->len, ==, G_N_ELEMENTS (nodes));
  for (gsize i = 0; i < G_N_ELEMENTS (nodes); i++)
    g_assert_cmpstr (armilla_workflow_node (workflow, (int) i)->name, ==, nodes[i]);
  assert_value (workflow, "a-7", "lmax", "21");
  assert_value (workflow, "b-1-3", "fwhm", "1.000000");
  assert_value (workflow, "c-y_z", "file", "\"y_z${i}\"");
  assert_value (workflow, "both-2/s-1-4/a", "lmax", "7");
  assert_value (workflow, "both-2/s-2-4/a", "lmax", "8");
  assert_link (workflow, "b-2-3", 0, "a-2");
  assert_link (workflow, "both-2/s-2-4/a", 0, "sky");
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Validates FOLDER/main. @expected: messages, in which % stands for the folder */
static void
assert_included (const char *folder, const char *text, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, "main", NULL);
  g_auto (GStrv) parts = g_strsplit (expected, "%", -1);
  g_autofree char *whole = g_strjoinv (folder, parts);
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = NULL;

  write_file (folder, "main", text);
  workflow = sample_validate (path, text, NULL, &messages);
  sample_assert_message (messages, whole);
}

static void
test_include (void)
{
  g_autofree char *folder = g_dir_make_tmp ("armilla-include-XXXXXX", NULL);
  g_autofree char *inner = g_build_filename (folder, "sub", NULL);
  g_autofree char *deep = NULL;
  static const char *const files[] = { "main", "one", "two", "sub/three", "sub/four", "bad", "c1",
                                       "c2", "again", NULL };

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  write_file (folder, "one", "[variables]\nn = 3\n[workflow]\nrepeat = 2\n" SKY);
  write_file (folder, "two", "[workflow]\ninclude = sub/three, one\n");
  write_file (folder, "sub/three", "[workflow]\ninclude = four\n[variables]\nm = 4\n");
  write_file (folder, "sub/four", "[a]\nstage = analyse\nmap = sky\nlmax = ${n}*${m}\n");
  write_file (folder, "bad", "[h]\nstage = split\nmap = sky\nmap = sky\n");
  write_file (folder, "c1", "[workflow]\ninclude = c2\n");
  write_file (folder, "c2", "[workflow]\ninclude = c1\n");
  write_file (folder, "again", SKY);
  assert_included (folder, "[workflow]\ninclude = one; two\ntitle = t\n", "");
  assert_included (folder, "[workflow]\ninclude = one; bad\n",
                   "%/bad:4:1: [h] map: duplicate key, also in line 3; remove one of the two");
  assert_included (folder, "[workflow]\ninclude = two\n" "[sky]\nstage = source\nfile = a\n",
                   "%/one:5:2: [sky]: duplicate group, also in %/main:3");
  assert_included (folder, "[variables]\nn = 4\n[workflow]\ninclude = one\n",
                   "%/one:2:1: [variables] n: duplicate key, also in %/main:2; remove one "
                   "of the two");
  assert_included (folder, SKY "[workflow]\ninclude = none\n",
                   "%/main:5:11: [workflow] include: %/none: cannot open the workflow: No such "
                   "file or directory");
  assert_included (folder, SKY "[workflow]\ninclude = c1\n",
                   "%/c2:2:11: [workflow] include: files include each other in a circle: %/main "
                   "includes %/c1 includes %/c2 includes %/c1; leave one of these out");
  assert_included (folder, SKY "[workflow]\ninclude = main\n",
                   "%/main:5:11: [workflow] include: files include each other in a circle: %/main "
                   "includes %/main; leave one of these out");
  assert_included (folder, SKY "[workflow]\ninclude = ${x}\n",
                   "%/main:5:11: [workflow] include: files are included before variables are "
                   "known...");
  assert_included (folder, SKY "[workflow]\ninclude =\n",
                   "%/main:5:10: [workflow] include: name a file");
  for (int i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("d%d", i);
      g_autofree char *text = g_strdup_printf ("[workflow]\ninclude = d%d\n", i + 1);

      write_file (folder, name, text);
    }
  assert_included (folder, SKY "[workflow]\ninclude = d0\n",
                   "%/d15:2:11: [workflow] include: files are included more than 16 deep (%/main "
                   "includes %/d0 includes...");
  for (int i = 0; i < 20; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/d%d", folder, i);

      g_unlink (path);
    }
  for (const char *const *file = files; *file != NULL; file++)
    {
      g_autofree char *path = g_build_filename (folder, *file, NULL);

      g_unlink (path);
    }
  g_rmdir (inner);
  g_rmdir (folder);
}

/* A few lines must not become more than a workflow may be. */
static void
test_bounds (void)
{
  g_autoptr (GString) text = g_string_new (SKY "[s]\nstage = d0\nmap = sky\n");
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = NULL;

  for (int i = 0; i < 31; i++)
    g_string_append_printf (text,
                            "[define d%d]\ninput map =\noutput o = a\n"
                            "[d%d/a]\nstage = d%d\nmap = ${map}\n[d%d/b]\nstage = d%d\n"
                            "map = ${map}\n", i, i, i + 1, i, i + 1);
  g_string_append (text, "[define d31]\ninput map =\noutput o = a\n[d31/a]\nstage = split\n"
                         "map = ${map}\n");
  workflow = sample_validate ("f", text->str, NULL, &messages);
  g_assert_nonnull (strstr (messages, "f:1:1: more than 4096 nodes"));
}

/* Those that are shipped have no fault in them, and names that no stage has. */
static void
test_shipped (void)
{
  static const char *const names[] = {
    "aberrate", "anafast", "catalogue-spectra", "cross-spectra", "deflection", "delens",
    "iqu2teb", "lensed-sky", "magnification", "masked-spectra", "observed-sky", "read-camb",
    "smoothing", "synfast", "teb2iqu", "two-point",
  };
  GHashTable *all = armilla_definitions_shipped ();

  g_assert_cmpuint (g_hash_table_size (all), ==, G_N_ELEMENTS (names));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const ArmillaDefinition *definition = g_hash_table_lookup (all, names[i]);

      g_assert_nonnull (definition);
      g_assert_true (definition->shipped);
      g_assert_nonnull (armilla_group_entry (definition->group, "summary"));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  sample_add_cases ("/definition", cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/definition/expanded", test_expanded);
  g_test_add_func ("/definition/only-with-several", test_only_with);
  g_test_add_func ("/definition/each", test_each);
  g_test_add_func ("/definition/include", test_include);
  g_test_add_func ("/definition/bounds", test_bounds);
  g_test_add_func ("/definition/shipped", test_shipped);
  return g_test_run ();
}
