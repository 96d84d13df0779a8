/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the sky: where objects may be. References may be taken and given back in any thread.
 * Once no pixel is added, any threads may ask. */
#pragma once

#include <armilla/catalogue.h>

G_BEGIN_DECLS

/**
 * ArmillaFootprint:
 * @nside: HEALPix resolution
 * @coordsys: C, G or E, or 0 when nobody said
 * @n_inside: number of pixels inside
 *
 * The part of the sky that counts: one bit a HEALPix pixel, ring order. Reference-counted.
 */
typedef struct {
  gint64 nside;
  char coordsys;
  gint64 n_inside;
  /*< private >*/
  guint8 *bits;
  gint refs;
} ArmillaFootprint;

ArmillaFootprint *armilla_footprint_new (gint64 nside, GError **error);
ArmillaFootprint *armilla_footprint_ref (ArmillaFootprint *self);
void armilla_footprint_unref (ArmillaFootprint *self);
void armilla_footprint_add (ArmillaFootprint *self, gint64 first, gint64 n, const double *pixels);
gboolean armilla_footprint_has (const ArmillaFootprint *self, const double vector[3]);

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFootprint, armilla_footprint_unref)

G_END_DECLS
