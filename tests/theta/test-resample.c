/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resampling in theta: sums over its rings against integrals of trigonometric polynomials, which
 * are known in closed form; its symmetry; and rings that a map lacks. */
#include <math.h>
#include <string.h>

#include "codelets/theta/theta-resample.h"
#include "tests/legendre/delta-reference.h"

#define PI 3.14159265358979323846264338327950288L

typedef struct {
  ArmillaResampleShape shape;
  gint64 lmax, n_whole; /* pairs of all rings */
  gint64 *ring;         /* of the map's slots */
  ArmillaFftPlans *plans;
  double *table, *scratch, *map, *rows;
} Case;

static gint64
size_of (const Case *c, gint64 n_pairs)
{
  return 4 * n_pairs * c->shape.n_fields * c->shape.n_orders;
}

/* Takes all rings of the grid except the first @n_missing pairs. */
static void
case_init (Case *c, gboolean on_poles, gint64 n_rings, gint64 n_missing, gint64 m_first,
           gint64 n_orders, gint64 n_fields, int spin)
{
  c->n_whole = (n_rings + 1) / 2;
  c->lmax = on_poles ? n_rings - 2 : n_rings - 1;
  c->shape = (ArmillaResampleShape) { .n_fields = n_fields, .m_first = m_first,
                                      .n_orders = n_orders, .spin = spin, .n_rings = n_rings,
                                      .on_poles = on_poles, .n_pairs = c->n_whole - n_missing };
  c->ring = g_new (gint64, 2 * c->shape.n_pairs);
  for (gint64 p = 0; p < c->shape.n_pairs; p++)
    {
      const gint64 north = p + n_missing, south = n_rings - 1 - north;

      c->ring[2 * p] = north;
      c->ring[2 * p + 1] = south > north ? south : -1;
    }
  c->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_resample_plan (&c->shape, c->plans), ==, 0);
  c->table = g_new (double, armilla_resample_table_size (&c->shape));
  c->scratch = g_new (double, armilla_resample_scratch_size (&c->shape));
  delta_fill_nan (c->scratch, armilla_resample_scratch_size (&c->shape));
  armilla_resample_table (&c->shape, c->ring, 1, c->plans, c->scratch, c->table);
  delta_fill_nan (c->scratch, armilla_resample_scratch_size (&c->shape));
  c->map = g_new (double, size_of (c, c->shape.n_pairs));
  c->rows = g_new (double, size_of (c, c->n_whole));
  delta_fill_nan (c->rows, size_of (c, c->n_whole));
}

