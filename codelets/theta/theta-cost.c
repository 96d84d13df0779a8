/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include <math.h>

#include "codelets/legendre/delta-math.h"
#include "codelets/theta/theta-cpu.h"

/* P_lm decays towards the pole where m exceeds l sin theta; a field of a spin is made of orders
 * and degrees up to that spin away. The group's ring nearest to the equator has half a window
 * beyond. */
int
armilla_theta_matters (const ArmillaThetaShape *shape, int64_t order, int64_t first)
{
  const int64_t m = shape->m_first + order - shape->spin;
  const double last = (double) (first + shape->n_window - ARMILLA_THETA_TAPS / 2);
  const double theta = (last + 0.5) * M_PI / (double) shape->n_grid;

  if (shape->lmax == 0 || m <= 0 || theta >= M_PI / 2)
    return 1;
  return !armilla_delta_negligible (shape->lmax + shape->spin, m, sin (theta), cos (theta));
}

/* Groups and orders that are looked at: the share of those that matter is smooth. */
#define GROUP_STEP 4
#define ORDER_STEP 16

/* The share of rings and orders that matter. Windows begin about evenly apart. */
static double
needed_share (const ArmillaThetaShape *shape)
{
  const int64_t n_groups = (shape->n_pairs + ARMILLA_THETA_GROUP - 1) / ARMILLA_THETA_GROUP;
  int64_t n = 0, n_needed = 0;

  for (int64_t order = 0; order < shape->n_orders; order += ORDER_STEP)
    for (int64_t g = 0; g < n_groups; g += GROUP_STEP, n++)
      n_needed += armilla_theta_matters (
        shape, order,
        shape->first + (shape->n_rows - shape->n_window) * g / (n_groups > 1 ? n_groups - 1 : 1));
  return n > 0 ? (double) n_needed / (double) n : 0;
}

/**
 * armilla_theta_cost:
 * @shape: shape of the task
 *
 * A multiply-add for each tap of each ring and real number, where orders matter. Rings of the grid
 * are read (and, by the adjoint, written) once, those of the map written or read once.
 *
 * Returns: the work of armilla_theta_synthesis_cpu() or armilla_theta_adjoint_cpu()
 */
ArmillaCost
armilla_theta_cost (const ArmillaThetaShape *shape)
{
  const double numbers = 4.0 * (double) shape->n_orders * (double) shape->n_fields;

  return (ArmillaCost) { needed_share (shape) * 2 * ARMILLA_THETA_TAPS * numbers
                           * (double) shape->n_pairs,
                         8 * numbers * (double) (shape->n_pairs + shape->n_rows) };
}
