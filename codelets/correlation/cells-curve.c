/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hilbert's curve on the six faces of a cube around the sphere, and in a cube. */
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

/* bits per coordinate in a cube, so that its keys are as long as those on the sphere */
#define CUBE_BITS (ARMILLA_KEY_BITS / 3)
/* number of steps of 3 bits for a short key; they give one bit too many */
#define SHORT_CUBE_BITS ((ARMILLA_SHORT_KEY_BITS + 2) / 3)

/* Steps of the curve from a cube to one of its eight parts, by the orientation of the curve in the
 * cube (12 of 24 occur) and the part, x + 2 y + 4 z: the number of the part on the curve, plus 8
 * times the orientation there. They follow from Gray's code, see Hamilton and Rau-Chaplin (2008),
 * Compact Hilbert indices. */
static const uint8_t steps[12][8] = {
  { 8, 23, 25, 38, 43, 44, 26, 37 },  { 24, 51, 63, 52, 1, 2, 70, 69 },
  { 76, 39, 75, 80, 5, 6, 66, 65 },   { 0, 9, 83, 10, 95, 78, 84, 77 },
  { 22, 7, 21, 60, 49, 88, 50, 59 },  { 58, 85, 3, 4, 57, 86, 72, 55 },
  { 90, 89, 45, 46, 11, 32, 12, 87 }, { 36, 13, 71, 14, 35, 74, 40, 73 },
  { 62, 81, 15, 16, 61, 82, 92, 91 }, { 94, 93, 41, 42, 31, 20, 56, 19 },
  { 18, 27, 17, 64, 53, 28, 54, 47 }, { 68, 67, 29, 34, 79, 48, 30, 33 },
};

/* Returns the first @n steps of the curve to a position, 3 bits each. */
static uint64_t
cube_key (const ArmillaCellsInput *input, double x, double y, double z, int n)
{
  const double side = 1 << CUBE_BITS, scale = side / input->side;
  const double at[3] = { x, y, z };
  uint32_t place[3], orientation = 0;
  uint64_t key = 0;

  for (int k = 0; k < 3; k++)
    {
      const double cell = (at[k] - input->corner[k]) * scale;

      place[k] = (uint32_t) (int32_t) (cell < side - 1 ? cell : side - 1);
    }
  for (int bit = CUBE_BITS - 1; bit >= CUBE_BITS - n; bit--)
    {
      const uint32_t part
        = (place[0] >> bit & 1) | (place[1] >> bit & 1) << 1 | (place[2] >> bit & 1) << 2;
      const uint8_t step = steps[orientation][part];

      key = key << 3 | (step & 7);
      orientation = step >> 3;
    }
  return key;
}

uint64_t
armilla_cells_input_key (const ArmillaCellsInput *input, double x, double y, double z)
{
  return input->side > 0
           ? cube_key (input, x, y, z, CUBE_BITS) << (ARMILLA_KEY_BITS - 3 * CUBE_BITS)
           : armilla_cells_key (x, y, z);
}

void
armilla_cells_input_keys (const ArmillaCellsInput *input, const double *x, const double *y,
                          const double *z, int64_t n, uint32_t *keys)
{
  if (input->side > 0)
    for (int64_t i = 0; i < n; i++)
      keys[i] = (uint32_t) (cube_key (input, x[i], y[i], z[i], SHORT_CUBE_BITS)
                            >> (3 * SHORT_CUBE_BITS - ARMILLA_SHORT_KEY_BITS));
  else
    ARMILLA_FOR_ISA (input->isa, armilla_cells_kernels)->keys (x, y, z, n, keys);
}
