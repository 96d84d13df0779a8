/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/harmonic/harmonic.h"

G_BEGIN_DECLS

/* What a graph is expected to do with transforms. For the submitting thread only. */
typedef struct {
  gboolean precomputes; /* whether only tables of Legendre matrices are made */
  gboolean many_skies;  /* whether transforms of several skies may be done together */
  gboolean many_calls;  /* whether transforms alike will be asked for repeatedly */
  GHashTable *legendre; /* ArmillaLegendreOptions by ArmillaLabel */
} ArmillaHarmonicState;

ArmillaHarmonicState *armilla_harmonic_state (ArmillaGraph *graph);
const ArmillaLegendreOptions *armilla_legendre_options (ArmillaGraph *graph,
                                                        const ArmillaLabel *label);

G_END_DECLS
