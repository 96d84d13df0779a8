/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs stages that were put together at random: one to six of them and what these need, linked by
 * the type of their ports, with random values of all their properties, on tiny maps, a_lm, spectra
 * and catalogues. The registry says what there is, so that a new stage is tried as soon as it is
 * there. tests/fuzz/cases.h says how to repeat one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugins/base/stage.h"
#include "tests/fuzz/cases.h"
#include "tests/fuzz/inputs.h"

enum { DONE, FAILED, REFUSED };

typedef struct {
  GString *text;
  GRand *random;
  GPtrArray *outputs; /* names of what can be linked to: node.port */
  GArray *types;      /* their GTypes */
  int n_nodes, n_files;
  int depth;
  int wild; /* properties a stage that are set without need, about twice as many */
} Builder;

static ArmillaRegistry *registry;
static char **nicks;

static const char *
pick (GRand *random, const char *const *words)
{
  return words[fuzz_below (random, g_strv_length ((char **) words))];
}

/* Mostly small, so that work is; sometimes an end of the range, or what no machine can do. What one
 * could do in an hour is left out. */
static gint64
random_integer (GRand *random, gint64 min, gint64 max)
{
  gint64 value;

  switch (fuzz_below (random, 24))
    {
    case 0:
      return min;
    case 1:
      return max;
    case 2:
      value = (gint64) pow (10, fuzz_below (random, 2) == 0 ? fuzz_below (random, 4)
                                                        : 9 + fuzz_below (random, 9));
      break;
    case 3:
      value = G_GINT64_CONSTANT (1) << (fuzz_below (random, 2) == 0 ? fuzz_below (random, 11)
                                                                    : 30 + fuzz_below (random, 32));
      break;
    case 4:
    case 5:
      value = (gint64) 1 << fuzz_below (random, 4);
      break;
    default:
      value = (gint64) fuzz_below (random, 26) - 1;
    }
  return CLAMP (value, min, max);
}

static void
add_double (Builder *b, GParamSpecDouble *spec, GParamSpec *pspec)
{
  static const double some[] = { 0, 1, -1, 0.5, 2, 1e-3, 1e-10, 10, 100, 1e-300, 1e300 };
  double value;

  switch (fuzz_below (b->random, 6))
    {
    case 0:
      value = spec->minimum;
      break;
    case 1:
      value = spec->maximum;
      break;
    case 2:
      value = some[fuzz_below (b->random, G_N_ELEMENTS (some))];
      break;
    default:
      value = CLAMP (spec->minimum, -1e3, 1e3);
      value += g_rand_double (b->random) * (CLAMP (spec->maximum, -1e3, 1e3) - value);
    }
  g_string_append_printf (b->text, "%.17g", CLAMP (value, spec->minimum, spec->maximum));
  if (armilla_param_spec_dimension (pspec) == ARMILLA_DIMENSION_ANGLE)
    g_string_append (b->text, " rad");
  if (armilla_param_spec_dimension (pspec) == ARMILLA_DIMENSION_BYTES)
    g_string_append (b->text, " B");
  if (armilla_param_spec_dimension (pspec) == ARMILLA_DIMENSION_TIME)
    g_string_append (b->text, " s");
}

static void
add_file (Builder *b, const ArmillaStageClass *klass)
{
  static const char *const ends[] = { ".fits", ".fits.gz", ".ecsv", ".png", ".svg", ".pdf", NULL };
  static const char *const kinds[] = { "map", "alm", "cl", "objects", "profile", "missing", NULL };
  const char *kind = pick (b->random, kinds);

  for (const char *const *k = kinds; *k != NULL; k++)
    if (g_str_has_suffix (klass->nick, *k) && fuzz_below (b->random, 30) > 0)
      kind = *k;
  if (g_str_has_suffix (klass->nick, "catalogue") && fuzz_below (b->random, 30) > 0)
    kind = "objects";
  if (g_str_has_prefix (klass->nick, "read-"))
    {
      g_autofree char *name = fuzz_input (kind, b->random);

      g_string_append (b->text, name);
    }
  else
    {
      gboolean picture = g_str_has_prefix (klass->nick, "render");
      const char *end = fuzz_below (b->random, 10) == 0 ? pick (b->random, ends)
                                                        : picture ? ".svg" : ".fits";

      g_string_append_printf (b->text, "out%d${index}%s", b->n_files++, end);
    }
}

