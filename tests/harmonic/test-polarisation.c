/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stages make of fields with a spin while a workflow is prepared: what they take for Q and U,
 * T, E and B, and what they refuse. */
#include <string.h>

#include <glib/gstdio.h>

#include <armilla/armilla.h>

#include "core/files/output.h"
#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "core/spectra/cl-table.h"
#include "plugins/base/stage-util.h"
#include "plugins/builtin/builtin.h"

typedef struct {
  ArmillaRegistry *registry;
  ArmillaStageContext context;
  char *folder, *file;
} Fixture;

static void
set_up (Fixture *f, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;

  (void) unused;
  f->registry = armilla_registry_new ();
  armilla_registry_add_builtin (f->registry, &error);
  g_assert_no_error (error);
  f->context = (ArmillaStageContext) {
    .n_ranks = 1,
    .overwrite = TRUE,
    /* no two names are equal: each stage reads its own */
    .kept = armilla_stage_kept_new (),
  };
  f->folder = g_dir_make_tmp ("armilla-polarisation-XXXXXX", NULL);
  f->file = g_build_filename (f->folder, "file.fits", NULL);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  (void) unused;
  g_hash_table_unref (f->context.kept);
  g_unlink (f->file);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_free (f->file);
  armilla_registry_free (f->registry);
}

/* Prepares a new stage; the error, if any, is told by the caller's expectation. */
static gpointer
prepare (Fixture *f, const char *nick, gpointer input, gpointer second, const char *expected,
         const char *property, ...)
{
  ArmillaStageClass *klass = armilla_registry_lookup (f->registry, nick);
  g_autoptr (ArmillaStage) stage = NULL;
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { input, second };
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };
  g_autoptr (GError) error = NULL;
  va_list properties;

  g_assert_nonnull (klass);
  stage = g_object_new (G_TYPE_FROM_CLASS (klass), NULL);
  va_start (properties, property);
  if (property != NULL)
    g_object_set_valist (G_OBJECT (stage), property, properties);
  va_end (properties);
  g_hash_table_remove_all (f->context.kept); /* files of one name differ */
  klass->prepare (stage, &f->context, inputs, outputs, &error);
  if (expected == NULL)
    g_assert_no_error (error);
  else
    {
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      if (strstr (error->message, expected) == NULL)
        g_error ("\"%s\" does not hold \"%s\"", error->message, expected);
      g_assert_null (outputs[0]);
    }
  return outputs[0];
}

static void
write_map (Fixture *f, int n_fields, const char *const *names, const char *const *units,
           const char *polcconv)
{
  g_autoptr (ArmillaOutput) output = armilla_output_new (f->file, TRUE, NULL);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, NULL);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  double pixels[12] = { 1, 2, 3 };
  ArmillaMapHeader header = { .grid = grid, .fields.n = n_fields, .fields.names = (char **) names,
                              .fields.units = (char **) units,
                              .fields.polcconv = (char *) polcconv };

  writer = armilla_map_writer_open (output, &header, &error);
  for (int i = 0; i < n_fields; i++)
    armilla_map_writer_write (writer, i, 0, 12, pixels, &error);
  armilla_map_writer_close (writer, &error);
  armilla_output_finish (output, &error);
  armilla_output_commit (output, &error);
  g_assert_no_error (error);
}

static void
expect_spins (const int *spins, int n, int a, int b, int c)
{
  g_assert_cmpint (n, ==, 3);
  g_assert_true (armilla_fields_equal (spins, (const int[]) { a, b, c }, 3));
}

