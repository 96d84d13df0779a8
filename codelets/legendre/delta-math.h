/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of the Delta_m recurrence that CPU and CUDA share.
 *
 * With eps_l^2 = (l^2 - m^2) / (4 l^2 - 1), cos P_l = eps_{l+1} P_{l+1} + eps_l P_{l-1}. Applied
 * twice it advances two degrees at a time (Ishioka 2018). For l = m + 2 k write P_lm = sqrt (a_k)
 * q_k; then, with x = cos^2 theta,
 *
 *   q_{k+1} = (a_k x + b_k) q_k - q_{k-1},   b_k = -(eps_{l+1}^2 + eps_l^2) a_k,
 *   a_k a_{k-1} = 1 / (eps_l eps_{l-1})^2,   q_0 = P_mm / sqrt (a_0).
 *
 * a_0 is free. It is chosen so that a_k tends to 4 smoothly; any other choice makes a_k alternate
 * and costs digits. In terms of differences, near the poles (x >= 1/2),
 *
 *   d <- d + (-a_k sin^2 + (a_k + b_k - 2)) q;   q <- q + d,
 *
 * and of sums, near the equator,
 *
 *   e <- (a_k cos^2 + (b_k + 2)) q - e;   q <- e - q,
 *
 * rounding errors stay small where the plain form loses digits. Both start with d = e = q_0. In
 * middle latitudes the plain form, in sin^2 or cos^2, is as accurate. */
#pragma once

#include <stdint.h>

#include "codelets/common/dd-math.h"

/* A value v of scale n represents v 2^(800 n), n <= 0. Values below 2^-100 are negligible: their n
 * is below 0, and they do not contribute to sums. While n < 0, |v| is in [2^-100, 2^700) when it is
 * checked, every ARMILLA_DELTA_CHECK steps. A step multiplies it by less than 2^16 up to lmax
 * 65536; once a value contributes, 8 steps multiply it by less than 2^42. */
#define ARMILLA_DELTA_UP 0x1p+800
#define ARMILLA_DELTA_DOWN 0x1p-800
#define ARMILLA_DELTA_SMALL 0x1p-100
#define ARMILLA_DELTA_BIG 0x1p+700
#define ARMILLA_DELTA_CHECK 8
/* A ring with a smaller sine is a pole: no P_lm, m > 0, exceeds 2^-100 there. */
#define ARMILLA_DELTA_POLE 0x1p-160
/* cosine squared from which on the form with differences is used */
#define ARMILLA_DELTA_POLAR_X 0.5
/* if both sine and cosine squared exceed this, the plain form is as accurate as the others */
#define ARMILLA_DELTA_PLAIN_X 0.08

/* Returns the number of steps of order m: degrees m, m + 2 .. of the even part, each with the odd
 * degree that follows. */
ARMILLA_HD int64_t
armilla_delta_steps (int64_t lmax, int64_t m)
{
  return (lmax - m) / 2 + 1;
}

/* Returns the number of steps of orders m_first .. m - 1. */
ARMILLA_HD int64_t
armilla_delta_steps_before (int64_t lmax, int64_t m_first, int64_t m)
{
  const int64_t n = lmax - m_first + 2, r = lmax - m + 2;

  return n * n / 4 - r * r / 4;
}

/* Returns the number of complex coefficients of orders m_first .. m - 1. */
ARMILLA_HD int64_t
armilla_delta_alm_before (int64_t lmax, int64_t m_first, int64_t m)
{
  return (m - m_first) * (2 * lmax + 3 - m - m_first) / 2;
}

/* Returns Gamma (z + 1) / Gamma (z + 1/2), z > -1/2: recursion upwards, then the asymptotic series
 * in w = z + 1/4, whose coefficients are those of Euler's numbers. */
ARMILLA_HD double
armilla_delta_gamma_ratio (double z)
{
  ArmillaDd up = { 1, 0 }, down = { 1, 0 };
  double w, v, s;

  for (; z < 16; z += 1)
    {
      up = armilla_dd_multiply (up, armilla_dd_from (z + 0.5, 0));
      down = armilla_dd_multiply (down, armilla_dd_from (z + 1, 0));
    }
  w = z + 0.25;
  v = 1 / (w * w);
  s = v * (-1385. / 1048576 + v * (50521. / 20971520));
  s = v * (1. / 64 + v * (-5. / 2048 + v * (61. / 49152 + s)));
  s = s * (1 + s * (1. / 2) * (1 + s * (1. / 3) * (1 + s * (1. / 4)))); /* exp (s) - 1 */
  w = sqrt (w);
  return armilla_dd_divide (up, down).hi * (w + w * s);
}

/* Returns a_0. The solution of g (y) g (y - 2) = y that does not alternate is g (y) = 2 Gamma (y /
 * 4 + 1) / Gamma (y / 4 + 1/2), and 1 / (eps_l eps_{l-1})^2 is a quotient of eight such linear
 * factors. Nearby values would serve as well: only smoothness depends on a_0. */
ARMILLA_HD double
armilla_delta_first_a (int64_t m)
{
  const double f = (double) m;
  const double up = armilla_delta_gamma_ratio ((f - 0.5) / 4);
  const double n = up * up * armilla_delta_gamma_ratio ((f + 0.5) / 4)
                   * armilla_delta_gamma_ratio ((f - 1.5) / 4);
  const double d = armilla_delta_gamma_ratio (0) * armilla_delta_gamma_ratio (f / 2)
                   * armilla_delta_gamma_ratio (-0.25)
                   * armilla_delta_gamma_ratio ((2 * f - 1) / 4);

  return 4 * n / d;
}

