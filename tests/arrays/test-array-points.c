/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of points: against closed formulas of the first multipoles, by the adjoint identity, and
 * whether a plan keeps its sorted points. */
#include "tasks/arrays/plan.h"
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define N 2000
#define LMAX 2

static ArmillaSession *session;
static ArmillaFailure failure;
static const int scalar[] = { 0 }, both[] = { 0, 2 };
static double theta[N], phi[N];
static const ArmillaPositions positions
  = { .n = N, .theta = theta, .phi = phi, .epsilon = 1e-12 };

static ArmillaPlan *
new_plan (gint64 lmax, const int *spins, int n_spins, int copies)
{
  const ArmillaPlanShape shape = { .positions = &positions, .lmax = lmax, .mmax = lmax,
                                   .spins = spins, .n_spins = n_spins, .copies = copies };
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  g_assert_cmpint (armilla_plan_n_pixels (plan), ==, N);
  return plan;
}

static double
closed_form (const double *a, double t, double p)
{
  const double c = cos (t), s = sin (t);
  const double y[] = { sqrt (1 / (4 * G_PI)),
                       sqrt (3 / (4 * G_PI)) * c,
                       sqrt (5 / (16 * G_PI)) * (3 * c * c - 1),
                       -sqrt (3 / (8 * G_PI)) * s,
                       -sqrt (15 / (8 * G_PI)) * s * c,
                       sqrt (15 / (32 * G_PI)) * s * s };
  static const int m[] = { 0, 0, 0, 1, 1, 2 };
  double sum = 0;

  for (int i = 0; i < 6; i++)
    sum += (m[i] ? 2 : 1) * y[i] * (a[2 * i] * cos (m[i] * p) - a[2 * i + 1] * sin (m[i] * p));
  return sum;
}

/* Also in single precision, with holes. */
static void
test_closed_form (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *alm = random_alm (rand, (ArmillaAlmLayout) { LMAX, LMAX }, 1, scalar);
  g_autofree double *values = g_new0 (double, N);
  g_autofree float *single = g_new0 (float, 3 * N);
  ArmillaPlan *plan = new_plan (LMAX, scalar, 1, 1);
  const ArmillaArray in = plain (alm, 1, 1, 6, TRUE), out = plain (values, 1, 1, N, FALSE);
  const ArmillaArray out_single = { .data = single, .type = ARMILLA_FLOAT32,
                                    .shape = { 1, 1, N }, .strides = { 0, 0, 12 } };

  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &out_single, &failure), &failure);
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpfloat (fabs (values[i] - closed_form (alm, theta[i], phi[i])), <, 1e-11);
      g_assert_true (single[3 * i] == (float) values[i]);
      g_assert_true (single[3 * i + 1] == 0 && single[3 * i + 2] == 0);
    }
  armilla_plan_free (plan);
}

static void
test_adjoint (void)
{
  static const int spins[] = { 0, 2, 2, 0, 2, 2 };
  const ArmillaAlmLayout layout = { 20, 20 };
  const gint64 n_alm = armilla_alm_count (layout);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *x = random_alm (rand, layout, 6, spins);
  g_autofree double *y = random_numbers (rand, 6 * N);
  g_autofree double *ax = g_new0 (double, 6 * N), *aty = g_new0 (double, 12 * n_alm);
  ArmillaPlan *plan = new_plan (20, both, 2, 2);
  const ArmillaArray x_array = plain (x, 2, 3, n_alm, TRUE), y_array = plain (y, 2, 3, N, FALSE),
                     ax_array = plain (ax, 2, 3, N, FALSE),
                     aty_array = plain (aty, 2, 3, n_alm, TRUE);

  assert_ok (armilla_plan_synthesis (plan, &x_array, &ax_array, &failure), &failure);
  assert_ok (armilla_plan_adjoint_synthesis (plan, &y_array, &aty_array, &failure), &failure);
  g_assert_cmpfloat (fabsl (product (ax, y, 6 * N) - alm_product (x, aty, layout, 6)), <,
                     1e-13L * sqrtl (product (ax, ax, 6 * N) * product (y, y, 6 * N)));
  armilla_plan_free (plan);
}

/* After the first call the positions are not read again. */
static void
test_kept (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *alm = random_alm (rand, (ArmillaAlmLayout) { LMAX, LMAX }, 1, scalar);
  g_autofree double *first = g_new0 (double, N), *again = g_new0 (double, N);
  g_autofree double *back = g_new0 (double, 12), *fit = g_new0 (double, 12);
  const ArmillaAnalysis how = { .tolerance = 1e-12, .max_iterations = 50 };
  ArmillaPlan *plan = new_plan (LMAX, scalar, 1, 1);
  const ArmillaArray in = plain (alm, 1, 1, 6, TRUE), one = plain (first, 1, 1, N, FALSE),
                     two = plain (again, 1, 1, N, FALSE), sums = plain (back, 1, 1, 6, TRUE),
                     solved = plain (fit, 1, 1, 6, TRUE);
  double residual;

  assert_ok (armilla_plan_synthesis (plan, &in, &one, &failure), &failure);
  for (int i = 0; i < N; i++)
    ((double *) plan->points->theta)[i] = ((double *) plan->points->phi)[i] = NAN;
  g_assert_cmpint (armilla_plan_iterations (plan, &residual), ==, 0);
  assert_ok (armilla_plan_analysis (plan, &one, &solved, &how, &failure), &failure);
  g_assert_cmpint (armilla_plan_iterations (plan, &residual), >=, 1);
  g_assert_cmpfloat (residual, <=, 1e-12);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (fabs (fit[i] - alm[i]), <, 1e-10);
  assert_ok (armilla_plan_adjoint_synthesis (plan, &one, &sums, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &two, &failure), &failure);
  g_assert_cmpmem (first, sizeof (double) * N, again, sizeof (double) * N);
  armilla_plan_free (plan);
}

int
main (int argc, char **argv)
{
  /* poles, close to them, and azimuths of many turns or at their ends */
  static const double special[][2]
    = { { 0, 0 }, { 0, 2 }, { G_PI, 1 }, { 1e-12, 3 }, { 1e-9, -3 }, { G_PI - 1e-9, 1 },
        { G_PI / 2, 0 }, { 1, -1e-300 }, { 1, 2 * G_PI }, { 1, -2 * G_PI }, { 1, 4 * G_PI },
        { 1, nextafter (2 * G_PI, 0) }, { 1, 1e5 }, { 2, -1e6 }, { 2, 1e9 }, { 2, -1e300 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  int status;

  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < N; i++)
    {
      theta[i] = acos (g_rand_double_range (rand, -1, 1));
      phi[i] = g_rand_double_range (rand, -7, 7);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (special); i++)
    {
      theta[i] = special[i][0];
      phi[i] = special[i][1];
    }
  session = armilla_session_new (NULL);
  g_test_add_func ("/array-points/closed-form", test_closed_form);
  g_test_add_func ("/array-points/adjoint", test_adjoint);
  g_test_add_func ("/array-points/kept", test_kept);
  status = g_test_run ();
  armilla_session_free (session);
  return status;
}
