/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels at and around directions, and neighbours of pixels. Grids are immutable: any number of
 * threads may share them and the finders of pixels. */
#pragma once

#include <armilla/grid.h>

G_BEGIN_DECLS

/* How to compute the value of a map at a direction. */
typedef enum {
  ARMILLA_SAMPLING_NEAREST, /* the pixel that contains the direction, or the nearest one */
  /* linear in theta between the rings above and below, and linear in phi on each. UNSEEN if more
   * than half of the weight is on UNSEEN pixels; otherwise these are ignored */
  ARMILLA_SAMPLING_BILINEAR
} ArmillaSampling;

/* Finder of the pixels at and around directions. */
typedef struct {
  ArmillaGrid *whole; /* all rings, even if the map has a part of them */
  double *theta;      /* [ring]: co-latitudes */
  gint64 *above;      /* [n_rings + 1]: last ring at or above each of n_rings equal steps from the
                       * north pole to the south pole; -1: none */
} ArmillaPixelFinder;

/* Interpolation between the rings above and below a direction, or between a pole and the nearest
 * ring, whose mean is the value of the pole. */
typedef struct {
  gint64 ring[2];    /* rings of the whole grid; -1: none */
  double weight[2];
  double pole;       /* weight of the mean of ring[0], for directions beyond the last ring */
  double phi;
} ArmillaPlace;

/* Consecutive pixels of a ring of the whole grid, counted modulo its length. */
typedef struct {
  gint64 ring, first, n;
} ArmillaPixelRun;

/* Maximum number of runs of neighbours of a pixel. */
#define ARMILLA_MAX_NEIGHBOUR_RUNS 8

void armilla_pixel_finder_init (ArmillaPixelFinder *self, const ArmillaGrid *grid);
void armilla_pixel_finder_clear (ArmillaPixelFinder *self);
gint64 armilla_pixel_finder_nearest (const ArmillaPixelFinder *self, const double v[3]);
ArmillaPlace armilla_pixel_finder_between (const ArmillaPixelFinder *self, const double v[3]);

int armilla_grid_neighbours (const ArmillaGrid *whole, gint64 ring, gint64 j,
                             ArmillaPixelRun runs[ARMILLA_MAX_NEIGHBOUR_RUNS]);

/* In healpix.c: */
void armilla_healpix_neighbours (gint64 nside, gint64 pixel, gint64 neighbours[8]);
gint64 armilla_healpix_ring_of (gint64 nside, gint64 pixel);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaPixelFinder, armilla_pixel_finder_clear)

G_END_DECLS
