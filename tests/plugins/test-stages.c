/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages while a workflow is prepared: what they are, what they refuse, what they describe. What
 * they compute is tested by test-workflows.sh. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <glib/gstdio.h>

#include <armilla/armilla.h>
#include "plugins/base/stage-util.h"
#include "plugins/builtin/builtin.h"

static const char *const all_nicks[] = {
  "adjoint-alm2points", "adjoint-lens", "alm2cl", "alm2map", "alm2points", "assign-patches",
  "bandpowers", "bin-catalogue", "catalogue2alm", "change-order", "collect", "combine",
  "convolve", "count-objects", "coupling", "covariance", "decouple", "distance-correlation",
  "expression", "filter-alm", "find-peaks", "gradient", "inverse-deflection", "joint-covariance",
  "kg-correlation", "kk-correlation", "lens", "map-statistics", "map2alm", "mask",
  "ng-correlation", "nk-correlation", "noise-map", "pair-correlation", "panel", "points2alm",
  "purify", "random-alm", "random-catalogue", "read-alm", "read-catalogue", "read-cl", "read-map",
  "read-matrix", "read-table", "remove-monopole", "render", "render-panels", "render-patches",
  "resize-alm", "rotate", "rotate-map", "sample-map", "select-rows", "set-fields",
  "shear-correlation", "smooth-alm", "stack", "sweep-table", "triple-correlation", "ud-grade",
  "wiener", "write-alm", "write-catalogue", "write-cl", "write-map", "write-matrix", "write-table",
  "write-two-point",
};

typedef struct {
  ArmillaRegistry *registry;
  ArmillaStageContext context;
  char *folder;
  ArmillaMap *map;   /* HEALPix, nside 4, one field */
  ArmillaMap *maps;  /* Gauss-Legendre, 9 x 20, two fields */
  ArmillaAlm *alm;   /* lmax 8, mmax 5 */
  ArmillaCl *cl;     /* one spectrum to lmax 8 */
  ArmillaCl *cls;    /* two spectra */
} Fixture;

static void
set_up (Fixture *f, gconstpointer unused)
{
  static const char *const names[] = { "TEMPERATURE", "GRADIENT" };
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (9, 20, NULL);
  g_autofree char *plugins
    = g_test_build_filename (G_TEST_BUILT, "..", "..", "plugins", ".libs", NULL);
  g_autoptr (GError) error = NULL;

  (void) unused;
  f->registry = armilla_registry_new ();
  g_assert_true (armilla_registry_add_builtin (f->registry, &error)
                 && armilla_registry_load_folder (f->registry, plugins, &error));
  f->context = (ArmillaStageContext) {
    .index = 7, .n_ranks = 1, .rank = 0, .program = "armilla 1", .workflow = "a.workflow",
    .workflow_text = "[a]\nstage = x\n\n[b]\ntitle = \302\265K\t\n", .overwrite = TRUE,
    .kept = armilla_stage_kept_new (),
  };
  f->folder = g_dir_make_tmp ("armilla-stages-XXXXXX", NULL);
  f->map = armilla_map_new (healpix, 1);
  f->maps = armilla_map_new (gauss, 2);
  f->alm = armilla_alm_new ((ArmillaAlmLayout) { 8, 5 }, 1);
  f->cl = armilla_cl_new (8, names, 1);
  f->cls = armilla_cl_new (8, names, 2);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  (void) unused;
  g_hash_table_unref (f->context.kept);
  g_clear_object (&f->map);
  g_clear_object (&f->maps);
  g_clear_object (&f->alm);
  g_clear_object (&f->cl);
  g_clear_object (&f->cls);
  /* Stages that fail, and those never run, leave nothing behind. */
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  armilla_registry_free (f->registry);
}