/* Words that mean something to a property of this name. */
static const char *const *
words_of (const char *name)
{
  static const char *const columns[] = { "0", "1", "0, 1", "all", "2, 1", "0, 1, 2", "0, 1, 2, 3",
                                         "99", "TEMPERATURE", "ra", "dec", "w", "g1", "g2",
                                         "patch", "", NULL };
  static const char *const spins[] = { "auto", "0", "2", "0, 2, 2", "1, 1", "2, 2", "-1", NULL };
  static const char *const edges[] = { "0 deg, 10 deg, 60 deg", "1 deg, 180 deg", "0 rad, 3 rad",
                                       "1 deg, 1 deg", "5 deg", "", NULL };
  static const char *const centres[] = { "0 0", "30 45, 30 0", "0 90", "0 -90", "400 0", "", NULL };
  static const char *const units[] = { "deg", "rad", "arcmin", "h", "K", "", "\303\251", NULL };
  static const char *const weights[] = { "1", "1, -1", "0", "1e300, 1e300", "2", "x", "", NULL };
  static const char *const rules[] = { "compute", "4", "16", "", "missing", NULL };
  static const char *const titles[] = { "A title", "\316\251 <&>", "a, b", "", NULL };

  if (strcmp (name, "spin") == 0)
    return spins;
  if (strcmp (name, "edges") == 0)
    return edges;
  if (strcmp (name, "centres") == 0)
    return centres;
  if (g_str_has_suffix (name, "unit") || strcmp (name, "units") == 0)
    return units;
  if (strcmp (name, "weights") == 0)
    return weights;
  if (g_str_has_suffix (name, "-weights") || strcmp (name, "pixel-window") == 0)
    return rules;
  if (g_str_has_prefix (name, "title") || strcmp (name, "names") == 0)
    return titles;
  return columns;
}

static void
add_string (Builder *b, const ArmillaStageClass *klass, const char *name)
{
  if (strcmp (name, "file") == 0)
    add_file (b, klass);
  else if (strcmp (name, "table") == 0)
    g_string_append_printf (b->text, "table%d", (int) fuzz_below (b->random, 2));
  else if (strcmp (name, "beam") == 0 || strcmp (name, "profile") == 0
           || strcmp (name, "spectrum") == 0)
    {
      g_autofree char *file = fuzz_input (*name == 'p' ? "profile" : "cl", b->random);

      g_string_append (b->text, file);
    }
  else
    g_string_append (b->text, pick (b->random, words_of (name)));
}

static void
add_value (Builder *b, const ArmillaStageClass *klass, GParamSpec *pspec)
{
  gint64 integer;

  if (strstr (pspec->name, "iterations") != NULL)
    g_string_append_printf (b->text, "%d", (int) fuzz_below (b->random, 40));
  else if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    add_double (b, G_PARAM_SPEC_DOUBLE (pspec), pspec);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_string_append (b->text, g_rand_boolean (b->random) ? "true" : "false");
  else if (G_IS_PARAM_SPEC_ENUM (pspec))
    {
      GEnumClass *values = G_PARAM_SPEC_ENUM (pspec)->enum_class;

      g_string_append (b->text,
                       values->values[fuzz_below (b->random, values->n_values)].value_nick);
    }
  else if (G_IS_PARAM_SPEC_STRING (pspec))
    add_string (b, klass, pspec->name);
  else
    {
      integer = G_IS_PARAM_SPEC_INT (pspec)
                  ? random_integer (b->random, G_PARAM_SPEC_INT (pspec)->minimum,
                                    G_PARAM_SPEC_INT (pspec)->maximum)
                : G_IS_PARAM_SPEC_INT64 (pspec)
                  ? random_integer (b->random, G_PARAM_SPEC_INT64 (pspec)->minimum,
                                    G_PARAM_SPEC_INT64 (pspec)->maximum)
                  : random_integer (b->random, 0, G_MAXINT64);
      g_string_append_printf (b->text, "%" G_GINT64_FORMAT, integer);
    }
}

