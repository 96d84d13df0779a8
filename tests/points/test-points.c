/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation at arbitrary points against trigonometric series, summed in extended precision; and
 * the transpose. */
#include "tests/points/points-helpers.h"

#define TERMS 12

/* A field: waves cos or sin (l theta) times waves of m phi, which continue beyond the poles. */
typedef struct {
  gint64 l[TERMS], m[TERMS];
  long double a[TERMS], b[TERMS];
  int spin;
} Series;

static Series
series_new (gint64 lmax, gint64 mmax, int spin, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Series series = { .spin = spin };

  for (int i = 0; i < TERMS; i++)
    {
      series.l[i] = i < 2 ? lmax : g_rand_int_range (random, 0, (gint32) lmax + 1);
      series.m[i] = i % 3 == 0 ? mmax - i / 3 % 2 : g_rand_int_range (random, 0, (gint32) mmax + 1);
      series.a[i] = g_rand_double_range (random, -1, 1);
      series.b[i] = g_rand_double_range (random, -1, 1);
    }
  return series;
}

/* The factors of a term that depend on theta, and on phi. */
static long double
theta_wave (const Series *series, int i, long double theta)
{
  const long double l = (long double) series->l[i];

  return (series->m[i] + series->spin) % 2 ? sinl (l * theta) : cosl (l * theta);
}

static long double
phi_wave (const Series *series, int i, long double phi)
{
  const long double m = (long double) series->m[i];

  return series->a[i] * cosl (m * phi) + series->b[i] * sinl (m * phi);
}

/* Fills a field of a tile; columns: [column][term], the factors that depend on the column. */
static void
fill_tile (Points *p, const Series *series, gint64 field, gint64 b, const long double *columns)
{
  const gint64 n_rings = p->grid.n_rings, n_columns = p->grid.n_columns;
  const ArmillaPointsBand band = armilla_points_grid_band (&p->grid, b);
  const gint64 n = points_tile_size (p, b) / p->shape.n_fields / n_columns;

  /* Northern rings, then southern ones, from the last pair to the first. */
  for (gint64 row = 0; row < n; row++)
    {
      const gint64 ring
        = row < band.n_pairs ? band.first_pair + row : n_rings - band.first_pair - (n - row);
      long double wave[TERMS];

      for (int i = 0; i < TERMS; i++)
        wave[i] = theta_wave (series, i, PI * (long double) ring / (long double) (n_rings - 1));
      for (gint64 column = 0; column < n_columns; column++)
        {
          long double sum = 0;

          for (int i = 0; i < TERMS; i++)
            sum += wave[i] * columns[column * TERMS + i];
          p->tile[b][(field * n + row) * n_columns + column] = (double) sum;
        }
    }
}

static double
transform_of (const ArmillaPointsKernel *kernel, double wave)
{
  double transforms[2];

  armilla_points_kernel_transforms (kernel, wave, 2, transforms);
  return transforms[1];
}

/* Fills the tiles with the fields, each wave divided by the transform of the kernel. */
static void
fill_tiles (Points *p, const Series *series)
{
  const ArmillaPointsKernel *kernel = &p->shape.kernel;
  const gint64 n_rings = p->grid.n_rings, n_columns = p->grid.n_columns;
  g_autofree long double *columns = g_new (long double, TERMS * n_columns);

  for (gint64 field = 0; field < p->shape.n_fields; field++)
    {
      for (int i = 0; i < TERMS; i++)
        {
          const double row_wave = M_PI * (double) series[field].l[i] / (double) (n_rings - 1);
          const double column_wave = 2 * M_PI * (double) series[field].m[i] / (double) n_columns;
          const double factor
            = transform_of (kernel, row_wave) * transform_of (kernel, column_wave);

          for (gint64 column = 0; column < n_columns; column++)
            columns[column * TERMS + i]
              = phi_wave (series + field, i,
                          2 * PI * (long double) column / (long double) n_columns)
                / factor;
        }
      for (gint64 b = 0; b < p->grid.n_bands; b++)
        fill_tile (p, series + field, field, b, columns);
    }
}

static void
check_values (Points *p, const Series *series, double epsilon)
{
  for (gint64 field = 0; field < p->shape.n_fields; field++)
    {
      g_autofree double *values = points_values (p, field);
      long double errors = 0, norm = 0, worst = 0;

      /* rms of the series */
      for (int k = 0; k < TERMS; k++)
        norm += (series[field].a[k] * series[field].a[k] + series[field].b[k] * series[field].b[k])
                / 4;
      norm = sqrtl (norm);
      for (gint64 i = 0; i < p->n; i++)
        {
          long double sum = 0, error;

          for (int k = 0; k < TERMS; k++)
            sum += theta_wave (series + field, k, p->theta[i])
                   * phi_wave (series + field, k, p->phi[i]);
          error = fabsl (values[i] - sum);
          g_assert_true (isfinite (values[i]));
          errors += error * error;
          worst = MAX (worst, error);
        }
      errors = sqrtl (errors / (long double) p->n);
      g_test_message ("%s width %d spin %d epsilon %g: rms %.2Lg, max %.2Lg",
                      armilla_isa_name ((ArmillaIsa) p->shape.isa), (int) p->shape.kernel.width,
                      p->shape.spin, epsilon, errors / norm, worst / norm);
      g_assert_cmpfloat ((double) errors, <=, epsilon * (double) norm);
      g_assert_cmpfloat ((double) worst, <=, 5 * epsilon * (double) norm);
    }
}

