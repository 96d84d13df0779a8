/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzing of the workflow reader and validator.
 *
 * As it is built by make check it mutates a few texts, the same way for the same seed:
 *   tests/fuzz/fuzz-workflow [RUNS [SEED]]
 * With clang -fsanitize=fuzzer,address,undefined -DARMILLA_LIBFUZZER it is a libFuzzer target.
 *
 * An input is a workflow text; what follows bytes 0x1e are overrides: "s" or "D", then the text of
 * --set or -D. Beyond not crashing, what is accepted must hold together. */
#include <string.h>

#include "tests/fuzz/text-mutate.h"
#include "tests/lib/sample-stages.h"
#include "workflows/file/load.h"
#include "workflows/file/passes.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static void
check_links (const ArmillaWorkflow *workflow, const ArmillaNode *node, const gboolean *built)
{
  for (int i = 0; i < node->n_inputs; i++)
    {
      const ArmillaPort *in = armilla_stage_port (node->klass, ARMILLA_PORT_IN, i);
      const ArmillaLink *link = &node->inputs[i];
      const ArmillaPort *out;

      REQUIRE (link->node >= 0 || (in->flags & ARMILLA_PORT_OPTIONAL));
      if (link->node < 0)
        continue;
      REQUIRE (built[link->node]);
      out = armilla_stage_port (armilla_workflow_node (workflow, link->node)->klass,
                                ARMILLA_PORT_OUT, link->port);
      REQUIRE (out != NULL && g_type_is_a (out->get_type (), in->get_type ()));
    }
}

static void
check_values (const ArmillaWorkflow *workflow, const ArmillaNode *node)
{
  for (guint i = 0; i < node->settings->len; i++)
    {
      g_auto (GValue) first = G_VALUE_INIT;
      g_auto (GValue) last = G_VALUE_INIT;
      const ArmillaSetting *setting = &g_array_index (node->settings, ArmillaSetting, i);

      REQUIRE (armilla_workflow_value (workflow, setting, 0, &first, NULL));
      REQUIRE (armilla_workflow_value (workflow, setting, workflow->repeat - 1, &last, NULL));
      REQUIRE (!g_param_value_validate (setting->pspec, &first));
      REQUIRE (!g_param_value_validate (setting->pspec, &last));
    }
}

static void
check_accepted (const ArmillaWorkflow *workflow)
{
  g_autofree gboolean *built = g_new0 (gboolean, workflow->nodes->len + 1);

  REQUIRE (workflow->nodes->len > 0 && workflow->order->len == workflow->nodes->len);
  for (guint i = 0; i < workflow->order->len; i++)
    {
      int number = g_array_index (workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (workflow, number);

      REQUIRE (!built[number] && node->klass != NULL);
      check_links (workflow, node, built);
      check_values (workflow, node);
      built[number] = TRUE;
    }
}

/* Cuts the overrides off the end of an input; returns the length of the text. */
static size_t
take_overrides (const guint8 *data, size_t size, GPtrArray *set, GPtrArray *define)
{
  const guint8 *end = memchr (data, 0x1e, size);
  size_t length = end != NULL ? (size_t) (end - data) : size;

  while (end != NULL)
    {
      size_t left = size - (end + 1 - data);
      const guint8 *next = memchr (end + 1, 0x1e, left);
      size_t n = next != NULL ? (size_t) (next - end - 1) : left;

      if (n > 0)
        g_ptr_array_add (end[1] == 's' ? set : define, g_strndup ((const char *) end + 2, n - 1));
      end = next;
    }
  g_ptr_array_add (set, NULL);
  g_ptr_array_add (define, NULL);
  return length;
}

/* Returns whether the workflow was accepted. */
static gboolean
try_input (const guint8 *data, size_t size)
{
  static ArmillaRegistry *registry; /* made once; a fuzzer calls this a million times */
  g_autoptr (GPtrArray) set = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) define = g_ptr_array_new_with_free_func (g_free);
  size_t length = size > 0 ? take_overrides (data, size, set, define) : 0;
  ArmillaOverrides overrides = { .set = (char **) set->pdata, .define = (char **) define->pdata };
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autoptr (ArmillaWorkflow) workflow = NULL;
  g_autofree char *text = NULL;
  gboolean valid;

  if (registry == NULL)
    registry = sample_registry_new ();
  workflow = armilla_workflow_parse ("f", (const char *) data, length, &overrides, problems);
  if (length > 0 && armilla_problems_count (problems) == 0)
    {
      g_autoptr (GKeyFile) key_file = g_key_file_new ();

      REQUIRE (g_key_file_load_from_data (key_file, (const char *) data, length, 0, NULL));
    }
  valid = armilla_workflow_validate (workflow, registry, problems);
  text = armilla_problems_text (problems);
  REQUIRE (valid == (*text == '\0'));
  if (valid)
    check_accepted (workflow);
  return valid;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  try_input (data, size);
  return 0;
}