static void
test_read_map (Fixture *f, gconstpointer unused)
{
  static const char *const names[] = { "N_OBS", "I_STOKES", "Q_STOKES", "U_STOKES", NULL };
  static const char *const units[] = { "counts", "mK", "mK", "mK", NULL };
  g_autoptr (ArmillaMap) map = NULL, scalar = NULL, one = NULL;

  (void) unused;
  write_map (f, 4, names, units, NULL);
  map = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, "fields", "1, 2, 3", NULL);
  expect_spins (armilla_map_spins (map), armilla_map_n_fields (map), 0, 2, 2);
  g_assert_cmpstr (armilla_map_header (map)->fields.polcconv, ==, "COSMO");
  scalar = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, "fields", "1, 2, 3", "spin",
                    "0", NULL);
  expect_spins (armilla_map_spins (scalar), armilla_map_n_fields (scalar), 0, 0, 0);
  g_assert_null (armilla_map_header (scalar)->fields.polcconv);
  one = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, "fields", "0, 2, 3", "spin",
                 "0, 1, 1", NULL);
  expect_spins (armilla_map_spins (one), armilla_map_n_fields (one), 0, 1, 1);
  prepare (f, "read-map", NULL, NULL, "Q_STOKES is not next to U", "file", f->file, "fields",
           "1, 2", NULL);
  prepare (f, "read-map", NULL, NULL, "U_STOKES is not next to Q", "file", f->file, "fields",
           "U_STOKES", NULL);
  prepare (f, "read-map", NULL, NULL, "U_STOKES comes before Q_STOKES", "file", f->file, "fields",
           "1, 3, 2", NULL);
  prepare (f, "read-map", NULL, NULL, "wrong order", "file", f->file, "fields", "0, 2, 3", NULL);
  prepare (f, "read-map", NULL, NULL, "spin lists 2", "file", f->file, "fields", "1, 2, 3", "spin",
           "2, 2", NULL);
  prepare (f, "read-map", NULL, NULL, "no partner", "file", f->file, "fields", "1", "spin", "2",
           NULL);
}

static void
test_polcconv (Fixture *f, gconstpointer unused)
{
  static const char *const names[] = { "I_STOKES", "Q_STOKES", "U_STOKES", NULL };
  static const char *const wrong[] = { "LEFT", "COSMO, IAU" };
  g_autoptr (ArmillaMap) map = NULL, scalar = NULL;

  (void) unused;
  write_map (f, 3, names, NULL, "IAU");
  map = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, "fields", "all", NULL);
  g_assert_cmpstr (armilla_map_header (map)->fields.polcconv, ==, "COSMO");
  scalar = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, "fields", "all", "spin", "0",
                    NULL);
  g_assert_cmpstr (armilla_map_header (scalar)->fields.polcconv, ==, "IAU");
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *message = g_strdup_printf ("POLCCONV is \"%s\"", wrong[i]);
      g_autoptr (ArmillaMap) intensity = NULL;

      write_map (f, 3, names, NULL, wrong[i]);
      prepare (f, "read-map", NULL, NULL, message, "file", f->file, "fields", "all", NULL);
      /* Who reads the intensity only need not care. */
      intensity = prepare (f, "read-map", NULL, NULL, NULL, "file", f->file, NULL);
      g_assert_null (armilla_map_header (intensity)->fields.polcconv);
    }
}

static void
write_alm (Fixture *f, int n_fields, const int *spins)
{
  g_autoptr (ArmillaOutput) output = armilla_output_new (f->file, TRUE, NULL);
  g_autoptr (ArmillaAlmWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  double values[2] = { 1, 0 };

  writer = armilla_alm_writer_open (output, (ArmillaAlmLayout) { 0, 0 }, n_fields, spins,
                                    NULL, NULL, FALSE, NULL, &error);
  for (int i = 0; i < n_fields; i++)
    armilla_alm_writer_write (writer, i, 0, 1, values, &error);
  armilla_alm_writer_close (writer, &error);
  armilla_output_finish (output, &error);
  armilla_output_commit (output, &error);
  g_assert_no_error (error);
}

static void
test_read_alm (Fixture *f, gconstpointer unused)
{
  static const int teb[] = { 0, 2, 2 };
  g_autoptr (ArmillaAlm) alm = NULL, scalars = NULL, told = NULL;

  (void) unused;
  write_alm (f, 3, teb);
  alm = prepare (f, "read-alm", NULL, NULL, NULL, "file", f->file, "fields", "all", NULL);
  expect_spins (armilla_alm_spins (alm), armilla_alm_n_fields (alm), 0, 2, 2);
  prepare (f, "read-alm", NULL, NULL, "no partner", "file", f->file, "fields", "1", NULL);
  write_alm (f, 3, NULL);
  scalars = prepare (f, "read-alm", NULL, NULL, NULL, "file", f->file, "fields", "all", NULL);
  expect_spins (armilla_alm_spins (scalars), armilla_alm_n_fields (scalars), 0, 0, 0);
  told = prepare (f, "read-alm", NULL, NULL, NULL, "file", f->file, "fields", "all", "spin",
                  "0, 3, 3", NULL);
  expect_spins (armilla_alm_spins (told), armilla_alm_n_fields (told), 0, 3, 3);
}

static void
test_write_map (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 3);

  (void) unused;
  prepare (f, "write-map", map, NULL, "polcconv = iau", "file", f->file, "polcconv", 1, NULL);
  armilla_map_set_spins (map, (const int[]) { 0, 2, 2 });
  prepare (f, "write-map", map, NULL, NULL, "file", f->file, "polcconv", 1, NULL);
}

