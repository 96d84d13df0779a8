/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbours of pixels. A pixel of HEALPix has the 8 pixels that share an edge or a corner with it,
 * or 7 at some corners of base pixels. On other grids the same holds for cells that reach half way
 * to the adjacent pixels of the ring and to the adjacent rings: 2 pixels of the own ring, 3 of each
 * adjacent ring with the same azimuths. The pixels of the ring next to a pole meet there. */
#include "core/grids/interpolation.h"

#include <math.h>

/* Tolerance for cells that touch at a corner, as a share of a pixel. */
#define SLACK 1e-6

/* Sine of the co-latitude below which all pixels of a ring are at the pole. */
#define AT_POLE 1e-15

static gboolean
is_pole (const ArmillaRing *ring)
{
  return ring->sin_theta <= AT_POLE;
}

/* Finds the pixels of another ring whose cells touch that of pixel @j. */
static ArmillaPixelRun
touching (const ArmillaGrid *whole, gint64 other, const ArmillaRing *ring, gint64 j)
{
  const ArmillaRing *to = &whole->rings[other];
  const double n = (double) to->n_phi;
  const double phi = ring->phi0 + 2 * G_PI * (double) j / (double) ring->n_phi;
  const double x = (phi - to->phi0) / (2 * G_PI) * n;
  const double half = (n / (double) ring->n_phi + 1) / 2 + SLACK;
  const gint64 first = (gint64) ceil (x - half), last = (gint64) floor (x + half);

  if (is_pole (to))
    return (ArmillaPixelRun) { other, 0, 1 };
  if (last - first + 1 >= to->n_phi)
    return (ArmillaPixelRun) { other, 0, to->n_phi };
  return (ArmillaPixelRun) { other, (first % to->n_phi + to->n_phi) % to->n_phi, last - first + 1 };
}

/* Finds the neighbours on the own ring: all other pixels next to a pole, otherwise up to two. */
static int
beside (const ArmillaGrid *whole, gint64 r, gint64 j, ArmillaPixelRun *runs)
{
  const gint64 n = whole->rings[r].n_phi;
  const gboolean around = r == 0 || r == whole->n_rings - 1;

  if (n == 1)
    return 0;
  if (around || n <= 3)
    {
      runs[0] = (ArmillaPixelRun) { r, (j + 1) % n, n - 1 };
      return 1;
    }
  runs[0] = (ArmillaPixelRun) { r, (j + n - 1) % n, 1 };
  runs[1] = (ArmillaPixelRun) { r, (j + 1) % n, 1 };
  return 2;
}

static int
ring_neighbours (const ArmillaGrid *whole, gint64 r, gint64 j, ArmillaPixelRun *runs)
{
  const ArmillaRing *ring = &whole->rings[r];
  int n = 0;

  if (is_pole (ring))
    {
      if (j > 0 || whole->n_rings == 1)
        return 0;
      runs[0].ring = r == 0 ? 1 : r - 1;
      runs[0].first = 0;
      runs[0].n = whole->rings[runs[0].ring].n_phi;
      return 1;
    }
  n = beside (whole, r, j, runs);
  if (r > 0)
    runs[n++] = touching (whole, r - 1, ring, j);
  if (r + 1 < whole->n_rings)
    runs[n++] = touching (whole, r + 1, ring, j);
  return n;
}

/* Finds the neighbours of pixel @j of a ring; returns the number of runs. All pixels of a ring at a
 * pole are one point, represented by the first pixel; the others neither have nor are
 * neighbours. */
int
armilla_grid_neighbours (const ArmillaGrid *whole, gint64 ring, gint64 j,
                         ArmillaPixelRun runs[ARMILLA_MAX_NEIGHBOUR_RUNS])
{
  gint64 pixels[8];
  int n = 0;

  if (whole->kind != ARMILLA_GRID_HEALPIX)
    return ring_neighbours (whole, ring, j, runs);
  armilla_healpix_neighbours (whole->nside, whole->rings[ring].offset + j, pixels);
  for (int i = 0; i < 8; i++)
    if (pixels[i] >= 0)
      {
        runs[n].ring = armilla_healpix_ring_of (whole->nside, pixels[i]);
        runs[n].first = pixels[i] - whole->rings[runs[n].ring].offset;
        runs[n++].n = 1;
      }
  return n;
}
