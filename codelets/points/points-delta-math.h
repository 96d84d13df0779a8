/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which orders share a sequence, and where rings are stored; shared by CPU and GPU. */
#pragma once

#include "codelets/points/points-delta.h"

/* Returns the number of points of the circle to which @n_rings rings from pole to pole are
 * continued. */
ARMILLA_HD int64_t
armilla_points_circle (int64_t n_rings)
{
  return 2 * (n_rings - 1);
}

/* Returns the point of the circle at -theta of a ring; a pole is its own mirror image. */
ARMILLA_HD int64_t
armilla_points_mirror (int64_t n_rings, int64_t ring)
{
  return ring > 0 ? armilla_points_circle (n_rings) - ring : 0;
}

/* Returns the number of sequences of a field. The orders 2 k and 2 k + 1, of which one is an even
 * and one an odd function of theta, share a complex sequence: their sum, since no operation mixes
 * even and odd functions. */
ARMILLA_HD int64_t
armilla_points_sequences (const ArmillaPointsDeltaShape *shape)
{
  return (shape->m_first + shape->n_orders + 1) / 2 - shape->m_first / 2;
}

/* Returns the order of a sequence that is an even function of theta, or the one that is an odd
 * function, minus m_first; -1 if the tiles lack it. */
ARMILLA_HD int64_t
armilla_points_order (const ArmillaPointsDeltaShape *shape, int64_t sequence, int odd)
{
  const int64_t m
    = 2 * (shape->m_first / 2 + sequence) + (odd != (int) (shape->spin % 2)) - shape->m_first;

  return m < 0 || m >= shape->n_orders ? -1 : m;
}

/* Returns the number of doubles before the first order of a ring in a tile. */
ARMILLA_HD int64_t
armilla_points_delta_row (const ArmillaPointsDeltaShape *shape, int64_t n_rings, int64_t field,
                          int64_t ring)
{
  const int64_t south = 2 * ring > n_rings - 1;
  const int64_t slot = 2 * (south ? n_rings - 1 - ring : ring) + south;

  return 2 * (field * 2 * ((n_rings + 1) / 2) + slot) * shape->n_orders;
}
