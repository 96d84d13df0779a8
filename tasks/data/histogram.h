/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of pairs and triangles as data passed between nodes. */
#pragma once

#include <armilla/data.h>

#include "core/catalogues/histogram.h"

G_BEGIN_DECLS

/* Port type "histogram": one tile of 64-bit words, see ArmillaHistogramShape. */
#define ARMILLA_TYPE_HISTOGRAM (armilla_histogram_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaHistogram, armilla_histogram, ARMILLA, HISTOGRAM, ArmillaData)

ArmillaHistogram *armilla_histogram_new (ArmillaHistogramKind kind, ArmillaBins *bins,
                                         int n_patches, int sums, GError **error);
gboolean armilla_histogram_keep_within (ArmillaHistogram *self, GError **error);
const ArmillaHistogramShape *armilla_histogram_shape (ArmillaHistogram *self);
ArmillaBins *armilla_histogram_bins (ArmillaHistogram *self);

G_END_DECLS
