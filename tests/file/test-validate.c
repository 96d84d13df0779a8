/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that can be wrong with the nodes of a workflow, and what is said about it. */
#include "tests/lib/sample-stages.h"
#include "workflows/file/passes.h"

#include <string.h>

#define SKY "[sky]\nstage = source\nfile = a.fits\n" /* lines 1 to 3 */

static const SampleCase cases[] = {
  { "no-node", "# nothing\n",
    "f:1:1: the workflow has no node; must have at least one [group] with stage = NAME" },
  { "no-stage", "[sky]\nfile = a\n",
    "f:1:2: [sky]: the node has no stage; add stage = NAME with one of: add, analyse, beam, sink, "
    "source, split, aberrate, anafast, catalogue-spectra, cross-spectra, deflection, delens, "
    "iqu2teb, lensed-sky, magnification, masked-spectra, observed-sky, read-camb, smoothing, "
    "synfast, teb2iqu, two-point" },
  { "misspelt-group", "[variabels]\na = 1\n" SKY,
    "f:1:2: [variabels]: the node has no stage; did you mean [variables]?" },
  { "unknown-stage", "[sky]\nstage = sorce\nfile = a\n",
    "f:2:9: [sky] stage: unknown stage \"sorce\"; did you mean \"source\"? (stages: add, analyse, "
    "beam, sink, source, split, aberrate, anafast, catalogue-spectra, cross-spectra, deflection, "
    "delens, iqu2teb, lensed-sky, magnification, masked-spectra, observed-sky, read-camb, "
    "smoothing, synfast, teb2iqu, two-point)" },
  { "stage-varies", "[sky]\nstage = source${index}\n", "f:2:9: [sky] stage: stages and conn..." },
  { "unknown-key", SKY "[a]\nstage = analyse\nmap = sky\nlmx = 3\n",
    "f:7:1: [a] lmx: analyse has no such key; did you mean \"lmax\"? (keys: iterations, lmax, map, "
    "method, tolerance, weights)" },
  { "output-as-key", "[sky]\nstage = source\nfile = a\nmap = sky\n",
    "f:4:1: [sky] map: this is an output of source; to use it, connect an input to sky.map" },
  { "required", "[sky]\nstage = source\n",
    "f:1:2: [sky] file: source requires this key: name of the file" },
  { "required-misspelt", "[sky]\nstage = source\nfil = a\n",
    "f:3:1: [sky] fil: source has no such key; did you mean \"file\"? (keys: columns, file, hdu, "
    "seed)" },
  { "input-misspelt", SKY "[a]\nstage = analyse\nmpa = sky\n",
    "f:6:1: [a] mpa: analyse has no such key; did you mean \"map\"? (keys: iterations, lmax, map, "
    "method, tolerance, weights)" },
  { "swept-twice", "[workflow]\nsweep = sky.hdu: 1, 1\n" SKY
    "[o]\nstage = sink\nmap = sky\nfile = o${sky.hdu}\n",
    "f:2:9: [workflow] sweep: sky.hdu has the value 1 twice" },
  { "definition-alone", "[define a]\noutput o = b\n",
    "f:1:2: [define a]: the definition has no node; must have at least one group [a/NODE]" },
  { "empty-required", "[sky]\nstage = source\nfile =\n", "f:3:7: [sky] file: the value is empty" },
  { "undefined-variable", "[sky]\nstage = source\nfile = ${dta}/a\n[variables]\ndata = x\n",
    "f:3:8: [sky] file: unknown variable \"dta\"; did you mean \"data\"? (variables: data, index); "
    "define it in [variables] or with -D" },
  { "recursive-variable", "[sky]\nstage = source\nfile = ${a}\n[variables]\na = ${b}\nb = ${a}\n",
    "f:5:5: [variables] a: variables refer to each other: a -> b -> a" },
  { "bad-escape", "[sky]\nstage = source\nfile = C:\\data\n",
    "f:3:8: [sky] file: a backslash begins an escape..." },
  { "not-whole", SKY "hdu = 1.5\n",
    "f:4:7: [sky] hdu: \"1.5\" is not a whole number; allowed: 1 to 99" },
  { "empty-whole", SKY "hdu =\n",
    "f:4:6: [sky] hdu: \"\" is not a whole number; allowed: 1 to 99" },
  { "int-range", SKY "hdu = 0\n", "f:4:7: [sky] hdu: 0 is out of range; allowed: 1 to 99" },
  { "int-overflow", SKY "hdu = 4294967297\n",
    "f:4:7: [sky] hdu: 4294967297 is out of range; allowed: 1 to 99" },
  { "uint64-negative", SKY "seed = -1\n",
    "f:4:8: [sky] seed: -1 is out of range; allowed: at least 0" },
  { "uint64-overflow", SKY "seed = 18446744073709551616\n",
    "f:4:8: [sky] seed: 18446744073709551616 is out of range; allowed: at least 0" },
  { "bad-list", SKY "columns = a;\\x\n", "f:4:11: [sky] columns: a backslash begins..." },
  { "choice", SKY "[a]\nstage = analyse\nmap = sky\nmethod = jakobi\n",
    "f:7:10: [a] method: \"jakobi\" is not one of the choices; did you mean \"jacobi\"? "
    "(allowed: jacobi, conjugate-gradients)" },
  { "boolean", SKY "[a]\nstage = analyse\nmap = sky\nweights = 1\n",
    "f:7:11: [a] weights: \"1\" is neither true nor false" },
  { "double-range", SKY "[a]\nstage = analyse\nmap = sky\ntolerance = 0\n",
    "f:7:13: [a] tolerance: 0 is out of range; allowed: more than 0, at most 1" },
  { "no-unit", SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = a\nfwhm = 10\n",
    "f:10:8: [b] fwhm: ..." },
  { "wrong-unit", SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = a\nfwhm = 10 s\n",
    "f:10:8: [b] fwhm: ..." },
  { "angle-range",
    SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = a\nfwhm = 200 deg\n",
    "f:10:8: [b] fwhm: 200 deg is out of range; allowed: 0 deg to 180 deg" },
  { "unknown-node", SKY "[a]\nstage = analyse\nmap = sy\n",
    "f:6:7: [a] map: no node \"sy\"; did you mean \"sky\"? (nodes: sky, a)" },
  { "unknown-port", SKY "[h]\nstage = split\nmap = sky\n[a]\nstage = analyse\nmap = h.nort\n",
    "f:9:7: [a] map: node h (split) has no output \"nort\"; did you mean \"north\"? (outputs: "
    "north, south)" },
  { "which-port", SKY "[h]\nstage = split\nmap = sky\n[a]\nstage = analyse\nmap = h\n",
    "f:9:7: [a] map: node h has several outputs; write h.PORT with one of: north, south" },
  { "no-output", SKY "[o]\nstage = sink\nmap = sky\nfile = o\n[a]\nstage = analyse\nmap = o\n",
    "f:10:7: [a] map: node o has no output: stage sink has none" },
  { "kind", SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = sky\n",
    "f:9:7: [b] alm: this input accepts data of kind samplealm, but node sky (source) outputs "
    "samplemap; nodes that fit: a" },
  { "kind-none", SKY "[b]\nstage = beam\nalm = sky\n",
    "f:6:7: [b] alm: this input accepts data of kind samplealm, but node sky (source) outputs "
    "samplemap; no node of the workflow fits" },
  { "not-connected", SKY "[h]\nstage = split\nmap = sky\n[a]\nstage = analyse\n",
    "f:7:2: [a] map: input of analyse is not connected; add map = NODE, a node with "
    "an output of kind samplemap: sky, h.north, h.south" },
  { "connected-twice", SKY "[a]\nstage = analyse\nmap = sky\nmap = sky\n",
    "f:7:1: [a] map: duplicate key, also in line 6; remove one of the two" },
  { "connection-list", SKY "[a]\nstage = analyse\nmap = sky, sky\n",
    "f:6:7: [a] map: an input accepts one connection, node or node.port, not a list" },
  { "connection-empty", SKY "[a]\nstage = analyse\nmap =\n",
    "f:6:6: [a] map: a connection must have the form node or node.port" },
  { "connection-dots", SKY "[a]\nstage = analyse\nmap = sky.map.x\n",
    "f:6:7: [a] map: a connection must have the form node or node.port" },
  { "connection-varies", SKY "[a]\nstage = analyse\nmap = sky${index}\n",
    "f:6:7: [a] map: stages and connections must be the same..." },
  { "self", "[a]\nstage = split\nmap = a.north\n",
    "f:3:7: [a] map: the connections form a circle: a -> a" },
  { "circle",
    SKY "[a]\nstage = add\na = sky\nb = c\n[b]\nstage = split\nmap = a\n[c]\nstage = add\n"
        "a = b.north\nb = sky\n",
    "f:10:7: [b] map: the connections form a circle: b -> c -> a -> b" },
  { "same-file", SKY "[o]\nstage = sink\nmap = sky\nfile = o\n[p]\nstage = sink\nmap = sky\n"
    "file = ./o\n",
    "f:11:8: [p] file: node o writes this file already" },
  { "same-file-repeated", "[workflow]\nrepeat = 2\n" SKY "hdu = ${index}1\n"
    "[o]\nstage = sink\nmap = sky\nfile = o\n",
    "f:10:8: [o] file: every realisation would write this file; put ${index} into its name" },
  { "realisation", "[workflow]\nrepeat = 200\n" SKY "hdu = ${index}1\n"
    "[o]\nstage = sink\nmap = sky\nfile = o${index}\n",
    "f:6:7: [sky] hdu: in realisation 10: 101 is out of range; allowed: 1 to 99" },
  { "expression", "[variables]\nn = 3 + 2\n" SKY "hdu = 30*${n} + 1\n",
    "f:6:7: [sky] hdu: 30*(3 + 2) + 1: 151 is out of range; allowed: 1 to 99" },
  { "expression-not-whole", "[variables]\nn = 3\n" SKY "hdu = ${n} / 2\n",
    "f:6:7: [sky] hdu: 3 / 2 is 1.5; must be an integer; use rint(), floor() or ceil()" },
  { "expression-unknown", SKY "hdu = 3*nside\n",
    "f:4:7: [sky] hdu: \"3*nside\" cannot be computed: unknown \"nside\" at character 3; "
    "there are..." },
  { "expression-unit", SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = a\n"
    "fwhm = 2*10\n",
    "f:10:8: [b] fwhm: \"2*10\" has no unit; numbers in it take one of: rad, deg, arcmin, arcsec" },
  { "expression-angle-range", SKY "[a]\nstage = analyse\nmap = sky\n[b]\nstage = beam\nalm = a\n"
    "fwhm = 2*100 deg\n",
    "f:10:8: [b] fwhm: 2*100 deg: 200 deg is out of range; allowed: 0 deg to 180 deg" },
  { "expression-repeat", "[workflow]\nrepeat = 2*0.6\n" SKY,
    "f:2:10: [workflow] repeat: 2*0.6 is 1.2; must be an integer..." },
};