static char *
make_file (Fixture *f, const char *name, const char *text)
{
  char *path = g_build_filename (f->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Prepares a new stage; its outputs stay in @outputs. */
static gboolean
prepare (Fixture *f, const char *nick, ArmillaData *const *inputs, ArmillaData **outputs,
         GError **error, const char *property, va_list properties)
{
  ArmillaStageClass *klass = armilla_registry_lookup (f->registry, nick);
  g_autoptr (ArmillaStage) stage = NULL;

  g_assert_nonnull (klass);
  stage = g_object_new (G_TYPE_FROM_CLASS (klass), NULL);
  if (property != NULL)
    g_object_set_valist (G_OBJECT (stage), property, properties);
  g_hash_table_remove_all (f->context.kept); /* files of one name differ */
  return klass->prepare (stage, &f->context, inputs, outputs, error);
}

/* Connects the first two inputs; the second one of render is that of spectra. */
static void
connect (Fixture *f, const char *nick, ArmillaData *input, ArmillaData *second,
         ArmillaData **inputs)
{
  const ArmillaPort *ports = armilla_registry_lookup (f->registry, nick)->ports;
  int number = 1;

  while (strcmp (nick, "render") == 0 && strcmp (ports[number].name, "cl") != 0)
    number++;
  inputs[0] = input;
  inputs[number] = second;
}

static void
expect_error (Fixture *f, int code, const char *part, const char *nick, ArmillaData *input,
              ArmillaData *second, const char *property, ...)
{
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  g_autoptr (GError) error = NULL;
  va_list properties;

  connect (f, nick, input, second, inputs);
  va_start (properties, property);
  g_assert_false (prepare (f, nick, inputs, outputs, &error, property, properties));
  va_end (properties);
  g_assert_error (error, ARMILLA_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_null (outputs[0]);
}

static gpointer
expect_output (Fixture *f, const char *nick, ArmillaData *input, ArmillaData *second,
               const char *property, ...)
{
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  g_autoptr (GError) error = NULL;
  va_list properties;

  connect (f, nick, input, second, inputs);
  va_start (properties, property);
  prepare (f, nick, inputs, outputs, &error, property, properties);
  va_end (properties);
  g_assert_no_error (error);
  return outputs[0];
}

#define DATA(x) ((ArmillaData *) (x))

static void
test_names (Fixture *f, gconstpointer unused)
{
  g_auto (GStrv) nicks = armilla_registry_nicks (f->registry);

  (void) unused;
  g_assert_cmpuint (g_strv_length (nicks), ==, G_N_ELEMENTS (all_nicks));
  for (guint i = 0; i < G_N_ELEMENTS (all_nicks); i++)
    g_assert_true (g_strv_contains ((const char *const *) nicks, all_nicks[i]));
}

/* An object just made has the values that its class declares as defaults. */
static void
check_defaults (ArmillaStageClass *klass)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_FROM_CLASS (klass), NULL);
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      const char *blurb = g_param_spec_get_blurb (specs[i]);

      g_value_init (&value, specs[i]->value_type);
      g_object_get_property (object, specs[i]->name, &value);
      if (!g_param_value_defaults (specs[i], &value))
        g_error ("%s.%s does not start with its default", klass->nick, specs[i]->name);
      g_assert_true (blurb != NULL && strlen (blurb) > 8);
    }
}

/* Setting a property to another value is seen when it is read. */
static void
check_set_get (ArmillaStageClass *klass)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_FROM_CLASS (klass), NULL);
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = g_object_class_list_properties (G_OBJECT_CLASS (klass), &n);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT, got = G_VALUE_INIT;
      GType type = specs[i]->value_type;

      g_value_init (&value, type);
      g_value_init (&got, type);
      if (type == G_TYPE_STRING)
        g_value_set_string (&value, specs[i]->name);
      else if (type == G_TYPE_BOOLEAN)
        g_value_set_boolean (&value, TRUE);
      else if (type == G_TYPE_INT)
        g_value_set_int (&value, 201 + (int) i);
      else if (type == G_TYPE_INT64)
        g_value_set_int64 (&value, 201 + i);
      else if (type == G_TYPE_UINT64)
        g_value_set_uint64 (&value, G_MAXUINT64 - i);
      else if (type == G_TYPE_DOUBLE)
        g_value_set_double (&value, 0.25 + 0.001 * i);
      else
        g_value_set_enum (&value, 1);
      g_param_value_validate (specs[i], &value); /* into the range, still not the default */
      g_object_set_property (object, specs[i]->name, &value);
      g_object_get_property (object, specs[i]->name, &got);
      if (g_param_values_cmp (specs[i], &value, &got) != 0)
        g_error ("%s.%s is not kept", klass->nick, specs[i]->name);
    }
}

