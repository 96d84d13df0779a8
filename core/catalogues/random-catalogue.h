/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random catalogues, and catalogues restricted to a footprint. */
#pragma once

#include <armilla/catalogue.h>

#include "core/grids/footprint.h"

G_BEGIN_DECLS

/* Distribution of random objects. */
typedef struct {
  gint64 n;                          /* number of objects */
  guint64 seed;                      /* seed */
  guint64 realisation;               /* number of the realisation */
  /* minimum and maximum longitude, radian; they differ by at most 2 pi */
  double longitude[2];
  double latitude[2];                /* minimum and maximum latitude, radian, from -pi/2 to pi/2 */
  const ArmillaFootprint *footprint; /* part of the sky that contains the objects; NULL: no
                                      * restriction */
  char coordsys;                     /* C, G or E: coordinates of longitude and latitude */
} ArmillaRandomSky;

ArmillaCatalogue *armilla_random_catalogue (const ArmillaRandomSky *sky, int n_threads,
                                            GError **error);
ArmillaCatalogue *armilla_catalogue_cut (ArmillaCatalogue *catalogue,
                                         const ArmillaFootprint *footprint, double fraction,
                                         guint64 seed, GError **error);

G_END_DECLS
