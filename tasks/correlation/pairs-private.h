/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counting pairs and counting triangles share. */
#pragma once

#include "codelets/correlation/cells.h"
#include "tasks/data/histogram-private.h"
#include "tasks/ranks/balance.h"

G_BEGIN_DECLS

/**
 * ArmillaSorted:
 * @catalogue: the objects
 * @patches: whether no cell has objects of two patches
 * @cells: the objects in cells, whose arrays are the memory of the tiles
 * @points: tile of the points, on every rank
 * @nodes: tile of the nodes, on every rank
 *
 * Cells whose arrays tasks can read.
 */
typedef struct {
  ArmillaCatalogue *catalogue;
  gboolean patches;
  ArmillaCells *cells;
  ArmillaTile points, nodes;
} ArmillaSorted;

ArmillaSorted *armilla_sorted_get (ArmillaGraph *graph, ArmillaCatalogue *catalogue, int n_rows,
                                   gboolean patches, GError **error);
void armilla_sorted_release (ArmillaSorted *sorted);
void armilla_graph_trim_cells (ArmillaGraph *graph);

double *armilla_tile_memory (ArmillaGraph *graph, int owner, gint64 n, ArmillaTile *tile,
                             GError **error);
/* A tile on every rank with words from the host. */
gboolean armilla_tile_from_words (ArmillaGraph *graph, int owner, gconstpointer words, gint64 n,
                                  ArmillaTile *tile, GError **error);

/**
 * ArmillaPartialSums:
 * @graph: the graph
 * @shape: of the histogram
 * @sum: (array): one a rank; those in use have a handle
 *
 * Histograms of tasks on their way to one: first those of a rank, then those of the ranks.
 */
typedef struct {
  ArmillaGraph *graph;
  const ArmillaHistogramShape *shape;
  ArmillaTile *sum;
} ArmillaPartialSums;

void armilla_partial_sums_init (ArmillaPartialSums *sums, ArmillaGraph *graph,
                                const ArmillaHistogramShape *shape);
gboolean armilla_partial_sums_add (ArmillaPartialSums *sums, const ArmillaTile *part,
                                   GError **error);
gboolean armilla_partial_sums_finish (ArmillaPartialSums *sums, const ArmillaTile *out,
                                      GError **error);
void armilla_partial_sums_clear (ArmillaPartialSums *sums);

/**
 * ArmillaBatches:
 * @graph: a graph
 * @deal: of the tasks of the batch
 * @left: how many of them are still to come
 *
 * Deals the tasks of a long job, batch by batch.
 */
typedef struct {
  ArmillaGraph *graph;
  ArmillaBlockDeal deal;
  int left;
} ArmillaBatches;

void armilla_batches_init (ArmillaBatches *batches, ArmillaGraph *graph);
int armilla_batches_next (ArmillaBatches *batches, double cost);
void armilla_batches_clear (ArmillaBatches *batches);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaBatches, armilla_batches_clear)

G_END_DECLS
