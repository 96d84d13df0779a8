/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of pairs and triangles as data that flow between nodes. */
#pragma once

#include <armilla/data.h>
#include <armilla/table-data.h>

#include "core/catalogues/histogram.h"
#include "tasks/data/table.h"

G_BEGIN_DECLS

/**
 * ArmillaHistogram:
 *
 * Port type "histogram": one tile of 64-bit words, see #ArmillaHistogramShape.
 */
#define ARMILLA_TYPE_HISTOGRAM (armilla_histogram_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaHistogram, armilla_histogram, ARMILLA, HISTOGRAM, ArmillaData)

ArmillaHistogram *armilla_histogram_new (ArmillaHistogramKind kind, ArmillaBins *bins,
                                         int n_patches, int sums, GError **error);
gboolean armilla_histogram_keep_within (ArmillaHistogram *self, GError **error);
const ArmillaHistogramShape *armilla_histogram_shape (ArmillaHistogram *self);
ArmillaBins *armilla_histogram_bins (ArmillaHistogram *self);

/**
 * ArmillaHostHistograms:
 * @user: what the caller gave
 * @words: (array): words of each histogram
 * @error: where to put an error
 *
 * Called on rank 0 in an I/O thread when all histograms are there.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostHistograms) (gpointer user, const gint64 *const *words,
                                           GError **error);
gboolean armilla_graph_drain_histograms (ArmillaGraph *graph, ArmillaHistogram *const *histograms,
                                         int n, ArmillaHostHistograms take, gpointer user,
                                         GDestroyNotify destroy, GError **error);

gboolean armilla_graph_make_table (ArmillaGraph *graph, ArmillaHistogram *const *histograms, int n,
                                   ArmillaHostMakeTable make, gpointer user,
                                   GDestroyNotify destroy, ArmillaTableData *table,
                                   GError **error);

G_END_DECLS
