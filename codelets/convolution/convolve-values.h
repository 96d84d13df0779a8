/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances and kernel values, shared by the CPU and CUDA kernels of convolve.h. */
#pragma once

#include <math.h>

#include "codelets/convolution/convolve.h"
#include "codelets/rings/ring-fft-math.h"

/* Returns 4 sin^2 ((theta - theta0) / 2) of output pair p and input pair q as (sin theta - sin
 * theta0)^2 + (cos theta - cos theta0)^2: the low parts of sine and cosine avoid cancellation.
 * sines becomes 4 sin theta sin theta0. */
ARMILLA_HD double
armilla_meridian_chord2 (const double *out, int64_t n_out, int64_t p, const double *in,
                         int64_t n_in, int64_t q, int across, double *sines)
{
  const double sign = across ? -1 : 1;
  const double s = in[ARMILLA_PAIR_SIN * n_in + q], s0 = out[ARMILLA_PAIR_SIN * n_out + p];
  const double c = sign * in[ARMILLA_PAIR_COS * n_in + q];
  const double c0 = out[ARMILLA_PAIR_COS * n_out + p];
  const double ds = (s - s0)
                    + (in[ARMILLA_PAIR_SIN_LO * n_in + q] - out[ARMILLA_PAIR_SIN_LO * n_out + p]);
  const double dc
    = (c - c0)
      + (sign * in[ARMILLA_PAIR_COS_LO * n_in + q] - out[ARMILLA_PAIR_COS_LO * n_out + p]);

  *sines = 4 * s * s0;
  return ds * ds + dc * dc;
}

/* Returns the kernel at a squared chord, like armilla_kernel_table_value (), without GLib. */
ARMILLA_HD double
armilla_kernel_at (const double *terms, int64_t n_intervals, double scale, double cut2,
                   double chord2)
{
  double x, t, value;
  const double *a;
  int64_t i;

  if (!(chord2 <= cut2))
    return 0;
  /* Beyond a right angle, kernels are smooth functions of the chord to the antipode. */
  x = (chord2 <= 2 ? sqrt (chord2)
                   : 2.8284271247461903 - sqrt (chord2 < 4 ? 4 - chord2 : 0)) * scale;
  i = (int64_t) x;
  if (i > n_intervals - 1)
    i = n_intervals - 1;
  t = x - (double) i;
  a = terms + i * ARMILLA_CONVOLVE_TERMS;
  value = a[ARMILLA_CONVOLVE_TERMS - 1];
  for (int k = ARMILLA_CONVOLVE_TERMS - 2; k >= 0; k--)
    value = value * t + a[k];
  return value;
}

/* Returns sample c of row r of a group. */
ARMILLA_HD double
armilla_gridding_value (const ArmillaGriddingShape *shape, const ArmillaConvolveGroup *group,
                        const double *table, const double *terms, const double *pairs_out,
                        const double *pairs_in, int64_t c, int64_t r)
{
  double sines;
  const double chord2
    = armilla_meridian_chord2 (pairs_out, shape->n_out, group->out, pairs_in, shape->n_in,
                               group->pair[r], group->across[r], &sines);

  if (r >= group->n_rows)
    return 0;
  return armilla_kernel_at (terms, shape->n_intervals, shape->scale, shape->chord2,
                            chord2 + sines * table[group->squares + c]);
}

/* Returns the azimuth of a ring's first pixel, radian. */
ARMILLA_HD double
armilla_slot_phi0 (const ArmillaRingSlot *slot)
{
  return slot->phi0_den ? 3.141592653589793 * (double) slot->phi0_num / (double) slot->phi0_den
                        : slot->phi0;
}

/* Returns the contribution of one input ring to the direct sum (Elsner and Wandelt 2011, eq. 6) at
 * a point of azimuth phi. */
ARMILLA_HD double
armilla_polar_ring (const ArmillaPolarShape *shape, const ArmillaRingSlot *ring,
                    const double *terms, const double *pixels, double chord2, double sines,
                    double phi)
{
  const double turn = 6.283185307179586, n = (double) ring->n_phi;
  const double rest = shape->chord2 - chord2;
  const double place = (phi - armilla_slot_phi0 (ring)) * n / turn;
  /* Half-width of the window of azimuths within the support, in pixels. */
  const double reach
    = rest < sines ? asin (sqrt (rest / sines)) * 2 * n / turn + 1e-9 * n : 0.5 * n;
  int64_t first = (int64_t) ceil (place - reach), last = (int64_t) floor (place + reach);
  double sum = 0;

  if (!(rest >= 0) || ring->n_phi == 0)
    return 0;
  if (last - first >= ring->n_phi)
    last = first + ring->n_phi - 1;
  for (int64_t b = first; b <= last; b++)
    {
      const double s = sin (0.5 * turn * (place - (double) b) / n);
      int64_t j = b % ring->n_phi;

      if (j < 0)
        j += ring->n_phi;
      sum += armilla_kernel_at (terms, shape->n_intervals, shape->scale, shape->chord2,
                                chord2 + sines * (s * s))
             * armilla_unseen_to_zero (pixels[j]);
    }
  return ring->weight * sum;
}

/* Returns one output pixel: the sum over all rings of the input block. */
ARMILLA_HD double
armilla_polar_pixel (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                     const ArmillaRingSlot *slots_in, const double *pairs_out,
                     const double *pairs_in, const double *terms, const double *in, int64_t slot,
                     int64_t pixel)
{
  const ArmillaRingSlot *ring = slots_out + slot;
  const double phi = armilla_slot_phi0 (ring)
                     + 6.283185307179586 * (double) pixel / (double) ring->n_phi;
  double sum = 0;

  for (int64_t q = 0; q < shape->n_in; q++)
    for (int across = 0; across < 2; across++)
      {
        const ArmillaRingSlot *from = slots_in + 2 * q + (across ? 1 - slot % 2 : slot % 2);
        double sines;
        const double chord2 = armilla_meridian_chord2 (pairs_out, shape->n_out, slot / 2, pairs_in,
                                                       shape->n_in, q, across, &sines);

        if (chord2 <= shape->chord2)
          sum += armilla_polar_ring (shape, from, terms, in + from->offset, chord2, sines, phi);
      }
  return sum;
}
