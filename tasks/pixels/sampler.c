/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/pixels/sampler.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "core/grids/grid.h"

void
armilla_sampler_init (ArmillaSampler *self, const ArmillaGrid *grid)
{
  const ArmillaGrid *whole;

  armilla_pixel_finder_init (&self->finder, grid);
  whole = self->finder.whole;
  self->own = g_new (gint64, whole->n_rings);
  for (gint64 r = 0; r < whole->n_rings; r++)
    self->own[r] = armilla_grid_ring_of (grid, whole->rings[r].offset);
}

void
armilla_sampler_clear (ArmillaSampler *self)
{
  armilla_pixel_finder_clear (&self->finder);
  g_clear_pointer (&self->own, g_free);
}

/* Returns the distance (radian) within which all pixels are from which a value is interpolated:
 * twice the widest gap between rings, or between a ring and its pole. */
double
armilla_sampler_reach (const ArmillaSampler *self)
{
  double before = 0, widest = 0;

  for (gint64 r = 0; r < self->finder.whole->n_rings; r++)
    {
      widest = MAX (widest, self->finder.theta[r] - before);
      before = self->finder.theta[r];
    }
  return 2 * MAX (widest, G_PI - before);
}

/* Returns the index, in the grid of the map, of the ring that is nearest to a direction. If the map
 * is an image of a part of the sky, missing rings are skipped. */
gint64
armilla_sampler_nearest_ring (const ArmillaSampler *self, const double v[3])
{
  const ArmillaPlace place = armilla_pixel_finder_between (&self->finder, v);
  const gint64 r
    = place.ring[1] >= 0 && place.weight[1] >= 0.5 ? place.ring[1] : place.ring[0];
  const gint64 n = self->finder.whole->n_rings;

  for (gint64 away = 0; away < n; away++)
    {
      if (r - away >= 0 && self->own[r - away] >= 0)
        return self->own[r - away];
      if (r + away < n && self->own[r + away] >= 0)
        return self->own[r + away];
    }
  return -1;
}

/* Returns the index of the ring with a pixel in the map; -1 if the map lacks the ring. */
static gint64
ring_of (const ArmillaSampler *self, const ArmillaGrid *grid, gint64 pixel)
{
  const ArmillaGrid *whole = self->finder.whole;

  return whole->kind == ARMILLA_GRID_HEALPIX
           ? self->own[armilla_healpix_ring_of (whole->nside, pixel)]
           : armilla_grid_ring_of (grid, pixel);
}

static double
nearest (const ArmillaGathered *in, gint64 own, gint64 pixel, int field)
{
  return own < 0 ? ARMILLA_UNSEEN_VALUE
                 : in->rings[own][field * in->strides[own] + pixel - in->grid->rings[own].offset];
}

/* Two adjacent pixels of a ring of the map, and their weights. */
typedef struct {
  gint64 ring; /* -1: none */
  gint64 pixel[2];
  double weight[2];
} Pair;

static Pair
find_pair (const ArmillaSampler *self, const ArmillaGrid *grid, const ArmillaPlace *place, int k)
{
  Pair pair = { .ring = place->ring[k] < 0 ? -1 : self->own[place->ring[k]] };
  const ArmillaRing *ring;
  double x;
  gint64 i;

  if (pair.ring < 0)
    return pair;
  ring = &grid->rings[pair.ring];
  x = (place->phi - ring->phi0) * (double) ring->n_phi / (2 * G_PI);
  i = (gint64) floor (x);
  pair.weight[0] = place->weight[k] * (1 - (x - (double) i));
  pair.weight[1] = place->weight[k] * (x - (double) i);
  pair.pixel[0] = ((i % ring->n_phi) + ring->n_phi) % ring->n_phi;
  pair.pixel[1] = pair.pixel[0] + 1 < ring->n_phi ? pair.pixel[0] + 1 : 0;
  return pair;
}

static void
add_pixel (double value, double weight, double *sum, double *seen)
{
  if (weight == 0 || armilla_is_unseen_value (value))
    return;
  *sum += weight * value;
  *seen += weight;
}

/* Interpolates a field. @pole: weight of the value at the pole, which is the mean of the nearest
 * ring */
static double
bilinear (const ArmillaGathered *in, const Pair pairs[2], double pole, int field)
{
  double sum = 0, seen = 0;

  for (int k = 0; k < 2; k++)
    {
      const Pair *pair = &pairs[k];
      const double *pixels;
      gint64 n_phi;

      if (pair->ring < 0)
        continue;
      pixels = in->rings[pair->ring] + field * in->strides[pair->ring];
      n_phi = in->grid->rings[pair->ring].n_phi;
      for (int i = 0; i < 2; i++)
        add_pixel (pixels[pair->pixel[i]], pair->weight[i], &sum, &seen);
      for (gint64 i = 0; k == 0 && pole > 0 && i < n_phi; i++)
        add_pixel (pixels[i], pole / (double) n_phi, &sum, &seen);
    }
  return seen >= 0.5 ? sum / seen : ARMILLA_UNSEEN_VALUE;
}

/* Computes the values of some fields at a direction. @fields: (nullable): their numbers; NULL: the
 * first ones. @stride: distance in @out from one value to the next. */
void
armilla_sampler_values (const ArmillaSampler *self, const ArmillaGathered *in,
                        ArmillaSampling how, const double v[3], const int *fields,
                        int n_fields, double *out, gint64 stride)
{
  if (how == ARMILLA_SAMPLING_NEAREST)
    {
      const gint64 pixel = armilla_pixel_finder_nearest (&self->finder, v);
      const gint64 own = ring_of (self, in->grid, pixel);

      for (int f = 0; f < n_fields; f++)
        out[f * stride] = nearest (in, own, pixel, fields ? fields[f] : f);
    }
  else
    {
      const ArmillaPlace place = armilla_pixel_finder_between (&self->finder, v);
      const Pair pairs[2] = { find_pair (self, in->grid, &place, 0),
                              find_pair (self, in->grid, &place, 1) };

      for (int f = 0; f < n_fields; f++)
        out[f * stride] = bilinear (in, pairs, place.pole, fields ? fields[f] : f);
    }
}
