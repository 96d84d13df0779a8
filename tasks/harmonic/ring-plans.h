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
/* Creates the cuFFT plans of the ring blocks on every CUDA worker once, and finds the scratch space
 * that a ring transform needs on any worker. */
const ArmillaRingPlans *armilla_graph_ring_plans (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                  gint64 mmax, const int *spins, int n_fields,
                                                  int n_skies, GError **error);

G_END_DECLS
