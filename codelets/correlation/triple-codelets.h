/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/correlation/triple-histogram.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* error latch of this rank */
  ArmillaTripleShape shape;
} ArmillaTripleArgs;

/* Buffers: 0 R points of the apexes, 1 R nodes of them, 2 R points of the others, 3 R nodes of
 * them, 4 R edges, 5 W words, 6 SCRATCH for CPU or GPU. */
extern ArmillaCodelet armilla_triple_histogram_cl;

G_END_DECLS