/* What a stage needs, or seldom does without: most nodes have it, so that most cases run. */
static const struct {
  const char *nick, *key, *values[4];
} needs[] = {
  { "alm2map", "nside", { "1", "2", "4", "8" } },
  { "convolve", "fwhm", { "100 deg", "40 deg", "60 deg", "90 deg" } },
  { "pair-correlation", "max", { "180 deg", "30 deg", "100 deg", "2 rad" } },
  { "pair-correlation", "min", { "1 deg", "0.1 deg", "10 deg", "1 arcsec" } },
  { "random-catalogue", "number", { "1", "8", "20", "50" } },
  { "read-catalogue", "latitude", { "1", "dec", "1", "1" } },
  { "read-catalogue", "latitude-unit", { "deg", "deg", "rad", "deg" } },
  { "read-catalogue", "longitude", { "0", "ra", "0", "0" } },
  { "read-catalogue", "longitude-unit", { "deg", "deg", "deg", "h" } },
  { "read-catalogue", "g1", { "3", "g1", "3", "3" } },
  { "read-catalogue", "g2", { "4", "g2", "4", "4" } },
  { "read-cl", "columns", { "0", "0", "all", "0, 1" } },
  { "resize-alm", "lmax", { "8", "4", "0", "12" } },
  { "rotate", "theta", { "30 deg", "0 deg", "180 deg", "1 rad" } },
  { "rotate-map", "theta", { "30 deg", "0 deg", "180 deg", "1 rad" } },
  { "render-patches", "centres", { "0 0", "30 45, 30 0", "0 90", "10 -90" } },
  { "render-patches", "width", { "50", "60", "100", "80" } },
  { "shear-correlation", "max", { "180 deg", "30 deg", "100 deg", "2 rad" } },
  { "shear-correlation", "min", { "1 deg", "0.1 deg", "10 deg", "1 arcsec" } },
  { "smooth-alm", "fwhm", { "10 deg", "40 deg", "0 deg", "180 deg" } },
  { "triple-correlation", "bins", { "1", "2", "3", "8" } },
  { "triple-correlation", "max", { "180 deg", "30 deg", "100 deg", "2 rad" } },
  { "triple-correlation", "min", { "1 deg", "0.1 deg", "10 deg", "1 arcsec" } },
  { "ud-grade", "nside", { "1", "2", "4", "8" } },
};

/* Returns whether the property was given a value that it usually has. */
static gboolean
add_need (Builder *b, const char *nick, const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (needs); i++)
    if (strcmp (needs[i].nick, nick) == 0 && strcmp (needs[i].key, key) == 0
        && fuzz_below (b->random, 10) > 0)
      {
        g_string_append_printf (b->text, "%s = %s\n", key,
                                needs[i].values[fuzz_below (b->random, 4)]);
        return TRUE;
      }
  return FALSE;
}

static void
add_properties (Builder *b, const ArmillaStageClass *klass)
{
  guint n;
  g_autofree GParamSpec **specs
    = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n);

  for (guint i = 0; i < n; i++)
    {
      gboolean needed = armilla_param_spec_is_required (specs[i]);

      if (add_need (b, klass->nick, specs[i]->name)
          || (!needed && (int) fuzz_below (b->random, 2 * n + 4) >= b->wild))
        continue;
      g_string_append_printf (b->text, "%s = ", specs[i]->name);
      add_value (b, klass, specs[i]);
      g_string_append_c (b->text, '\n');
    }
}

static const char *add_node (Builder *b, const ArmillaStageClass *klass);

static int
choose_port (Builder *b, const ArmillaStageClass *klass)
{
  int n = 0;

  while (klass->ports[n].name != NULL)
    n++;
  return (int) fuzz_below (b->random, (guint32) n);
}

/* An output of a type: one that is there, or of a new node. */
static const char *
find_output (Builder *b, GType type)
{
  g_autoptr (GPtrArray) fit = g_ptr_array_new ();
  const char *name = NULL;
  int tries = 0;

  for (guint i = 0; i < b->outputs->len; i++)
    if (g_type_is_a (g_array_index (b->types, GType, i), type))
      g_ptr_array_add (fit, b->outputs->pdata[i]);
  if (fit->len > 0 && (b->depth > 3 || fuzz_below (b->random, 4) > 0))
    return fit->pdata[fuzz_below (b->random, fit->len)];
  while (name == NULL)
    {
      const ArmillaStageClass *klass
        = armilla_registry_lookup (registry, pick (b->random, (const char *const *) nicks));
      gboolean gives = FALSE, takes = FALSE;

      for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
        {
          gives = gives || ((port->flags & ARMILLA_PORT_OUT)
                            && g_type_is_a (port->get_type (), type));
          takes = takes || (port->flags & (ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL))
                             == ARMILLA_PORT_IN;
        }
      /* Some types come from no stage that takes nothing. */
      if (!gives || (takes && b->depth > 2 && tries++ < 1000))
        continue;
      name = add_node (b, klass);
    }
  for (guint i = b->outputs->len; i-- > 0;)
    if (g_type_is_a (g_array_index (b->types, GType, i), type))
      return b->outputs->pdata[i];
  return name;
}

