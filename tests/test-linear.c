/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/linear.h"

#include <math.h>

/* A = B B' + 1 of random B is positive definite; with x given, b = A x. */
static void
test_solve (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);

  for (int n = 1; n <= ARMILLA_SPD_MAX; n++)
    {
      double root[64], a[64], x[8], b[8] = { 0 }, found[8];

      for (int i = 0; i < n * n; i++)
        root[i] = g_rand_double_range (random, -1, 1);
      for (int i = 0; i < n; i++)
        {
          x[i] = g_rand_double_range (random, -1, 1);
          for (int j = 0; j < n; j++)
            {
              a[i * n + j] = i == j;
              for (int k = 0; k < n; k++)
                a[i * n + j] += root[i * n + k] * root[j * n + k];
            }
        }
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          b[i] += a[i * n + j] * x[j];
      g_assert_true (armilla_solve_spd (n, a, b, found, NULL));
      /* condition number at most 1 + trace (B B') <= 1 + n^2, a few n roundings */
      for (int i = 0; i < n; i++)
        g_assert_cmpfloat (fabs (found[i] - x[i]), <=, (1 + n * n) * 4 * n * 2.3e-16);
      /* in place */
      g_assert_true (armilla_solve_spd (n, a, b, b, NULL));
      for (int i = 0; i < n; i++)
        g_assert_true (b[i] == found[i]);
    }
}

/* By hand: [[4, 2], [2, 3]] x = (2, 5) has the solution (-1/2, 2). */
static void
test_known (void)
{
  const double a[4] = { 4, NAN, 2, 3 }, b[2] = { 2, 5 }; /* the upper triangle is not read */
  double x[2];

  g_assert_true (armilla_solve_spd (2, a, b, x, NULL));
  g_assert_cmpfloat_with_epsilon (x[0], -0.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (x[1], 2, 2e-15);
}

static void
test_undetermined (void)
{
  static const double bad[][4] = {
    { 0, 0, 0, 1 },  { 1, 1, 1, 1 }, { 3, 1, 1, 1.0 / 3 },
    { -1, 0, 0, 1 }, { 1, 2, 2, 1 }, { NAN, 0, 0, 1 },
  };
  const double b[2] = { 1, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      double x[2] = { 7, 7 };

      g_assert_false (armilla_solve_spd (2, bad[i], b, x, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
      g_assert_true (x[0] == 7 && x[1] == 7);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linear/solve", test_solve);
  g_test_add_func ("/linear/known", test_known);
  g_test_add_func ("/linear/undetermined", test_undetermined);
  return g_test_run ();
}
