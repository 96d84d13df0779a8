/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/rings/worker-plans.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Shared data of ring transforms of one shape. */
typedef struct {
  ArmillaRingBlocks *rings;
  gint64 mmax;
  int n_fields, n_skies;
  int *spins;    /* spins of the fields of one realisation */
  gint64 *place; /* order of the fields, see #ArmillaRingArgs */
  gint64 first_block;  /* number of ring block 0 in the workers' plans */
  ArmillaTile scratch; /* scratch space, shared by all transforms: a GPU may need tens of MB */
} ArmillaRingPlans;

ArmillaFftPlans *armilla_graph_fft_plans (ArmillaGraph *graph);
ArmillaWorkerPlans *armilla_graph_worker_plans (ArmillaGraph *graph);
/* Creates the cuFFT plans of the ring blocks on every CUDA worker, and finds the number of the
 * first one in them and the scratch space, doubles, that a ring transform needs on any worker.
 * @mmax: highest order, and @each (nullable) that of each block. */
gboolean armilla_graph_add_ring_shapes (ArmillaGraph *graph, const ArmillaRingBlocks *rings,
                                        int n_fields, gint64 mmax, const gint64 *each,
                                        gint64 *first_block, gint64 *scratch, GError **error);
/* Does this once for a graph and these arguments. */
const ArmillaRingPlans *armilla_graph_ring_plans (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                  gint64 mmax, const int *spins, int n_fields,
                                                  int n_skies, GError **error);

G_END_DECLS