static void
test_classes (Fixture *f, gconstpointer unused)
{
  (void) unused;
  for (guint i = 0; i < G_N_ELEMENTS (all_nicks); i++)
    {
      ArmillaStageClass *klass = armilla_registry_lookup (f->registry, all_nicks[i]);

      g_assert_nonnull (klass->description);
      for (const ArmillaPort *port = klass->ports; port->name != NULL; port++)
        g_assert_true (strlen (port->blurb) > 5);
      check_defaults (klass);
      check_set_get (klass);
    }
}

static void
test_files (Fixture *f, gconstpointer unused)
{
  static const char *const readers[] = { "read-map", "read-alm", "read-cl" };
  g_autofree char *missing = g_build_filename (f->folder, "missing.fits", NULL);
  g_autofree char *nowhere = g_build_filename (f->folder, "no", "such", "folder.fits", NULL);
  g_autofree char *picture = g_build_filename (f->folder, "no", "picture.png", NULL);

  (void) unused;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      expect_error (f, ARMILLA_ERROR_IO, missing, readers[i], NULL, NULL, "file", missing, NULL);
      expect_error (f, ARMILLA_ERROR_VALUE, "file is not set", readers[i], NULL, NULL, NULL);
      expect_error (f, ARMILLA_ERROR_IO, "", readers[i], NULL, NULL, "file", f->folder, NULL);
    }
  expect_error (f, ARMILLA_ERROR_IO, nowhere, "write-map", DATA (f->map), NULL, "file", nowhere,
                NULL);
  expect_error (f, ARMILLA_ERROR_IO, nowhere, "write-alm", DATA (f->alm), NULL, "file", nowhere,
                NULL);
  expect_error (f, ARMILLA_ERROR_IO, nowhere, "write-cl", DATA (f->cl), NULL, "file", nowhere,
                NULL);
  expect_error (f, ARMILLA_ERROR_IO, picture, "render", DATA (f->map), NULL, "file", picture,
                NULL);
  /* Another rank than 0 has nothing to do with files that are written. */
  f->context.rank = 1;
  expect_output (f, "write-map", DATA (f->map), NULL, "file", nowhere, NULL);
}

static void
test_read_cl (Fixture *f, gconstpointer unused)
{
  g_autofree char *good = make_file (f, "good.dat", "0 0 1\n1 2 3\n2 4 5\n3 6 7\n");
  g_autofree char *nan = make_file (f, "nan.dat", "0 0 1\n1 2 3\n2 4 nan\n");
  g_autoptr (ArmillaCl) two = NULL, swapped = NULL;

  (void) unused;
  two = expect_output (f, "read-cl", NULL, NULL, "file", good, NULL);
  g_assert_cmpint (armilla_cl_n_fields (two), ==, 2);
  g_assert_cmpint (armilla_cl_lmax (two), ==, 3);
  swapped = expect_output (f, "read-cl", NULL, NULL, "file", good, "columns", " 1 , 0", NULL);
  g_assert_cmpstr (armilla_cl_names (swapped)[0], ==, armilla_cl_names (two)[1]);
  g_assert_cmpstr (armilla_cl_names (swapped)[1], ==, armilla_cl_names (two)[0]);
  expect_error (f, ARMILLA_ERROR_UNKNOWN, "no column \"2\"", "read-cl", NULL, NULL, "file", good,
                "columns", "2", NULL);
  expect_error (f, ARMILLA_ERROR_UNKNOWN, "no column \"\"", "read-cl", NULL, NULL, "file", good,
                "columns", "0,", NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "columns is empty", "read-cl", NULL, NULL, "file", good,
                "columns", "", NULL);
  expect_error (f, ARMILLA_ERROR_NUMERIC, nan, "read-cl", NULL, NULL, "file", nan, "columns", "1",
                NULL);
  g_unlink (good);
  g_unlink (nan);
}

