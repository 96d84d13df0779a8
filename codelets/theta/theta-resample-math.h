/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circle of theta-resample.h, its table and the layout of tiles, for CPU and CUDA kernels.
 *
 * Point j of the circle is at theta = (2 j + start) pi / n_points, where start is 0 if there are
 * rings on the poles and 1 otherwise. Even functions of one order and odd ones of a neighbour share
 * a complex sequence, which the FFT treats as one: no operation here mixes them. */
#pragma once

#include "codelets/theta/theta-resample.h"

ARMILLA_HD int64_t
armilla_resample_points (const ArmillaResampleShape *shape)
{
  return 2 * (shape->on_poles ? shape->n_rings - 1 : shape->n_rings);
}

/* Returns the point at -theta, where @j is the point (or ring) at theta. */
ARMILLA_HD int64_t
armilla_resample_mirror (const ArmillaResampleShape *shape, int64_t j)
{
  const int64_t n = armilla_resample_points (shape);

  return shape->on_poles ? (j > 0 ? n - j : 0) : n - 1 - j;
}

/* The table consists of v [n_points]; w / n_points^2 [n_points], whose element j is that of theta =
 * (1 + start - 2 j) pi / n_points, because two FFTs of the same direction give the points midway in
 * this order; phases [n_points], complex; rings of the map's slots [2 n_pairs]. */
ARMILLA_HD const double *
armilla_resample_midway (const ArmillaResampleShape *shape, const double *table)
{
  return table + armilla_resample_points (shape);
}

ARMILLA_HD const double *
armilla_resample_phases (const ArmillaResampleShape *shape, const double *table)
{
  return table + 2 * armilla_resample_points (shape);
}

ARMILLA_HD const double *
armilla_resample_rings (const ArmillaResampleShape *shape, const double *table)
{
  return table + 4 * armilla_resample_points (shape);
}

/* Returns the number of pairs of the input's tile, or of the output's. */
ARMILLA_HD int64_t
armilla_resample_pairs (const ArmillaResampleShape *shape, int output)
{
  return output == shape->to_map ? shape->n_pairs : (shape->n_rings + 1) / 2;
}

/* Returns the ring of slot @slot of the input's tile, or of the output's; -1 if absent. */
ARMILLA_HD int64_t
armilla_resample_ring (const ArmillaResampleShape *shape, const double *table, int output,
                       int64_t slot)
{
  const int64_t ring = slot % 2 ? shape->n_rings - 1 - slot / 2 : slot / 2;

  if (output == shape->to_map)
    return (int64_t) armilla_resample_rings (shape, table)[slot];
  return slot % 2 && 2 * ring == shape->n_rings - 1 ? -1 : ring;
}

/* Returns the number of sequences of a field: orders 2 i and 2 i + 1 share one. */
ARMILLA_HD int64_t
armilla_resample_sequences (const ArmillaResampleShape *shape)
{
  return (shape->m_first + shape->n_orders + 1) / 2 - shape->m_first / 2;
}

/* Returns the index, counted from the first order of the tiles, of that order of a sequence which
 * is an even function of theta or, with @odd, an odd one; -1 if the tiles lack it. */
ARMILLA_HD int64_t
armilla_resample_order (const ArmillaResampleShape *shape, int64_t sequence, int odd)
{
  const int64_t m = 2 * (shape->m_first / 2 + sequence) + (odd != (int) (shape->spin % 2));

  return m < shape->m_first || m >= shape->m_first + shape->n_orders ? -1 : m - shape->m_first;
}

/* Returns the position, in doubles, of an order on a slot's ring of a field in a tile of @n_pairs
 * pairs. */
ARMILLA_HD int64_t
armilla_resample_at (const ArmillaResampleShape *shape, int64_t n_pairs, int64_t field,
                     int64_t slot, int64_t order)
{
  return 2 * ((field * 2 * n_pairs + slot) * shape->n_orders + order);
}
