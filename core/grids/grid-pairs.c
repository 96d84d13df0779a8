/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>

#include "core/grids/block-tables.h"
#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

/* Returns whether two rings are mirror images by cosine and sine. Rings with low parts are exact,
 * and so must be their symmetry; otherwise the values may differ by rounding errors. */
static gboolean
mirrors (const ArmillaRing *a, const ArmillaRing *b)
{
  gboolean rounded = a->cos_lo == 0 && a->sin_lo == 0 && b->cos_lo == 0 && b->sin_lo == 0;
  double tolerance = rounded ? 0x1p-52 : 0x1p-80;
  double cosine = (a->cos_theta + b->cos_theta) + (a->cos_lo + b->cos_lo);
  double sine = (a->sin_theta - b->sin_theta) + (a->sin_lo - b->sin_lo);

  return fabs (cosine) <= tolerance * fabs (a->cos_theta)
         && fabs (sine) <= tolerance * fabs (a->sin_theta);
}

/* Lists pairs from the poles to the equator, walking both hemispheres together, as the rings are
 * sorted. */
gint64
armilla_rings_find_pairs (const ArmillaRing *rings, gint64 n_rings, ArmillaRingPair *pairs)
{
  gint64 n = 0, north = 0, south = n_rings - 1;

  while (north < n_rings && rings[north].cos_theta > 0 && south >= 0 && rings[south].cos_theta < 0)
    if (mirrors (&rings[north], &rings[south]))
      pairs[n++] = (ArmillaRingPair){ north++, south-- };
    else if (rings[north].cos_theta > -rings[south].cos_theta
             || (rings[north].cos_theta == -rings[south].cos_theta
                 && rings[north].sin_theta <= rings[south].sin_theta))
      pairs[n++] = (ArmillaRingPair){ north++, -1 };
    else
      pairs[n++] = (ArmillaRingPair){ -1, south-- };
  while (south >= north && rings[south].cos_theta < 0)
    pairs[n++] = (ArmillaRingPair){ -1, south-- };
  while (north <= south)
    pairs[n++] = (ArmillaRingPair){ north++, -1 };
  return n;
}

static int
compare_offsets (const void *a, const void *b, void *user)
{
  const ArmillaRing *rings = user;
  gint64 x = rings[*(const gint64 *) a].offset, y = rings[*(const gint64 *) b].offset;

  return (x > y) - (x < y);
}

/* Returns (transfer full) the numbers of the rings, in order of their first pixels. */
gint64 *
armilla_rings_by_offset (const ArmillaRing *rings, gint64 n_rings)
{
  gint64 *order = g_new (gint64, n_rings);

  for (gint64 i = 0; i < n_rings; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n_rings, sizeof *order, compare_offsets, (gpointer) rings);
  return order;
}

/* Fills the pair table of a block of @n pairs of the grid from @first on. */
void
armilla_grid_fill_pairs (const ArmillaGrid *grid, gint64 first, gint64 n, double *pairs)
{
  for (gint64 p = 0; p < n; p++)
    {
      const ArmillaRingPair pair = grid->pairs[first + p];
      const ArmillaRing *ring = &grid->rings[pair.north >= 0 ? pair.north : pair.south];
      const double sign = pair.north >= 0 ? 1 : -1;

      pairs[ARMILLA_PAIR_COS * n + p] = sign * ring->cos_theta;
      pairs[ARMILLA_PAIR_COS_LO * n + p] = sign * ring->cos_lo;
      pairs[ARMILLA_PAIR_SIN * n + p] = ring->sin_theta;
      pairs[ARMILLA_PAIR_SIN_LO * n + p] = ring->sin_lo;
    }
}
