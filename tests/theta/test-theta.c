/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation in theta: against trigonometric polynomials, which Delta_m are, summed in extended
 * precision; and the adjoint. */
#include <string.h>

#include "tests/theta/theta-block.h"

/* What stands for Delta of one order (plus spin) and field: even ones are sums of cosines, odd ones
 * of sines, with the highest degree among them. */
static long double
polynomial (gint64 lmax, gint64 field, gint64 m, int part, long double theta)
{
  const gint64 degrees[] = { lmax, lmax - 1, lmax / 2 + field, 1 + part, m % 7 };
  long double sum = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (degrees); i++)
    sum += (m % 2 ? sinl (degrees[i] * theta) : cosl (degrees[i] * theta)) / (long double) (i + 1);
  return sum;
}

static double *
at (const ArmillaThetaShape *shape, double *tile, gint64 n_pairs, gint64 field, gint64 pair,
    int south, gint64 order)
{
  return tile + 2 * (((field * n_pairs + pair) * 2 + south) * shape->n_orders + order);
}

static void
fill_grid (Block *b)
{
  const ArmillaThetaShape *s = &b->shape;

  for (int i = 0; i < 3; i++)
    for (gint64 f = 0; f < s->n_fields; f++)
      for (gint64 p = 0; p < s->tile_pairs[i]; p++)
        for (int south = 0; south < 2; south++)
          {
            const long double north = PI * (s->tile_first[i] + p + 0.5L) / s->n_grid;
            const long double theta = south ? PI - north : north;

            for (gint64 o = 0; o < s->n_orders; o++)
              for (int part = 0; part < 2; part++)
                at (s, b->grid[i], s->tile_pairs[i], f, p, south, o)[part]
                  = (double) polynomial (b->lmax, f, s->m_first + s->spin + o, part, theta);
          }
}

static void
check_synthesis (Block *b)
{
  const ArmillaThetaShape *s = &b->shape;
  volatile long double reference = 1 + 0x1p-60L;
  double worst = 0, bound = 2e-14;

  fill_grid (b);
  armilla_theta_synthesis_cpu (s, b->weights, (const double *const *) b->grid, b->tile, b->scratch);
  for (gint64 f = 0; f < s->n_fields; f++)
    for (gint64 p = 0; p < s->n_pairs; p++)
      for (int south = 0; south < 2; south++)
        for (gint64 o = 0; o < s->n_orders; o++)
          for (int part = 0; part < 2; part++)
            {
              const long double theta = south ? PI - b->theta[p] : b->theta[p];
              const double error
                = (double) (at (s, b->tile, s->n_pairs, f, p, south, o)[part]
                            - polynomial (b->lmax, f, s->m_first + s->spin + o, part, theta));

              g_assert_true (isfinite (error));
              worst = MAX (worst, fabs (error));
            }
  g_test_message ("%s lmax %" G_GINT64_FORMAT " orders from %" G_GINT64_FORMAT ": %.2g",
                  armilla_isa_name ((ArmillaIsa) s->isa), b->lmax, s->m_first, worst);
  /* Without a long double of its own (valgrind) this test rounds theta, times lmax. */
  bound += reference == 1 ? 0x1p-52 * 4 * (double) b->lmax : 0;
  /* Values up to 2.3; the window's 2e-15, weights whose sizes add up to 2.7, and a hundred
   * roundings of half an ulp, which add up like a random walk. */
  g_assert_cmpfloat (worst, <=, bound);
}

