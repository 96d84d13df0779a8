/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that are only names, ports and properties, for tests of what workflow files say. */
#include "tests/lib/sample-stages.h"

#include <string.h>

#include "plugins/base/stage.h"
#include "tests/lib/idle-stage.h"
#include "workflows/file/load.h"

typedef enum { METHOD_JACOBI, METHOD_CONJUGATE_GRADIENTS } Method;

static GType
method_type (void)
{
  static const GEnumValue values[] = {
    { METHOD_JACOBI, "METHOD_JACOBI", "jacobi" },
    { METHOD_CONJUGATE_GRADIENTS, "METHOD_CONJUGATE_GRADIENTS", "conjugate-gradients" },
    { 0, NULL, NULL },
  };
  GType type = g_type_from_name ("SampleMethod");

  return type != 0 ? type : g_enum_register_static ("SampleMethod", values);
}

static GType
data_type (const char *name)
{
  static const GTypeInfo info = { .class_size = sizeof (GObjectClass),
                                  .instance_size = sizeof (GObject) };
  GType type = g_type_from_name (name);

  return type != 0 ? type : g_type_register_static (G_TYPE_OBJECT, name, &info, 0);
}

static GType
map_type (void)
{
  return data_type ("SampleMap");
}

static GType
alm_type (void)
{
  return data_type ("SampleAlm");
}

static GType
cl_type (void)
{
  return data_type ("SampleCl");
}

static const ArmillaPort source_ports[] = {
  { "map", map_type, ARMILLA_PORT_OUT, "a map" },
  { NULL, NULL, 0, NULL },
};
static const ArmillaPort analyse_ports[] = {
  { "map", map_type, ARMILLA_PORT_IN, "a map" },
  { "alm", alm_type, ARMILLA_PORT_OUT, "its coefficients" },
  { NULL, NULL, 0, NULL },
};
static const ArmillaPort beam_ports[] = {
  { "alm", alm_type, ARMILLA_PORT_IN, "coefficients" },
  { "window", cl_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "a window" },
  { "smoothed", alm_type, ARMILLA_PORT_OUT, "smoothed coefficients" },
  { NULL, NULL, 0, NULL },
};
static const ArmillaPort split_ports[] = {
  { "map", map_type, ARMILLA_PORT_IN, "a map" },
  { "north", map_type, ARMILLA_PORT_OUT, "one half" },
  { "south", map_type, ARMILLA_PORT_OUT, "the other half" },
  { NULL, NULL, 0, NULL },
};
static const ArmillaPort add_ports[] = {
  { "a", map_type, ARMILLA_PORT_IN, "a map" },
  { "b", map_type, ARMILLA_PORT_IN, "a map" },
  { "sum", map_type, ARMILLA_PORT_OUT, "their sum" },
  { NULL, NULL, 0, NULL },
};
static const ArmillaPort sink_ports[] = {
  { "map", map_type, ARMILLA_PORT_IN, "a map" },
  { NULL, NULL, 0, NULL },
};

static void
source_properties (GParamSpec **p)
{
  p[0] = armilla_param_spec_set_flags (
      g_param_spec_string ("file", NULL, "name of the file", NULL, ARMILLA_PARAM_RW),
      ARMILLA_PROPERTY_REQUIRED);
  p[1] = g_param_spec_int ("hdu", NULL, "number of the extension", 1, 99, 1, ARMILLA_PARAM_RW);
  p[2] = g_param_spec_uint64 ("seed", NULL, "seed", 0, G_MAXUINT64, 0, ARMILLA_PARAM_RW);
  p[3] = g_param_spec_boxed ("columns", NULL, "names of columns", G_TYPE_STRV, ARMILLA_PARAM_RW);
}

