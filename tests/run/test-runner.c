/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole workflows in one process: what is written, what is said, what is left behind. */
#include <armilla/armilla.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/files/output.h"
#include "core/fits/fits.h"
#include "core/spectra/cl-table.h"
#include "plugins/builtin/builtin.h"
#include "workflows/file/load.h"
#include "workflows/run/runner.h"

#define LMAX 40
#define KEEP 10
#define STOP 30

typedef struct {
  ArmillaRuntime *runtime;
  ArmillaRegistry *registry;
  char *folder;
} Fixture;

/* The one fixture: StarPU starts and stops once a process. */
static Fixture fixture;

static char *
in_folder (const char *name)
{
  return g_build_filename (fixture.folder, name, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names in the folder, sorted, each followed by a blank. */
static char *
list_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (fixture.folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *list = g_string_new (NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (list, "%s ", (char *) g_ptr_array_index (names, i));
  return g_string_free (list, FALSE);
}

static void
empty_folder (void)
{
  g_autofree char *list = list_folder ();
  g_auto (GStrv) names = g_strsplit (list, " ", -1);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *path = in_folder (*name);

      if (**name != '\0')
        g_unlink (path);
    }
}

static void
assert_folder (const char *expected)
{
  g_autofree char *list = list_folder ();

  g_assert_cmpstr (list, ==, expected);
}

static ArmillaWorkflow *
load (const char *text)
{
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autofree char *define = g_strconcat ("folder=", fixture.folder, NULL);
  char *defines[] = { define, NULL };
  ArmillaOverrides overrides = { .define = defines };
  ArmillaWorkflow *workflow
      = armilla_workflow_parse ("f", text, strlen (text), &overrides, problems);

  if (!armilla_workflow_validate (workflow, fixture.registry, problems))
    {
      g_autofree char *messages = armilla_problems_text (problems);

      g_error ("%s", messages);
    }
  return workflow;
}

static gboolean
run (const char *text, gboolean overwrite, GError **error)
{
  g_autoptr (ArmillaWorkflow) workflow = load (text);
  ArmillaRunOptions options = { .overwrite = overwrite, .silent = TRUE };

  return armilla_run (workflow, fixture.runtime, &options, error);
}

static void
assert_runs (const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!run (text, FALSE, &error))
    g_error ("%s", error->message);
}

static void
assert_fails (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (run (text, FALSE, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, message) != error->message)
    g_error ("expected \"%s\", got \"%s\"", message, error->message);
}

static void
write_spectrum (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int l = 0; l <= LMAX; l++)
    g_string_append_printf (text, "%d %d\n", l, 1000 - l);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static ArmillaClTable *
read_spectrum (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GError) error = NULL;
  ArmillaClTable *table = armilla_cl_read (path, &error);

  g_assert_no_error (error);
  g_assert_cmpint (table->lmax, ==, LMAX);
  return table;
}

#define DRAW                                                                                       \
  "[theory]\nstage = read-cl\nfile = ${folder}/theory.txt\n"                                       \
  "[draw]\nstage = random-alm\ncl = theory\nseed = 7\n"

/* Of tests/plugins/low-pass.c: C_l of what it gives is w_l^2 times that of what it takes. */
static void
test_low_pass (void)
{
  static const char text[]
      = DRAW "[low]\nstage = low-pass\nalm = draw\nkeep = 10\nstop = 30\n"
             "[cl-all]\nstage = alm2cl\nalm = draw\n[cl-low]\nstage = alm2cl\nalm = low\n"
             "[out-all]\nstage = write-cl\ncl = cl-all\nfile = ${folder}/all.fits\n"
             "[out-low]\nstage = write-cl\ncl = cl-low\nfile = ${folder}/low.fits\n";
  g_autoptr (ArmillaClTable) all = NULL;
  g_autoptr (ArmillaClTable) low = NULL;

  write_spectrum ("theory.txt");
  assert_runs (text);
  assert_folder ("all.fits low.fits theory.txt ");
  all = read_spectrum ("all.fits");
  low = read_spectrum ("low.fits");
  for (int l = 0; l <= LMAX; l++)
    {
      double x = (double) (l - KEEP) / (STOP - KEEP);
      double w = x <= 0 ? 1 : x >= 1 ? 0 : 0.5 + 0.5 * cos (G_PI * x);

      /* Both spectra are sums of 2 l + 1 squares, rounded 2 l + 2 times at most, and each scaled
       * a_lm once: (4 l + 8) half units of the last place, 1.2e-16 each. */
      g_assert_cmpfloat_with_epsilon (low->values[l], w * w * all->values[l],
                                      (4 * l + 8) * 1.2e-16 * all->values[l]);
    }
  empty_folder ();
}

static void
test_low_pass_wrong (void)
{
  write_spectrum ("theory.txt");
  assert_fails (DRAW "[low]\nstage = low-pass\nalm = draw\nkeep = 30\nstop = 30\n"
                     "[cl]\nstage = alm2cl\nalm = low\n"
                     "[out]\nstage = write-cl\ncl = cl\nfile = ${folder}/low.fits\n",
                "f:12:8: [low] stop: stop = 30 must be greater than keep = 30");
  assert_folder ("theory.txt ");
  empty_folder ();
}

#define SPECTRA                                                                                    \
  DRAW "[cl]\nstage = alm2cl\nalm = draw\n"                                                        \
       "[out]\nstage = write-cl\ncl = cl\nfile = ${folder}/cl-${index}.fits\n"