static long double
dot (const double *x, const double *y, gint64 n)
{
  long double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += (long double) x[i] * y[i];
  return sum;
}

static void
fill_random (double *x, gint64 n, GRand *random)
{
  for (gint64 i = 0; i < n; i++)
    x[i] = g_rand_double_range (random, -1, 1);
}

/* <A x, y> = <x, A' y> */
static void
check_transpose (Points *p)
{
  const gint64 n = p->n * p->shape.n_fields;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree double *y = g_new (double, n);
  g_autofree double **x = g_new (double *, p->grid.n_bands);
  long double left, right = 0, norm = 0;

  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      const gint64 size = points_tile_size (p, i);

      fill_random (p->tile[i], size, random);
      x[i] = g_memdup2 (p->tile[i], sizeof (double) * (gsize) size);
    }
  fill_random (y, n, random);
  points_interpolate (p);
  left = dot (p->values, y, n);
  norm = dot (p->values, p->values, n) * dot (y, y, n);
  if (n > 0)
    memcpy (p->values, y, sizeof (double) * (gsize) n);
  points_spread (p);
  for (gint64 i = 0; i < p->grid.n_bands; i++)
    {
      right += dot (x[i], p->tile[i], points_tile_size (p, i));
      g_free (x[i]);
    }
  g_assert_cmpfloat ((double) fabsl (left - right), <=, 1e-15 * (double) sqrtl (norm));
}

/* Interpolates two fields at points of all kinds with all instruction sets. */
static void
check_case (gint64 lmax, gint64 mmax, double oversampling, double epsilon, gint64 band_pairs,
            gint64 n)
{
  const gint64 n_rings = MAX ((gint64) ceil (oversampling * (double) (lmax + 1)), 20) + 1;
  const gint64 n_columns = 2 * MAX ((gint64) ceil (oversampling * (double) (2 * mmax + 1) / 2), 10);
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n);
  ArmillaPointsKernel kernel;

  points_random (theta, phi, n, 3);
  g_assert_cmpint (armilla_points_kernel_init (&kernel, epsilon, oversampling), ==, 0);
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    for (int spin = 0; spin < 4; spin++)
      {
        const Series series[]
          = { series_new (lmax, mmax, spin, 1), series_new (lmax, mmax, spin, 2) };
        g_auto (Points) p = { .shape = { .isa = (int32_t) isa, .spin = spin, .kernel = kernel } };

        points_init (&p, n_rings, n_columns, band_pairs, 2, theta, phi, n);
        fill_tiles (&p, series);
        points_interpolate (&p);
        check_values (&p, series, epsilon);
        check_transpose (&p);
      }
}

static void
test_accuracy (void)
{
  static const double epsilons[] = { 1e-2, 1e-3, 1e-4, 1e-5,  1e-6,  1e-7, 1e-8,
                                     1e-9, 1e-10, 1e-11, 2e-12, 2e-13 };

  for (gsize i = 0; i < G_N_ELEMENTS (epsilons); i++)
    check_case (40, 37, 2, epsilons[i], 7, 700);
}

/* All widths: odd and even numbers of rings and cells, small grids, one block and blocks of a
 * single pair. */
static void
test_grids (void)
{
  check_case (2, 2, 2, 2e-13, 100, 300);
  check_case (2, 1, 2, 1e-4, 1, 300);
  check_case (3, 3, 2, 1e-6, 5, 300);
  check_case (31, 31, 1.5, 1e-8, 1, 300);
  check_case (31, 20, 1.5, 1e-11, 1, 300);
  check_case (70, 51, 1.75, 1e-9, 64, 300);
  check_case (69, 50, 1.26, 1e-6, 33, 300);
}

/* More points than a chunk in one cell, and equal points. */
static void
test_one_cell (void)
{
  const gint64 n = 3 * 512 + 5;
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n);
  const Series series = series_new (40, 40, 1, 1);
  g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect (), .spin = 1 } };

  for (gint64 i = 0; i < n; i++)
    {
      theta[i] = 1 + 1e-3 * (double) (i % 7);
      phi[i] = 2 + 1e-3 * (double) (i % 5);
    }
  g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, 1e-10, 2), ==, 0);
  points_init (&p, 83, 162, 20, 1, theta, phi, n);
  fill_tiles (&p, &series);
  points_interpolate (&p);
  check_values (&p, &series, 1e-10);
  check_transpose (&p);
}

