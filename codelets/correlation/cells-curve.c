/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hilbert's curve on the six faces of a cube around the sphere. */
#include <math.h>

#include "codelets/correlation/cells-private.h"

static uint32_t
coordinate (double x, double scale)
{
  const double side = 1 << ARMILLA_FACE_BITS;
  const double at = x * scale + side / 2;

  /* The far edge of the face belongs to its last square. */
  return (uint32_t) (int32_t) (at < side - 1 ? at : side - 1);
}

/* Returns the position of a unit vector on the curve, ARMILLA_KEY_BITS. The kernels compute its
 * first bits for many points at once. */
uint64_t
armilla_cells_key (double x, double y, double z)
{
  const double ax = fabs (x), ay = fabs (y), az = fabs (z);
  const int axis = (ax < ay ? ay : ax) < az ? 2 : ax < ay ? 1 : 0;
  const double at[5] = { x, y, z, x, y };
  const double scale = 0.5 * (1 << ARMILLA_FACE_BITS) / fabs (at[axis]);
  const uint32_t i = coordinate (at[axis + 1], scale), j = coordinate (at[axis + 2], scale);
  uint64_t key = (uint64_t) (2 * axis) | (at[axis] < 0);
  uint32_t swapped = 0, turned = 0;

  for (int bit = ARMILLA_FACE_BITS - 1; bit >= 0; bit--)
    {
      const uint32_t a = (i >> bit & 1) ^ turned, b = (j >> bit & 1) ^ turned;
      const uint32_t first = swapped ? b : a, second = swapped ? a : b;

      key = key << 2 | first << 1 | (first ^ second);
      /* The first quarter is mirrored in the diagonal, the last one in the other diagonal. */
      swapped ^= !second;
      turned ^= first & !second;
    }
  return key;
}
