/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions of arrays: b_l times a_lm where the quadrature is exact; adjoints; refusals. */
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define LMAX 31
#define N_THETA 96
#define N_PHI 192
#define N_MAP (N_THETA * N_PHI)
#define N_ALM ((LMAX + 1) * (LMAX + 2) / 2)

static ArmillaSession *session;
static ArmillaFailure failure;
static ArmillaPlan *plan;

static double
rms (const double *values)
{
  return sqrt ((double) product (values, values, 2 * N_MAP));
}

static void
test_window (gconstpointer user)
{
  const gboolean gaussian = GPOINTER_TO_INT (user);
  static const int spins[2] = { 0 };
  const double sigma = 0.2, accuracy = 1e-8;
  double window[LMAX + 1];
  const ArmillaRadialKernel kernel
    = { .fwhm = gaussian ? sigma * sqrt (8 * log (2)) : 0, .window = gaussian ? NULL : window,
        .n_window = gaussian ? 0 : LMAX + 1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *alm = random_alm (rand, (ArmillaAlmLayout) { LMAX, LMAX }, 2, spins);
  g_autofree double *smooth = g_new0 (double, 4 * N_ALM), *map = g_new0 (double, 2 * N_MAP),
                    *expected = g_new0 (double, 2 * N_MAP), *result = g_new0 (double, 2 * N_MAP);
  const ArmillaArray a = plain (alm, 2, 1, N_ALM, TRUE), b = plain (smooth, 2, 1, N_ALM, TRUE),
                     f = plain (window, 1, 1, LMAX + 1, FALSE),
                     in = plain (map, 2, 1, N_MAP, FALSE), out = plain (result, 2, 1, N_MAP, FALSE),
                     right = plain (expected, 2, 1, N_MAP, FALSE);

  for (int l = 0; l <= LMAX; l++)
    window[l] = exp (-0.5 * l * (l + 1) * sigma * sigma);
  assert_ok (armilla_plan_synthesis (plan, &a, &in, &failure), &failure);
  assert_ok (armilla_array_scale_alm (session, LMAX, LMAX, &a, &f, &b, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &b, &right, &failure), &failure);
  assert_ok (armilla_plan_convolve (plan, &in, &kernel, accuracy, &out, &failure), &failure);
  for (gint64 i = 0; i < 2 * N_MAP; i++)
    result[i] -= expected[i];
  g_test_message ("error %.2g", rms (result) / rms (expected));
  g_assert_cmpfloat (rms (result), <=, accuracy * rms (expected));
  g_assert_cmpfloat (rms (expected), >, 1);
}

static void
test_adjoint (void)
{
  const double theta[] = { 0, 0.2, 0.4, 0.5 }, profile[] = { 2, 1.5, 0.25, 0 }, accuracy = 1e-6;
  const ArmillaRadialKernel kernels[] = { { .fwhm = 0.3 }, { .radius = 0.4 },
                                          { .theta = theta, .profile = profile, .n_profile = 4 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *x = random_numbers (rand, 2 * N_MAP), *y = random_numbers (rand, 2 * N_MAP),
                    *kx = g_new0 (double, 2 * N_MAP), *ky = g_new0 (double, 2 * N_MAP);
  const ArmillaArray of_x = plain (x, 2, 1, N_MAP, FALSE), of_y = plain (y, 2, 1, N_MAP, FALSE),
                     of_kx = plain (kx, 2, 1, N_MAP, FALSE), of_ky = plain (ky, 2, 1, N_MAP, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (kernels); i++)
    {
      long double difference;

      assert_ok (armilla_plan_convolve (plan, &of_x, &kernels[i], accuracy, &of_kx, &failure),
                 &failure);
      assert_ok (armilla_plan_adjoint_convolve (plan, &of_y, &kernels[i], accuracy, &of_ky,
                                                &failure), &failure);
      difference = product (kx, y, 2 * N_MAP) - product (x, ky, 2 * N_MAP);
      g_assert_cmpfloat (rms (kx), >, 0);
      g_assert_cmpfloat (fabs ((double) difference), <=, 2 * accuracy * rms (kx) * rms (y));
    }
}

static void
refused (const ArmillaRadialKernel *kernel, double accuracy, const char *begins)
{
  g_autofree double *x = g_new0 (double, 2 * N_MAP), *y = g_new0 (double, 2 * N_MAP);
  const ArmillaArray in = plain (x, 2, 1, N_MAP, FALSE), out = plain (y, 2, 1, N_MAP, FALSE);

  g_assert_cmpint (armilla_plan_convolve (plan, &in, kernel, accuracy, &out, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_test_message ("%s", failure.text);
  g_assert_true (g_str_has_prefix (failure.text, begins));
}

static void
test_refused (void)
{
  const double numbers[] = { 1, 0 }, wrong[] = { 0, NAN };
  const ArmillaRadialKernel none = { 0 }, two = { .fwhm = 1, .radius = 1 }, fine = { .fwhm = 0.3 },
                            narrow = { .fwhm = 1e-3 }, negative = { .fwhm = -1 },
                            half = { .profile = numbers, .n_profile = 2 },
                            empty = { .window = numbers },
                            window = { .window = wrong, .n_window = 2 },
                            profile = { .theta = wrong, .profile = wrong, .n_profile = 2 };

  refused (NULL, 1e-4, "one of fwhm");
  refused (&none, 1e-4, "one of fwhm");
  refused (&two, 1e-4, "one of fwhm");
  refused (&half, 1e-4, "one of fwhm");
  refused (&empty, 1e-4, "window: it is empty");
  refused (&window, 1e-4, "window: the window is nan at l = 1");
  refused (&profile, 1e-4, "profile: ");
  refused (&fine, 0, "accuracy: 0");
  refused (&fine, NAN, "accuracy: nan");
  refused (&narrow, 1e-4, "the kernel");
  refused (&negative, 1e-4, "");
}

int
main (int argc, char **argv)
{
  static const int scalar[] = { 0 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GEOMETRY_GAUSS_LEGENDRE, .n_theta = N_THETA,
                                   .n_phi = N_PHI, .lmax = LMAX, .mmax = LMAX, .spins = scalar,
                                   .n_spins = 1, .copies = 2 };
  int status;

  g_test_init (&argc, &argv, NULL);
  session = armilla_session_new (NULL);
  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  g_test_add_data_func ("/arrays/convolve-window", GINT_TO_POINTER (FALSE), test_window);
  g_test_add_data_func ("/arrays/convolve-gaussian", GINT_TO_POINTER (TRUE), test_window);
  g_test_add_func ("/arrays/convolve-adjoint", test_adjoint);
  g_test_add_func ("/arrays/convolve-refused", test_refused);
  status = g_test_run ();
  armilla_plan_free (plan);
  armilla_session_free (session);
  return status;
}
