/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/legendre/delta-reference.h"

#include <math.h>

void
delta_fill_nan (double *x, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    x[i] = NAN;
}

double *
delta_new_nan (gint64 n)
{
  double *x = g_new (double, n);

  delta_fill_nan (x, n);
  return x;
}

double *
delta_new_basis (gint64 lmax)
{
  double *basis = delta_new_nan (armilla_delta_basis_size (lmax));

  armilla_delta_basis_cpu (lmax, basis);
  return basis;
}

gint64
delta_alm_count (gint64 lmax, gint64 m_first, gint64 m_last)
{
  gint64 n = 0;

  for (gint64 m = m_first; m <= m_last; m++)
    n += lmax - m + 1;
  return n;
}

void
delta_block_init (DeltaBlock *b, const ArmillaDeltaShape *shape)
{
  b->shape = *shape;
  b->n_alm = delta_alm_count (shape->lmax, shape->m_first, shape->m_last);
  b->pairs = delta_new_nan (ARMILLA_PAIR_ROWS * shape->n_pairs);
  b->table = delta_new_nan (armilla_delta_table_size (shape));
  b->basis = delta_new_basis (shape->lmax);
  b->alm = delta_new_nan (2 * b->n_alm * shape->n_fields);
  b->prepared = delta_new_nan (armilla_delta_prepared_size (shape));
  b->tile = delta_new_nan (armilla_delta_tile_size (shape));
  b->scratch = delta_new_nan (armilla_delta_scratch_size (shape));
}

void
delta_block_clear (DeltaBlock *b)
{
  g_free (b->pairs);
  g_free (b->table);
  g_free (b->basis);
  g_free (b->alm);
  g_free (b->prepared);
  g_free (b->tile);
  g_free (b->scratch);
}

double *
delta_tile_at (const DeltaBlock *b, gint64 field, gint64 m, gint64 pair, gint64 row)
{
  const gint64 n_orders = b->shape.m_last - b->shape.m_first + 1;
  const gint64 slot = 2 * (field * b->shape.n_pairs + pair) + row / 2;

  return b->tile + 2 * (slot * n_orders + m - b->shape.m_first) + row % 2;
}

/* The splitmix64 generator: a bijection of its counter. */
static double
uniform (guint64 *counter)
{
  guint64 z = *counter += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  z ^= z >> 31;
  return ((double) (z >> 11) + 0.5) * 0x1p-53;
}

void
delta_random (double *x, gint64 n, guint32 seed)
{
  guint64 counter = (guint64) seed << 32;

  for (gint64 i = 0; i < n; i++)
    {
      const double r = sqrt (-2 * log (uniform (&counter)));

      x[i] = r * cos (2 * G_PI * uniform (&counter));
    }
}

Quad
delta_sqrt (Quad x)
{
  Quad r = sqrt ((double) x);

  for (int i = 0; i < 3 && r > 0; i++)
    r = (r + x / r) / 2;
  return r;
}

void
delta_healpix_ring (gint64 nside, gint64 ring, Quad *cosine, Quad *sine)
{
  const Quad n = nside, i = ring;
  const Quad below = ring < nside ? i * i / (3 * n * n) : (2 * i / n - 1) / 3; /* 1 - cosine */

  *cosine = 1 - below;
  *sine = delta_sqrt (below * (2 - below));
}

void
delta_set_pair (double *pairs, gint64 n, gint64 i, Quad cosine, Quad sine)
{
  pairs[ARMILLA_PAIR_COS * n + i] = (double) cosine;
  pairs[ARMILLA_PAIR_COS_LO * n + i] = (double) (cosine - (double) cosine);
  pairs[ARMILLA_PAIR_SIN * n + i] = (double) sine;
  pairs[ARMILLA_PAIR_SIN_LO * n + i] = (double) (sine - (double) sine);
}

void
delta_set_healpix (double *pairs, gint64 n, gint64 nside, gint64 first_ring)
{
  for (gint64 i = 0; i < n; i++)
    {
      Quad c, s;

      delta_healpix_ring (nside, first_ring + i, &c, &s);
      delta_set_pair (pairs, n, i, c, s);
    }
}