/* Spins go where the fields go. */
static void
test_carried (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 3), view = NULL, less = NULL;
  g_autoptr (ArmillaMap) sky = NULL;
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 4, 4 }, 3), smooth = NULL;
  g_autoptr (ArmillaAlm) teb = NULL;
  g_autoptr (ArmillaAlm) other = armilla_alm_new ((ArmillaAlmLayout) { 4, 4 }, 3);
  g_autoptr (ArmillaCl) cl = NULL, few = NULL, each = NULL;
  static const char *const names[]
    = { "TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-G", "C-T" };

  (void) unused;
  armilla_map_set_spins (map, (const int[]) { 0, 2, 2 });
  armilla_alm_set_spins (alm, (const int[]) { 0, 2, 2 });
  view = prepare (f, "change-order", map, NULL, NULL, NULL);
  expect_spins (armilla_map_spins (view), 3, 0, 2, 2);
  less = prepare (f, "remove-monopole", map, NULL, NULL, NULL);
  expect_spins (armilla_map_spins (less), 3, 0, 2, 2);
  smooth = prepare (f, "smooth-alm", alm, NULL, NULL, "fwhm", 0.1, NULL);
  expect_spins (armilla_alm_spins (smooth), 3, 0, 2, 2);
  cl = prepare (f, "alm2cl", alm, NULL, NULL, NULL);
  g_assert_cmpint (armilla_cl_n_fields (cl), ==, 6);
  for (int i = 0; i < 6; i++)
    g_assert_cmpstr (armilla_cl_names (cl)[i], ==, names[i]);
  few = prepare (f, "alm2cl", alm, NULL, NULL, "lmax", (gint64) 2, NULL);
  g_assert_cmpint (armilla_cl_lmax (few), ==, 2);
  prepare (f, "alm2cl", alm, NULL, "end at l = 4", "lmax", (gint64) 5, NULL);
  each = prepare (f, "alm2cl", alm, other, NULL, NULL);
  g_assert_cmpint (armilla_cl_n_fields (each), ==, 9);
  sky = prepare (f, "alm2map", alm, NULL, NULL, "nside", (gint64) 2, NULL);
  expect_spins (armilla_map_spins (sky), 3, 0, 2, 2);
  g_assert_cmpstr (armilla_map_header (sky)->fields.names[1], ==, "Q_POLARISATION");
  teb = prepare (f, "map2alm", map, NULL, NULL, NULL);
  expect_spins (armilla_alm_spins (teb), 3, 0, 2, 2);
}

/* What the rings of a grid do not hold is an error, unless more than a quadrature is asked for. */
static void
test_held (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (20, 51, NULL);
  g_autoptr (ArmillaGrid) healy
    = armilla_grid_new_equiangular (ARMILLA_GRID_DRISCOLL_HEALY, 20, 51, NULL);
  g_autoptr (ArmillaGrid) tall = armilla_grid_new_gauss_legendre (32, 51, NULL);
  g_autoptr (ArmillaMap) map = armilla_map_new (gauss, 1), other = armilla_map_new (healy, 1);
  g_autoptr (ArmillaMap) few = armilla_map_new (tall, 1);
  g_autoptr (ArmillaAlm) highest = NULL, more = NULL, least_squares = NULL;

  (void) unused;
  prepare (f, "map2alm", map, NULL, "lmax = 25: the rings of the grid Gauss-Legendre 20 x 51 "
           "determine multipoles up to lmax = 19", "lmax", (gint64) 25, NULL);
  prepare (f, "map2alm", map, NULL, "up to lmax = 19", "lmax", (gint64) 20, "iterations", 0, NULL);
  prepare (f, "map2alm", other, NULL, "up to lmax = 9", "lmax", (gint64) 10, NULL);
  prepare (f, "map2alm", few, NULL, "up to mmax = 25", "lmax", (gint64) 31, "mmax", (gint64) 26,
           NULL);
  highest = prepare (f, "map2alm", map, NULL, NULL, "lmax", (gint64) 19, NULL);
  more = prepare (f, "map2alm", map, NULL, NULL, "lmax", (gint64) 25, "iterations", 2, NULL);
  least_squares = prepare (f, "map2alm", other, NULL, NULL, "lmax", (gint64) 10, "method", 1, NULL);
}

