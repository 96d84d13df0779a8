/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over pairs without one patch, jackknife, and columns of all tables of correlation
 * functions. */
#pragma once

#include "core/catalogues/estimator.h"

G_BEGIN_DECLS

/* Returns value @entry of a sample without the patch @without. */
typedef double (*ArmillaCountedSample) (gconstpointer user, gint64 entry, int without);

double armilla_bins_degrees (double angle);
gboolean armilla_counted_has (const ArmillaCounted *c, ArmillaHistogramSum sum);
double armilla_counted_sum (const ArmillaCounted *c, ArmillaHistogramSum sum, gint64 entry,
                            int without);
double armilla_counted_pairs (const ArmillaCounted *c, gint64 entry, int without);
double armilla_counted_share (const ArmillaCounted *c, gint64 entry, int without);
gboolean armilla_counted_jackknife (const ArmillaTotals *totals, int n, ArmillaCountedSample sample,
                                    gconstpointer user, double *covariance);
void armilla_table_add_edges (ArmillaTable *table, const ArmillaBins *bins, const char *name,
                              int each);
void armilla_table_add_separation (ArmillaTable *table, const ArmillaCounted *c);
void armilla_table_add_pairs (ArmillaTable *table, const char *name, const ArmillaCounted *c);
ArmillaTable *armilla_covariance_table (const ArmillaBins *bins, const char *const *names,
                                        int n_functions, const double *covariance,
                                        const char *method);
ArmillaTable *armilla_samples_table (const ArmillaBins *bins, const char *const *names,
                                     int n_functions, const ArmillaTotals *totals,
                                     const ArmillaCounted *counted, ArmillaCountedSample sample,
                                     gconstpointer user);

G_END_DECLS