static void
test_random_alm (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaAlm) whole = NULL, part = NULL;
  g_auto (GStrv) history = NULL;

  (void) unused;
  whole = expect_output (f, "random-alm", DATA (f->cl), NULL, "unit", "uK", NULL);
  g_assert_cmpint (armilla_alm_layout (whole).lmax, ==, 8);
  g_assert_cmpint (armilla_alm_layout (whole).mmax, ==, 8);
  g_assert_cmpstr (armilla_alm_unit (whole), ==, "uK");
  part = expect_output (f, "random-alm", DATA (f->cl), NULL, "lmax", (gint64) 6, "mmax",
                        (gint64) 2, "seed", G_MAXUINT64, NULL);
  g_assert_cmpint (armilla_alm_layout (part).lmax, ==, 6);
  g_assert_cmpint (armilla_alm_layout (part).mmax, ==, 2);
  history = armilla_stage_history (&f->context, DATA (part));
  g_assert_true (g_strv_contains ((const char *const *) history,
                                  "random-alm: Philox4x64-10, seed 18446744073709551615, "
                                  "realisation 7"));
  expect_error (f, ARMILLA_ERROR_VALUE, "ends at l = 8", "random-alm", DATA (f->cl), NULL, "lmax",
                (gint64) 9, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "mmax", "random-alm", DATA (f->cl), NULL, "lmax",
                (gint64) 3, "mmax", (gint64) 4, NULL);
  expect_error (f, ARMILLA_ERROR_SHAPE, "must be one", "random-alm", DATA (f->cls), NULL, NULL);
}

static void
test_alm2map (Fixture *f, gconstpointer unused)
{
  static const struct { int grid; gint64 rings; } grids[] = {
    { ARMILLA_GRID_GAUSS_LEGENDRE, 9 }, { ARMILLA_GRID_FEJER1, 18 },
    { ARMILLA_GRID_CLENSHAW_CURTIS, 17 }, { ARMILLA_GRID_DRISCOLL_HEALY, 18 },
  };
  g_autoptr (ArmillaMap) like = NULL, healpix = NULL;

  (void) unused;
  armilla_alm_set_unit (f->alm, "mK");
  armilla_alm_set_coordsys (f->alm, "G");
  healpix = expect_output (f, "alm2map", DATA (f->alm), NULL, "nside", (gint64) 5, NULL);
  g_assert_cmpint (armilla_map_grid (healpix)->nside, ==, 5);
  g_assert_cmpstr (armilla_map_header (healpix)->fields.units[0], ==, "mK");
  g_assert_cmpstr (armilla_map_header (healpix)->fields.coordsys, ==, "G");
  for (guint i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autoptr (ArmillaMap) map = expect_output (f, "alm2map", DATA (f->alm), NULL, "grid",
                                                  grids[i].grid, NULL);
      g_autoptr (ArmillaAlm) back = expect_output (f, "map2alm", DATA (map), NULL, NULL);

      g_assert_cmpint (armilla_map_grid (map)->n_rings, ==, grids[i].rings);
      g_assert_cmpint (armilla_map_grid (map)->rings[3].n_phi, ==, 12);
      /* The default of map2alm is the lmax that this grid was made for. */
      g_assert_cmpint (armilla_alm_layout (back).lmax, ==, 8);
      g_assert_cmpint (armilla_alm_layout (back).mmax, ==, 5);
    }
  like = expect_output (f, "alm2map", DATA (f->alm), DATA (f->maps), NULL);
  g_assert_true (armilla_grid_equal (armilla_map_grid (like), armilla_map_grid (f->maps)));
  g_assert_cmpint (armilla_map_n_fields (like), ==, 1);
}

static void
test_alm2map_errors (Fixture *f, gconstpointer unused)
{
  (void) unused;
  expect_error (f, ARMILLA_ERROR_VALUE, "nside is not set", "alm2map", DATA (f->alm), NULL, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "n-theta", "alm2map", DATA (f->alm), NULL, "nside",
                (gint64) 4, "n-theta", (gint64) 9, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "nside requires", "alm2map", DATA (f->alm), NULL, "nside",
                (gint64) 4, "grid", ARMILLA_GRID_FEJER1, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "given by both", "alm2map", DATA (f->alm), DATA (f->map),
                "nside", (gint64) 4, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "given by both", "alm2map", DATA (f->alm), DATA (f->map),
                "grid", ARMILLA_GRID_HEALPIX, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "", "alm2map", DATA (f->alm), NULL, "grid",
                ARMILLA_GRID_DRISCOLL_HEALY, "n-theta", (gint64) 9, NULL);
}