static void
test_circle (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate (
    "f", "[a]\nstage = add\na = c\nb = c\n[b]\nstage = split\nmap = a\n[c]\nstage = analyse\n"
    "map = b.south\n[d]\nstage = split\nmap = d.north\n", NULL, &messages);

  /* c gives a_lm, so that its connection to a is wrong twice; the circle is gone with it. */
  g_assert_nonnull (strstr (messages, "f:3:5: [a] a: this input accepts data of kind samplemap"));
  g_assert_nonnull (strstr (messages, "f:13:7: [d] map: the connections form a circle: d -> d"));
  g_clear_pointer (&workflow, armilla_workflow_free);
  g_clear_pointer (&messages, g_free);
  workflow = sample_validate (
    "f", "[a]\nstage = add\na = c\nb = c\n[b]\nstage = split\nmap = a\n[c]\n"
    "stage = add\na = b.south\nb = b.north\n", NULL, &messages);
  /* One message for each connection that closes a circle; data flow along the arrows. */
  g_assert_cmpstr (messages, ==,
                   "f:7:7: [b] map: the connections form a circle: b -> c -> a -> b");
}

static void
test_long_circle (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = NULL;

  for (int i = 0; i < 4096; i++)
    g_string_append_printf (text, "[n%d]\nstage = add\na = n%d\nb = n%d\n", i, (i + 1) % 4096,
                            (i + 1) % 4096);
  workflow = sample_validate ("f", text->str, NULL, &messages);
  g_assert_nonnull (strstr (messages, "the connections form a circle: n4095 -> n4094 -> n4093 -> "
                                      "n4092 -> n4091 -> n4090 -> ... (4084 more) ... -> n5 -> n4 "
                                      "-> n3 -> n2 -> n1 -> n0 -> n4095\n"));
}

