/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact reduction of angles, and the index arithmetic of ring transforms. Shared by the CPU and
 * CUDA kernels with the same bits: only +, -, *, / and explicit fma (). */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/common/host-device.h"

/* Computes cos (pi x) and sin (pi x) for |x| <= 1/4 by Taylor series; the first omitted term is
 * 2e-18. The rounding of pi x dominates: the error is at most 1.2e-16. */
ARMILLA_HD void
armilla_cos_sin_pi_octant (double x, double *c, double *s)
{
  double y = x * x;
  double even, odd;

  even = 4.303069587032947e-06;
  even = even * y - 0.0001046381049248457;
  even = even * y + 0.0019295743094039231;
  even = even * y - 0.02580689139001406;
  even = even * y + 0.2353306303588932;
  even = even * y - 1.3352627688545895;
  even = even * y + 4.0587121264167685;
  even = even * y - 4.934802200544679;
  odd = 7.952054001475513e-07;
  odd = odd * y - 2.1915353447830217e-05;
  odd = odd * y + 0.00046630280576761255;
  odd = odd * y - 0.0073704309457143504;
  odd = odd * y + 0.08214588661112823;
  odd = odd * y - 0.5992645293207921;
  odd = odd * y + 2.5501640398773455;
  odd = odd * y - 5.16771278004997;
  *c = even * y + 1;
  *s = odd * y * x + x * 3.141592653589793;
}

/* Returns a * b mod modulus, for a, b < modulus or a * b < 2^52. */
ARMILLA_HD uint64_t
armilla_multiply_mod (uint64_t a, uint64_t b, uint64_t modulus)
{
  if ((a | b) >> 26 == 0 && modulus >> 52 == 0)
    {
      /* All numbers are below 2^53: the quotient is exact or one too large. */
      uint64_t product = a * b;

      if (product < modulus)
        return product;

      uint64_t quotient = (uint64_t) ((double) product / (double) modulus);
      int64_t rest = (int64_t) (product - quotient * modulus);

      return (uint64_t) (rest < 0 ? rest + (int64_t) modulus : rest);
    }
  return (uint64_t) ((unsigned __int128) a * b % modulus);
}

/* Computes exp (i pi k / n) for 0 <= k < 2n. The octant is found with integers, so that only an
 * angle of at most pi / 4 is rounded. */
ARMILLA_HD void
armilla_root_of_unity (uint64_t k, uint64_t n, double *c, double *s)
{
  double sign_c = 1, sign_s = 1, x, y;

  if (k >= n)
    {
      k -= n;
      sign_c = sign_s = -1;
    }
  if (k > n - k)
    {
      k = n - k;
      sign_c = -sign_c;
    }
  if (k > n / 4)
    armilla_cos_sin_pi_octant (0.5 * (double) (n - 2 * k) / (double) n, &y, &x);
  else
    armilla_cos_sin_pi_octant ((double) k / (double) n, &x, &y);
  *c = sign_c * x;
  *s = sign_s * y;
}

/* Computes exp (i m pi num / den), den > 0, any m >= 0. */
ARMILLA_HD void
armilla_phase_rational (int64_t m, int64_t num, int64_t den, double *c, double *s)
{
  uint64_t period = 2 * (uint64_t) den;
  uint64_t step;

  /* 2 den may overflow int64_t, so signed % cannot be used; divisions are slow. */
  if (num >= 0)
    step = (uint64_t) num < period ? (uint64_t) num : (uint64_t) num % period;
  else
    {
      step = (0 - (uint64_t) num) % period;
      step = step ? period - step : 0;
    }
  armilla_root_of_unity (armilla_multiply_mod ((uint64_t) m, step, period), (uint64_t) den, c, s);
}

/* Computes exp (i m phi0). m phi0 / pi is computed in two doubles, with a relative error of 2^-104,
 * and its whole turns are subtracted exactly. */
ARMILLA_HD void
armilla_phase_real (int64_t m, double phi0, double *c, double *s)
{
  const double inverse_pi = 0.3183098861837907, inverse_pi_lo = -1.9678676675182486e-17;
  double hi = phi0 * inverse_pi;
  double lo = fma (phi0, inverse_pi, -hi) + phi0 * inverse_pi_lo;
  double p, x, y, k;

  hi -= 2 * floor (0.5 * hi + 0.5);
  p = (double) m * hi;
  lo = fma ((double) m, hi, -p) + (double) m * lo;
  p -= 2 * floor (0.5 * p + 0.5);
  k = floor (2 * p + 0.5);
  armilla_cos_sin_pi_octant ((p - 0.5 * k) + lo, &x, &y);
  switch ((int) k & 3)
    {
    case 0:
      *c = x;
      *s = y;
      break;
    case 1:
      *c = -y;
      *s = x;
      break;
    case 2:
      *c = -x;
      *s = -y;
      break;
    default:
      *c = y;
      *s = -x;
    }
}

/* Computes exp (i m phi0) of a ring (see ArmillaRingSlot). */
ARMILLA_HD void
armilla_ring_phase (int64_t m, int64_t phi0_num, int64_t phi0_den, double phi0, double *c,
                    double *s)
{
  if (phi0_den)
    armilla_phase_rational (m, phi0_num, phi0_den, c, s);
  else
    armilla_phase_real (m, phi0, c, s);
}

/* Returns the number of interleaved parts, of q = n / radix points each, into which a ring of n
 * pixels is divided; the parts are transformed by chirp-z if n is not smooth. HEALPix's rings have
 * n = 4 q. */
ARMILLA_HD int64_t
armilla_ring_radix (int64_t n)
{
  return n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
}

/* Returns j * j mod 2 q: the exponent, in units of pi / q, of the chirp of q points. */
ARMILLA_HD uint64_t
armilla_chirp_index (int64_t j, int64_t q)
{
  return armilla_multiply_mod ((uint64_t) j, (uint64_t) j, 2 * (uint64_t) q);
}

/* Returns whether n has no prime factor above 13. */
ARMILLA_HD int
armilla_is_smooth (int64_t n)
{
  for (int64_t factor = 2; factor <= 13; factor++)
    while (n % factor == 0)
      n /= factor;
  return n == 1;
}

/* Like armilla_is_unseen () of the core, for code without GLib. */
ARMILLA_HD int
armilla_is_unseen_value (double x)
{
  double d = x + 1.6375e30;

  return (d < 0 ? -d : d) <= 1e-5 * 1.6375e30;
}

ARMILLA_HD double
armilla_unseen_to_zero (double x)
{
  return armilla_is_unseen_value (x) ? 0 : x;
}
