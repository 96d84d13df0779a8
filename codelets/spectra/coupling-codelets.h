/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets of coupling matrices. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/spectra/coupling.h"

G_BEGIN_DECLS

/**
 * ArmillaCouplingArgs:
 * @fault: this rank's latch
 * @shape: the block; of a table, lmax and mask_lmax
 * @field: the spectrum that a table is made of
 * @n_l: numbers of a spectrum
 */
typedef struct {
  ArmillaFault *fault;
  ArmillaCouplingShape shape;
  gint64 field, n_l;
} ArmillaCouplingArgs;

/* Buffers: 0 R spectra, [field][l], 1 W table. */
extern ArmillaCodelet armilla_coupling_table_cl;
/* Buffers: 0 R table, 1 W block; off the diagonal 2 W the one on the other side of it. */
extern ArmillaCodelet armilla_coupling_cl;

G_END_DECLS