static void
test_map2alm (Fixture *f, gconstpointer unused)
{
  g_autofree char *weights = make_file (f, "weights.dat", "0 0.1\n1 0.1\n2 0.1\n");
  g_autoptr (ArmillaAlm) healpix = NULL, two = NULL;

  (void) unused;
  armilla_stage_set_unit (armilla_map_header (f->maps), "K");
  healpix = expect_output (f, "map2alm", DATA (f->map), NULL, NULL);
  g_assert_cmpint (armilla_alm_layout (healpix).lmax, ==, 11);
  g_assert_cmpint (armilla_alm_layout (healpix).mmax, ==, 11);
  two = expect_output (f, "map2alm", DATA (f->maps), NULL, "lmax", (gint64) 6, NULL);
  g_assert_cmpint (armilla_alm_n_fields (two), ==, 2);
  g_assert_cmpstr (armilla_alm_unit (two), ==, "K");
  g_assert_cmpint (armilla_alm_layout (two).mmax, ==, 6);
  expect_error (f, ARMILLA_ERROR_VALUE, "max-iterations", "map2alm", DATA (f->map), NULL, "method",
                1, "iterations", 3, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "tolerance", "map2alm", DATA (f->map), NULL, "tolerance",
                1e-6, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "max-iterations", "map2alm", DATA (f->map), NULL,
                "max-iterations", 5, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "mmax", "map2alm", DATA (f->map), NULL, "lmax",
                (gint64) 5, "mmax", (gint64) 6, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "HEALPix", "map2alm", DATA (f->maps), NULL,
                "ring-weights", weights, NULL);
  expect_error (f, ARMILLA_ERROR_SHAPE, "3 ring weights", "map2alm", DATA (f->map), NULL,
                "ring-weights", weights, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "HEALPix", "map2alm", DATA (f->maps), NULL,
                "pixel-weights", weights, NULL);
  expect_error (f, ARMILLA_ERROR_IO, "", "map2alm", DATA (f->map), NULL, "pixel-weights", weights,
                NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "exclude each other", "map2alm", DATA (f->map), NULL,
                "pixel-weights", weights, "ring-weights", weights, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "must be 0", "map2alm", DATA (f->map), NULL,
                "pixel-weights", weights, "iterations", 2, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "least-squares", "map2alm", DATA (f->map), NULL,
                "pixel-weights", weights, "method", 1, NULL);
  g_unlink (weights);
}

static void
test_smooth_alm (Fixture *f, gconstpointer unused)
{
  g_autofree char *beam = make_file (f, "beam.dat", "0 1\n1 0.5\n2 0.25\n");
  g_autoptr (ArmillaAlm) out = NULL;

  (void) unused;
  armilla_alm_set_unit (f->alm, "K");
  out = expect_output (f, "smooth-alm", DATA (f->alm), NULL, "fwhm", 0.1, NULL);
  g_assert_cmpint (armilla_alm_layout (out).mmax, ==, 5);
  g_assert_cmpstr (armilla_alm_unit (out), ==, "K");
  expect_error (f, ARMILLA_ERROR_VALUE, "no beam", "smooth-alm", DATA (f->alm),
                NULL, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "one of them", "smooth-alm", DATA (f->alm), NULL, "fwhm",
                0.1, "sigma", 0.1, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "beam-column", "smooth-alm", DATA (f->alm), NULL, "fwhm",
                0.1, "beam-column", "0", NULL);
  expect_error (f, ARMILLA_ERROR_SHAPE, "ends at l = 2", "smooth-alm", DATA (f->alm), NULL, "beam",
                beam, NULL);
  expect_error (f, ARMILLA_ERROR_UNKNOWN, "no column", "smooth-alm", DATA (f->alm), NULL, "beam",
                beam, "beam-column", "B", NULL);
  g_unlink (beam);
  expect_error (f, ARMILLA_ERROR_IO, beam, "smooth-alm", DATA (f->alm), NULL, "pixel-window", beam,
                NULL);
}

