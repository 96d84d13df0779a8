/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random catalogues, and catalogues cut to a footprint. */
#pragma once

#include <armilla/catalogue.h>

#include "core/grids/footprint.h"

G_BEGIN_DECLS

/**
 * ArmillaRandomSky:
 * @n: number of objects
 * @seed: seed
 * @realisation: number of the realisation
 * @longitude: first and last longitude, radian, the second above the first by at most 2 pi
 * @latitude: first and last latitude, radian, from -pi/2 to pi/2
 * @footprint: (nullable): where objects may be
 * @coordsys: C, G or E: what longitude and latitude are
 *
 * Objects to be drawn.
 */
typedef struct {
  gint64 n;
  guint64 seed, realisation;
  double longitude[2], latitude[2];
  const ArmillaFootprint *footprint;
  char coordsys;
} ArmillaRandomSky;

ArmillaCatalogue *armilla_random_catalogue (const ArmillaRandomSky *sky, int n_threads,
                                            GError **error);
ArmillaCatalogue *armilla_catalogue_cut (ArmillaCatalogue *catalogue,
                                         const ArmillaFootprint *footprint, double fraction,
                                         guint64 seed, GError **error);

G_END_DECLS
