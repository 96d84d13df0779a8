/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Legendre nodes by stepping from root to root of P_n with the Taylor series from its
 * differential equation (Glaser, Liu, Rokhlin 2007): O(n), and in double-double arithmetic the
 * nodes are accurate to 1e-22 or better, while evaluating the recurrence would cost O(n^2). */
#include <armilla/grid.h>

#include <math.h>

#include "core/grids/grid-private.h"

/* Maximum number of terms. A step goes from one zero of P_n to the next, and P_n is entire, so the
 * terms fall like pi^k / k!: below 2^-110 at k = 50 near the equator, earlier near the poles. */
#define MAX_TERMS 96

typedef struct {
  double degree;      /* n */
  double terms_limit; /* P_n is a polynomial: terms beyond n vanish */
  ArmillaDd x;        /* expansion point of the series */
  double step;        /* h */
  int n_terms;
  ArmillaDd term[MAX_TERMS]; /* P_n^(k) (x) h^k / k! */
} Series;

/* (1 - x^2) y'' = 2 x y' - n (n + 1) y, differentiated k times:
 * t_{k+2} (k+1) (k+2) (1-x^2) = 2 x h (k+1)^2 t_{k+1} + h^2 (k (k+1) - n (n+1)) t_k */
static void
expand (Series *series, ArmillaDd value, ArmillaDd slope)
{
  ArmillaDd one = { 1, 0 };
  ArmillaDd inverse = dd_div (one, dd_mul (dd_sub (one, series->x), dd_add (one, series->x)));
  ArmillaDd a = dd_mul_double (dd_mul (series->x, inverse), 2 * series->step);
  ArmillaDd b = dd_mul_double (dd_mul_double (inverse, series->step), series->step);
  ArmillaDd *t = series->term;
  double largest;
  int k;

  t[0] = value;
  t[1] = dd_mul_double (slope, series->step);
  largest = fmax (fabs (t[0].hi), fabs (t[1].hi));
  for (k = 0; k + 2 < MAX_TERMS && k + 2 <= series->terms_limit; k++)
    {
      double c = k * (k + 1.0) - series->degree * (series->degree + 1);
      ArmillaDd sum = dd_add (dd_mul (dd_mul_double (a, (k + 1.0) * (k + 1.0)), t[k + 1]),
                              dd_mul (dd_mul_double (b, c), t[k]));

      t[k + 2] = dd_div_double (sum, (k + 1.0) * (k + 2.0));
      largest = fmax (largest, fabs (t[k + 2].hi));
      if (fabs (t[k + 2].hi) + fabs (t[k + 1].hi) < largest * 0x1p-112)
        break;
    }
  series->n_terms = MIN (k + 2, MAX_TERMS);
}

/* Computes P_n and h P_n' at x + h s. */
static void
evaluate (const Series *series, ArmillaDd s, ArmillaDd *value, ArmillaDd *slope)
{
  ArmillaDd v = { 0, 0 }, d = { 0, 0 };

  for (int k = series->n_terms - 1; k >= 0; k--)
    {
      d = dd_add (dd_mul (d, s), v);
      v = dd_add (dd_mul (v, s), series->term[k]);
    }
  *value = v;
  *slope = d;
}

/* Returns the position of the root in units of h, in double, accurate to 1e-13. */
static double
approach (const Series *series)
{
  double s = 1;

  for (int i = 0; i < 12; i++)
    {
      double v = 0, d = 0, change;

      for (int k = series->n_terms - 1; k >= 0; k--)
        {
          d = d * s + v;
          v = v * s + series->term[k].hi;
        }
      change = v / d;
      s -= change;
      if (fabs (change) < 1e-12)
        break;
    }
  return s;
}

/* Moves @x to the root near @guess and sets @slope to P_n' there. On entry @value and @slope are
 * P_n and P_n' at @x. */
static void
march (gint64 n, double guess, ArmillaDd *x, ArmillaDd value, ArmillaDd *slope)
{
  Series series = { .degree = (double) n, .terms_limit = (double) n, .x = *x };
  ArmillaDd s, v, d;

  series.step = guess - x->hi;
  expand (&series, value, *slope);
  s = dd_from_double (approach (&series));
  /* Newton squares the error: 1e-13, 1e-26, then rounding */
  for (int i = 0; i < 2; i++)
    {
      evaluate (&series, s, &v, &d);
      s = dd_sub (s, dd_div (v, d));
    }
  evaluate (&series, s, &v, &d);
  *x = dd_add (*x, dd_mul_double (s, series.step));
  *slope = dd_div_double (d, series.step);
}

/* Returns P_n (0) for even n: (-1)^(n/2) (1 3 5 ... (n-1)) / (2 4 6 ... n) */
static ArmillaDd
legendre_at_zero (gint64 n)
{
  ArmillaDd p = { 1, 0 };

  for (gint64 k = 2; k <= n; k += 2)
    p = dd_neg (dd_div_double (dd_mul_double (p, (double) (k - 1)), (double) k));
  return p;
}

/* Finds the roots from the equator to the pole; ring i = 0 is the one next to the north pole. */
static void
set_rings (ArmillaRing *rings, gint64 n, gint64 n_phi)
{
  ArmillaDd x = { 0, 0 }, value = { 0, 0 }, slope = { 0, 0 };
  ArmillaDd one = { 1, 0 };

  if (n % 2 == 0)
    value = legendre_at_zero (n);
  else
    slope = dd_mul_double (legendre_at_zero (n - 1), (double) n);
  for (gint64 i = (n - 1) / 2; i >= 0; i--)
    {
      ArmillaDd square, weight;
      double nn = (double) n;

      if (2 * i + 1 != n)
        {
          /* Tricomi's approximation; off by a few per cent of a step next to the pole */
          double guess = (1 - (nn - 1) / (8 * nn * nn * nn))
                         * cos (G_PI * (4 * (double) i + 3) / (4 * nn + 2));

          march (n, guess, &x, value, &slope);
        }
      value = (ArmillaDd){ 0, 0 };
      square = dd_mul (dd_sub (one, x), dd_add (one, x));
      weight = dd_div (dd_from_double (2), dd_mul (square, dd_mul (slope, slope)));
      armilla_rings_set_mirrored (rings, n, i, n_phi, x, dd_sqrt (square), weight.hi);
    }
}

ArmillaGrid *
armilla_grid_new_gauss_legendre (gint64 n_theta, gint64 n_phi, GError **error)
{
  ArmillaRing *rings;

  if (!armilla_rings_check_size ("Gauss-Legendre", n_theta, 1, n_phi, error))
    return NULL;
  rings = armilla_rings_alloc (n_theta, error);
  if (rings == NULL)
    return NULL;
  set_rings (rings, n_theta, n_phi);
  return armilla_grid_take (ARMILLA_GRID_GAUSS_LEGENDRE, 0, rings, n_theta, error);
}
