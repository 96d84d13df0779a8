/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of plugins: the good one, and each way of being no good. The modules are in
 * tests/plugins/. */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "plugins/base/registry.h"
#include "plugins/base/stage.h"
#include "tests/lib/idle-stage.h"

static char *
module_path (const char *name)
{
  g_autofree char *file = g_strconcat (name, "." G_MODULE_SUFFIX, NULL);

  return g_test_build_filename (G_TEST_BUILT, ".libs", file, NULL);
}

static void
assert_message (const GError *error, int code, const char *a, const char *b)
{
  g_assert_error (error, ARMILLA_ERROR, code);
  g_assert_nonnull (strstr (error->message, a));
  g_assert_nonnull (strstr (error->message, b));
}

static void
test_load (void)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = module_path ("toy");
  g_auto (GStrv) nicks = NULL;

  g_assert_null (armilla_registry_lookup (registry, "toy"));
  g_assert_true (armilla_registry_load_module (registry, path, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (armilla_registry_lookup (registry, "toy")->summary, ==, "Do nothing");
  g_assert_cmpstr (armilla_registry_origin (registry, "toy"), ==, path);
  nicks = armilla_registry_nicks (registry);
  g_assert_cmpuint (g_strv_length (nicks), ==, 1);
  g_assert_false (armilla_registry_load_module (registry, path, &error));
  assert_message (error, ARMILLA_ERROR_VALUE, path, "is loaded already");
}

/* The stages of another registry are found like own ones, and cannot be defined again. */
static void
test_base (void)
{
  g_autoptr (ArmillaRegistry) base = armilla_registry_new ();
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (ArmillaRegistry) other = armilla_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = module_path ("toy");
  g_auto (GStrv) nicks = NULL;

  g_assert_true (armilla_registry_load_module (base, path, &error));
  g_assert_true (armilla_registry_set_base (registry, base, &error));
  g_assert_no_error (error);
  g_assert_true (armilla_registry_lookup (registry, "toy")
                 == armilla_registry_lookup (base, "toy"));
  g_assert_cmpstr (armilla_registry_origin (registry, "toy"), ==, path);
  nicks = armilla_registry_nicks (registry);
  g_assert_cmpuint (g_strv_length (nicks), ==, 1);
  g_assert_false (armilla_registry_load_module (registry, path, &error));
  assert_message (error, ARMILLA_ERROR_VALUE, path, "a stage toy exists already");
  g_clear_error (&error);
  g_assert_true (armilla_registry_load_module (other, path, &error));
  g_assert_false (armilla_registry_set_base (other, base, &error));
  assert_message (error, ARMILLA_ERROR_VALUE, path, "a stage toy exists already");
}

static void
test_bad_modules (void)
{
  static const struct {
    const char *name;
    int code;
    const char *message;
  } cases[] = {
    { "other-abi", ARMILLA_ERROR_VALUE, "plugin interface 100" },
    { "no-descriptor", ARMILLA_ERROR_UNKNOWN, "armilla_plugin_desc" },
    { "loose-end", ARMILLA_ERROR_IO, "armilla_test_function_of_no_library" },
    { "not-there", ARMILLA_ERROR_IO, "cannot load plugin" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *path = module_path (cases[i].name);
      g_auto (GStrv) nicks = NULL;

      g_assert_false (armilla_registry_load_module (registry, path, &error));
      assert_message (error, cases[i].code, path, cases[i].message);
      nicks = armilla_registry_nicks (registry);
      g_assert_cmpuint (g_strv_length (nicks), ==, 0);
    }
}

/* The second of its types is refused, so the first is not there either. */
static void
test_half_module (void)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = module_path ("short-name");
  g_auto (GStrv) nicks = NULL;
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK); /* GObject complains */

  g_assert_false (armilla_registry_load_module (registry, path, &error));
  g_log_set_always_fatal (fatal);
  assert_message (error, ARMILLA_ERROR_VALUE, path,
                  "the name of a type must have 3 characters or more");
  nicks = armilla_registry_nicks (registry);
  g_assert_cmpuint (g_strv_length (nicks), ==, 0);
}

static void
test_folder (void)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  g_autofree char *text = g_build_filename (folder, "README", NULL);
  g_autofree char *bad = g_build_filename (folder, "bad." G_MODULE_SUFFIX, NULL);
  g_autofree char *beside = g_build_filename (folder, "toy." G_MODULE_SUFFIX, NULL);
  g_autofree char *built = module_path ("toy");
  g_autofree char *good = g_canonicalize_filename (built, NULL);

  g_assert_true (g_file_set_contents (text, "not a module\n", -1, NULL));
  g_assert_true (armilla_registry_load_folder (registry, folder, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (bad, "not a module\n", -1, NULL));
  /* Seen already: passed over. A new registry looks again. */
  g_assert_true (armilla_registry_load_folder (registry, folder, &error));
  g_clear_pointer (&registry, armilla_registry_free);
  registry = armilla_registry_new ();
  g_assert_cmpstr (armilla_registry_warnings (registry), ==, "");
  g_assert_cmpint (symlink (good, beside), ==, 0);
  g_assert_true (armilla_registry_load_folder (registry, folder, &error));
  g_assert_no_error (error);
  /* One module that is no good disables itself; the one after it is there. */
  g_assert_nonnull (strstr (armilla_registry_warnings (registry), "warning: cannot load plugin "));
  g_assert_nonnull (strstr (armilla_registry_warnings (registry), bad));
  g_assert_cmpstr (armilla_registry_origin (registry, "toy"), ==, beside);
  g_unlink (text);
  g_unlink (bad);
  g_unlink (beside);
  g_rmdir (folder);
  g_assert_false (armilla_registry_load_folder (registry, "/no/such/folder", &error));
  assert_message (error, ARMILLA_ERROR_IO, "/no/such/folder", "cannot search for plugins");
}

