/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of compressed Legendre matrices in a graph: estimating their cost, creating them, and
 * passing their orders to tasks. */
#pragma once

#include "codelets/butterfly/butterfly.h"
#include "core/tables/legendre-table.h"
#include "tasks/graph/graph-private.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/harmonic/theta.h"
#include "tasks/ranks/movers.h"

G_BEGIN_DECLS

typedef struct {
  char *path;                           /* name of the file */
  ArmillaLegendreFile *file;            /* the file */
  ArmillaGraph *graph;                  /* the graph */
  ArmillaOrderBlocks *orders;           /* m-blocks */
  ArmillaRingBlocks *rings;             /* ring blocks of the grid */
  /* [m-block]: shape of its tasks without fields; n_words is 0 if the table lacks one of its
   * orders */
  ArmillaButterflyBlock *block;
  gint64 **offsets;                     /* [m-block][m - m_first]: offset of each order */
  starpu_data_handle_t *offsets_handle; /* handles of offsets */
  ArmillaTile *words; /* [m-block]: tile of the compressed orders; registered at first use */
  ArmillaMover *mover;                  /* moves words together with their m-blocks */
} ArmillaLegendreTable;

gboolean armilla_graph_legendre_table (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                       ArmillaOrderBlocks *orders,
                                       const ArmillaLegendreOptions *options,
                                       ArmillaLegendreTable **table, GError **error);
gboolean armilla_legendre_table_take (ArmillaLegendreTable *table, int m_block, ArmillaTile *words,
                                      GError **error);

/* Returns the ring pairs of a whole grid, [ARMILLA_PAIR_ROWS][n_pairs], for g_free(). */
double *armilla_legendre_pairs (const ArmillaGrid *grid);

/* Cost of a table. */
typedef struct {
  ArmillaLegendreSpeed speed; /* speed of one worker */
  double elements;            /* multiplications per vector */
  double words;               /* size of the table in doubles */
  double compress;            /* seconds that one worker needs to create it */
} ArmillaLegendreEstimate;

gboolean armilla_legendre_measure (ArmillaLegendreSpeed *speed, gint64 lmax, const double *pairs,
                                   gint64 n_pairs, double tolerance, ArmillaIsa isa,
                                   GError **error);
double armilla_legendre_seconds_by_recurrence (const ArmillaLegendreSpeed *speed,
                                               const ArmillaDeltaShape *shape,
                                               const double *pairs);
double armilla_legendre_seconds_by_table (const ArmillaLegendreSpeed *speed, double n_fields,
                                          double elements, double words);
gboolean armilla_legendre_estimate (ArmillaLegendreEstimate *estimate, ArmillaAlmLayout layout,
                                    const double *pairs, gint64 n_pairs, double tolerance,
                                    ArmillaIsa isa, GError **error);
char *armilla_legendre_break_even (double compress, double recurrence, double butterfly,
                                   int n_fields);

G_END_DECLS
