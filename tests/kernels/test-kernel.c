/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial kernels against closed forms, and against sums in long double. */
#include "core/kernels/kernel.h"

#include <math.h>
#include <string.h>

static const double arcmin = G_PI / 10800;

/* sum (2l + 1) / (4 pi) b_l P_l (1 - chord^2 / 2) by the three-term recurrence, in long double,
 * which loses at most a few times l * 5e-20 here. */
static double
reference_profile (const double *window, gint64 lmax, double chord)
{
  const long double x = 1 - (long double) chord * chord / 2;
  long double p = 1, before = 0, sum = 0;

  for (gint64 l = 0; l <= lmax; l++)
    {
      const long double next = ((2 * l + 1) * x * p - l * before) / (l + 1);

      sum += (2 * l + 1) * (long double) window[l] * p;
      before = p;
      p = next;
    }
  return (double) (sum / (4 * G_PI));
}

static void
test_gaussian (void)
{
  static const double fwhm[] = { 4.7, 60, 600, 10800 };

  for (gsize i = 0; i < G_N_ELEMENTS (fwhm); i++)
    {
      g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (fwhm[i] * arcmin, NULL);
      const double sigma = fwhm[i] * arcmin / sqrt (8 * log (2));
      double window[101], chords[8], values[8], peak;

      armilla_kernel_window (kernel, 100, window);
      for (gint64 l = 0; l <= 100; l++)
        g_assert_cmpfloat_with_epsilon (
          window[l], exp (-(double) (l * (l + 1)) * sigma * sigma / 2), 1e-15);
      for (int k = 0; k < 8; k++)
        chords[k] = MIN (2, 0.8 * k * sigma);
      armilla_kernel_profile (kernel, chords, 8, values);
      /* In the plane it is a Gaussian; the sphere's curvature changes that by terms of sigma^2 and
       * theta^2, with factors below 1. */
      peak = 1 / (2 * G_PI * sigma * sigma);
      for (int k = 0; k < 8 && sigma < 0.1; k++)
        g_assert_cmpfloat (fabs (values[k] / peak
                                 - exp (-chords[k] * chords[k] / (2 * sigma * sigma))), <,
                           sigma * sigma);
      g_assert_cmpfloat (armilla_kernel_support (kernel), ==, G_PI);
    }
}

/* Recurrence, parity and table against the reference, up to the antipode. */
static void
check_table (ArmillaKernel *kernel, double cut, gint64 lmax)
{
  g_autofree double *window = g_new (double, lmax + 1);
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, cut);
  double peak;

  armilla_kernel_window (kernel, lmax, window);
  peak = reference_profile (window, lmax, 0);
  for (int k = 0; k <= 57; k++)
    {
      const double c = 2 * sin (0.5 * cut) * k / 57.3;
      const double exact = reference_profile (window, lmax, c);
      double value;

      armilla_kernel_profile (kernel, &c, 1, &value);
      /* Roundings of either sign add up over l: 1.1e-16 sqrt (15100) at the most, and some terms
       * weigh a few times the mean. */
      g_assert_cmpfloat (fabs (value - exact), <, 1e-13 * fabs (peak));
      /* As the table promises. */
      g_assert_cmpfloat (fabs (armilla_kernel_table_value (table, c * c) - exact), <,
                         1e-12 * fabs (peak));
    }
  if (cut < G_PI)
    {
      g_assert_cmpfloat (armilla_kernel_table_value (table, table->chord2), !=, 0);
      g_assert_cmpfloat (armilla_kernel_table_value (table, table->chord2 * (1 + 1e-15)), ==, 0);
    }
  else /* the squared chord of antipodes, with what roundings add */
    g_assert_cmpfloat_with_epsilon (armilla_kernel_table_value (table, 4 * (1 + 1e-15)),
                                    armilla_kernel_table_value (table, 4), 1e-14);
}

static void
test_tables (void)
{
  g_autoptr (ArmillaKernel) narrow = armilla_kernel_new_gaussian (4.7 * arcmin, NULL);
  g_autoptr (ArmillaKernel) wide = armilla_kernel_new_gaussian (2000 * arcmin, NULL);
  g_autoptr (ArmillaKernel) needlet = armilla_kernel_new_needlet (30 * arcmin, 2, NULL);
  g_autoptr (ArmillaKernel) window = NULL;
  double b[301];

  check_table (narrow, 12 * arcmin, 15100);
  check_table (wide, G_PI, 100);
  check_table (needlet, 4 * 30 * arcmin, 1300);
  for (int l = 0; l <= 300; l++)
    b[l] = 1 - 0.003 * l;
  window = armilla_kernel_new_window (b, 300, NULL);
  check_table (window, G_PI, 300);
  check_table (window, 0.01, 300);
}

