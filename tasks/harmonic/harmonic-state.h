/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/harmonic/harmonic.h"

G_BEGIN_DECLS

/* Expected transforms of a graph. Used by the submitting thread only. */
typedef struct {
  gboolean precomputes; /* whether the graph only creates tables of Legendre matrices */
  gboolean many_skies;  /* whether transforms of several realisations may be computed together */
  gboolean many_calls;  /* whether similar transforms will be requested repeatedly */
  int n_iterations;     /* of the last solution by conjugate gradients; 0: none */
  double residual;      /* its relative residual */
  GHashTable *legendre; /* ArmillaLegendreOptions by ArmillaLabel */
} ArmillaHarmonicState;

ArmillaHarmonicState *armilla_harmonic_state (ArmillaGraph *graph);
const ArmillaLegendreOptions *armilla_legendre_options (ArmillaGraph *graph,
                                                        const ArmillaLabel *label);

G_END_DECLS