static void
test_random_alm (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaCl) four = armilla_cl_new (8, NULL, 4), three = armilla_cl_new (8, NULL, 3);
  g_autoptr (ArmillaAlm) alm = NULL;

  (void) unused;
  alm = prepare (f, "random-alm", four, NULL, NULL, NULL);
  expect_spins (armilla_alm_spins (alm), armilla_alm_n_fields (alm), 0, 2, 2);
  prepare (f, "random-alm", three, NULL, "TE is missing", NULL);
}

/* A beam with fewer columns than T, E and B need, and one with enough. */
static void
test_smooth_alm (Fixture *f, gconstpointer unused)
{
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 2, 2 }, 3);
  g_autoptr (ArmillaAlm) one = NULL, each = NULL, three = NULL, window = NULL, computed = NULL;

  (void) unused;
  armilla_alm_set_spins (alm, (const int[]) { 0, 2, 2 });
  g_assert_true (g_file_set_contents (f->file, "0 1 1\n1 1 1\n2 1 1\n", -1, NULL));
  prepare (f, "smooth-alm", alm, NULL, "has 2 columns", "beam", f->file, NULL);
  one = prepare (f, "smooth-alm", alm, NULL, NULL, "beam", f->file, "beam-column", "1", NULL);
  each = prepare (f, "smooth-alm", alm, NULL, NULL, "beam", f->file, "beam-column", "0, 1, 1",
                  NULL);
  prepare (f, "smooth-alm", alm, NULL, "names 2 columns", "beam", f->file, "beam-column", "0, 1",
           NULL);
  window = prepare (f, "smooth-alm", alm, NULL, NULL, "pixel-window", f->file, NULL);
  g_assert_true (g_file_set_contents (f->file, "0 1\n1 1\n2 1\n", -1, NULL));
  prepare (f, "smooth-alm", alm, NULL, "has 1 columns", "pixel-window", f->file, NULL);
  g_assert_true (g_file_set_contents (f->file, "0 1 1 1\n1 1 1 1\n2 1 1 1\n", -1, NULL));
  three = prepare (f, "smooth-alm", alm, NULL, NULL, "beam", f->file, NULL);
  computed = prepare (f, "smooth-alm", alm, NULL, NULL, "pixel-window", "3", NULL);
  prepare (f, "smooth-alm", alm, NULL, "pixel_window_n2049.fits, and pixel windows are computed up "
           "to nside = 2048 only", "pixel-window", "2049", NULL);
  prepare (f, "smooth-alm", alm, NULL, "compute 4096: pixel windows are computed up to nside",
           "pixel-window", "compute 4096", NULL);
  prepare (f, "smooth-alm", alm, NULL, "\"x\" is not an nside", "pixel-window", "compute x", NULL);
  g_object_unref (alm);
  alm = armilla_alm_new ((ArmillaAlmLayout) { 13, 2 }, 1);
  prepare (f, "smooth-alm", alm, NULL, "up to l = 4 nside = 12 only, but the a_lm go to lmax = 13",
           "pixel-window", "3", NULL);
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
  add ("/polarisation/read-map", test_read_map);
  add ("/polarisation/polcconv", test_polcconv);
  add ("/polarisation/read-alm", test_read_alm);
  add ("/polarisation/write-map", test_write_map);
  add ("/polarisation/held", test_held);
  add ("/polarisation/random-alm", test_random_alm);
  add ("/polarisation/smooth-alm", test_smooth_alm);
  add ("/polarisation/carried", test_carried);
  return g_test_run ();
}
