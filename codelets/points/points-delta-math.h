/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which orders share a sequence, and where rings are, for CPU and GPU. */
#pragma once

#include "codelets/points/points-delta.h"

/* Points of the circle to which rings from pole to pole are continued. */
ARMILLA_HD int64_t
armilla_points_circle (int64_t n_rings)
{
  return 2 * (n_rings - 1);
}

/* The point of the circle that mirrors a ring; poles are their own mirror images. */
ARMILLA_HD int64_t
armilla_points_mirror (int64_t n_rings, int64_t ring)
{
  return ring > 0 ? armilla_points_circle (n_rings) - ring : 0;
}

/* Number of sequences of a field. An even function of theta and an odd one, of neighbouring orders,
 * share a complex sequence, since no operation mixes them; the even number of both is a multiple of
 * two. */
ARMILLA_HD int64_t
armilla_points_sequences (const ArmillaPointsDeltaShape *shape)
{
  return (shape->m_first + shape->n_orders + 1) / 2 - shape->m_first / 2;
}

/* The even or the odd order of a sequence, counted from the first one of the tiles; -1: none. */
ARMILLA_HD int64_t
armilla_points_order (const ArmillaPointsDeltaShape *shape, int64_t sequence, int odd)
{
  const int64_t m
    = 2 * (shape->m_first / 2 + sequence) + (odd != (int) (shape->spin % 2)) - shape->m_first;

  return m < 0 || m >= shape->n_orders ? -1 : m;
}

/* Number of doubles before the first order of a ring in a tile. */
ARMILLA_HD int64_t
armilla_points_delta_row (const ArmillaPointsDeltaShape *shape, int64_t n_rings, int64_t field,
                          int64_t ring)
{
  const int64_t south = 2 * ring > n_rings - 1;
  const int64_t slot = 2 * (south ? n_rings - 1 - ring : ring) + south;

  return 2 * (field * 2 * ((n_rings + 1) / 2) + slot) * shape->n_orders;
}
