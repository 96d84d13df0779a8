/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Correlation functions from counts. Thread-safe, each thread with its own histograms and
 * tables. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/table.h>

#include "core/catalogues/histogram.h"

G_BEGIN_DECLS

/* Estimators of the two-point function; each count is divided by the number of all possible
 * pairs. */
typedef enum {
  ARMILLA_ESTIMATOR_LANDY_SZALAY,  /* (DD - DR - RD + RR) / RR (Landy and Szalay 1993) */
  ARMILLA_ESTIMATOR_HAMILTON,      /* DD RR / (DR RD) - 1 (Hamilton 1993) */
  ARMILLA_ESTIMATOR_DAVIS_PEEBLES, /* DD / DR - 1 (Davis and Peebles 1983) */
  ARMILLA_ESTIMATOR_NATURAL        /* DD / RR - 1 */
} ArmillaEstimator;

/* Counts that estimators need. */
typedef enum {
  ARMILLA_COUNT_DD, /* data, data */
  ARMILLA_COUNT_DR, /* data, random; for two catalogues: data of the first, random of the second */
  ARMILLA_COUNT_RD, /* random, data of the second catalogue; equal to DR for one catalogue */
  ARMILLA_COUNT_RR, /* random, random */
  ARMILLA_N_COUNTS  /* number of these */
} ArmillaPairCount;

int armilla_estimator_needs (ArmillaEstimator estimator, gboolean cross);
double armilla_estimate_pairs (ArmillaEstimator estimator, const double counts[ARMILLA_N_COUNTS]);
double armilla_estimate_triangles (double ddd, double ddr, double drr, double rrr);
void armilla_jackknife (const double *values, int n_samples, int n_values, double *covariance);

/* Totals that normalise counts. */
typedef struct {
  int n_patches;   /* number of patches */
  gint64 *n; /* (array length=n_patches+1): number of objects: all, then those of each patch */
  double *weight;  /* (array length=n_patches+1): sum of their weights */
  double *weight2; /* (array length=n_patches+1): sum of their squared weights */
  double *shear;   /* (array length=n_patches+1): sum of w^2 (g1^2 + g2^2), 0 without shears */
  double value;    /* sum of w^2 (k - <k>)^2 over all objects, 0 without values k */
} ArmillaTotals;

ArmillaTotals *armilla_totals_new (const ArmillaCatalogue *catalogue);
void armilla_totals_set_value (ArmillaTotals *self, const ArmillaCatalogue *catalogue,
                               const double *values);
void armilla_totals_free (ArmillaTotals *self);
double armilla_totals_pairs (const ArmillaTotals *a, const ArmillaTotals *b, int without);
double armilla_totals_across (const ArmillaTotals *a, const ArmillaTotals *b, int patch);
double armilla_totals_match (const ArmillaTotals *self);
double armilla_totals_triangles (const ArmillaTotals *a, const ArmillaTotals *b);

/* Division of the sky into parts with nearly equal numbers of objects, for jackknife errors. */
typedef struct _ArmillaPatches ArmillaPatches;

ArmillaPatches *armilla_patches_new (const ArmillaCatalogue *catalogue, int n_patches,
                                     GError **error);
ArmillaPatches *armilla_patches_new_means (const ArmillaCatalogue *catalogue, int n_patches,
                                           GError **error);
ArmillaPatches *armilla_patches_new_around (const ArmillaCatalogue *catalogue, GError **error);
ArmillaCatalogue *armilla_patches_apply (const ArmillaPatches *self,
                                         const ArmillaCatalogue *catalogue, GError **error);
void armilla_patches_free (ArmillaPatches *self);

/* Counts, and the totals that normalise them. */
typedef struct {
  ArmillaHistogramShape shape; /* shape of the histogram: its kind, sums and patches */
  const gint64 *words;         /* the histogram; NULL if it was not counted */
  const ArmillaTotals *a;      /* totals of the first catalogue; may be NULL */
  const ArmillaTotals *b;      /* totals of the second catalogue; NULL for pairs within one */
  /* weight, 0 to 1, of pairs with one object inside and one outside of a patch when the jackknife
   * omits the patch; if it is above 0, shape has rows within patches */
  double across;
} ArmillaCounted;

/* Tables of a correlation function. */
typedef enum {
  ARMILLA_CORRELATION_TABLE,      /* functions with their errors, one row per bin */
  ARMILLA_CORRELATION_COVARIANCE, /* covariance of each function, one row per pair of bins */
  ARMILLA_CORRELATION_SAMPLES,    /* functions without one patch of the sky at a time */
  ARMILLA_N_CORRELATION_TABLES
} ArmillaCorrelationTable;

ArmillaTable *armilla_pair_table (ArmillaEstimator estimator, const ArmillaBins *bins,
                                  const ArmillaCounted counted[ARMILLA_N_COUNTS],
                                  ArmillaCorrelationTable which);
ArmillaTable *armilla_shear_table (const ArmillaBins *bins, const ArmillaCounted *counted,
                                   ArmillaCorrelationTable which);

/* What the objects of a catalogue carry in a correlation. */
typedef enum {
  ARMILLA_CARRIES_NUMBER, /* nothing: their density counts (N) */
  ARMILLA_CARRIES_VALUE,  /* a scalar (K) */
  ARMILLA_CARRIES_SHEAR   /* a shear (G), of the second catalogue only */
} ArmillaCarries;

/* A correlation of two such catalogues, in which at least one carries values or shears. */
typedef struct {
  ArmillaCarries a, b;
  ArmillaCounted pairs; /* pairs, and their weights, which normalise the sums */
  /* with shears the sums around lenses, otherwise sums of weights, which are products of values */
  ArmillaCounted sums;
  /* the same around random objects, which is subtracted; words is NULL without */
  ArmillaCounted random_pairs, random_sums;
  const char *unit; /* unit of the functions */
  double sign; /* sign of a tangential shear in terms of a shear along the great circle */
} ArmillaFieldCounts;

ArmillaTable *armilla_field_table (const ArmillaBins *bins, const ArmillaFieldCounts *counts,
                                   ArmillaCorrelationTable which);
ArmillaTable *armilla_count_table (const ArmillaBins *bins, const ArmillaCounted *counted);
ArmillaTable *armilla_triangle_table (const ArmillaBins *bins, const ArmillaCounted counted[4]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTotals, armilla_totals_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaPatches, armilla_patches_free)

G_END_DECLS