/* From b_l to the profile and back: the integral over the whole sphere gives b_l. */
static void
test_there_and_back (void)
{
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (300 * arcmin, NULL);
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, G_PI);
  double window[151], back[151];

  armilla_kernel_window (kernel, 150, window);
  armilla_kernel_table_window (table, 150, back);
  /* The table's error, 1e-12 of K (0), over the solid angle where K is, 1 / K (0), and beyond,
   * where it is as large at most but of either sign. */
  for (int l = 0; l <= 150; l++)
    g_assert_cmpfloat (fabs (window[l] - back[l]), <, 1e-11);
}

/* b_l of a disc: (P_{l-1} (x) - P_{l+1} (x)) / ((2l + 1) (1 - x)), x = cos radius. */
static void
test_top_hat (void)
{
  static const double radius[] = { 0.01, 0.3, 2, G_PI };

  for (gsize i = 0; i < G_N_ELEMENTS (radius); i++)
    {
      g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_top_hat (radius[i], NULL);
      const long double x = cosl (radius[i]), rest = 2 * powl (sinl (0.5L * radius[i]), 2);
      long double before = 1, p = x;
      double window[2001];

      armilla_kernel_window (kernel, 2000, window);
      /* 16 nodes a panel leave a few roundings of each of 1 + radius * 2000 / 12 panels. */
      g_assert_cmpfloat_with_epsilon (window[0], 1, 1e-14);
      for (gint64 l = 1; l <= 2000; l++)
        {
          const long double next = ((2 * l + 1) * x * p - l * before) / (l + 1);

          g_assert_cmpfloat_with_epsilon (window[l],
                                          (double) ((before - next) / ((2 * l + 1) * rest)), 2e-14);
          before = p;
          p = next;
        }
      g_assert_cmpfloat_with_epsilon (armilla_kernel_support (kernel), radius[i], 1e-15);
    }
}

/* A profile with the points of a Gaussian is that Gaussian to the error of a cubic spline: 5/384
 * h^4 times the fourth derivative, 3 / sigma^4: 0.04 (h / sigma)^4 of the peak. */
static void
test_profile (void)
{
  const double sigma = 0.02, step = sigma / 20;
  g_autoptr (ArmillaKernel) kernel = NULL, twice = NULL, unit = NULL;
  g_autoptr (ArmillaKernelTable) table = NULL;
  double theta[141], value[141], window[201], b0;

  for (int i = 0; i <= 140; i++)
    {
      theta[i] = step * i;
      value[i] = 2 * exp (-0.5 * pow (2 * sin (0.5 * theta[i]) / sigma, 2));
    }
  kernel = armilla_kernel_new_profile (theta, value, 141, NULL);
  table = armilla_kernel_tabulate (kernel, G_PI);
  g_assert_cmpfloat_with_epsilon (table->cut, theta[140], 1e-15);
  for (double c = 0; c < 7 * sigma * 0.99; c += 0.37 * step)
    g_assert_cmpfloat_with_epsilon (armilla_kernel_table_value (table, c * c),
                                    2 * exp (-0.5 * c * c / (sigma * sigma)),
                                    2 * 0.04 * pow (0.05, 4));
  /* In the chord the integral over the sphere has a closed form: 2 pi sigma^2 (1 - exp (-24.5)). */
  armilla_kernel_window (kernel, 200, window);
  g_assert_cmpfloat_with_epsilon (window[0], 4 * G_PI * sigma * sigma, 1e-9);
  unit = armilla_kernel_normalised (kernel, NULL);
  armilla_kernel_window (unit, 0, &b0);
  g_assert_cmpfloat_with_epsilon (b0, 1, 1e-14);
  twice = armilla_kernel_normalised (unit, NULL);
  armilla_kernel_window (twice, 0, &b0);
  g_assert_cmpfloat_with_epsilon (b0, 1, 1e-14);
}

static void
test_needlet (void)
{
  const double s = 0.05;
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_needlet (s, 3, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaKernel) none = NULL;
  double window[401];

  armilla_kernel_window (kernel, 400, window);
  g_assert_cmpfloat (window[0], ==, 0);
  for (int l = 1; l <= 400; l++)
    {
      const double x = l * (l + 1) * s * s;

      g_assert_cmpfloat_with_epsilon (window[l], pow (x / 3, 3) * exp (3 - x), 1e-14);
    }
  none = armilla_kernel_normalised (kernel, &error);
  g_assert_null (none);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
}