static void
test_few (void)
{
  for (gint64 n = 0; n < 3; n++)
    {
      double theta[] = { M_PI, 1 }, phi[] = { -7, 3 };
      const Series series = series_new (20, 20, 2, 1);
      g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect (), .spin = 2 } };

      g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, 1e-9, 2), ==, 0);
      points_init (&p, 45, 90, 10, 1, theta, phi, n);
      fill_tiles (&p, &series);
      points_interpolate (&p);
      if (n > 0)
        check_values (&p, &series, 1e-8);
      check_transpose (&p);
      if (n == 0)
        for (gint64 i = 0; i < p.grid.n_bands; i++)
          for (gint64 k = 0; k < points_tile_size (&p, i); k++)
            g_assert_cmpfloat (p.tile[i][k], ==, 0);
    }
}

/* Each point is in the sorted ones once, and points of a cell are in their order. */
static void
check_order (const Points *p)
{
  g_autofree gint64 *seen = g_new0 (gint64, p->n);

  for (gint64 band = 0; band < p->grid.n_bands; band++)
    {
      const gint64 *start = points_start (p, band), *order = p->order + p->sort->first[band];
      const gint64 n_cells = p->sort->first_cell[band + 1] - p->sort->first_cell[band];

      g_assert_cmpint (start[0], ==, 0);
      g_assert_cmpint (start[n_cells], ==, points_band (p, band).n_points);
      for (gint64 cell = 0; cell < n_cells; cell++)
        for (gint64 i = start[cell]; i < start[cell + 1]; i++)
          {
            g_assert_true (i == start[cell] || order[i - 1] < order[i]);
            seen[order[i]]++;
          }
    }
  for (gint64 i = 0; i < p->n; i++)
    g_assert_cmpint (seen[i], ==, 1);
}

/* The places have the same bits for all instruction sets. */
static void
test_places (void)
{
  const gint64 n = 3001;
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n), *expected = NULL;

  points_random (theta, phi, n, 9);
  for (int isa = ARMILLA_ISA_PORTABLE; isa <= (int) armilla_isa_detect (); isa++)
    {
      g_auto (Points) p = { .shape = { .isa = isa, .kernel.width = 9 } };

      points_init (&p, 1003, 2000, 100, 1, theta, phi, n);
      if (expected)
        g_assert_cmpmem (p.places, sizeof (double) * 2 * n, expected, sizeof (double) * 2 * n);
      else
        expected = g_memdup2 (p.places, sizeof (double) * 2 * n);
    }
}

/* The number of the first position that is not finite. */
static void
test_bad_position (void)
{
  static const gint64 pairs[] = { 0 };
  const ArmillaPointsGrid grid = { 21, 20, 4, ARMILLA_ISA_PORTABLE, 1, pairs };
  double x[9] = { 1, 1, 1, INFINITY, 1, NAN, 1, 1, 1 }, z[9] = { 0 };
  g_autofree void *scratch = g_malloc (armilla_points_sort_scratch (9));
  ArmillaPointsSort *sort = armilla_points_sort_new (&grid, 9, scratch);

  g_assert_cmpint (armilla_points_sort_block (sort, 0, x, z, z), ==, 3);
  g_assert_cmpint (armilla_points_sort_block (sort, 0, z, z, x), ==, 3);
  armilla_points_sort_free (sort);
}

/* The bits of the values do not depend on the cuts of the grid, nor does the order of the points
 * of a cell depend on anything but their numbers. */
static void
test_cuts (void)
{
  const gint64 n = 20000;
  g_autofree double *theta = g_new (double, n), *phi = g_new (double, n), *expected = NULL;
  const Series series = series_new (60, 60, 3, 1);

  points_random (theta, phi, n, 8);
  for (gint64 band_pairs = 1; band_pairs < 70; band_pairs += 11)
    {
      g_auto (Points) p = { .shape = { .isa = (int32_t) armilla_isa_detect (), .spin = 3 } };
      g_autofree double *values = NULL;

      g_assert_cmpint (armilla_points_kernel_init (&p.shape.kernel, 1e-7, 2), ==, 0);
      points_init (&p, 123, 242, band_pairs, 1, theta, phi, n);
      check_order (&p);
      fill_tiles (&p, &series);
      points_interpolate (&p);
      values = points_values (&p, 0);
      if (expected)
        g_assert_cmpmem (values, sizeof (double) * n, expected, sizeof (double) * n);
      else
        expected = g_steal_pointer (&values);
    }
}

static void
test_kernel (void)
{
  ArmillaPointsKernel kernel;

  g_assert_cmpint (armilla_points_kernel_init (&kernel, 1e-16, 2), ==, -1);
  g_assert_cmpint (armilla_points_kernel_init (&kernel, 1e-12, 1.25), ==, -1);
  g_assert_cmpint (armilla_points_kernel_init (&kernel, 0.5, 2), ==, 0);
  g_assert_cmpint (kernel.width, ==, ARMILLA_POINTS_MIN_WIDTH);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/points/kernel", test_kernel);
  g_test_add_func ("/points/accuracy", test_accuracy);
  g_test_add_func ("/points/grids", test_grids);
  g_test_add_func ("/points/one-cell", test_one_cell);
  g_test_add_func ("/points/few", test_few);
  g_test_add_func ("/points/cuts", test_cuts);
  g_test_add_func ("/points/places", test_places);
  g_test_add_func ("/points/bad-position", test_bad_position);
  return g_test_run ();
}
