/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/rings/worker-plans.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Data that ring transforms with equal arguments share. */
typedef struct {
  ArmillaRingBlocks *rings;
  gint64 mmax;
  int n_fields, n_skies;
  int *spins;    /* spins of the fields of one realisation */
  gint64 *place; /* index in the maps of each field of the modes, see #ArmillaRingArgs */
  gint64 first_block;  /* index of the cuFFT plan of ring block 0 among those of a worker */
  ArmillaTile scratch; /* scratch space, shared by all transforms: a GPU may need tens of MB */
} ArmillaRingPlans;

ArmillaFftPlans *armilla_graph_fft_plans (ArmillaGraph *graph);
ArmillaWorkerPlans *armilla_graph_worker_plans (ArmillaGraph *graph);
/* Creates the cuFFT plans of the ring blocks on every CUDA worker. Sets the index of the first of
 * them among the worker's plans, and the doubles of scratch space that a ring transform needs on
 * any worker. @mmax: highest order; @each: (nullable): highest order of each block. */
gboolean armilla_graph_add_ring_shapes (ArmillaGraph *graph, const ArmillaRingBlocks *rings,
                                        int n_fields, gint64 mmax, const gint64 *each,
                                        gint64 *first_block, gint64 *scratch, GError **error);
/* Does the same, once for a graph and these arguments, and returns the result. */
const ArmillaRingPlans *armilla_graph_ring_plans (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                  gint64 mmax, const int *spins, int n_fields,
                                                  int n_skies, GError **error);

G_END_DECLS
