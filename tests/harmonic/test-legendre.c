/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by tables of compressed matrices: against the recurrence, which other tests hold to
 * direct sums; the adjoint; tables that lack orders, are damaged, interrupted or for another
 * grid. ARMILLA_TEST_LARGE=1 adds lmax 256 to 2048 at four tolerances (3 GB of disk in TMPDIR and
 * minutes at the largest; -p /legendre/large/gauss/512 and the like take some of them). */
#include "tests/lib/legendre-helpers.h"

#include <signal.h>
#include <sys/resource.h>

static void
test_tolerance (void)
{
  static const Case grids[] = { { "gauss", 257, 514, 256, 256 }, { "healpix", 128, 0, 256, 256 },
                                { "healpix", 50, 0, 150, 101 }, { "gauss", 9, 18, 8, 8 },
                                { "clenshaw-curtis", 101, 100, 50, 50 } };
  static const double tolerances[] = { 1e-4, 1e-7, 1e-10, 1e-13 };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    for (gsize t = i % 2; t < G_N_ELEMENTS (tolerances); t += 1 + i % 2)
      {
        g_autofree char *path = table_path ("tolerance");
        g_autoptr (ArmillaGrid) grid
          = make_grid (grids[i].kind, grids[i].n_theta, grids[i].n_phi);
        const ArmillaAlmLayout layout = { grids[i].lmax, grids[i].mmax };
        const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY,
                                                 .table = path,
                                                 .tolerance = tolerances[t] };

        /* the promise of the documentation */
        g_assert_cmpfloat (compare (NULL, grid, layout, &options, i % 2, 1 + (int) t), <,
                           10 * tolerances[t]);
        g_unlink (path);
      }
}

static void
test_adjoint (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree char *path = table_path ("adjoint");
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  const ArmillaAlmLayout layout = { 128, 128 };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                           .tolerance = 1e-3 };

  legendre_options = &options;
  /* the bound of the design, however coarse the table */
  g_assert_cmpfloat (adjoint_error (rand, grid, layout), <, 1e-14);
  legendre_options = NULL;
  g_unlink (path);
}

/* A grid, lmax and tolerance: both directions against the recurrence; the exact adjoint. */
static void
test_large (gconstpointer data)
{
  const gint64 *size = data; /* lmax, digits, whether it is HEALPix */
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree char *path = table_path ("large");
  g_autoptr (ArmillaGrid) grid = make_grid (size[2] ? "healpix" : "gauss",
                                            size[2] ? size[0] / 2 : size[0] + 1, 2 * size[0] + 2);
  const ArmillaAlmLayout layout = { size[0], size[0] };
  const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                           .tolerance = pow (10, (double) -size[1]) };
  double adjoint;

  /* the promise of the documentation */
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 10 * options.tolerance);
  legendre_options = &options;
  adjoint = adjoint_error (rand, grid, layout);
  legendre_options = NULL;
  g_test_message ("adjoint %.2g", adjoint);
  /* the bound of the design */
  g_assert_cmpfloat (adjoint, <, 1e-14);
  g_unlink (path);
}

static void
add_large (void)
{
  for (int healpix = 0; healpix < 2; healpix++)
    for (gint64 lmax = 256; lmax <= 2048; lmax *= 2)
      for (gint64 digits = 4; digits <= 13; digits += 3)
        {
          g_autofree char *name
            = g_strdup_printf ("/legendre/large/%s/%" G_GINT64_FORMAT "/1e-%" G_GINT64_FORMAT,
                               healpix ? "healpix" : "gauss", lmax, digits);
          gint64 *size = g_new (gint64, 3);

          size[0] = lmax;
          size[1] = digits;
          size[2] = healpix;
          g_test_add_data_func_full (name, size, test_large, g_free);
        }
}

/* Some m-blocks by table, others by recurrence, with and without interpolation, and cut anyhow. */
static void
test_hybrid (void)
{
  static const ArmillaTilingOptions tilings[] = {
    { 0, 0, ARMILLA_INTERPOLATION_NEVER },   { 0, 0, ARMILLA_INTERPOLATION_ALWAYS },
    { 37, 7, ARMILLA_INTERPOLATION_NEVER },  { 100, 3, ARMILLA_INTERPOLATION_NEVER },
    { 1000, 1, ARMILLA_INTERPOLATION_NEVER },
  };
  static const gint64 missing[] = { 0, 1, 70, 131 };
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  const ArmillaAlmLayout layout = { 130, 130 };

  for (gsize k = 0; k < G_N_ELEMENTS (missing); k++)
    {
      g_autofree char *path = table_path ("hybrid");
      const ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                               .tolerance = 1e-9 };

      make_partial (path, grid, layout, missing[k], NULL);
      for (gsize i = 0; i < G_N_ELEMENTS (tilings); i++)
        {
          const double distance = compare (&tilings[i], grid, layout, &options, 0, 2);

          g_assert_cmpfloat (distance, <, 1e-8);
          if (missing[k] <= 1) /* no block is whole: it is the recurrence */
            g_assert_cmpfloat (distance, <=, rounding ());
          if (missing[k] == 131)
            g_assert_cmpfloat (distance, >, 0);
        }
      g_unlink (path);
    }
}

