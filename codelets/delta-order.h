/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One order of a block of the CPU kernels; part of delta-kernels.h. */
#pragma once

#include "codelets/delta-lanes.h"

_Static_assert (SEGMENT % ARMILLA_DELTA_CHECK == 0, "checks come at the same steps in any segment");
_Static_assert (ARMILLA_DELTA_GANG % GL == 0 && ARMILLA_DELTA_LANES % GL == 0, "groups fit");
_Static_assert (SEGMENT == ARMILLA_DELTA_SEGMENT && VL <= ARMILLA_DELTA_WIDEST, "scratch fits");

/* An order of a block. */
typedef struct {
  int64_t n_steps, n_fields;
  double norm;
  Coefficients c;
  int64_t prepared; /* offset of [field][n_steps][4] */
} Order;

/* @plain: 2 n_steps doubles */
static Order
order_get (const ArmillaDeltaShape *shape, const double *table, int64_t m, double *plain)
{
  const int64_t before = armilla_delta_steps_before (shape->lmax, shape->m_first, m);
  Order o;

  o.n_steps = armilla_delta_steps (shape->lmax, m);
  o.n_fields = shape->n_fields;
  o.norm = table[m - shape->m_first];
  o.prepared = 4 * before * shape->n_fields;
  coefficients_init (&o.c, table + (shape->m_last - shape->m_first + 1) + 3 * before, o.n_steps,
                     plain);
  return o;
}