static void
test_order (void)
{
  static const char text[] = "[workflow]\nrepeat = 3\n[out]\nstage = sink\nmap = sum\n"
                             "file = o${index}\n[sum]\nstage = add\na = halves.south\nb = sky\n"
                             "[unused]\nstage = analyse\nmap = sky\n"
                             "[halves]\nstage = split\nmap = sky\n" SKY
                             "hdu = ${index}7\nseed = +3\ncolumns = a, b;c\n";
  static const char *const expected[] = { "sky", "halves", "sum", "out", "unused" };
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, NULL, &messages);
  const ArmillaNode *sum, *sky;
  g_auto (GValue) value = G_VALUE_INIT;
  const ArmillaSetting *hdu;

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpuint (workflow->order->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < workflow->order->len; i++)
    {
      int number = g_array_index (workflow->order, int, i);

      g_assert_cmpstr (armilla_workflow_node (workflow, number)->name, ==, expected[i]);
    }
  sum = armilla_workflow_node (workflow, 1);
  g_assert_cmpstr (armilla_workflow_node (workflow, sum->inputs[0].node)->name, ==, "halves");
  g_assert_cmpint (sum->inputs[0].port, ==, 1);
  g_assert_cmpstr (armilla_workflow_node (workflow, sum->inputs[1].node)->name, ==, "sky");
  sky = armilla_workflow_node (workflow, 4);
  hdu = &g_array_index (sky->settings, ArmillaSetting, 1);
  g_assert_true (hdu->varies);
  g_assert_true (armilla_workflow_value (workflow, hdu, 2, &value, NULL));
  g_assert_cmpint (g_value_get_int (&value), ==, 27);
}