/* Adds a node, and those that it needs before it. */
static const char *
add_node (Builder *b, const ArmillaStageClass *klass)
{
  g_autoptr (GString) own = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("n%d", b->n_nodes++);
  /* of several inputs that may stay open most stages want one */
  const ArmillaPort *first = &klass->ports[choose_port (b, klass)];

  b->depth++;
  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    if ((port->flags & ARMILLA_PORT_IN)
        && (!(port->flags & ARMILLA_PORT_OPTIONAL) || port == first
            || fuzz_below (b->random, 4) == 0))
      g_string_append_printf (own, "%s = %s\n", port->name, find_output (b, port->get_type ()));
  b->depth--;
  g_string_append_printf (b->text, "[%s]\nstage = %s\n%s", name, klass->nick, own->str);
  add_properties (b, klass);
  for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
    if (port->flags & ARMILLA_PORT_OUT)
      {
        GType type = port->get_type ();

        g_ptr_array_add (b->outputs, g_strdup_printf ("%s.%s", name, port->name));
        g_array_append_val (b->types, type);
      }
  return "";
}

static void
add_head (Builder *b)
{
  static const char *const keys[] = { "repeat", "ring-block", "m-blocks", NULL };

  g_string_append (b->text, "[workflow]\ntitle = A case\n");
  for (const char *const *key = keys; *key != NULL; key++)
    if (fuzz_below (b->random, 8) == 0)
      g_string_append_printf (b->text, "%s = %d\n", *key, 1 + (int) fuzz_below (b->random, 4));
}

/* Adds a node and what it needs; takes them back where they could not run, which is by far the most
 * frequent case. One in sixteen stays as it is. Returns whether it stays. */
static gboolean
add_good_node (Builder *b)
{
  const ArmillaStageClass *klass
    = armilla_registry_lookup (registry, pick (b->random, (const char *const *) nicks));
  gsize length = b->text->len;
  guint n_outputs = b->outputs->len;

  add_node (b, klass);
  if (fuzz_below (b->random, 16) == 0 || fuzz_plan_text ("case.workflow", b->text->str) == 0)
    return TRUE;
  g_string_truncate (b->text, length);
  g_ptr_array_set_size (b->outputs, (int) n_outputs);
  g_array_set_size (b->types, n_outputs);
  return FALSE;
}

static char *
make_workflow (GRand *random)
{
  Builder b = { g_string_new (NULL), random, g_ptr_array_new_with_free_func (g_free),
                g_array_new (FALSE, FALSE, sizeof (GType)), 0, 0, 0, 0 };
  int n = 1 + (int) fuzz_below (random, 6);

  b.wild = (int) fuzz_below (random, 4);
  add_head (&b);
  for (int i = 0, tries = 0; i < n && tries < 40; tries++)
    i += add_good_node (&b);
  g_ptr_array_unref (b.outputs);
  g_array_unref (b.types);
  return g_string_free (b.text, FALSE);
}

static void
begin (void)
{
  fuzz_begin ();
  registry = fuzz_registry ();
  nicks = armilla_registry_nicks (registry);
}

static char *
try_case (guint64 number, GRand *random)
{
  g_autofree char *text = make_workflow (random);
  int status;

  (void) number;
  if (!g_file_set_contents ("case.workflow", text, -1, NULL))
    return g_strdup ("cannot write the case");
  status = fuzz_run_file ("case.workflow");
  fuzz_add (status == 0 ? DONE : status == 1 ? FAILED : REFUSED);
  return NULL;
}

static gboolean
keeps (const char *name)
{
  return g_str_has_prefix (name, "out") || g_str_has_prefix (name, "table")
         || strcmp (name, "case.workflow") == 0;
}

int
main (void)
{
  static const FuzzCases cases = { .name = "stages",
                                   .n = 100,
                                   .batch = 250,
                                   .seconds = 120,
                                   .set_up = fuzz_make_inputs,
                                   .begin = begin,
                                   .try_case = try_case,
                                   .keeps = keeps,
                                   .end = fuzz_end };
  int status;

  status = fuzz_run (&cases);
  printf ("# %" G_GUINT64_FORMAT " ran, %" G_GUINT64_FORMAT " failed, %" G_GUINT64_FORMAT
          " were refused\n", fuzz_count (DONE), fuzz_count (FAILED), fuzz_count (REFUSED));
  return status;
}
