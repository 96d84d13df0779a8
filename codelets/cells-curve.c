/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hilbert's curve on the six faces of a cube around the sphere. */
#include <glib.h>

#include "codelets/cells-private.h"

#define STEP_BITS 4
#define ORIENTATION_SHIFT 8
/* Bits of a coordinate that short keys are made of. */
#define SHORT_FACE_BITS 16

/* Four bits of both coordinates at once: [orientation][x bits, y bits] gives eight bits of the
 * place and, above them, the orientation within the square they choose. */
static uint16_t curve[4 << ORIENTATION_SHIFT];

/* Orientations: bit 0: the axes are swapped; bit 1: both are turned over. */
static void
fill_curve (void)
{
  for (unsigned state = 0; state < 4; state++)
    for (unsigned xy = 0; xy < 256; xy++)
      {
        unsigned place = 0, s = state;

        for (int bit = STEP_BITS - 1; bit >= 0; bit--)
          {
            unsigned x = xy >> (STEP_BITS + bit) & 1, y = xy >> bit & 1, t;

            if (s & 2)
              {
                x ^= 1;
                y ^= 1;
              }
            if (s & 1)
              {
                t = x;
                x = y;
                y = t;
              }
            place = place << 2 | ((3 * x) ^ y);
            /* The first quarter is transposed, the last one about the other diagonal. */
            if (y == 0)
              s ^= x ? 3 : 1;
          }
        curve[state << ORIENTATION_SHIFT | xy] = (uint16_t) (s << ORIENTATION_SHIFT | place);
      }
}

/**
 * armilla_cells_curve:
 *
 * Makes the table that keys need.
 */
void
armilla_cells_curve (void)
{
  static gsize filled = 0;

  if (g_once_init_enter (&filled))
    {
      fill_curve ();
      g_once_init_leave (&filled, 1);
    }
}

/* Points that go through the arithmetic together: what processors have everywhere. */
typedef double Two __attribute__ ((vector_size (16)));
typedef int64_t TwoWords __attribute__ ((vector_size (16)));

typedef struct {
  uint32_t face, i, j;
} Place;

/* The faces of two points, 0 to 5, and their coordinates there. Which face is as good as random
 * from one point to the next: masks, so that there is no branch to guess. */
static inline void
find_places (Two x, Two y, Two z, Place place[2])
{
  const int64_t sign_bit = G_MININT64;
  const TwoWords sign = { sign_bit, sign_bit };
  const double side = 1 << ARMILLA_FACE_BITS;
  const Two scale = { side / 2, side / 2 }, most = { side - 1, side - 1 };
  const TwoWords bx = (TwoWords) x, by = (TwoWords) y, bz = (TwoWords) z;
  const Two ax = (Two) (bx & ~sign), ay = (Two) (by & ~sign), az = (Two) (bz & ~sign);
  const TwoWords on_x = (ax >= ay) & (ax >= az), on_y = (ay >= az) & ~on_x;
  const TwoWords on_z = ~(on_x | on_y), axis = (bx & on_x) | (by & on_y) | (bz & on_z);
  const Two inverse = scale / (Two) (axis & ~sign);
  Two i = (Two) ((by & on_x) | (bz & on_y) | (bx & on_z)) * inverse + scale;
  Two j = (Two) ((bz & on_x) | (bx & on_y) | (by & on_z)) * inverse + scale;

  /* The far edge of the face belongs to its last square. */
  i = (Two) (((TwoWords) i & (i < most)) | ((TwoWords) most & ~(i < most)));
  j = (Two) (((TwoWords) j & (j < most)) | ((TwoWords) most & ~(j < most)));
  for (int k = 0; k < 2; k++)
    place[k] = (Place) { (uint32_t) ((on_y[k] & 2) | (on_z[k] & 4) | (axis[k] < 0)),
                         (uint32_t) (int32_t) i[k], (uint32_t) (int32_t) j[k] };
}

/* The first 3 + 2 @depth bits of the place on the curve; @depth a multiple of STEP_BITS. */
static inline uint64_t
walk (Place at, int depth)
{
  /* Bits of both for one step in a byte: those of every other step, and the others. */
  const uint32_t low = 0x0f0f0f0f;
  const uint32_t even = (at.i & low) << STEP_BITS | (at.j & low);
  const uint32_t odd = (at.i & ~low) | (at.j >> STEP_BITS & low);
  uint64_t key = at.face;
  uint32_t state = 0;

#pragma GCC unroll 8
  for (int step = ARMILLA_FACE_BITS / STEP_BITS - 1;
       step >= (ARMILLA_FACE_BITS - depth) / STEP_BITS; step--)
    {
      const uint32_t xy = (step % 2 ? odd : even) >> step / 2 * 8 & 255;

      state = curve[(state & 3 << ORIENTATION_SHIFT) | xy];
      key = key << (2 * STEP_BITS) | (state & 255);
    }
  return key;
}

/**
 * armilla_cells_key:
 * @x: a unit vector
 * @y: likewise
 * @z: likewise
 *
 * Returns: its place on the curve, %ARMILLA_KEY_BITS
 */
uint64_t
armilla_cells_key (double x, double y, double z)
{
  Place place[2];

  find_places ((Two) { x, x }, (Two) { y, y }, (Two) { z, z }, place);
  return walk (place[0], ARMILLA_FACE_BITS);
}

static inline uint32_t
short_key (Place place)
{
  return (uint32_t) (walk (place, SHORT_FACE_BITS)
                     >> (3 + 2 * SHORT_FACE_BITS - ARMILLA_SHORT_KEY_BITS));
}

/**
 * armilla_cells_keys:
 * @x: (array length=n): unit vectors
 * @y: (array length=n): likewise
 * @z: (array length=n): likewise
 * @n: how many
 * @keys: (out) (array length=n): the first %ARMILLA_SHORT_KEY_BITS of their places on the curve
 */
void
armilla_cells_keys (const double *x, const double *y, const double *z, int64_t n, uint32_t *keys)
{
  int64_t i = 0;

  for (; i + 1 < n; i += 2)
    {
      Place place[2];

      find_places ((Two) { x[i], x[i + 1] }, (Two) { y[i], y[i + 1] }, (Two) { z[i], z[i + 1] },
                   place);
      keys[i] = short_key (place[0]);
      keys[i + 1] = short_key (place[1]);
    }
  if (i < n)
    keys[i] = (uint32_t) (armilla_cells_key (x[i], y[i], z[i])
                          >> (ARMILLA_KEY_BITS - ARMILLA_SHORT_KEY_BITS));
}
