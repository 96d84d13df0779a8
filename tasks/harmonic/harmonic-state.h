/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/harmonic/harmonic.h"

G_BEGIN_DECLS

/**
 * ArmillaHarmonicState:
 * @precomputes: whether only tables of Legendre matrices are made
 * @many_skies: whether transforms of several skies may be done together
 * @many_calls: whether transforms alike will be asked for repeatedly
 * @legendre: #ArmillaLegendreOptions by #ArmillaLabel
 *
 * What a graph is expected to do with transforms. For the submitting thread only.
 */
typedef struct {
  gboolean precomputes, many_skies, many_calls;
  GHashTable *legendre;
} ArmillaHarmonicState;

ArmillaHarmonicState *armilla_harmonic_state (ArmillaGraph *graph);
const ArmillaLegendreOptions *armilla_legendre_options (ArmillaGraph *graph,
                                                        const ArmillaLabel *label);

G_END_DECLS