/* For a Gaussian both spectra give exp (-cut^2 / (2 sigma^2)), in the plane. */
static void
test_cut (void)
{
  static const double accuracies[] = { 1e-2, 1e-4, 1e-6, 1e-9 };
  const double fwhm = 60 * arcmin, sigma = fwhm / sqrt (8 * log (2));
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (fwhm, NULL);
  g_autoptr (ArmillaKernel) hat = armilla_kernel_new_top_hat (0.1, NULL);
  const double pixel = 1e-6;
  double cl[1301], of_mean;

  for (gsize i = 0; i < G_N_ELEMENTS (accuracies); i++)
    {
      const double cut
        = armilla_kernel_choose_cut (kernel, accuracies[i], NULL, 1300, pixel);
      const double plane = sigma * sqrt (-2 * log (accuracies[i]));

      g_assert_cmpfloat (fabs (cut - plane), <, 0.35 * sigma); /* a step */
      /* The same error, found another way. */
      g_assert_cmpfloat (
        armilla_kernel_truncation_error (kernel, cut, NULL, 1300, pixel, &of_mean), <=,
        1.001 * accuracies[i] + 1e-11);
      /* For a Gaussian what is lost of its mean is the same once more. */
      g_assert_cmpfloat (of_mean, <=, 1.001 * accuracies[i] + 1e-11);
    }
  /* One degree alone: its own loss. */
  for (int l = 0; l <= 1300; l++)
    cl[l] = l == 10;
  g_assert_cmpfloat_with_epsilon (armilla_kernel_truncation_error (kernel, 3 * sigma, cl, 1300,
                                                                   pixel, NULL),
                                  exp (-4.5), 0.02 * exp (-4.5));
  g_assert_cmpfloat (armilla_kernel_choose_cut (hat, 1e-4, NULL, 1000, pixel), ==, 0.1);
}

static void
test_band_limit (void)
{
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (60 * arcmin, NULL);
  const double sigma = 60 * arcmin / sqrt (8 * log (2));
  const gint64 limit = armilla_kernel_band_limit (kernel, 1e-9, 5000);

  g_assert_cmpfloat (exp (-0.5 * (double) (limit * (limit + 1)) * sigma * sigma), >, 1e-9);
  g_assert_cmpfloat (exp (-0.5 * (double) ((limit + 1) * (limit + 2)) * sigma * sigma), <=, 1e-9);
  g_assert_cmpint (armilla_kernel_band_limit (kernel, 1e-9, 100), ==, 100);
}

static void
refuse (ArmillaKernel *kernel, GError *error, ArmillaError code, const char *part)
{
  g_assert_null (kernel);
  g_assert_error (error, ARMILLA_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, part));
  g_error_free (error);
}

#define REFUSE(code, part, call)                                                                   \
  G_STMT_START                                                                                     \
    {                                                                                              \
      GError *error = NULL;                                                                        \
      ArmillaKernel *kernel = call;                                                                \
                                                                                                   \
      refuse (kernel, error, code, part);                                                          \
    }                                                                                              \
  G_STMT_END

static void
test_refusals (void)
{
  const double up[] = { 0, 0.1, 0.2 }, down[] = { 0, 0.2, 0.1 }, late[] = { 0.1, 0.2, 0.3 };
  const double degrees[] = { 0, 1, 60 }, one[] = { 1, 1, 1 }, nothing[] = { 0, 0, 0 };
  const double bad[] = { 1, NAN, 0 }, endless[] = { 1, 0.5, INFINITY };

  REFUSE (ARMILLA_ERROR_VALUE, "fwhm", armilla_kernel_new_gaussian (0, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "fwhm", armilla_kernel_new_gaussian (-1, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "fwhm", armilla_kernel_new_gaussian (NAN, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "at most 3.14", armilla_kernel_new_gaussian (3.2, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "larger angle", armilla_kernel_new_gaussian (1e-9, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "radius", armilla_kernel_new_top_hat (4, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "order", armilla_kernel_new_needlet (0.1, 0, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "scale", armilla_kernel_new_needlet (0, 1, &error));
  REFUSE (ARMILLA_ERROR_NUMERIC, "l = 1", armilla_kernel_new_window (bad, 2, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "0 at all", armilla_kernel_new_window (nothing, 2, &error));
  REFUSE (ARMILLA_ERROR_NUMERIC, "point 2", armilla_kernel_new_profile (up, bad, 3, &error));
  REFUSE (ARMILLA_ERROR_NUMERIC, "point 3", armilla_kernel_new_profile (up, endless, 3, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "increase", armilla_kernel_new_profile (down, one, 3, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "begin", armilla_kernel_new_profile (late, one, 3, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "another unit",
          armilla_kernel_new_profile (degrees, one, 3, &error));
  REFUSE (ARMILLA_ERROR_SHAPE, "2 angles", armilla_kernel_new_profile (up, one, 1, &error));
  REFUSE (ARMILLA_ERROR_VALUE, "0 everywhere", armilla_kernel_new_profile (up, nothing, 3, &error));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel/gaussian", test_gaussian);
  g_test_add_func ("/kernel/tables", test_tables);
  g_test_add_func ("/kernel/there-and-back", test_there_and_back);
  g_test_add_func ("/kernel/top-hat", test_top_hat);
  g_test_add_func ("/kernel/profile", test_profile);
  g_test_add_func ("/kernel/needlet", test_needlet);
  g_test_add_func ("/kernel/cut", test_cut);
  g_test_add_func ("/kernel/band-limit", test_band_limit);
  g_test_add_func ("/kernel/refusals", test_refusals);
  return g_test_run ();
}
