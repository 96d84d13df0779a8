/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/grids/interpolation.h"

#include <math.h>

#include "core/grids/grid.h"

/* Initialises a finder of the pixels of a whole grid, of which @grid may be a part. */
void
armilla_pixel_finder_init (ArmillaPixelFinder *self, const ArmillaGrid *grid)
{
  ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) grid);
  const gint64 n = whole->n_rings;
  gint64 ring = -1;

  self->whole = armilla_grid_ref (whole);
  self->theta = g_new (double, n);
  self->above = g_new (gint64, n + 1);
  for (gint64 r = 0; r < n; r++)
    self->theta[r] = atan2 (whole->rings[r].sin_theta, whole->rings[r].cos_theta);
  for (gint64 step = 0; step <= n; step++)
    {
      while (ring + 1 < n && self->theta[ring + 1] <= G_PI * (double) step / (double) n)
        ring++;
      self->above[step] = ring;
    }
}

void
armilla_pixel_finder_clear (ArmillaPixelFinder *self)
{
  g_clear_pointer (&self->whole, armilla_grid_unref);
  g_clear_pointer (&self->theta, g_free);
  g_clear_pointer (&self->above, g_free);
}

/* Returns the last ring whose co-latitude is at most @theta; -1 if there is none. The table above[]
 * leaves one or two candidates, extended by a ring on either side because of rounding. */
static gint64
ring_above (const ArmillaPixelFinder *self, double theta)
{
  const gint64 n = self->whole->n_rings;
  const gint64 step = CLAMP ((gint64) (theta / G_PI * (double) n), 0, n - 1);
  /* theta[low] <= theta < theta[high] */
  gint64 low = MAX (self->above[step], 0) - 1, high = MIN (self->above[step + 1] + 2, n);

  while (high - low > 1)
    {
      gint64 middle = low + (high - low) / 2;

      if (self->theta[middle] <= theta)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Returns the pixel nearest in azimuth on the ring nearest in co-latitude; two rings at the same
 * distance: the southern one. */
static gint64
ring_pixel (const ArmillaPixelFinder *self, const double v[3])
{
  const double theta = atan2 (hypot (v[0], v[1]), v[2]);
  gint64 low = MAX (ring_above (self, theta), 0), j;
  const ArmillaRing *ring;
  double turns;

  if (low + 1 < self->whole->n_rings && theta >= (self->theta[low] + self->theta[low + 1]) / 2)
    low++;
  ring = &self->whole->rings[low];
  turns = atan2 (v[1], v[0]) / (2 * G_PI);
  turns -= ring->phi0_den != 0 ? (double) ring->phi0_num / (double) ring->phi0_den / 2
                               : ring->phi0 / (2 * G_PI);
  turns -= floor (turns);
  j = (gint64) floor (turns * (double) ring->n_phi + 0.5);
  return ring->offset + j % ring->n_phi;
}

/* Returns the number of the pixel of a direction: on HEALPix the one that contains it, on other
 * grids the one nearest in azimuth on the ring nearest in co-latitude. */
gint64
armilla_pixel_finder_nearest (const ArmillaPixelFinder *self, const double v[3])
{
  return self->whole->kind == ARMILLA_GRID_HEALPIX
           ? armilla_healpix_vector_to_pixel (self->whole->nside, v) : ring_pixel (self, v);
}

/* Finds the rings above and below a direction and their weights, linear in theta. Between a pole
 * and the nearest ring the value of the pole is the mean of that ring. */
ArmillaPlace
armilla_pixel_finder_between (const ArmillaPixelFinder *self, const double v[3])
{
  const double theta = atan2 (hypot (v[0], v[1]), v[2]);
  const gint64 low = ring_above (self, theta), high = low + 1;
  ArmillaPlace place = { .phi = atan2 (v[1], v[0]) };

  if (low < 0 || high == self->whole->n_rings)
    {
      double ring = self->theta[low < 0 ? 0 : low], pole = low < 0 ? 0 : G_PI;
      double weight = ring == pole ? 1 : (theta - pole) / (ring - pole);

      place.ring[0] = low < 0 ? 0 : low;
      place.ring[1] = -1;
      place.weight[0] = weight;
      place.pole = 1 - weight;
      return place;
    }
  place.ring[0] = low;
  place.ring[1] = high;
  place.weight[1] = (theta - self->theta[low]) / (self->theta[high] - self->theta[low]);
  place.weight[0] = 1 - place.weight[1];
  return place;
}