/* Returns q_0 / sin^m theta, with the Condon-Shortley phase: P_mm = (-1)^m sqrt ((2m+1)!! / (2m)!!
 * / (4 pi)) sin^m theta. */
ARMILLA_HD double
armilla_delta_norm (int64_t m, double first_a)
{
  /* (2m+1)!! / (2m)!! is 2 / sqrt (pi) times the ratio of Gammas at m + 1/2. */
  const double two_pi_sqrt_pi = 11.136655993663415690569;
  const double g = armilla_delta_gamma_ratio ((double) m + 0.5);
  const double r = sqrt (g / (two_pi_sqrt_pi * first_a));

  return m & 1 ? -r : r;
}

/* a_k from a_{k-1}, l = m + 2 k, k >= 1. */
ARMILLA_HD ArmillaDd
armilla_delta_next_a (ArmillaDd a, int64_t l, int64_t m)
{
  const double j = (double) l, f = (double) m;
  const ArmillaDd n = armilla_dd_product ((2 * j - 1) * (2 * j + 1), (2 * j - 3) * (2 * j - 1));
  const ArmillaDd d = armilla_dd_product ((j - f) * (j + f), (j - 1 - f) * (j - 1 + f));

  return armilla_dd_divide (n, armilla_dd_multiply (d, a));
}

/* Sets @pole to a + b - 2 and @equator to b + 2, a and b being a_k and b_k. Both are small
 * differences of large numbers, computed before rounding. */
ARMILLA_HD void
armilla_delta_coefficients (ArmillaDd a, int64_t l, int64_t m, double *pole, double *equator)
{
  const double j = (double) l, f = (double) m;
  const ArmillaDd n = armilla_dd_from (2 * j * (j + 1) - 2 * f * f - 1, 0);
  const ArmillaDd d = armilla_dd_from ((2 * j - 1) * (2 * j + 3), 0);
  const ArmillaDd b = armilla_dd_multiply (a, armilla_dd_divide (armilla_dd_negate (n), d));
  const ArmillaDd two = { 2, 0 };

  *pole = armilla_dd_add (armilla_dd_add (a, armilla_dd_negate (two)), b).hi;
  *equator = armilla_dd_add (b, two).hi;
}

/* The odd part, l + 1 - m odd: with cos P_l = eps_{l+1} P_{l+1} + eps_l P_{l-1},
 * sum_k a_{l+1} P_{l+1} = cos sum_k g_k q_k where g_k = A_k a_{l+1} - B_k g_{k+1}. */
ARMILLA_HD void
armilla_delta_odd (double a, int64_t l, int64_t m, double *A, double *B)
{
  const double j = (double) l + 1, f = (double) m;

  *A = sqrt (a * ((2 * j - 1) * (2 * j + 1)) / ((j - f) * (j + f)));
  *B = a * ((j + 1 - f) * (j + 1 + f)) / ((2 * j + 1) * (2 * j + 3));
}

/* Returns x^m, 0 <= x <= 1, in double-double with a scale as defined above. In plain double its
 * relative error would be m 1e-16. */
ARMILLA_HD ArmillaDd
armilla_delta_power (ArmillaDd x, int64_t m, double *scale)
{
  ArmillaDd r = { 1, 0 };
  double rn = 0, xn = 0;

  for (; m > 0; m >>= 1)
    {
      if (m & 1)
        {
          r = armilla_dd_multiply (r, x);
          rn += xn;
        }
      if (r.hi < 0x1p-400)
        r = armilla_dd_scale (r, ARMILLA_DELTA_UP), rn -= 1;
      else if (r.hi >= 0x1p+400)
        r = armilla_dd_scale (r, ARMILLA_DELTA_DOWN), rn += 1;
      x = armilla_dd_multiply (x, x);
      xn *= 2;
      if (x.hi < 0x1p-400)
        x = armilla_dd_scale (x, ARMILLA_DELTA_UP), xn -= 1;
      else if (x.hi >= 0x1p+400)
        x = armilla_dd_scale (x, ARMILLA_DELTA_DOWN), xn += 1;
    }
  if (r.hi < ARMILLA_DELTA_SMALL)
    r = armilla_dd_scale (r, ARMILLA_DELTA_UP), rn -= 1;
  *scale = rn;
  return r;
}

/* Returns a lower bound x of the decay of P_lm, l <= lmax, at a ring: all of them are below exp
 * (-x) times their maxima. In the WKB approximation P_lm decays from the turning point towards the
 * pole as exp (-nu (mu artanh (w / mu) - artanh (w))), nu = lmax + 1/2, mu = m / nu, w = sqrt (mu^2
 * - sin^2) / cos. */
ARMILLA_HD double
armilla_delta_decay (int64_t lmax, int64_t m, double sine, double cosine)
{
  const double nu = (double) lmax + 0.5, mu = (double) m / nu, c = fabs (cosine);
  double w, f;

  if (sine >= mu)
    return 0;
  w = sqrt ((mu - sine) * (mu + sine)) / c;
  f = c / sqrt ((1 - mu) * (1 + mu));
  /* artanh (w / mu) = log ((mu + w) f / sin), artanh (w) = log ((1 + w) f): no cancellation. */
  return nu * (mu * log ((mu + w) * f / sine) - log ((1 + w) * f));
}

/* Returns whether all P_lm with l <= lmax stay below 2^-100 at this ring. 90 is 100 ln 2 and a
 * margin of 1e9 for the WKB approximation. */
ARMILLA_HD int
armilla_delta_negligible (int64_t lmax, int64_t m, double sine, double cosine)
{
  return armilla_delta_decay (lmax, m, sine, cosine) > 90;
}
