/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of maps at objects, and extrema of maps as objects. Every rank requests them in `build` in
 * the same order; they are computed after the function returns. */
#pragma once

#include <armilla/correlation.h>
#include <armilla/data.h>

#include "core/grids/interpolation.h"

G_BEGIN_DECLS

gboolean armilla_graph_sample (ArmillaGraph *graph, ArmillaMap *map, const int *fields,
                               int n_fields, ArmillaObjects *points, ArmillaSampling how,
                               ArmillaObjects *out, GError **error);

/* Which peaks of a map to find. */
typedef enum {
  ARMILLA_PEAKS_MAXIMA,
  ARMILLA_PEAKS_MINIMA,
  ARMILLA_PEAKS_BOTH
} ArmillaPeaks;

/* Further columns of peaks: value, number of the pixel (ring order), and 1 for a maximum or -1 for
 * a minimum. */
#define ARMILLA_PEAK_COLUMNS 3

double armilla_find_peaks_bytes (const ArmillaGrid *grid);
gboolean armilla_graph_find_peaks (ArmillaGraph *graph, ArmillaMap *map, int field,
                                   ArmillaPeaks which, double threshold, ArmillaObjects *out,
                                   GError **error);

G_END_DECLS
