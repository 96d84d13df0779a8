/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring weights and pixel weights of HEALPix. Any thread may call these functions. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

gint64 armilla_pixel_weights_count (gint64 nside);
gint64 armilla_pixel_weights_lmax (gint64 nside);
double *armilla_pixel_weights_read (const char *path, gint64 nside, GError **error);
void armilla_pixel_weights_expand (const double *weights, gint64 nside, gint64 ring,
                                   double *pixels);

/* Maximum nside of armilla_ring_weights_compute(), whose time is proportional to its square. */
#define ARMILLA_RING_WEIGHTS_MAX_NSIDE 16384

gint64 armilla_ring_weights_lmax (gint64 nside);
double *armilla_ring_weights_compute (gint64 nside, gint64 lmax, gint64 *n_rings, GError **error);

G_END_DECLS
