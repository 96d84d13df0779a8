/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the sky. Reference counts are thread-safe. After the last pixel was added, any number of
 * threads may read a footprint. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* The selected part of the sky: one bit per HEALPix pixel, ring order. Reference-counted. */
typedef struct {
  gint64 nside;    /* HEALPix resolution */
  char coordsys;   /* C, G or E, or 0 if unknown */
  gint64 n_inside; /* number of pixels inside */
  /*< private >*/
  guint8 *bits;
  gint refs;
} ArmillaFootprint;

ArmillaFootprint *armilla_footprint_new (gint64 nside, GError **error);
ArmillaFootprint *armilla_footprint_ref (ArmillaFootprint *self);
void armilla_footprint_unref (ArmillaFootprint *self);
void armilla_footprint_add (ArmillaFootprint *self, gint64 first, gint64 n, const double *pixels);
gboolean armilla_footprint_has (const ArmillaFootprint *self, const double vector[3]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFootprint, armilla_footprint_unref)

G_END_DECLS
