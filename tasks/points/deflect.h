/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deflected pixels as objects: the points to which lensing or aberration moves the centres of
 * pixels. Every rank requests them in `build` in the same order. */
#pragma once

#include <armilla/correlation.h>
#include <armilla/data.h>

G_BEGIN_DECLS

/* Further columns of deflected pixels: cosine and sine of the angle by which their basis turns. */
#define ARMILLA_DEFLECT_COLUMNS 2

/* Requests the points to which @deflection, a field pair of spin 1 in radian, moves the centres of
 * its pixels, in the order of the pixels on its rings. @out: objects with ARMILLA_DEFLECT_COLUMNS
 * further columns; with @map (on the same grid; nullable) one for each of its fields follows: its
 * pixels, turned from their own basis to that of the point. Returns whether the shapes agree. */
gboolean armilla_graph_deflect (ArmillaGraph *graph, ArmillaMap *deflection, ArmillaMap *map,
                                ArmillaObjects *out, GError **error);

/* Requests the map of values at such points, the last columns of @values, one per field of @out,
 * turned from the basis of the point to that of the pixel. */
gboolean armilla_graph_turn_back (ArmillaGraph *graph, ArmillaObjects *values, ArmillaMap *out,
                                  GError **error);

G_END_DECLS
