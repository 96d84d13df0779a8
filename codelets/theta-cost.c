/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/cost.h"

/**
 * armilla_theta_cost:
 * @shape: shape of the task
 *
 * A multiply-add for each tap of each ring and real number. Rings of the grid are read (and, by the
 * adjoint, written) once, those of the map written or read once.
 *
 * Returns: the work of armilla_theta_synthesis_cpu() or armilla_theta_adjoint_cpu()
 */
ArmillaCost
armilla_theta_cost (const ArmillaThetaShape *shape)
{
  const double numbers = 4.0 * (double) shape->n_orders * (double) shape->n_fields;

  return (ArmillaCost) { 2 * ARMILLA_THETA_TAPS * numbers * (double) shape->n_pairs,
                         8 * numbers * (double) (shape->n_pairs + shape->n_rows) };
}
