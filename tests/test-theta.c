/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation in theta: against trigonometric polynomials, which Delta_m are, summed in extended
 * precision; and the adjoint. */
#include <math.h>
#include <string.h>

#include "codelets/delta-recurrence.h"
#include "codelets/theta-interpolation.h"
#include "tests/delta-reference.h"

#define PI 3.14159265358979323846264338327950288L

/* A map's ring block that meets a whole grid, cut into three tiles. */
typedef struct {
  ArmillaThetaShape shape;
  gint64 lmax;
  long double *theta; /* of the map's northern rings */
  double *pairs, *weights, *tile, *scratch;
  double *grid[ARMILLA_THETA_TILES];
} Block;

static gint64
tile_size (const ArmillaThetaShape *shape, gint64 n_pairs)
{
  return 4 * n_pairs * shape->n_fields * shape->n_orders;
}

static void
block_init (Block *b, gint64 lmax, gint64 n_pairs, gint64 m_first, gint64 n_orders, gint64 n_fields)
{
  const gint64 half = (5 * (lmax + 1) + 7) / 8, third = half / 3;

  b->lmax = lmax;
  b->shape = (ArmillaThetaShape){ .n_fields = n_fields,
                                  .m_first = m_first,
                                  .n_orders = n_orders,
                                  .n_pairs = n_pairs,
                                  .n_grid = 2 * half,
                                  .n_tiles = 3,
                                  .tile_first = { 0, third, 2 * third },
                                  .tile_pairs = { third, third, half - 2 * third } };
  b->theta = g_new (long double, n_pairs);
  b->pairs = g_new (double, ARMILLA_PAIR_ROWS * n_pairs);
  for (gint64 p = 0; p < n_pairs; p++)
    {
      /* From near a pole to the equator, a ring of the grid itself among them. */
      const long double at = p == n_pairs / 2 ? 3.5L : (p + 0.31L) / (n_pairs - 0.69L) * half;

      b->theta[p] = PI * at / b->shape.n_grid;
    }
  for (gint64 p = 0; p < n_pairs; p++)
    for (gint64 q = p; q > 0 && b->theta[q] < b->theta[q - 1]; q--)
      {
        const long double t = b->theta[q];

        b->theta[q] = b->theta[q - 1];
        b->theta[q - 1] = t;
      }
  for (gint64 p = 0; p < n_pairs; p++)
    delta_set_pair (b->pairs, n_pairs, p, cosl (b->theta[p]), sinl (b->theta[p]));
  armilla_theta_windows (&b->shape, b->pairs);
  b->weights = g_new (double, armilla_theta_weights_size (&b->shape));
  armilla_theta_weights (&b->shape, b->pairs, b->weights);
  b->tile = g_new (double, tile_size (&b->shape, n_pairs));
  delta_fill_nan (b->tile, tile_size (&b->shape, n_pairs));
  b->scratch = g_new (double, armilla_theta_scratch_size (&b->shape));
  delta_fill_nan (b->scratch, armilla_theta_scratch_size (&b->shape));
  for (int i = 0; i < 3; i++)
    b->grid[i] = g_new (double, tile_size (&b->shape, b->shape.tile_pairs[i]));
}

static void
block_clear (Block *b)
{
  g_free (b->theta);
  g_free (b->pairs);
  g_free (b->weights);
  g_free (b->tile);
  g_free (b->scratch);
  for (int i = 0; i < 3; i++)
    g_free (b->grid[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Block, block_clear)

/* What stands for Delta of one order and field: even orders are sums of cosines, odd ones of sines,
 * with the highest degree among them. */
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
                  = (double) polynomial (b->lmax, f, s->m_first + o, part, theta);
          }
}

static void
check_synthesis (Block *b)
{
  const ArmillaThetaShape *s = &b->shape;
  double worst = 0;

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
                            - polynomial (b->lmax, f, s->m_first + o, part, theta));

              g_assert_true (isfinite (error));
              worst = MAX (worst, fabs (error));
            }
  g_test_message ("%s lmax %" G_GINT64_FORMAT " orders from %" G_GINT64_FORMAT ": %.2g",
                  armilla_isa_name ((ArmillaIsa) s->isa), b->lmax, s->m_first, worst);
  /* Values up to 2.3; the window's 2e-15, weights whose sizes add up to 2.7, and a hundred
   * roundings of half an ulp, which add up like a random walk. */
  g_assert_cmpfloat (worst, <=, 2e-14);
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
        check_adjoint (&b, fresh);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/theta/polynomials", test_polynomials);
  g_test_add_func ("/theta/adjoint", test_adjoint);
  return g_test_run ();
}
