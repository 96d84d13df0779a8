/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m on finer rings against trigonometric polynomials, summed in extended precision; and the
 * transpose. */
#include <math.h>
#include <string.h>

#include "codelets/points/points-delta.h"
#include "tests/legendre/delta-reference.h"

#define PI 3.14159265358979323846264338327950288L

typedef struct {
  ArmillaPointsDeltaShape shape;
  ArmillaPointsKernel kernel;
  gint64 mmax, n_columns;
  ArmillaFftPlans *plans;
  double *table, *scratch, *coarse, *fine;
  double *of_waves, *of_orders; /* transforms of the kernel */
} Case;

static gint64
size_of (const Case *c, gint64 n_rings)
{
  return 4 * ((n_rings + 1) / 2) * c->shape.n_fields * c->shape.n_orders;
}

static void
case_init (Case *c, gint64 n_coarse, gint64 n_fine, gint64 m_first, gint64 n_orders, int spin)
{
  c->shape = (ArmillaPointsDeltaShape) { 2, m_first, n_orders, spin, n_coarse, n_fine };
  c->mmax = m_first + n_orders - 1;
  c->n_columns = 4 * c->mmax + 2;
  c->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_points_kernel_init (&c->kernel, 1e-9, 2), ==, 0);
  g_assert_cmpint (armilla_points_delta_plan (&c->shape, c->plans), ==, 0);
  c->table = g_new (double, armilla_points_delta_table_size (&c->shape, c->mmax));
  armilla_points_delta_table (&c->shape, &c->kernel, c->n_columns, c->mmax, c->table);
  c->of_waves = g_new (double, n_coarse);
  armilla_points_kernel_transforms (&c->kernel, M_PI / (double) (n_fine - 1), n_coarse,
                                    c->of_waves);
  c->of_orders = g_new (double, c->mmax + 1);
  armilla_points_kernel_transforms (&c->kernel, 2 * M_PI / (double) c->n_columns, c->mmax + 1,
                                    c->of_orders);
  memmove (c->of_orders, c->of_orders + m_first, sizeof (double) * (gsize) n_orders);
  c->scratch = delta_new_nan (armilla_points_delta_scratch_size (&c->shape));
  c->coarse = delta_new_nan (size_of (c, n_coarse));
  c->fine = delta_new_nan (size_of (c, n_fine));
}

static void
case_clear (Case *c)
{
  armilla_fft_plans_free (c->plans);
  g_free (c->table);
  g_free (c->scratch);
  g_free (c->coarse);
  g_free (c->fine);
  g_free (c->of_waves);
  g_free (c->of_orders);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* Position of a number of a tile. */
typedef struct {
  gint64 field, order, ring;
  int part;
  gboolean absent; /* the southern slot of the equator */
} Place;

static Place
place_of (const Case *c, gint64 n_rings, gint64 i)
{
  const gint64 n_pairs = (n_rings + 1) / 2, slot = i / 2 / c->shape.n_orders % (2 * n_pairs);
  Place place = { .part = (int) (i % 2), .order = i / 2 % c->shape.n_orders,
                  .field = i / 2 / c->shape.n_orders / (2 * n_pairs) };

  place.ring = slot % 2 ? n_rings - 1 - slot / 2 : slot / 2;
  place.absent = slot % 2 && 2 * place.ring == n_rings - 1;
  return place;
}

/* Even or odd waves up to the highest that the coarse rings determine; @refined: each is divided by
 * the transforms of the kernel. */
static long double
polynomial (const Case *c, const Place *place, long double theta, gboolean refined)
{
  const gint64 lmax = c->shape.n_coarse - 2, m = c->shape.m_first + place->order;
  const gint64 waves[] = { lmax, MAX (lmax - 1, 0), lmax / 2, MIN (place->field + 1, lmax), 0 };
  long double sum = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (waves); i++)
    {
      const long double angle = waves[i] * theta;
      long double x = ((m + c->shape.spin) % 2 ? sinl (angle) : cosl (angle))
                      / (long double) (1 + i + (gsize) place->part + (gsize) m % 3);

      if (refined)
        x /= (long double) c->of_waves[waves[i]] * (long double) c->of_orders[place->order];
      sum += x;
    }
  return sum;
}

static void
check_values (Case *c)
{
  const gint64 n_coarse = c->shape.n_coarse, n_fine = c->shape.n_fine;
  volatile long double reference = 1 + 0x1p-60L;
  double errors = 0, norm = 0, bound = 1e-15;

  for (gint64 i = 0; i < size_of (c, n_coarse); i++)
    {
      const Place place = place_of (c, n_coarse, i);

      if (!place.absent)
        c->coarse[i] = (double) polynomial (
          c, &place, PI * (long double) place.ring / (long double) (n_coarse - 1), FALSE);
    }
  armilla_points_refine_cpu (&c->shape, c->table, c->plans, c->coarse, c->fine, c->scratch);
  for (gint64 i = 0; i < size_of (c, n_fine); i++)
    {
      const Place place = place_of (c, n_fine, i);
      const double expected
        = place.absent ? 0 : (double) polynomial (c, &place, PI * (long double) place.ring
                                                               / (long double) (n_fine - 1), TRUE);

      g_assert_true (isfinite (c->fine[i]));
      if (place.absent)
        g_assert_cmpfloat (c->fine[i], ==, 0);
      errors += (c->fine[i] - expected) * (c->fine[i] - expected);
      norm += expected * expected;
    }
  /* Rounding of values and of two transforms. Without a long double of its own (valgrind) this test
   * rounds theta, times the wave. */
  bound += reference == 1 ? 0x1p-52 * 4 * (double) n_coarse : 0;
  g_assert_cmpfloat (errors, <=, bound * bound * norm);
}

/* <A x, y> = <x, A' y> */
static void
check_transpose (Case *c)
{
  const gint64 n_coarse = size_of (c, c->shape.n_coarse), n_fine = size_of (c, c->shape.n_fine);
  g_autofree double *x = g_new (double, n_coarse), *y = g_new (double, n_fine);
  double left = 0, right = 0;

  delta_random (x, n_coarse, 1);
  delta_random (y, n_fine, 2);
  delta_fill_nan (c->fine, n_fine);
  delta_fill_nan (c->coarse, n_coarse);
  armilla_points_refine_cpu (&c->shape, c->table, c->plans, x, c->fine, c->scratch);
  armilla_points_coarsen_cpu (&c->shape, c->table, c->plans, y, c->coarse, c->scratch);
  left = delta_dot (c->fine, y, n_fine);
  right = delta_dot (x, c->coarse, n_coarse);
  g_assert_cmpfloat (fabs (left - right), <=,
                     1e-15 * sqrt (delta_dot (c->fine, c->fine, n_fine)
                                   * delta_dot (y, y, n_fine)));
}

static void
test_cases (void)
{
  /* coarse rings, fine rings, first order, orders: even and odd numbers of each, lengths that are
   * no products of small primes, chunks of orders that are not full */
  static const gint64 cases[][4] = {
    { 3, 21, 0, 2 },  { 5, 21, 1, 3 },   { 42, 83, 0, 9 },  { 33, 66, 3, 16 },
    { 48, 96, 7, 1 }, { 90, 180, 0, 31 }, { 202, 403, 4, 5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int spin = 0; spin < 4; spin++)
      {
        g_auto (Case) c = { .mmax = 0 };

        case_init (&c, cases[i][0], cases[i][1], cases[i][2], cases[i][3], spin);
        check_values (&c);
        check_transpose (&c);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/points-delta/cases", test_cases);
  return g_test_run ();
}
