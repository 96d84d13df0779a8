/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets of coupling matrices. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/spectra/coupling.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;        /* error latch of this rank */
  ArmillaCouplingShape shape; /* the block */
} ArmillaCouplingArgs;

/* Buffers: 0 R table, 1 W block; off the diagonal 2 W the transposed block. */
extern ArmillaCodelet armilla_coupling_cl;

G_END_DECLS
