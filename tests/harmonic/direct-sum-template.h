/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

/* Direct sums over l in the type REAL; included once for each type, which is why there is no
 * #pragma once. REAL has at least 64 bits of mantissa and 15 of exponent; NAME (x) adds the
 * suffix of the type, SQRT is its square root. */

/* A number of the recurrence is value / LIFT^n with n >= 0. */
typedef struct {
  REAL cosine, value, before;
  int n;
} NAME (State);

/* P_mm (cos theta) = (-sin theta)^m sqrt ((2m + 1)!! / (2m)!! / (4 pi)) */
static NAME (State)
NAME (start) (gint64 m, const ArmillaRing *ring)
{
  const REAL sine = (REAL) ring->sin_theta + ring->sin_lo;
  NAME (State) s = { (REAL) ring->cos_theta + ring->cos_lo, 1, 0, 0 };
  REAL square = 1 / (4 * (REAL) PI);

  for (gint64 k = 1; k <= m; k++)
    {
      square *= (REAL) (2 * k + 1) / (2 * k);
      s.value *= -sine;
      if (s.value != 0 && s.value < 1 / (REAL) LIFT && s.value > -1 / (REAL) LIFT)
        {
          s.value *= LIFT;
          s.n++;
        }
    }
  s.value *= SQRT (square);
  return s;
}

/* sqrt ((l^2 - m^2) / (4 l^2 - 1)) for l = m .. lmax + 1 */
static REAL *
NAME (coefficients) (gint64 lmax, gint64 m)
{
  REAL *e = g_new (REAL, lmax + 2 - m);

  for (gint64 l = m; l <= lmax + 1; l++)
    e[l - m] = l == m ? 0 : SQRT ((REAL) ((l - m) * (l + m)) / (REAL) (4 * l * l - 1));
  return e;
}

/* sum[0], sum[1] <- even and odd l - m of the sum over l of a_lm P_lm (cos theta), by
 * e_{l+1} P_{l+1,m} = cos theta P_lm - e_l P_{l-1,m}. Returns the largest |P_lm|. */
static double
NAME (sum_degrees) (gint64 lmax, gint64 m, const double *alm, const REAL *e,
                    const REAL *inverse, const ArmillaRing *ring, DirectMode sum[2])
{
  NAME (State) s = NAME (start) (m, ring);
  REAL total[4] = { 0, 0, 0, 0 }, largest = 0;
  gint64 k = 0;

  for (; k <= lmax - m && s.n > 0; k++)
    {
      const REAL next = (s.cosine * s.value - e[k] * s.before) * inverse[k];

      s.before = s.value;
      s.value = next;
      if (next > 1 || next < -1)
        {
          s.value /= LIFT;
          s.before /= LIFT;
          s.n--;
        }
    }
  for (; k <= lmax - m; k++)
    {
      const REAL next = (s.cosine * s.value - e[k] * s.before) * inverse[k];
      REAL *to = total + 2 * (k % 2);

      to[0] += alm[2 * k] * s.value;
      to[1] += alm[2 * k + 1] * s.value;
      largest = MAX (largest, s.value < 0 ? -s.value : s.value);
      s.before = s.value;
      s.value = next;
    }
  for (int i = 0; i < 2; i++)
    sum[i] = (DirectMode) { (long double) total[2 * i], (long double) total[2 * i + 1] };
  return (double) largest;
}