static void
case_clear (Case *c)
{
  g_free (c->ring);
  armilla_fft_plans_free (c->plans);
  g_free (c->table);
  g_free (c->scratch);
  g_free (c->map);
  g_free (c->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static double *
at (const Case *c, double *tile, gint64 n_pairs, gint64 field, gint64 slot, gint64 order)
{
  return tile + 2 * ((field * 2 * n_pairs + slot) * c->shape.n_orders + order);
}

static long double
theta_of (const Case *c, gint64 ring)
{
  return c->shape.on_poles ? PI * ring / (c->shape.n_rings - 1)
                           : PI * (ring + 0.5L) / c->shape.n_rings;
}

/* Whether an order is an odd function of theta. */
static gboolean
is_odd (const Case *c, gint64 order)
{
  return (c->shape.m_first + order + c->shape.spin) % 2 != 0;
}

static long double
wave (gboolean odd, gint64 k, long double theta)
{
  return odd ? sinl ((long double) k * theta) : cosl ((long double) k * theta);
}

/* Integral of cos (k theta) sin theta from 0 to pi. */
static long double
integral (gint64 k)
{
  return k % 2 ? 0 : 2 / (1 - (long double) k * (long double) k);
}

static long double
product_integral (gboolean odd, gint64 a, gint64 b)
{
  return (integral (a - b) + (odd ? -1 : 1) * integral (a + b)) / 2;
}

/* Degree of a field's order, and the factor of its part. */
static gint64
degree (const Case *c, gint64 field, gint64 order)
{
  const gint64 degrees[] = { c->lmax, c->lmax / 2, MAX (c->lmax - 1, 0), 1 };

  return degrees[(order + field) % 4];
}

static void
fill_map (Case *c)
{
  delta_fill_nan (c->map, size_of (c, c->shape.n_pairs));
  for (gint64 f = 0; f < c->shape.n_fields; f++)
    for (gint64 slot = 0; slot < 2 * c->shape.n_pairs; slot++)
      for (gint64 o = 0; c->ring[slot] >= 0 && o < c->shape.n_orders; o++)
        {
          const long double x
            = wave (is_odd (c, o), degree (c, f, o), theta_of (c, c->ring[slot]));

          at (c, c->map, c->shape.n_pairs, f, slot, o)[0] = (double) x;
          at (c, c->map, c->shape.n_pairs, f, slot, o)[1] = (double) (2 * x);
        }
}

/* The sum of the rows of an order with a wave of degree @k, real or imaginary part. */
static double
sum_of (const Case *c, gint64 field, gint64 order, gint64 k, int part)
{
  long double sum = 0;

  for (gint64 slot = 0; slot < 2 * c->n_whole; slot++)
    {
      const gint64 ring = slot % 2 ? c->shape.n_rings - 1 - slot / 2 : slot / 2;

      sum += (long double) at (c, c->rows, c->n_whole, field, slot, order)[part]
             * wave (is_odd (c, order), k, theta_of (c, ring));
    }
  return (double) sum;
}

static void
check_integrals (gboolean on_poles, gint64 n_rings, gint64 m_first, gint64 n_orders, int spin)
{
  g_auto (Case) c = { .lmax = 0 };
  double worst = 0;

  case_init (&c, on_poles, n_rings, 0, m_first, n_orders, 2, spin);
  fill_map (&c);
  armilla_resample_cpu (&c.shape, c.table, c.plans, c.map, c.rows, c.scratch);
  for (gint64 f = 0; f < 2; f++)
    for (gint64 o = 0; o < n_orders; o++)
      for (gint64 k = 0; k <= c.lmax; k = k == 0 ? 1 : MIN (3 * k, MAX (c.lmax, k + 1)))
        for (int part = 0; part < 2; part++)
          {
            const long double right
              = (1 + part) * product_integral (is_odd (&c, o), degree (&c, f, o), k);
            const double error = fabs (sum_of (&c, f, o, k, part) - (double) right);

            g_assert_true (isfinite (error));
            worst = MAX (worst, error);
          }
  g_test_message ("%s %" G_GINT64_FORMAT ": %.2g", on_poles ? "with poles" : "without", n_rings,
                  worst);
  /* Sums of n values of size 1 / n with relative errors of some 1e-16 each; integrals of size 1. */
  g_assert_cmpfloat (worst, <, 1e-14);
}

/* Sums with other waves up to the highest degree are the integrals: even and odd numbers of rings,
 * a length without small factors, orders that lack their neighbour, both parities. */
static void
test_integrals (void)
{
  static const gint64 cases[][3] = {
    /* rings, first order, orders */
    { 2, 0, 1 }, { 3, 0, 2 }, { 4, 1, 3 },   { 16, 0, 4 },  { 17, 3, 9 },
    { 45, 0, 1 }, { 64, 5, 2 }, { 103, 0, 19 }, { 512, 7, 3 }, { 1031, 2, 2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int on_poles = 0; on_poles < 2; on_poles++)
      for (int spin = 0; spin < 4; spin++)
        check_integrals (on_poles, cases[i][0], cases[i][1], cases[i][2], spin);
}

static long double
dot (const double *x, const double *y, gint64 n)
{
  long double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += (long double) x[i] * y[i];
  return sum;
}

/* Zeroes rows of rings that the map lacks: tiles may hold anything there. */
static void
drop_absent (const Case *c, double *map)
{
  for (gint64 f = 0; f < c->shape.n_fields; f++)
    for (gint64 slot = 0; slot < 2 * c->shape.n_pairs; slot++)
      if (c->ring[slot] < 0)
        memset (at (c, map, c->shape.n_pairs, f, slot, 0), 0,
                sizeof (double) * (gsize) (2 * c->shape.n_orders));
}

/* Both directions are adjoint to each other, with all rings or some. */
static void
test_adjoint (void)
{
  for (int i = 0; i < 16; i++)
    {
      g_auto (Case) c = { .lmax = 0 };
      g_autofree double *x = NULL, *y = NULL;
      gint64 n, m;
      long double left, norm;

      case_init (&c, i % 2, 40 + i / 4, i & 2 ? 7 : 0, i % 3, 9 + i / 8, 2, i % 4);
      n = size_of (&c, c.shape.n_pairs);
      m = size_of (&c, c.n_whole);
      x = g_new (double, n);
      y = g_new (double, m);
      delta_random (x, n, (guint32) i);
      delta_random (y, m, (guint32) (100 + i));
      drop_absent (&c, x);
      armilla_resample_cpu (&c.shape, c.table, c.plans, x, c.rows, c.scratch);
      left = dot (c.rows, y, m);
      norm = sqrtl (dot (c.rows, c.rows, m) * dot (y, y, m));
      c.shape.to_map = 1;
      delta_fill_nan (c.map, n);
      armilla_resample_cpu (&c.shape, c.table, c.plans, y, c.map, c.scratch);
      g_assert_cmpfloat ((double) norm, >, 0);
      g_assert_cmpfloat ((double) fabsl (left - dot (x, c.map, n)), <=, 1e-15 * (double) norm);
    }
}

/* A map that lacks rings has the bits of one with zeros there. */
static void
test_part (void)
{
  for (int on_poles = 0; on_poles < 2; on_poles++)
    {
      g_auto (Case) part = { .lmax = 0 };
      g_auto (Case) all = { .lmax = 0 };

      case_init (&part, on_poles, 31, 4, 3, 10, 2, 0);
      case_init (&all, on_poles, 31, 0, 3, 10, 2, 0);
      fill_map (&part);
      memset (all.map, 0, sizeof (double) * (gsize) size_of (&all, all.n_whole));
      for (gint64 f = 0; f < 2; f++)
        for (gint64 slot = 0; slot < 2 * part.shape.n_pairs; slot++)
          if (part.ring[slot] >= 0)
            memcpy (at (&all, all.map, all.n_whole, f, slot + 8, 0),
                    at (&part, part.map, part.shape.n_pairs, f, slot, 0),
                    sizeof (double) * (gsize) (2 * part.shape.n_orders));
      armilla_resample_cpu (&part.shape, part.table, part.plans, part.map, part.rows,
                            part.scratch);
      armilla_resample_cpu (&all.shape, all.table, all.plans, all.map, all.rows, all.scratch);
      g_assert_cmpmem (part.rows, sizeof (double) * (gsize) size_of (&part, part.n_whole),
                       all.rows, sizeof (double) * (gsize) size_of (&all, all.n_whole));
    }
}

/* An order has the same bits, whatever orders are in the block, unless it lacks its neighbour. */
static void
test_blocks (void)
{
  g_auto (Case) many = { .lmax = 0 };
  g_auto (Case) few = { .lmax = 0 };

  case_init (&many, FALSE, 50, 0, 0, 24, 2, 1);
  case_init (&few, FALSE, 50, 0, 6, 4, 2, 1);
  delta_random (many.map, size_of (&many, many.n_whole), 5);
  for (gint64 f = 0; f < 2; f++)
    for (gint64 slot = 0; slot < 2 * few.n_whole; slot++)
      memcpy (at (&few, few.map, few.n_whole, f, slot, 0),
              at (&many, many.map, many.n_whole, f, slot, 6), sizeof (double) * 8);
  armilla_resample_cpu (&many.shape, many.table, many.plans, many.map, many.rows, many.scratch);
  armilla_resample_cpu (&few.shape, few.table, few.plans, few.map, few.rows, few.scratch);
  for (gint64 f = 0; f < 2; f++)
    for (gint64 slot = 0; slot < 2 * few.n_whole; slot++)
      g_assert_cmpmem (at (&few, few.rows, few.n_whole, f, slot, 0), sizeof (double) * 8,
                       at (&many, many.rows, many.n_whole, f, slot, 6), sizeof (double) * 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/resample/integrals", test_integrals);
  g_test_add_func ("/resample/adjoint", test_adjoint);
  g_test_add_func ("/resample/part", test_part);
  g_test_add_func ("/resample/blocks", test_blocks);
  return g_test_run ();
}