static void
test_values (void)
{
  static const char text[] = SKY "[a]\nstage = analyse\nmap = sky\nlmax = 2048\niterations = 0\n"
                                 "method = conjugate-gradients\nweights = true\ntolerance = 1e-3\n"
                                 "[b]\nstage = beam\nalm = a.alm\nfwhm = 90 deg\n";
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, NULL, &messages);
  const ArmillaNode *a, *b;
  GValue value[6] = { G_VALUE_INIT };

  g_assert_cmpstr (messages, ==, "");
  a = armilla_workflow_node (workflow, 1);
  b = armilla_workflow_node (workflow, 2);
  for (guint i = 0; i < 5; i++)
    g_assert_true (armilla_workflow_value (
        workflow, &g_array_index (a->settings, ArmillaSetting, i), 0, &value[i], NULL));
  g_assert_true (armilla_workflow_value (
      workflow, &g_array_index (b->settings, ArmillaSetting, 0), 0, &value[5], NULL));
  g_assert_cmpint (g_value_get_int64 (&value[0]), ==, 2048);
  g_assert_cmpint (g_value_get_uint (&value[1]), ==, 0);
  g_assert_cmpint (g_value_get_enum (&value[2]), ==, 1);
  g_assert_true (g_value_get_boolean (&value[3]));
  g_assert_cmpfloat (g_value_get_double (&value[4]), ==, 1e-3);
  /* pi / 2 to a few units in the last place: the conversion may round twice. */
  g_assert_cmpfloat_with_epsilon (g_value_get_double (&value[5]), G_PI_2, 4e-16);
  for (guint i = 0; i < 6; i++)
    g_value_unset (&value[i]);
}

/* Numbers are computed, what variables stand for as if in parentheses; texts never are. */
static void
test_expressions (void)
{
  static const char text[] = "[variables]\nnside = 32 + 32\nten = 10\nunit = arcmin\n"
                             "[workflow]\nrepeat = 2 + 3\n"
                             "[sky]\nstage = source\nfile = 2*3-${ten}-${nside}\n"
                             "hdu = ${index} + 1\ncolumns = 1+1, ${ten}*2\n"
                             "[a]\nstage = analyse\nmap = sky\nlmax = 3*${nside} - 1\n"
                             "iterations = 1${ten}/2\ntolerance = 1/${ten}\n"
                             "[b]\nstage = beam\nalm = a\nfwhm = 2 * ${ten} ${unit}\n";
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", text, NULL, &messages);
  GValue value[7] = { G_VALUE_INIT };
  gsize n = 0;

  g_assert_cmpstr (messages, ==, "");
  g_assert_cmpint (workflow->repeat, ==, 5);
  for (int i = 0; i < 3; i++)
    for (guint j = 0; j < armilla_workflow_node (workflow, i)->settings->len; j++)
      g_assert_true (armilla_workflow_value (
          workflow,
          &g_array_index (armilla_workflow_node (workflow, i)->settings, ArmillaSetting, j), 4,
          &value[n++], NULL));
  g_assert_cmpstr (g_value_get_string (&value[0]), ==, "2*3-10-32 + 32");
  g_assert_cmpint (g_value_get_int (&value[1]), ==, 5);
  g_assert_cmpstr (((char **) g_value_get_boxed (&value[2]))[0], ==, "1+1");
  g_assert_cmpstr (((char **) g_value_get_boxed (&value[2]))[1], ==, "10*2");
  g_assert_cmpint (g_value_get_int64 (&value[3]), ==, 191);
  g_assert_cmpint (g_value_get_uint (&value[4]), ==, 55);
  g_assert_cmpfloat (g_value_get_double (&value[5]), ==, 0.1);
  g_assert_cmpfloat_with_epsilon (g_value_get_double (&value[6]), G_PI / 540, 1e-17);
  for (gsize i = 0; i < n; i++)
    g_value_unset (&value[i]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  sample_add_cases ("/validate", cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/validate/circles", test_circle);
  g_test_add_func ("/validate/long-circle", test_long_circle);
  g_test_add_func ("/validate/order", test_order);
  g_test_add_func ("/validate/values", test_values);
  g_test_add_func ("/validate/expressions", test_expressions);
  return g_test_run ();
}