static void
test_refused (void)
{
  g_autofree char *path = table_path ("refused");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 65, 130);
  g_autoptr (ArmillaGrid) other = make_grid ("gauss", 66, 130);
  const ArmillaAlmLayout layout = { 64, 64 }, lower = { 63, 63 };
  ArmillaLegendreOptions options = { .kind = ARMILLA_LEGENDRE_BUTTERFLY, .table = path,
                                     .tolerance = 1e-9 };
  static const int spins[] = { 2, 2 };
  g_autofree char *bytes = NULL;
  gsize size;

  make_partial (path, grid, layout, 65, NULL);
  assert_fails (other, layout, &options, NULL, 1, "another grid");
  assert_fails (grid, lower, &options, NULL, 1, "lmax 64");
  assert_fails (grid, layout, &options, spins, 2, "scalar fields");
  options.tolerance = 1e-10;
  assert_fails (grid, layout, &options, NULL, 1, "tolerance");
  options.kind = ARMILLA_LEGENDRE_AUTO;
  if (!runtime->gpus) /* else the table is not looked at */
    assert_fails (grid, layout, &options, NULL, 1, "tolerance");
  options = (ArmillaLegendreOptions) { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  bytes[size - 200] ^= 4;
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  assert_fails (grid, layout, &options, NULL, 1, "damaged in order 64");
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size / 2, NULL));
  assert_fails (grid, layout, &options, NULL, 1, "damaged");
  g_unlink (path);
}

/* An interrupted table is resumed, and is what it would have been. */
static void
test_resumed (void)
{
  g_autofree char *path = table_path ("resumed"), *part = g_strconcat (path, ".part", NULL);
  g_autofree char *first_path = table_path ("first");
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 97, 200);
  const ArmillaAlmLayout layout = { 96, 96 };
  const ArmillaLegendreOptions options = { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  g_autoptr (ArmillaLegendreFile) first = NULL, second = NULL;
  g_autofree char *bytes = NULL;
  GError *error = NULL;
  gsize size;

  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_cmpint (g_rename (path, first_path), ==, 0);
  /* As a process leaves it that is killed while it writes. */
  g_assert_true (g_file_set_contents (part, bytes, (gssize) size / 3, NULL));
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  first = armilla_legendre_file_open (first_path, &error);
  second = armilla_legendre_file_open (path, &error);
  g_assert_no_error (error);
  for (gint64 m = 0; m <= layout.mmax && rounding () == 0; m++)
    g_assert_cmpuint (armilla_legendre_file_entry (first, m)->checksum, ==,
                      armilla_legendre_file_entry (second, m)->checksum);
  g_unlink (path);
  g_unlink (first_path);
}

/* A full disk (a limit on the size of files stands for it) fails the run and leaves no table. */
static void
test_full_disk (void)
{
  g_autofree char *path = table_path ("full"), *part = g_strconcat (path, ".part", NULL);
  g_autoptr (ArmillaGrid) grid = make_grid ("gauss", 97, 200);
  const ArmillaAlmLayout layout = { 96, 96 };
  const ArmillaLegendreOptions options = { ARMILLA_LEGENDRE_BUTTERFLY, path, 1e-9, 0 };
  struct rlimit before, full;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  full = before;
  full.rlim_cur = 200000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
  assert_fails (grid, layout, &options, NULL, 1, "cannot write");
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpfloat (compare (NULL, grid, layout, &options, 0, 1), <, 1e-8);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  folder = g_dir_make_tmp ("armilla-legendre-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/legendre/tolerance", test_tolerance);
  g_test_add_func ("/legendre/adjoint", test_adjoint);
  g_test_add_func ("/legendre/hybrid", test_hybrid);
  g_test_add_func ("/legendre/refused", test_refused);
  g_test_add_func ("/legendre/resumed", test_resumed);
  g_test_add_func ("/legendre/full-disk", test_full_disk);
  if (g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0)
    add_large ();
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  armilla_runtime_stop (runtime);
  return status;
}