static void
test_alm2cl (Fixture *f, gconstpointer unused)
{
  static const char *const order[] = { "FIELD1xFIELD1", "FIELD2xFIELD2", "FIELD3xFIELD3",
                                       "FIELD1xFIELD2", "FIELD2xFIELD3", "FIELD1xFIELD3" };
  g_autoptr (ArmillaAlm) three = armilla_alm_new ((ArmillaAlmLayout) { 8, 5 }, 3);
  g_autoptr (ArmillaAlm) other = armilla_alm_new ((ArmillaAlmLayout) { 8, 6 }, 1);
  static const char *const pair[] = { "GRADIENT", "CURL", "C-G" };
  g_autoptr (ArmillaAlm) eb = armilla_alm_new ((ArmillaAlmLayout) { 8, 5 }, 2);
  g_autoptr (ArmillaCl) one = NULL, of_eb = NULL, six = NULL, each = NULL;

  (void) unused;
  armilla_alm_set_spins (eb, (int[]) { 2, 2 });
  of_eb = expect_output (f, "alm2cl", DATA (eb), NULL, NULL);
  for (int i = 0; i < 3; i++)
    g_assert_cmpstr (armilla_cl_names (of_eb)[i], ==, pair[i]);
  one = expect_output (f, "alm2cl", DATA (f->alm), DATA (f->alm), NULL);
  g_assert_cmpint (armilla_cl_lmax (one), ==, 8);
  g_assert_cmpstr (armilla_cl_names (one)[0], ==, "TEMPERATURE");
  six = expect_output (f, "alm2cl", DATA (three), NULL, NULL);
  g_assert_cmpint (armilla_cl_n_fields (six), ==, 6);
  for (int i = 0; i < 6; i++)
    g_assert_cmpstr (armilla_cl_names (six)[i], ==, order[i]);
  expect_error (f, ARMILLA_ERROR_SHAPE, "mmax 6", "alm2cl", DATA (f->alm), DATA (other), NULL);
  each = expect_output (f, "alm2cl", DATA (three), DATA (f->alm), NULL);
  g_assert_cmpstr (armilla_cl_names (each)[2], ==, "FIELD3xFIELD1");
}

static void
test_headers (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaMap) less = NULL, nested = NULL, ring = NULL, map = NULL;
  g_autoptr (ArmillaAlm) alm = NULL;
  ArmillaMapHeader *header = armilla_map_header (f->map);

  (void) unused;
  armilla_stage_set_names (header, (const char *const[]) { "I_STOKES" });
  armilla_stage_set_unit (header, "mK");
  header->fields.coordsys = g_strdup ("E");
  header->fields.polcconv = g_strdup ("IAU");
  armilla_stage_note (DATA (f->map), "made by %s", "hand");
  less = expect_output (f, "remove-monopole", DATA (f->map), NULL, NULL);
  nested = expect_output (f, "change-order", DATA (less), NULL, "order", ARMILLA_ORDER_NESTED,
                          NULL);
  g_assert_cmpint (header->order, ==, ARMILLA_ORDER_RING);
  g_assert_cmpint (armilla_map_header (less)->order, ==, ARMILLA_ORDER_RING);
  header = armilla_map_header (nested);
  g_assert_cmpint (header->order, ==, ARMILLA_ORDER_NESTED);
  g_assert_cmpstr (header->fields.names[0], ==, "I_STOKES");
  g_assert_cmpstr (header->fields.units[0], ==, "mK");
  g_assert_cmpstr (header->fields.coordsys, ==, "E");
  g_assert_cmpstr (header->fields.polcconv, ==, "IAU");
  ring = expect_output (f, "change-order", DATA (f->maps), NULL, "order", ARMILLA_ORDER_RING,
                        NULL);
  g_assert_nonnull (ring);
  expect_error (f, ARMILLA_ERROR_VALUE, "nested", "change-order", DATA (f->maps), NULL, "order",
                ARMILLA_ORDER_NESTED, NULL);
  /* Names, unit, coordinates and notes survive the way through a_lm. */
  alm = expect_output (f, "map2alm", DATA (nested), NULL, NULL);
  map = expect_output (f, "alm2map", DATA (alm), NULL, "nside", (gint64) 4, NULL);
  header = armilla_map_header (map);
  g_assert_cmpstr (header->fields.names[0], ==, "I_STOKES");
  g_assert_cmpstr (header->fields.units[0], ==, "mK");
  g_assert_cmpstr (header->fields.coordsys, ==, "E");
}

