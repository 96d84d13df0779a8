/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pair and triangle counts as jobs of a graph. */
#pragma once

#include <armilla/correlation.h>

#include "core/grids/footprint.h"
#include "tasks/data/histogram.h"

G_BEGIN_DECLS

gboolean armilla_graph_fetch_footprint (ArmillaGraph *graph, ArmillaMap *mask,
                                        ArmillaFootprint *footprint, GError **error);

/* Options of a count. */
typedef struct {
  /* approximate number of tasks; 0: chosen for the machine. The bits of the result do not depend on
   * it */
  gint64 tasks;
  /* whether to test every pair of blocks of objects regardless of distance; for tests */
  gboolean brute;
  /* whether the first objects are lenses: sums over shears are those of the second objects times
   * weights of the first, see ArmillaHistogramSum; requires two catalogues */
  gboolean lens;
} ArmillaCountOptions;

double armilla_objects_count_bytes (ArmillaObjects *self, int sums);
gboolean armilla_graph_count_pairs (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                                    const ArmillaCountOptions *options, ArmillaHistogram *out,
                                    GError **error);
gboolean armilla_graph_count_triangles (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                                        const ArmillaCountOptions *options, ArmillaHistogram *out,
                                        GError **error);

G_END_DECLS