#define SCALE 0x1p+900

/* *x <- *x * 2^900 while it is small; the power of 2^900 it is to be divided by. */
static gint64
normalize (Quad *x)
{
  gint64 n = 0;

  for (; *x != 0 && (*x < 0 ? -*x : *x) < 1 / (Quad) SCALE; n++)
    *x *= SCALE;
  return n;
}

/* P_mm = value / 2^(900 n) */
static Quad
start (gint64 m, Quad sine, gint64 *n)
{
  const Quad four_pi = 4 * (Quad) 3.14159265358979323846264338327950288419716939937510582F128;
  Quad square = 1 / four_pi, p = 1;

  *n = 0;
  for (gint64 j = 1; j <= m; j++)
    {
      square *= (Quad) (2 * j + 1) / (2 * j);
      p *= -sine;
      *n += normalize (&p);
    }
  return p * delta_sqrt (square);
}

void
delta_direct_sum (gint64 lmax, gint64 m, const double *alm, Quad cosine, Quad sine, Quad *even,
                  Quad *odd)
{
  gint64 n;
  Quad p = start (m, sine, &n), before = 0, eps = 0;

  even[0] = even[1] = odd[0] = odd[1] = 0;
  if (m > 0 && sine == 0)
    return;
  for (gint64 l = m; l <= lmax; l++)
    {
      Quad *to = (l - m) % 2 ? odd : even;
      const Quad a = l + 1, f = m;
      const Quad next_eps = delta_sqrt ((a - f) * (a + f) / (4 * a * a - 1));
      const Quad next = (cosine * p - eps * before) / next_eps;

      if (n == 0)
        {
          to[0] += alm[2 * (l - m)] * p;
          to[1] += alm[2 * (l - m) + 1] * p;
        }
      before = p;
      p = next;
      eps = next_eps;
      if (n > 0 && (p < 0 ? -p : p) > 1)
        {
          p /= SCALE;
          before /= SCALE;
          n--;
        }
    }
}

double
delta_dot (const double *x, const double *y, gint64 n)
{
  long double s = 0;

  for (gint64 i = 0; i < n; i++)
    s += (long double) x[i] * y[i];
  return (double) s;
}

double
delta_distance (const double *x, const double *y, gint64 n)
{
  long double d = 0;

  for (gint64 i = 0; i < n; i++)
    d += ((long double) x[i] - y[i]) * ((long double) x[i] - y[i]);
  return sqrt ((double) d / delta_dot (y, y, n));
}

void
delta_sample_rings (gint64 nside, gint64 rings[DELTA_SAMPLES])
{
  const double between[] = { 1. / 16, 0.25, 0.5, 0.71, 0.7654, 1, 1.9 };

  for (gint64 i = 0; i < 8; i++)
    rings[i] = i + 1;
  for (gint64 i = 0; i < 7; i++)
    rings[8 + i] = MAX (1, (gint64) (between[i] * (double) nside));
  for (gint64 i = 0; i < 5; i++)
    rings[15 + i] = 2 * nside - 4 + i;
}

void
delta_check_accuracy (const char *what, gint64 nside, const gint64 *rings, gint64 n,
                      double (*sums)[2], double rms, double ring)
{
  double error = 0, value = 0, worst = 0;
  gint64 where = 0;

  for (gint64 i = 0; i < n; i++)
    {
      const double weight = (double) MIN (rings[i], nside), e = sqrt (sums[i][0] / sums[i][1]);

      error += weight * sums[i][0];
      value += weight * sums[i][1];
      where = e > worst ? rings[i] : where;
      worst = MAX (worst, e);
    }
  g_test_message ("%s: RMS error %.2g, worst ring %.2g (%" G_GINT64_FORMAT ")", what,
                  sqrt (error / value), worst, where);
  g_assert_cmpfloat (sqrt (error / value), <=, rms);
  g_assert_cmpfloat (worst, <=, ring);
}
