/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All steps from Delta_m to values at points, and their adjoints, against sums over a_lm in
 * quadruple precision: finer rings, rings of pixels, interpolation. */
#include "codelets/points/points-delta.h"
#include "tests/legendre/delta-reference.h"
#include "tests/points/points-helpers.h"

/* Scalar a_lm, and the arrays of all steps. There is one tile, of all rings and orders. */
typedef struct {
  gint64 lmax, mmax, n_points;
  ArmillaPointsDeltaShape delta;
  ArmillaRingShape rings;
  ArmillaRingSlot *slots;
  ArmillaFftPlans *plans;
  double *alm, *theta, *phi, *table, *coarse, *fine, *scratch;
  Points points;
} Chain;

/* Slots of the rings of a tile: northern rings, then southern ones in reverse. */
static ArmillaRingSlot *
slots_new (gint64 n_rings, gint64 n_columns)
{
  const gint64 n_pairs = (n_rings + 1) / 2;
  ArmillaRingSlot *slots = g_new0 (ArmillaRingSlot, 2 * n_pairs);

  for (gint64 p = 0; p < n_pairs; p++)
    for (int south = 0; south < 2; south++)
      if (!south || 2 * p != n_rings - 1)
        slots[2 * p + south]
          = (ArmillaRingSlot) { .n_phi = n_columns, .phi0_den = 1, .weight = 1,
                                .offset = (south ? n_rings - 1 - p : p) * n_columns };
  return slots;
}

static void
chain_init (Chain *c, gint64 lmax, gint64 mmax, double epsilon)
{
  const gint64 n_fine = MAX ((gint64) ceil (2.0 * (double) (lmax + 1)), 20) + 1;
  const gint64 n_columns = MAX (2 * (2 * mmax + 1), 20), n_coarse = lmax + 2;
  const gint64 n_modes = 4 * ((n_fine + 1) / 2) * (mmax + 1);

  c->lmax = lmax;
  c->mmax = mmax;
  c->n_points = 300;
  c->delta = (ArmillaPointsDeltaShape) { 1, 0, mmax + 1, 0, n_coarse, n_fine };
  c->slots = slots_new (n_fine, n_columns);
  c->rings = (ArmillaRingShape) { .mmax = mmax, .n_fields = 1, .n_slots = (n_fine + 1) / 2 * 2,
                                  .n_pixels = n_fine * n_columns };
  c->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_points_delta_plan (&c->delta, c->plans), ==, 0);
  g_assert_cmpint (armilla_fft_plans_add (c->plans, c->slots, c->rings.n_slots), ==, 0);
  c->theta = g_new (double, c->n_points);
  c->phi = g_new (double, c->n_points);
  points_random (c->theta, c->phi, c->n_points, 4);
  c->points.shape.isa = (gint32) armilla_isa_detect ();
  g_assert_cmpint (armilla_points_kernel_init (&c->points.shape.kernel, epsilon, 2), ==, 0);
  points_init (&c->points, n_fine, n_columns, n_fine, 1, c->theta, c->phi, c->n_points);
  c->table = g_new (double, armilla_points_delta_table_size (&c->delta, mmax));
  armilla_points_delta_table (&c->delta, &c->points.shape.kernel, n_columns, mmax, c->table);
  c->alm = g_new (double, 2 * (lmax + 1) * (mmax + 1));
  delta_random (c->alm, 2 * (lmax + 1) * (mmax + 1), 1);
  for (gint64 l = 0; l <= lmax; l++)
    c->alm[2 * l + 1] = 0;
  c->coarse = g_new0 (double, 4 * ((n_coarse + 1) / 2) * (mmax + 1));
  c->fine = delta_new_nan (n_modes);
  c->scratch = delta_new_nan (armilla_points_delta_scratch_size (&c->delta)
                              + armilla_ring_scratch_size (n_columns, mmax));
}

static void
chain_clear (Chain *c)
{
  g_free (c->slots);
  armilla_fft_plans_free (c->plans);
  g_free (c->alm);
  g_free (c->theta);
  g_free (c->phi);
  g_free (c->table);
  g_free (c->coarse);
  g_free (c->fine);
  g_free (c->scratch);
  points_clear (&c->points);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chain, chain_clear)

/* Delta_m at a co-latitude. */
static void
sum_order (const Chain *c, gint64 m, long double theta, Quad *re, Quad *im)
{
  Quad even[2], odd[2];

  delta_direct_sum (c->lmax, m, c->alm + 2 * m * (c->lmax + 1), cosl (theta), sinl (theta), even,
                    odd);
  *re = even[0] + odd[0];
  *im = even[1] + odd[1];
}

