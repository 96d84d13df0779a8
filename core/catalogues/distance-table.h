/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Correlation functions of positions in space, and their projections, as tables. */
#pragma once

#include "core/catalogues/estimator.h"

G_BEGIN_DECLS

/* maximum number of wedges */
#define ARMILLA_WEDGES_MAX 16

/* Counts of pairs by distance. */
typedef struct {
  ArmillaEstimator estimator;
  const ArmillaBins *bins;
  const ArmillaCounted *counted; /* (array): by ArmillaPairCount; only DD is required */
  double volume; /* volume of a periodic box, in which random counts are computed; 0: none */
  int wedges;    /* number of wedges of mu; 0: none */
} ArmillaDistanceCounts;

ArmillaTable *armilla_distance_table (const ArmillaDistanceCounts *counts);
ArmillaTable *armilla_projection_table (const ArmillaDistanceCounts *counts,
                                        ArmillaTable **covariance);

G_END_DECLS
