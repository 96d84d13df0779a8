/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets of coupling matrices. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/spectra/coupling.h"

G_BEGIN_DECLS

/**
 * ArmillaCouplingArgs:
 * @fault: this rank's latch
 * @shape: the block
 */
typedef struct {
  ArmillaFault *fault;
  ArmillaCouplingShape shape;
} ArmillaCouplingArgs;

/* Buffers: 0 R table, 1 W block; off the diagonal 2 W the one on the other side of it. */
extern ArmillaCodelet armilla_coupling_cl;

G_END_DECLS
