/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues and histograms as data that flow between nodes, and counting as work of a graph.
 * Functions are called by the thread that prepares and builds, on every rank alike and in the same
 * order. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/footprint.h>
#include <armilla/graph.h>
#include <armilla/histogram.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaObjects:
 *
 * Port type "catalogue": objects on the sphere. Every rank has all of them. What parts they have is
 * known from the beginning, the objects themselves when the graph has come to the job that makes
 * them.
 */
#define ARMILLA_TYPE_OBJECTS (armilla_objects_get_type ())
G_DECLARE_FINAL_TYPE (ArmillaObjects, armilla_objects, ARMILLA, OBJECTS, ArmillaData)

ArmillaObjects *armilla_objects_new (ArmillaCatalogueParts parts);
ArmillaObjects *armilla_objects_new_like (ArmillaCatalogue *like);
const ArmillaCatalogue *armilla_objects_like (ArmillaObjects *self);
ArmillaCatalogueParts armilla_objects_parts (ArmillaObjects *self);
void armilla_objects_expect (ArmillaObjects *self, gint64 n);
gint64 armilla_objects_expected (ArmillaObjects *self);
void armilla_objects_set_catalogue (ArmillaObjects *self, ArmillaCatalogue *catalogue);
ArmillaCatalogue *armilla_objects_catalogue (ArmillaObjects *self, GError **error);

/**
 * ArmillaHostObjects:
 * @user: what the caller gave
 * @error: where to put an error
 *
 * Makes a catalogue. Called on every rank, which must all make the same.
 *
 * Returns: (transfer full) (nullable): the objects; %NULL with @error set fails the run
 */
typedef ArmillaCatalogue *(*ArmillaHostObjects) (gpointer user, GError **error);
gboolean armilla_graph_fill_objects (ArmillaGraph *graph, ArmillaObjects *objects,
                                     ArmillaHostObjects fill, gpointer user,
                                     GDestroyNotify destroy, GError **error);

gboolean armilla_graph_fetch_footprint (ArmillaGraph *graph, ArmillaMap *mask,
                                        ArmillaFootprint *footprint, GError **error);

/**
 * ArmillaHostVisit:
 * @user: what the caller gave
 * @catalogues: (array): the objects; %NULL where there were none
 * @error: where to put an error
 *
 * Called on every rank while the graph is submitted; must do the same on all.
 *
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostVisit) (gpointer user, ArmillaCatalogue *const *catalogues,
                                      GError **error);
gboolean armilla_graph_visit_objects (ArmillaGraph *graph, ArmillaObjects *const *objects, int n,
                                      ArmillaHostVisit visit, gpointer user,
                                      GDestroyNotify destroy, GError **error);

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
 * ArmillaCountOptions:
 * @tasks: into how many tasks to cut the work, about; 0 for what suits the machine. Changes no bit
 *   of the result
 * @brute: whether to test every pair of blocks of objects, as if all were near: for tests and
 *   measurements
 *
 * How to count.
 */
typedef struct {
  gint64 tasks;
  gboolean brute;
} ArmillaCountOptions;

double armilla_objects_count_bytes (ArmillaObjects *self, int sums);
gboolean armilla_graph_count_pairs (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                                    const ArmillaCountOptions *options, ArmillaHistogram *out,
                                    GError **error);
gboolean armilla_graph_count_triangles (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                                        const ArmillaCountOptions *options, ArmillaHistogram *out,
                                        GError **error);

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