static void
test_realisations (void)
{
  g_autoptr (ArmillaClTable) zero = NULL;
  g_autoptr (ArmillaClTable) two = NULL;
  g_autoptr (ArmillaClTable) alone = NULL;

  write_spectrum ("theory.txt");
  assert_runs ("[workflow]\nrepeat = 3\n" SPECTRA);
  assert_folder ("cl-0.fits cl-1.fits cl-2.fits theory.txt ");
  zero = read_spectrum ("cl-0.fits");
  two = read_spectrum ("cl-2.fits");
  g_assert_cmpint (memcmp (zero->values, two->values, (LMAX + 1) * sizeof (double)), !=, 0);
  empty_folder ();
  write_spectrum ("theory.txt");
  assert_runs (SPECTRA);
  assert_folder ("cl-0.fits theory.txt ");
  alone = read_spectrum ("cl-0.fits");
  g_assert_cmpmem (zero->values, (LMAX + 1) * sizeof (double), alone->values,
                   (LMAX + 1) * sizeof (double));
  empty_folder ();
}

/* The last of three inputs is missing: nothing was begun. */
static void
test_missing_last (void)
{
  write_spectrum ("theory-0.txt");
  write_spectrum ("theory-1.txt");
  assert_fails ("[workflow]\nrepeat = 3\n[theory]\nstage = read-cl\n"
                "file = ${folder}/theory-${index}.txt\n"
                "[out]\nstage = write-cl\ncl = theory\nfile = ${folder}/cl-${index}.fits\n",
                "f:5:8: [theory] file: realisation 2: ");
  assert_folder ("theory-0.txt theory-1.txt ");
  empty_folder ();
}

static void
test_overwrite (void)
{
  g_autoptr (GError) error = NULL;

  write_spectrum ("theory.txt");
  assert_runs (SPECTRA);
  assert_fails (SPECTRA, "f:14:8: [out] file: ");
  assert_folder ("cl-0.fits theory.txt ");
  g_assert_true (run (SPECTRA, TRUE, &error));
  g_assert_no_error (error);
  assert_runs ("[workflow]\noverwrite = true\n" SPECTRA);
  assert_folder ("cl-0.fits theory.txt ");
  empty_folder ();
}

/* NaN is found by a task, long after the stages were prepared; the message still finds the line. */
static void
test_nan (void)
{
  g_autofree char *path = in_folder ("nan.fits");
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, &error);
  ArmillaMapHeader header = { .grid = grid, .fields.n = 1 };
  char *names[] = { (char *) "I_STOKES", NULL }, *units[] = { (char *) "K", NULL };
  double pixels[12] = { 1, 2, 3, 4, NAN, 6 };
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, FALSE, &error);
  g_autoptr (ArmillaMapWriter) writer = NULL;

  g_assert_no_error (error);
  header.fields.names = names;
  header.fields.units = units;
  writer = armilla_map_writer_open (output, &header, &error);
  g_assert_no_error (error);
  g_assert_true (armilla_map_writer_write (writer, 0, 0, 12, pixels, &error));
  g_assert_true (armilla_map_writer_close (writer, &error));
  g_assert_true (armilla_output_finish (output, &error));
  g_assert_true (armilla_output_commit (output, &error));
  assert_fails ("[sky]\nstage = read-map\nfile = ${folder}/nan.fits\n"
                "[out]\nstage = write-map\nmap = sky\nfile = ${folder}/out.fits\n",
                "f:3:8: [sky] file: ");
  assert_folder ("nan.fits ");
  empty_folder ();
}

static void
test_plan (void)
{
  g_autoptr (ArmillaWorkflow) workflow = NULL;
  g_autoptr (GError) error = NULL;
  ArmillaRunOptions options = { .silent = TRUE };
  g_autofree char *plan = NULL;

  write_spectrum ("theory.txt");
  workflow = load ("[workflow]\nrepeat = 2\n" SPECTRA);
  plan = armilla_plan (workflow, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plan, ==,
                   "2 realisations of:\n[theory] read-cl\n  cl: cl: lmax 40, 1 spectrum\n"
                   "[draw] random-alm\n  alm: alm: lmax 40, mmax 40, 1 field\n"
                   "[cl] alm2cl\n  cl: cl: lmax 40, 1 spectrum\n[out] write-cl\n");
  assert_folder ("theory.txt ");
  empty_folder ();
}

int
main (int argc, char *argv[])
{
  g_autofree char *low_pass = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  fixture.registry = armilla_registry_new ();
  fixture.folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  armilla_registry_add_builtin (fixture.registry, &error);
  g_assert_no_error (error);
  low_pass = g_test_build_filename (G_TEST_BUILT, "../plugins/.libs/low-pass.so", NULL);
  armilla_registry_load_module (fixture.registry, low_pass, &error);
  g_assert_no_error (error);
  fixture.runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  g_test_add_func ("/runner/low-pass", test_low_pass);
  g_test_add_func ("/runner/low-pass-wrong", test_low_pass_wrong);
  g_test_add_func ("/runner/realisations", test_realisations);
  g_test_add_func ("/runner/missing-last", test_missing_last);
  g_test_add_func ("/runner/overwrite", test_overwrite);
  g_test_add_func ("/runner/nan", test_nan);
  g_test_add_func ("/runner/plan", test_plan);
  status = g_test_run ();
  armilla_runtime_stop (fixture.runtime);
  armilla_registry_free (fixture.registry);
  g_rmdir (fixture.folder);
  g_free (fixture.folder);
  return status;
}
