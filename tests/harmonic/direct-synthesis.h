/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps by direct sums in extended precision, at the exact positions of pixels. */
#pragma once

#include <armilla/armilla.h>

typedef struct {
  long double re, im;
} DirectMode;

/* modes[2 * i + side][m], m = 0..mmax, <- sum over l of a_lm P_lm (cos theta) on the north (side 0)
 * and south ring of the grid's pair pairs[i]; a side without a ring gets what its mirror image
 * would. (transfer full) */
DirectMode *direct_modes (const ArmillaGrid *grid, ArmillaAlmLayout layout, const double *alm,
                          const gint64 *pairs, gint64 n_pairs);

/* The map's value at pixel @j of a ring with these modes. */
long double direct_pixel (const ArmillaRing *ring, gint64 mmax, const DirectMode *modes, gint64 j);
