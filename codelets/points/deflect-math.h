/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Movement of a point along a geodesic, and how spherical bases turn on the way. */
#pragma once

#include <math.h>

#include "codelets/common/host-device.h"

/* Moves a point, given by cos and sin of its co-latitude and its longitude, along a geodesic by
 * (d_theta, d_phi), components along e_theta and e_phi in radian. @place: the unit vector reached.
 * @turn: cos and sin of alpha - beta, where alpha and beta are the angles, towards e_phi, of the
 * geodesic with e_theta at its beginning and its end: the value of a field of spin s is multiplied
 * by exp (i s (alpha - beta)). At a pole, the longitude is taken as 0. */
ARMILLA_HD void
armilla_deflect (double cos_theta, double sin_theta, double cosine, double sine, double d_theta,
                 double d_phi, double place[3], double turn[2])
{
  const double length2 = d_theta * d_theta + d_phi * d_phi, length = sqrt (length2);
  const double share = length > 0 ? sin (length) / length : 1, rest = cos (length);
  const double x = sin_theta * cosine, y = sin_theta * sine;
  const double along_x = d_theta * cos_theta * cosine - d_phi * sine;
  const double along_y = d_theta * cos_theta * sine + d_phi * cosine;
  const double along_z = -d_theta * sin_theta;
  const double end_x = x * rest + share * along_x, end_y = y * rest + share * along_y;
  const double end_z = cos_theta * rest + share * along_z;
  const double axis = sqrt (end_x * end_x + end_y * end_y);
  const double c = axis > 0 ? end_x / axis : 1, s = axis > 0 ? end_y / axis : 0;
  /* tangent vector at the end of the geodesic, of length @length */
  const double then_x = rest * along_x - length2 * share * x;
  const double then_y = rest * along_y - length2 * share * y;
  const double then_z = rest * along_z - length2 * share * cos_theta;
  const double then_theta = end_z * (c * then_x + s * then_y) - axis * then_z;
  const double then_phi = c * then_y - s * then_x;
  const double re = d_theta * then_theta + d_phi * then_phi;
  const double im = d_phi * then_theta - d_theta * then_phi;
  const double norm = sqrt (re * re + im * im);

  place[0] = end_x;
  place[1] = end_y;
  place[2] = end_z;
  turn[0] = norm > 0 ? re / norm : 1;
  turn[1] = norm > 0 ? im / norm : 0;
}

/* Multiplies q + i u by turn^spin, or by its conjugate. */
ARMILLA_HD void
armilla_turn (const double turn[2], int spin, int conjugate, double *q, double *u)
{
  const double sine = conjugate ? -turn[1] : turn[1];

  for (int i = 0; i < spin; i++)
    {
      const double before = *q;

      *q = turn[0] * before - sine * *u;
      *u = sine * before + turn[0] * *u;
    }
}
