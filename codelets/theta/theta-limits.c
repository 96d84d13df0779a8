/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta/theta-needed.h"
#include "codelets/theta/theta-rows.h"

/* Finds the orders that the CUDA kernels skip, for spin 0: limits[group of eight pairs] is the
 * first order that is negligible on all of its rings. If shape->lmax is 0, no order is. */
void
armilla_theta_find_limits (const ArmillaThetaShape *shape, const double *firsts, double *limits)
{
  ArmillaThetaShape scalar = *shape;
  int64_t m = 1;

  scalar.spin = 0;
  scalar.m_first = 0;
  for (int64_t g = 0; g < armilla_theta_groups (shape); g++)
    {
      /* the limit increases towards the equator */
      while (m <= shape->lmax && armilla_theta_matters (&scalar, m, (int64_t) firsts[g]))
        m++;
      limits[g] = m <= shape->lmax ? (double) m : INFINITY;
    }
}