static void
analyse_properties (GParamSpec **p)
{
  p[0] = g_param_spec_int64 ("lmax", NULL, "highest degree", 0, 16384, 64, ARMILLA_PARAM_RW);
  p[1] = g_param_spec_uint ("iterations", NULL, "iterations", 0, 100, 3, ARMILLA_PARAM_RW);
  p[2] = g_param_spec_enum ("method", NULL, "method", method_type (), METHOD_JACOBI,
                            ARMILLA_PARAM_RW);
  p[3] = g_param_spec_boolean ("weights", NULL, "use ring weights", FALSE, ARMILLA_PARAM_RW);
  p[4] = g_param_spec_double ("tolerance", NULL, "tolerance", G_MINDOUBLE, 1, 1e-10,
                              ARMILLA_PARAM_RW);
}

static void
beam_properties (GParamSpec **p)
{
  p[0] = armilla_param_spec_quantity ("fwhm", "width of the beam", ARMILLA_DIMENSION_ANGLE, 0,
                                      G_PI, 0);
}

static void
sink_properties (GParamSpec **p)
{
  p[0] = armilla_param_spec_set_flags (
      g_param_spec_string ("file", NULL, "name of the file", NULL, ARMILLA_PARAM_RW),
      ARMILLA_PROPERTY_REQUIRED);
}

typedef struct {
  const char *nick;
  const ArmillaPort *ports;
  void (*properties) (GParamSpec **p);
} Sample;

static const Sample samples[] = {
  { "source", source_ports, source_properties }, { "analyse", analyse_ports, analyse_properties },
  { "beam", beam_ports, beam_properties },       { "split", split_ports, NULL },
  { "add", add_ports, NULL },                    { "sink", sink_ports, sink_properties },
};

static void
sample_class_init (gpointer g_class, gpointer data)
{
  const Sample *sample = data;
  ArmillaStageClass *klass = g_class;
  GParamSpec *p[8] = { NULL };

  idle_class (klass, sample->nick, sample->ports);
  if (sample->properties != NULL)
    sample->properties (p);
  for (guint i = 0; p[i] != NULL; i++)
    g_object_class_install_property (G_OBJECT_CLASS (klass), i + 1, p[i]);
}

ArmillaRegistry *
sample_registry_new (void)
{
  ArmillaRegistry *registry = armilla_registry_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      GTypeInfo info = { .class_size = sizeof (ArmillaStageClass),
                         .class_init = sample_class_init,
                         .class_data = &samples[i],
                         .instance_size = sizeof (ArmillaStage) };
      g_autofree char *name = g_strconcat ("Sample-", samples[i].nick, NULL);
      g_autoptr (GError) error = NULL;
      GType type = g_type_from_name (name);

      if (type == 0)
        type = g_type_register_static (ARMILLA_TYPE_STAGE, name, &info, 0);
      if (!armilla_registry_add (registry, type, "sample", &error))
        g_error ("%s", error->message);
    }
  return registry;
}

ArmillaWorkflow *
sample_validate (const char *path, const char *text, const ArmillaOverrides *overrides,
                 char **messages)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autoptr (ArmillaRegistry) registry = sample_registry_new ();
  ArmillaWorkflow *workflow = armilla_workflow_parse (path, text, strlen (text), overrides,
                                                      problems);
  gboolean valid = armilla_workflow_validate (workflow, registry, problems);

  *messages = armilla_problems_text (problems);
  g_assert_cmpint (valid, ==, **messages == '\0');
  return workflow;
}

void
sample_assert_message (const char *messages, const char *expected)
{
  const char *dots = strstr (expected, "...");
  gsize length = dots != NULL ? (gsize) (dots - expected) : strlen (expected) + 1;

  if (strncmp (messages, expected, length) != 0 || (dots != NULL && strchr (messages, '\n')))
    g_error ("expected \"%s\", got \"%s\"", expected, messages);
}

static void
test_case (gconstpointer data)
{
  const SampleCase *c = data;
  g_autofree char *messages = NULL;
  g_autoptr (ArmillaWorkflow) workflow = sample_validate ("f", c->text, NULL, &messages);

  sample_assert_message (messages, c->message);
}

void
sample_add_cases (const char *folder, const SampleCase *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_build_path ("/", folder, cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
}
