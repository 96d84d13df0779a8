/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/catalogues/estimator.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/histogram.h"

G_BEGIN_DECLS

typedef enum { SPACING_LOG, SPACING_LINEAR } CorrelationSpacing;
typedef enum { PATCHES_CUT, PATCHES_COLUMN } CorrelationPatches;
typedef enum { ACROSS_SIMPLE, ACROSS_MATCH } CorrelationAcross;

#define CORRELATION_CATALOGUES 4

/* Output port with the functions, named in a text, computed without one patch at a time (jackknife
 * samples). */
#define ARMILLA_CORRELATION_SAMPLES_PORT(functions)                                                \
  { "samples", armilla_table_data_get_type, ARMILLA_PORT_OUT,                                      \
    "the functions without one patch of the sky at a time, for joint-covariance: patch, "          \
    "patches, theta_min, theta_max, theta, " functions }

/* Properties shared by correlations, and patch settings from armilla_correlation_check_patches ();
 * embedded in each stage's object. */
typedef struct {
  double min, max;
  int bins;
  CorrelationSpacing spacing;
  char *edges;
  gint64 tasks;
  int patches;
  CorrelationPatches patches_by;
  int n_patches;
  gboolean by_column;
  CorrelationAcross across;
  /* (not owned): names of the columns by which weights are multiplied, for
   * CorrelationCatalogues.valued; NULL for none */
  const char *columns[CORRELATION_CATALOGUES];
} CorrelationProperties;

void armilla_correlation_install (ArmillaStageClass *klass, gsize part, int bins,
                                  gboolean patches);
void armilla_correlation_install_patches (ArmillaStageClass *klass, gsize part);
ArmillaHistogram *armilla_correlation_pairs (const CorrelationProperties *properties,
                                             ArmillaBins *bins, int n_patches, int sums,
                                             GError **error);
ArmillaBins *armilla_correlation_bins (ArmillaStage *stage,
                                       const CorrelationProperties *properties, GError **error);

double armilla_correlation_memory (const CorrelationProperties *properties, const ArmillaBins *bins,
                                   ArmillaHistogramKind kind, int n_histograms, int n_values);

double armilla_correlation_cells (ArmillaData *const *inputs, int n_inputs, const int *sums);

/* The catalogues of a correlation, prepared for counting. */
typedef struct {
  gint refs;                                 /* references, held by the graph's steps */
  const char *names[CORRELATION_CATALOGUES]; /* names of the ports */
  /* prepared catalogues (common coordinates, patches); NULL for unconnected ports */
  ArmillaObjects *objects[CORRELATION_CATALOGUES];
  const char *columns[CORRELATION_CATALOGUES]; /* see CorrelationProperties */
  /* the same objects with weights times the values of the column; NULL without columns */
  ArmillaObjects *valued[CORRELATION_CATALOGUES];
  /* totals for normalisation, valid once the catalogues are read */
  ArmillaTotals *totals[CORRELATION_CATALOGUES];
  int cut_by; /* index of the catalogue cut into equal patches */
  int n_patches;                             /* 0: none */
  gboolean by_column; /* whether a catalogue's own patches are used */
  gint64 min_objects[CORRELATION_CATALOGUES]; /* minimum number of objects of each catalogue */
  ArmillaBins *bins;
} CorrelationCatalogues;

CorrelationCatalogues *armilla_correlation_catalogues (ArmillaGraph *graph,
                                                       const CorrelationProperties *properties,
                                                       ArmillaBins *bins,
                                                       ArmillaData *const *inputs, int n_inputs,
                                                       const ArmillaPort *ports, int cut_by,
                                                       const gint64 *min_objects, GError **error);
void armilla_correlation_unref (CorrelationCatalogues *catalogues);
gboolean armilla_correlation_check_patches (ArmillaStage *stage,
                                            CorrelationProperties *properties,
                                            ArmillaData *const *inputs, int n_inputs,
                                            const ArmillaPort *ports, GError **error);
void armilla_correlation_tell_patches (const CorrelationCatalogues *catalogues,
                                       ArmillaTable *table);
gboolean armilla_correlation_weighted (ArmillaObjects *a, ArmillaObjects *b);

/* Indices of the ports of stages that correlate data and random objects. */
enum { CORRELATION_DATA, CORRELATION_RANDOM, CORRELATION_DATA2, CORRELATION_RANDOM2 };

extern const char *const armilla_correlation_estimators[];

/* The counts that an estimator needs. */
typedef struct {
  CorrelationCatalogues *catalogues;
  ArmillaHistogramShape shape[ARMILLA_N_COUNTS];
  int needs;             /* 1 << c for each ArmillaPairCount c */
  gboolean cross;        /* whether there is a second catalogue of data */
  gboolean cross_random; /* likewise of random objects */
  gboolean match;        /* see CorrelationAcross */
} CorrelationCounts;

void armilla_correlation_distinct (ArmillaData *const *inputs, ArmillaData **out);
gboolean armilla_correlation_check_inputs (ArmillaData *const *inputs, GError **error);
gboolean armilla_correlation_count (CorrelationCounts *self, ArmillaGraph *graph,
                                    const CorrelationProperties *properties, int sums,
                                    ArmillaHistogram **histograms, int *n, GError **error);
void armilla_correlation_counted (const CorrelationCounts *self, const ArmillaPiece *in,
                                  ArmillaCounted counted[ARMILLA_N_COUNTS]);

G_END_DECLS
