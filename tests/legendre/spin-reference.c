/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/legendre/spin-reference.h"

void
spin_block_init (SpinBlock *b, const ArmillaSpinShape *shape)
{
  b->shape = *shape;
  b->n_alm = delta_alm_count (shape->lmax, shape->m_first, shape->m_last);
  b->pairs = delta_new_nan (ARMILLA_PAIR_ROWS * shape->n_pairs);
  b->table = delta_new_nan (armilla_spin_table_size (shape));
  b->basis = delta_new_basis (shape->lmax + shape->spin);
  b->alm = delta_new_nan (4 * b->n_alm * shape->n_maps);
  b->prepared = delta_new_nan (armilla_spin_prepared_size (shape));
  b->tile = delta_new_nan (armilla_spin_tile_size (shape));
  b->coupling = delta_new_nan (armilla_spin_coupling_size (shape));
  b->scratch = delta_new_nan (armilla_spin_scratch_size (shape));
}

void
spin_block_clear (SpinBlock *b)
{
  g_free (b->pairs);
  g_free (b->table);
  g_free (b->basis);
  g_free (b->alm);
  g_free (b->prepared);
  g_free (b->tile);
  g_free (b->coupling);
  g_free (b->scratch);
}

double *
spin_tile_at (const SpinBlock *b, gint64 field, gint64 m, gint64 pair, gint64 row)
{
  const gint64 n_orders = b->shape.m_last - b->shape.m_first + 1;
  const gint64 slot = 2 * (field * b->shape.n_pairs + pair) + row / 2;

  return b->tile + 2 * (slot * n_orders + m - b->shape.m_first) + row % 2;
}

/* cos L^l = alpha_{l+1} L^{l+1} + beta_l L^l + alpha_l L^{l-1}, beta with the sign of spin s. */
void
spin_direct_init (SpinDirect *d, gint64 lmax, gint64 m, gint64 s)
{
  d->lmax = lmax;
  d->m = m;
  d->s = s;
  d->alpha = g_new0 (Quad, lmax + 2);
  d->beta = g_new0 (Quad, lmax + 2);
  for (gint64 i = MAX (MAX (m, s), 1); i <= lmax + 1; i++)
    {
      const Quad l = i, f = m, g = s;

      d->alpha[i] = delta_sqrt ((l - f) * (l + f) * (l - g) * (l + g) / (4 * l * l - 1)) / l;
      d->beta[i] = f * g / (l * (l + 1));
    }
}

void
spin_direct_clear (SpinDirect *d)
{
  g_free (d->alpha);
  g_free (d->beta);
}

#define SCALE 0x1p+900

static void
multiply (Quad *x, Quad y, gint64 n, gint64 *scale)
{
  for (; n > 0; n--)
    {
      *x *= y;
      if (*x != 0 && (*x < 0 ? -*x : *x) < 1 / (Quad) SCALE)
        {
          *x *= SCALE;
          ++*scale;
        }
    }
}

/* L^l at its lowest degree l = max (m, s) is value / 2^(900 scale); @s of either sign:
 * d^m_{m,s} = sqrt (binomial (2 m, m - s)) cos^(m+s) (-sin)^(m-s) of half angles,
 * d^s_{m,s} = (-1)^(s-m) d^s_{s,m}, d^s_{m,-s} = d^s_{s,-m}. */
static Quad
start (gint64 m, gint64 s, Quad cosine, Quad sine, gint64 *scale)
{
  const gint64 size = ABS (s), l = MAX (m, size), k = m >= size ? s : s > 0 ? m : -m;
  const Quad four_pi = 4 * (Quad) 3.14159265358979323846264338327950288419716939937510582F128;
  const Quad c = delta_sqrt ((1 + cosine) / 2), half = cosine > 0 ? sine / (2 * c)
                                                                  : delta_sqrt ((1 - cosine) / 2);
  const Quad z = m < size && s > 0 ? half : -half;
  Quad x = delta_sqrt ((2 * l + 1) / four_pi);

  /* binomial (2 l, l - k) = product over i of (l + |k| + i) / i, i = 1 .. l - |k| */
  *scale = 0;
  for (gint64 i = 1; i <= l - ABS (k); i++)
    {
      /* Each factor with a sine and cosine of its own, lest anything overflow. */
      x *= delta_sqrt ((Quad) (l + ABS (k) + i) / i);
      multiply (&x, c * z, 1, scale);
    }
  multiply (&x, k > 0 ? c : z, 2 * ABS (k), scale);
  for (; *scale > 0 && (x < 0 ? -x : x) > 1; --*scale)
    x /= SCALE;
  return x;
}

/* sum <- sum of (re, im) L^l_{m,s}. @sign: of s */
static void
one_sum (const SpinDirect *d, int sign, const Quad *alm, Quad cosine, Quad sine, Quad sum[2])
{
  const gint64 first = MAX (d->m, d->s);
  gint64 n;
  Quad p = start (d->m, sign * d->s, cosine, sine, &n), before = 0;

  sum[0] = sum[1] = 0;
  for (gint64 l = first; l <= d->lmax; l++)
    {
      const Quad next = ((cosine - sign * d->beta[l]) * p - d->alpha[l] * before) / d->alpha[l + 1];

      if (n == 0)
        {
          sum[0] += alm[2 * (l - d->m)] * p;
          sum[1] += alm[2 * (l - d->m) + 1] * p;
        }
      before = p;
      p = next;
      if (n > 0 && (p < 0 ? -p : p) > 1)
        {
          p /= SCALE;
          before /= SCALE;
          n--;
        }
    }
}

void
spin_direct_sum (const SpinDirect *d, const double *e, const double *b, Quad cosine, Quad sine,
                 Quad qu[4])
{
  const gint64 n = d->lmax - d->m + 1;
  const Quad odd = d->s % 2 ? -1 : 1;
  g_autofree Quad *plus = g_new (Quad, 2 * n), *minus = g_new (Quad, 2 * n);
  Quad p[2], q[2];

  for (gint64 i = 0; i < 2 * n; i += 2)
    {
      /* +-sY = odd L_{m,-+s}; a^+ = -(E + i B), a^- = -odd (E - i B) */
      plus[i] = -odd * ((Quad) e[i] - b[i + 1]);
      plus[i + 1] = -odd * ((Quad) e[i + 1] + b[i]);
      minus[i] = -((Quad) e[i] + b[i + 1]);
      minus[i + 1] = -((Quad) e[i + 1] - b[i]);
    }
  one_sum (d, -1, plus, cosine, sine, p);
  one_sum (d, 1, minus, cosine, sine, q);
  qu[0] = (p[0] + q[0]) / 2;
  qu[1] = (p[1] + q[1]) / 2;
  qu[2] = (p[1] - q[1]) / 2;
  qu[3] = (q[0] - p[0]) / 2;
}