#ifndef ARMILLA_LIBFUZZER
static const char *const seeds[] = {
  "[workflow]\ntitle = A\nrepeat = 3\n[variables]\nd = x\ne = ${d}/y\n[sky]\nstage = source\n"
  "file = ${e}.fits\nhdu = 2\nseed = ${index}\ncolumns = a;b\n[h]\nstage = analyse\nmap = sky\n"
  "lmax = 64\nmethod = jacobi\nweights = true\ntolerance = 1e-3\n[b]\nstage = beam\n"
  "alm = h\n"
  "fwhm = 10 deg\n[o]\nstage = sink\nmap = sky\nfile = o${index}\n\x1esworkflow.repeat=4\x1e"
  "Dd=z\x1esb.fwhm=1 rad",
  "[a]\nstage = add\na = s.north\nb = s.south\n[s]\nstage = split\nmap = z\n[z]\nstage = source\n"
  "file = f\n[o]\nstage = sink\nmap = a.sum\nfile = \\s\\t\\\\\n",
  "# c\n\n[x]\r\nstage=source\r\nfile=$$\r\n",
  "[variables]\nn = 3 + 1\n[workflow]\nrepeat = 2*2\n[sky]\nstage = source\nfile = a${index}\n"
  "hdu = min(2*${n}, 9) - 1\n[s]\nstage = soft\nmap = sky\nnside = ${n}/2\nfwhm = 2*5 arcmin\n"
  "[o]\nstage = sink\nmap = sky\nfile = o${index}\n[r]\nstage = source\nfile = ./o${index}\n"
  "[define soft]\nsummary = x\ninput map =\noutput alm = b\nparameter nside = 4\n"
  "parameter lmax = 3*${nside} - 1\nparameter fwhm = 1 deg + 2 rad/3\n"
  "[soft/a]\nstage = analyse\nmap = ${map}\nlmax = ${lmax}\n"
  "[soft/b]\nstage = beam\nalm = a\nfwhm = ${fwhm}\n[soft/c]\nonly-with = map\nstage = twice\n"
  "alm = b.smoothed\n[define twice]\ninput alm =\noutput x = b\n"
  "[twice/b]\nstage = beam\nalm = ${alm}\n\x1ess/a.iterations=2*3\x1ess.nside=5\x1e" "Dn=2",
  "[workflow]\nrepeat = 3\nsweep = b.fwhm: 5, 10 deg; n: 4, 4+4; h.lmax: 8\n[sky]\n"
  "stage = source\nfile = x\nhdu = ${n}\n[h]\nstage = analyse\nmap = sky\nlmax = 2*${n}\n[b]\n"
  "stage = beam\nalm = h\n[o]\nstage = sink\nmap = sky\n"
  "file = o-${b.fwhm}-${n}-${h.lmax}-${index}\n[r]\nstage = source\n"
  "file = o-${b.fwhm}-${n}-8-${index}\n",
  "[variables]\nn = 2\n[s]\neach = i: 1..${n}; j: ${i}+1..4, 7\nstage = soft\nmap = z\n"
  "lmax = ${j}\nk = ${i}\n[z]\nstage = source\nfile = x\n[o]\neach = name: a, b\nstage = sink\n"
  "map = z\nfile = o-${name}\n[define soft]\ninput map =\noutput alm = b\nparameter lmax =\n"
  "parameter k = 2\n[soft/a]\neach = m: 1..${k}\nstage = analyse\nmap = ${map}\n"
  "lmax = ${lmax} + ${m}\n[soft/b]\nstage = beam\nalm = a-1\n",
  NULL
};
static const char *const tokens[] = {
  "[", "]", "=", "\n", "\r\n", "#", " #", "${", "}", "$$", "${index}", "${d}", "\\", "\\s", ";",
  ",", ".", "\x1es", "\x1e" "D", "[workflow]\n", "[variables]\n", "stage = ", "source", "add",
  "map = ", "alm", "a = s\n", "lmax = ", "-1", "99999999999999999999", "1e999", "nan", "0x10",
  " deg", " arcmin", "repeat = 1000000\n",
  "sweep = b.fwhm: 5, 10 deg\n", "n: 1, 2; ", "${b.fwhm}", "${h.lmax}", ": ",
  "each = i: 1..3\n", "; j: ${i}..", "${i}", "..", "a-1", "stage = soft\neach = ",
  "[define soft]\n", "[soft/a]\n", "input map =\n", "output alm = b\n", "parameter lmax = ",
  "stage = soft\n", "stage = twice\n", "${lmax}", "${map}", "only-with = ", "include = f\n", "(",
  ")", "*", "^", " + ", " - ", "sqrt(", "pi", "1e400", " ? 1 : 2", "s/a", "true",
  "\xc3\xa9", "\xff", "\xed\xa0\x80", "\t", NULL
};

int
main (int argc, char *argv[])
{
  /* Texts that are not damaged are an eighth. */
  const TextFuzz fuzz = { "workflows", 100000, seeds, tokens, 8, 10, try_input };

  return text_fuzz (&fuzz, argc, argv);
}
#endif
