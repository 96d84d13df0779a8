/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ARMILLA_PIXEL_WINDOW_MOST:
 *
 * Highest nside that armilla_pixel_window_compute() takes: the time goes with its square.
 */
#define ARMILLA_PIXEL_WINDOW_MOST 2048

gboolean armilla_pixel_window_compute (gint64 nside, gint64 lmax, double *scalar, double *spin2,
                                       GError **error);

G_END_DECLS
