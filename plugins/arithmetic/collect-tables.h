/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of collected spectra and tables. */
#pragma once

#include <armilla/armilla.h>

#include "tasks/data/collect.h"

G_BEGIN_DECLS

/* Statistics from one pass over all realisations; each array has an element per number. */
typedef struct {
  double *mean;    /* means */
  double *squares; /* sums of squared differences from the mean */
  double *minimum; /* minima */
  double *maximum; /* maxima */
  gboolean *same;  /* whether the number has the same bits in all realisations */
} ArmillaCollectSummary;

ArmillaCollectSummary *armilla_collect_summary (ArmillaSamples *samples, GError **error);
double armilla_collect_value (const ArmillaCollectSummary *self, const ArmillaSamples *samples,
                              ArmillaCollectWhat what, double factor, gint64 value);
void armilla_collect_summary_free (ArmillaCollectSummary *self);

ArmillaTable *armilla_collect_table (ArmillaSamples *samples, const ArmillaTable *pattern,
                                     ArmillaCollectWhat what, double factor, gboolean errors,
                                     GError **error);
ArmillaTable *armilla_collect_covariance (ArmillaSamples *samples, const ArmillaTable *pattern,
                                          GError **error);
ArmillaTable *armilla_collect_percentiles (ArmillaSamples *samples, const ArmillaTable *pattern,
                                           const double *percentiles, int n, GError **error);
char *armilla_collect_unit (const char *unit, ArmillaCollectWhat what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCollectSummary, armilla_collect_summary_free)

G_END_DECLS