static void
test_polynomials (void)
{
  static const gint64 cases[][5] = {
    /* lmax, pairs, m_first, orders, fields */
    { 300, 300, 0, 8, 1 }, { 301, 307, 1, 5, 2 }, { 512, 100, 7, 1, 3 }, { 2048, 2048, 6, 2, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) b = { .lmax = 0 };

      block_init (&b, cases[i][0], cases[i][1], cases[i][2], cases[i][3], cases[i][4]);
      for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
        {
          b.shape.isa = (int32_t) isa;
          for (b.shape.spin = 0; b.shape.spin <= 3; b.shape.spin++)
            check_synthesis (&b);
        }
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

/* <A x, y> = <x, A' y>, with what was in the tiles added, or forgotten where they are fresh. */
static void
check_adjoint (Block *b, int fresh)
{
  const ArmillaThetaShape *s = &b->shape;
  const gint64 n = tile_size (s, s->n_pairs);
  double *x[3], *before[3];
  long double left, right = 0, norm = 0;

  for (int i = 0; i < 3; i++)
    {
      const gint64 size = tile_size (s, s->tile_pairs[i]);

      x[i] = g_new (double, size);
      before[i] = g_new (double, size);
      delta_random (x[i], size, (guint32) i);
      delta_random (before[i], size, (guint32) (10 + i));
      norm += dot (x[i], x[i], size);
      memcpy (b->grid[i], x[i], sizeof (double) * (gsize) size);
    }
  armilla_theta_synthesis_cpu (s, b->weights, (const double *const *) b->grid, b->tile, b->scratch);
  {
    g_autofree double *y = g_new (double, n);

    delta_random (y, n, 99);
    left = dot (b->tile, y, n);
    norm = sqrtl (norm * dot (y, y, n));
    for (int i = 0; i < 3; i++)
      {
        const gint64 size = tile_size (s, s->tile_pairs[i]);

        if (fresh & 1 << i)
          {
            delta_fill_nan (b->grid[i], size);
            memset (before[i], 0, sizeof (double) * (gsize) size);
          }
        else
          memcpy (b->grid[i], before[i], sizeof (double) * (gsize) size);
      }
    armilla_theta_adjoint_cpu (s, b->weights, y, fresh, b->grid, b->scratch);
  }
  for (int i = 0; i < 3; i++)
    {
      const gint64 size = tile_size (s, s->tile_pairs[i]);

      right += dot (x[i], b->grid[i], size) - dot (x[i], before[i], size);
      g_free (x[i]);
      g_free (before[i]);
    }
  /* Both sides round sums of a hundred products; their errors add up like a random walk. */
  g_assert_cmpfloat ((double) fabsl (left - right), <=, 1e-14 * (double) norm);
}

static void
test_adjoint (void)
{
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    for (int fresh = 0; fresh < 8; fresh++)
      {
        g_auto (Block) b = { .lmax = 0 };

        block_init (&b, 320, 333, 3, 6, 2);
        b.shape.isa = (int32_t) isa;
        b.shape.spin = fresh % 3;
        check_adjoint (&b, fresh);
      }
}

/* The largest |P_lm| up to lmax, by the three-term recurrence; what is smaller than long double can
 * hold is so small at any degree here. */
static long double
largest_legendre (gint64 lmax, gint64 m, long double theta)
{
  const long double c = cosl (theta), f = (long double) m;
  long double last = 0, p = sqrtl (1 / (4 * PI)), largest;

  for (gint64 i = 1; i <= m; i++)
    p *= sqrtl (1 + 0.5L / (long double) i) * sinl (theta);
  largest = fabsl (p);
  for (gint64 l = m + 1; l <= lmax; l++)
    {
      const long double j = (long double) l;
      const long double a = sqrtl ((4 * j * j - 1) / (j * j - f * f));
      const long double b = sqrtl (((j - 1) * (j - 1) - f * f) / (4 * (j - 1) * (j - 1) - 1));
      const long double next = a * (c * p - b * last);

      last = p;
      p = next;
      largest = MAX (largest, fabsl (p));
    }
  return largest;
}

/* A ring where no P_lm reaches 2^-100 may be 0, and is not to be met by the adjoint; all others
 * have the bits that they have anyway. */
static void
test_negligible (void)
{
  const gint64 lmax = 320, m_first = 200, n_pairs = 333;
  g_auto (Block) b = { .lmax = 0 };
  const ArmillaThetaShape *s = &b.shape;

  block_init (&b, lmax, n_pairs, m_first, 6, 2);
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      const gsize bytes = sizeof (double) * (gsize) tile_size (s, n_pairs);
      g_autofree double *all = g_malloc (bytes);
      gint64 n_zero = 0;

      b.shape.isa = (int32_t) isa;
      b.shape.lmax = 0;
      fill_grid (&b);
      armilla_theta_synthesis_cpu (s, b.weights, (const double *const *) b.grid, all, b.scratch);
      b.shape.lmax = lmax;
      delta_fill_nan (b.tile, tile_size (s, n_pairs));
      armilla_theta_synthesis_cpu (s, b.weights, (const double *const *) b.grid, b.tile,
                                   b.scratch);
      for (gint64 p = 0; p < n_pairs; p++)
        for (gint64 o = 0; o < s->n_orders; o++)
          for (int i = 0; i < 4; i++)
            {
              const double *x = at (s, b.tile, n_pairs, i / 2, p, i % 2, o);

              if (x[0] == 0 && x[1] == 0)
                g_assert_cmpfloat ((double) largest_legendre (lmax, m_first + o, b.theta[p]), <,
                                   0x1p-100);
              else
                g_assert_cmpmem (x, 2 * sizeof *x, at (s, all, n_pairs, i / 2, p, i % 2, o),
                                 2 * sizeof *x);
              n_zero += x[0] == 0;
            }
      g_assert_cmpint (n_zero, >, tile_size (s, n_pairs) / 40);
      check_adjoint (&b, 2);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/theta/polynomials", test_polynomials);
  g_test_add_func ("/theta/adjoint", test_adjoint);
  g_test_add_func ("/theta/negligible", test_negligible);
  return g_test_run ();
}