/* Stages with one mistake each, made from a table. */
typedef struct {
  const char *nick;
  const char *property;
  GParamFlags flags;
  ArmillaPort ports[3];
  const char *message;
} Mistake;

static GType
box_type (void)
{
  return G_TYPE_OBJECT;
}

static void
mistake_class_init (gpointer g_class, gpointer data)
{
  const Mistake *mistake = data;
  ArmillaStageClass *klass = g_class;

  idle_class (klass, mistake->nick, mistake->ports);
  if (mistake->property != NULL)
    g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
                                     g_param_spec_int (mistake->property, NULL, "a number", 0, 9,
                                                       0, mistake->flags));
}

static void
test_bad_classes (void)
{
  static const Mistake mistakes[] = {
    { "Upper", NULL, 0, { { NULL, NULL, 0, NULL } }, "nick" },
    { "clash", "map", G_PARAM_READWRITE,
      { { "map", box_type, ARMILLA_PORT_IN, "" } }, "port map has the name of a property" },
    { "twice", NULL, 0,
      { { "a", box_type, ARMILLA_PORT_IN, "" }, { "a", box_type, ARMILLA_PORT_OUT, "" } },
      "port a is declared twice" },
    { "both", NULL, 0, { { "a", box_type, ARMILLA_PORT_IN | ARMILLA_PORT_OUT, "" } },
      "either an input or an output" },
    { "no-type", NULL, 0, { { "a", NULL, ARMILLA_PORT_IN, "" } }, "has no type" },
    { "no-choice", NULL, 0, { { "a", box_type, ARMILLA_PORT_OUT | ARMILLA_PORT_OPTIONAL, "" } },
      "cannot be optional" },
    { "reserved", NULL, 0, { { "stage", box_type, ARMILLA_PORT_IN, "" } }, "port stage" },
    { "reserved-too", "stage", G_PARAM_READWRITE, { { NULL, NULL, 0, NULL } }, "property stage" },
    { "frozen", "n", G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY, { { NULL, NULL, 0, NULL } },
      "property n must be writable" },
  };
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      GTypeInfo info = { .class_size = sizeof (ArmillaStageClass),
                         .class_init = mistake_class_init,
                         .class_data = &mistakes[i],
                         .instance_size = sizeof (ArmillaStage) };
      g_autofree char *name = g_strdup_printf ("Mistake%" G_GSIZE_FORMAT, i);
      g_autoptr (GError) error = NULL;
      GType type = g_type_register_static (ARMILLA_TYPE_STAGE, name, &info, 0);

      g_assert_false (armilla_registry_add (registry, type, "here", &error));
      assert_message (error, ARMILLA_ERROR_VALUE, "here: stage ", mistakes[i].message);
    }
}

static void
test_not_a_stage (void)
{
  g_autoptr (ArmillaRegistry) registry = armilla_registry_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_registry_add (registry, G_TYPE_OBJECT, "here", &error));
  assert_message (error, ARMILLA_ERROR_VALUE, "here", "GObject is not a stage");
  g_clear_error (&error);
  g_assert_false (armilla_registry_add (registry, ARMILLA_TYPE_STAGE, "here", &error));
  assert_message (error, ARMILLA_ERROR_VALUE, "here", "ArmillaStage is not a stage");
}

static void
test_param_specs (void)
{
  GParamSpec *angle = armilla_param_spec_quantity ("fwhm", "width of the beam",
                                                   ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0.5);
  GParamSpec *file = armilla_param_spec_set_flags (
      g_param_spec_string ("file", NULL, "a file", NULL, ARMILLA_PARAM_RW),
      ARMILLA_PROPERTY_REQUIRED);

  g_assert_true (G_IS_PARAM_SPEC_DOUBLE (angle));
  g_assert_cmpint (armilla_param_spec_dimension (angle), ==, ARMILLA_DIMENSION_ANGLE);
  g_assert_cmpint (armilla_param_spec_dimension (file), ==, ARMILLA_DIMENSION_NONE);
  g_assert_false (armilla_param_spec_is_required (angle));
  g_assert_true (armilla_param_spec_is_required (file));
  g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (angle)->maximum, ==, G_PI);
  g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (angle)->default_value, ==, 0.5);
  g_param_spec_sink (angle);
  g_param_spec_sink (file);
}