static void
fill_coarse (Chain *c)
{
  const gint64 last = c->delta.n_coarse - 1;

  for (gint64 ring = 0; ring <= last; ring++)
    for (gint64 m = 0; m <= c->mmax; m++)
      {
        const int south = 2 * ring > last;
        const gint64 slot = 2 * (south ? last - ring : ring) + south;
        double *to = c->coarse + 2 * (slot * (c->mmax + 1) + m);
        Quad re, im;

        sum_order (c, m, ring == last ? PI : PI * (long double) ring / (long double) last, &re,
                   &im);
        to[0] = (double) re;
        to[1] = (double) im;
      }
}

static long double
sum_all (const Chain *c, double theta, double phi)
{
  Quad sum = 0;

  for (gint64 m = 0; m <= c->mmax; m++)
    {
      const long double angle = (long double) m * phi;
      Quad re, im;

      sum_order (c, m, theta, &re, &im);
      sum += (m > 0 ? 2 : 1) * (re * cosl (angle) - im * sinl (angle));
    }
  return (long double) sum;
}

static void
run_rings (Chain *c, gboolean adjoint)
{
  const gint64 zero = 0;
  const ArmillaRingTiles modes = { 1, &zero, &c->fine };
  const ArmillaRingPixels pixels = { .n_each = 1, .tile = c->points.tile };

  g_assert_cmpint (adjoint ? armilla_ring_adjoint_cpu (&c->rings, c->slots, c->plans, 0, &pixels,
                                                       &modes, c->scratch)
                           : armilla_ring_synthesis_cpu (&c->rings, c->slots, c->plans, &modes,
                                                         &pixels, c->scratch), ==, 0);
}

static void
check_values (Chain *c, double epsilon)
{
  g_autofree double *values = NULL;
  double errors = 0, norm = 0, worst = 0;

  fill_coarse (c);
  armilla_points_refine_cpu (&c->delta, c->table, c->plans, c->coarse, c->fine, c->scratch);
  run_rings (c, FALSE);
  points_interpolate (&c->points);
  values = points_values (&c->points, 0);
  for (gint64 i = 0; i < c->n_points; i++)
    {
      const long double expected = sum_all (c, c->theta[i], c->phi[i]);
      const double error = (double) fabsl (values[i] - expected);

      g_assert_true (isfinite (values[i]));
      errors += error * error;
      norm += (double) (expected * expected);
      worst = MAX (worst, error);
    }
  norm = sqrt (norm / (double) c->n_points);
  errors = sqrt (errors / (double) c->n_points);
  g_test_message ("lmax %d, mmax %d, epsilon %g: rms %.2g, max %.2g", (int) c->lmax, (int) c->mmax,
                  epsilon, errors / norm, worst / norm);
  g_assert_cmpfloat (errors, <=, epsilon * norm);
  g_assert_cmpfloat (worst, <=, 5 * epsilon * norm);
}

/* <A x, y> = <x, A' y>, where orders above 0 count twice: they stand for two. */
static void
check_adjoint (Chain *c)
{
  const gint64 n = 4 * ((c->delta.n_coarse + 1) / 2) * (c->mmax + 1);
  g_autofree double *y = g_new (double, c->n_points), *x = g_memdup2 (c->coarse, sizeof *x * n);
  double left, right = 0;

  delta_random (y, c->n_points, 9);
  left = delta_dot (c->points.values, y, c->n_points);
  memcpy (c->points.values, y, sizeof *y * (gsize) c->n_points);
  points_spread (&c->points);
  run_rings (c, TRUE);
  armilla_points_coarsen_cpu (&c->delta, c->table, c->plans, c->fine, c->coarse, c->scratch);
  for (gint64 i = 0; i < n; i++)
    right += (i / 2 % (c->mmax + 1) > 0 ? 2 : 1) * x[i] * c->coarse[i];
  g_assert_cmpfloat (fabs (left - right), <=, 1e-13 * fabs (left));
}

static void
test_cases (void)
{
  static const struct {
    gint64 lmax, mmax;
    double epsilon;
  } cases[] = { { 2, 2, 1e-13 }, { 3, 1, 1e-7 }, { 31, 31, 2e-13 }, { 31, 12, 1e-5 },
                { 32, 32, 1e-9 }, { 40, 39, 1e-3 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Chain) c = { .lmax = 0 };

      chain_init (&c, cases[i].lmax, cases[i].mmax, cases[i].epsilon);
      check_values (&c, cases[i].epsilon);
      check_adjoint (&c);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/points-chain/cases", test_cases);
  return g_test_run ();
}
