/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/catalogues/estimator.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/histogram.h"

G_BEGIN_DECLS

typedef enum { SPACING_LOG, SPACING_LINEAR } CorrelationSpacing;
typedef enum { PATCHES_CUT, PATCHES_COLUMN } CorrelationPatches;
typedef enum { ACROSS_SIMPLE, ACROSS_MATCH } CorrelationAcross;

/* Properties that correlations share, and what armilla_correlation_check_patches() makes of those
 * of patches; a member of each stage's object. */
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
} CorrelationProperties;

void armilla_correlation_install (ArmillaStageClass *klass, gsize part, int bins,
                                  gboolean patches);
ArmillaHistogram *armilla_correlation_pairs (const CorrelationProperties *properties,
                                             ArmillaBins *bins, int n_patches, int sums,
                                             GError **error);
ArmillaBins *armilla_correlation_bins (ArmillaStage *stage,
                                       const CorrelationProperties *properties, GError **error);

double armilla_correlation_memory (const CorrelationProperties *properties, const ArmillaBins *bins,
                                   ArmillaHistogramKind kind, int n_histograms, int n_values);

double armilla_correlation_cells (ArmillaData *const *inputs, int n_inputs, const int *sums);

#define CORRELATION_CATALOGUES 4

/* What becomes of a correlation's catalogues. */
typedef struct {
  gint refs;                                 /* of the graph's steps */
  const char *names[CORRELATION_CATALOGUES]; /* (array): names of the ports */
  /* (array): the catalogues as they are counted: in the coordinates of the first, with patches;
   * NULL where a port is not connected */
  ArmillaObjects *objects[CORRELATION_CATALOGUES];
  /* (array): what normalises, once the catalogues are there */
  ArmillaTotals *totals[CORRELATION_CATALOGUES];
  int cut_by; /* which one is cut into patches of as many objects each */
  int n_patches;                             /* number of patches, 0 for none */
  gboolean by_column; /* whether patches are those that a catalogue has already */
  gint64 least[CORRELATION_CATALOGUES];      /* (array): how many objects each must have */
  ArmillaBins *bins;                         /* the bins */
} CorrelationCatalogues;

CorrelationCatalogues *armilla_correlation_catalogues (ArmillaGraph *graph,
                                                       const CorrelationProperties *properties,
                                                       ArmillaBins *bins,
                                                       ArmillaData *const *inputs, int n_inputs,
                                                       const ArmillaPort *ports, int cut_by,
                                                       const gint64 *least, GError **error);
void armilla_correlation_unref (CorrelationCatalogues *catalogues);
gboolean armilla_correlation_check_patches (ArmillaStage *stage,
                                            CorrelationProperties *properties,
                                            ArmillaData *const *inputs, int n_inputs,
                                            const ArmillaPort *ports, GError **error);
gboolean armilla_correlation_weighted (ArmillaObjects *a, ArmillaObjects *b);

G_END_DECLS