static void
test_history (Fixture *f, gconstpointer unused)
{
  static const char *const expected[] = {
    "armilla 1", "seed \"?\" 5", "workflow a.workflow, realisation 7", "[a]", "stage = x", "[b]",
    "title = uK",
  };
  g_autoptr (ArmillaMap) less = NULL;
  g_auto (GStrv) history = NULL;

  (void) unused;
  armilla_stage_note (DATA (f->map), "seed \"%s\" %d", "\001", 5);
  less = expect_output (f, "remove-monopole", DATA (f->map), NULL, NULL);
  armilla_stage_inherit (DATA (less), DATA (f->map)); /* a note is kept once */
  history = armilla_stage_history (&f->context, DATA (less));
  g_assert_cmpuint (g_strv_length (history), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (history[i], ==, expected[i]);
}

static void
test_write_map (Fixture *f, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (f->folder, "map.fits", NULL);

  (void) unused;
  /* Prepared but never run: the temporary file goes with the stage. */
  expect_output (f, "write-map", DATA (f->map), NULL, "file", path, "units", "K", "coordsys", "C",
                 "partial", TRUE, NULL);
  expect_output (f, "write-map", DATA (f->maps), NULL, "file", path, "units", "K", "names", "a, b",
                 NULL);
  expect_error (f, ARMILLA_ERROR_SHAPE, "names lists 1", "write-map", DATA (f->maps), NULL, "file",
                path, "names", "a", NULL);
  expect_error (f, ARMILLA_ERROR_SHAPE, "units lists 3", "write-map", DATA (f->maps), NULL, "file",
                path, "units", "a, b, c", NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "coordsys", "write-map", DATA (f->map), NULL, "file", path,
                "coordsys", "Q", NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "partial", "write-map", DATA (f->maps), NULL, "file", path,
                "partial", TRUE, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "file is not set", "write-map", DATA (f->map), NULL, NULL);
}

static void
test_render (Fixture *f, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (f->folder, "map.png", NULL);
  g_autofree char *other = g_build_filename (f->folder, "map.gif", NULL);

  (void) unused;
  expect_output (f, "render", DATA (f->map), NULL, "file", path, NULL);
  expect_output (f, "render", NULL, DATA (f->cls), "file", path, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "connect either a map", "render", NULL, NULL, "file", path,
                NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "connect either a map", "render", DATA (f->map),
                DATA (f->cl), "file", path, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, ".png", "render", DATA (f->map), NULL, "file", other, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "min = 2", "render", DATA (f->map), NULL, "file", path,
                "min", 2.0, "max", 1.0, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "y-scale", "render", DATA (f->map), NULL, "file", path,
                "y-scale", 1, NULL);
  expect_error (f, ARMILLA_ERROR_VALUE, "palette", "render", NULL, DATA (f->cl), "file", path,
                "palette", 1, NULL);
  expect_error (f, ARMILLA_ERROR_UNKNOWN, "no column \"1\"", "render", DATA (f->map), NULL, "file",
                path, "field", "1", NULL);
  expect_output (f, "render", DATA (f->maps), NULL, "file", path, "field", "0, 1", NULL);
}

static void
add (const char *name, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/stages/names", test_names);
  add ("/stages/classes", test_classes);
  add ("/stages/files", test_files);
  add ("/stages/read-cl", test_read_cl);
  add ("/stages/random-alm", test_random_alm);
  add ("/stages/alm2map", test_alm2map);
  add ("/stages/alm2map-errors", test_alm2map_errors);
  add ("/stages/map2alm", test_map2alm);
  add ("/stages/smooth-alm", test_smooth_alm);
  add ("/stages/alm2cl", test_alm2cl);
  add ("/stages/headers", test_headers);
  add ("/stages/history", test_history);
  add ("/stages/write-map", test_write_map);
  add ("/stages/render", test_render);
  return g_test_run ();
}