/* A stage with a property of each kind. */
struct _KindsStage {
  ArmillaStage parent_instance;
  gboolean yes;
  int whole;
  gint64 wide;
  guint64 bits;
  double real, angle;
  enum { KIND_A, KIND_B } kind;
  struct {
    char *text, *maybe;
  } part;
};

ARMILLA_DEFINE_STAGE (KindsStage, kinds_stage, KINDS, STAGE)

static const char *const kinds[] = { [KIND_A] = "a", [KIND_B] = "b", NULL };

static const ArmillaProperty properties[] = {
  { "yes", ARMILLA_BOOLEAN (KindsStage, yes, TRUE), "a boolean" },
  { "whole", ARMILLA_INT (KindsStage, whole, -3, 3, -1), "an int" },
  { "wide", ARMILLA_INT64 (KindsStage, wide, G_MININT64, G_MAXINT64, -1), "a gint64" },
  { "bits", ARMILLA_UINT64 (KindsStage, bits, 1, G_MAXUINT64, G_MAXUINT64 - 1), "a guint64" },
  { "real", ARMILLA_DOUBLE (KindsStage, real, 0, 1, 0.25), "a double" },
  { "angle", ARMILLA_QUANTITY (KindsStage, angle, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 1), "an angle",
    ARMILLA_PROPERTY_REQUIRED },
  { "kind", ARMILLA_ENUM (KindsStage, kind, kinds, KIND_B), "an enumeration" },
};

/* Members of a part are found from its beginning. */
typedef struct {
  char *text, *maybe;
} Part;

static const ArmillaProperty of_part[] = {
  { "text", ARMILLA_TEXT (Part, text, "default"), "a text" },
  { "maybe", ARMILLA_TEXT (Part, maybe, NULL), "a file", ARMILLA_PROPERTY_INPUT_FILE },
};

static void
kinds_stage_class_init (KindsStageClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  armilla_stage_install (stage, G_STRUCT_OFFSET (KindsStage, part), of_part,
                         G_N_ELEMENTS (of_part));
}

static void
test_properties (void)
{
  g_autoptr (KindsStage) self = g_object_new (kinds_stage_get_type (), "whole", 2, NULL);
  g_autofree GParamSpec **specs = NULL;
  g_autofree char *text = NULL;
  guint n;

  /* In the order of the tables; what was given to g_object_new () is not its default. */
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (self), &n);
  g_assert_cmpuint (n, ==, 9);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (specs[i]->name, ==, i < 7 ? properties[i].name : of_part[i - 7].name);
  g_assert_true (armilla_param_spec_is_required (specs[5]));
  g_assert_cmpint (armilla_param_spec_dimension (specs[5]), ==, ARMILLA_DIMENSION_ANGLE);
  g_assert_false (armilla_param_spec_is_required (specs[4]));
  g_assert_true (armilla_param_spec_is_input_file (specs[8]));
  g_assert_true (armilla_param_spec_names_input (specs[8], "12"));
  g_assert_false (armilla_param_spec_names_input (specs[8], ""));
  g_assert_false (armilla_param_spec_names_input (specs[7], "a.fits"));
  g_assert_cmpuint (G_PARAM_SPEC_UINT64 (specs[3])->maximum, ==, G_MAXUINT64);
  g_assert_true (self->yes && self->kind == KIND_B && self->wide == -1);
  g_assert_cmpint (self->whole, ==, 2);
  g_assert_cmpuint (self->bits, ==, G_MAXUINT64 - 1);
  g_assert_cmpfloat (self->real + self->angle, ==, 1.25);
  g_assert_cmpstr (self->part.text, ==, "default");
  g_assert_null (self->part.maybe);

  g_assert_true (armilla_stage_given (self, "whole"));
  g_assert_false (armilla_stage_given (self, "real") || armilla_stage_given (self, "text"));
  g_object_set (self, "yes", FALSE, "real", 0.25, "kind", KIND_A, "text", NULL, "maybe", "x",
                NULL);
  g_assert_true (armilla_stage_given (self, "real") && armilla_stage_given (self, "maybe"));
  g_assert_false (armilla_stage_given (self, "text"));
  g_assert_false (self->yes || self->kind != KIND_A);
  g_assert_cmpstr (self->part.text, ==, "");
  g_object_get (self, "maybe", &text, NULL);
  g_assert_cmpstr (text, ==, "x");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/registry/load", test_load);
  g_test_add_func ("/registry/base", test_base);
  g_test_add_func ("/registry/bad-modules", test_bad_modules);
  g_test_add_func ("/registry/half-module", test_half_module);
  g_test_add_func ("/registry/folder", test_folder);
  g_test_add_func ("/registry/bad-classes", test_bad_classes);
  g_test_add_func ("/registry/not-a-stage", test_not_a_stage);
  g_test_add_func ("/registry/param-specs", test_param_specs);
  g_test_add_func ("/registry/properties", test_properties);
  return g_test_run ();
}
