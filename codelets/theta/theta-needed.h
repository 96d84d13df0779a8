/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which orders are negligible on which rings: the CPU kernels skip these, and costs do not
 * include them. */
#pragma once

#include <math.h>

#include "codelets/legendre/delta-math.h"
#include "codelets/theta/theta-interpolation.h"

/* Returns whether any order from @order on (counted from m_first) is not negligible on some ring of
 * the group of pairs whose window begins with ring @first of the continued grid. P_lm decays
 * towards the pole if m exceeds l sin theta; a field of spin s combines orders and degrees that
 * differ by up to s. The window extends by half the taps beyond the group's ring closest to the
 * equator. */
static inline int
armilla_theta_matters (const ArmillaThetaShape *shape, int64_t order, int64_t first)
{
  const int64_t m = shape->m_first + order - shape->spin;
  const double last = (double) (first + shape->n_window - ARMILLA_THETA_TAPS / 2);
  const double theta = (last + 0.5) * M_PI / (double) shape->n_grid;

  if (shape->lmax == 0 || m <= 0 || theta >= M_PI / 2)
    return 1;
  return !armilla_delta_negligible (shape->lmax + shape->spin, m, sin (theta), cos (theta));
}
