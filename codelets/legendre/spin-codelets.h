/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/legendre/spin-recurrence.h"

G_BEGIN_DECLS

/**
 * ArmillaSpinArgs:
 * @fault: this rank's latch
 * @first_field: where the fields of the shape begin in tiles of Delta, which hold others too
 * @n_skies: skies that have equal parts of the fields, one after the other, each in tiles of a_lm
 *   of its own, which have other fields too: those of the shape begin at @first_field / @n_skies.
 *   More than one where no GPU computes
 * @n_polar: how many of the ring pairs, the first ones, are near a pole (synthesis and adjoint)
 * @fresh: parts of the prepared a_lm that have no contents yet (adjoint), #ArmillaSpinPart
 * @shape: what the task is about
 */
typedef struct {
  ArmillaFault *fault;
  int64_t first_field;
  int n_skies;
  int64_t n_polar;
  int fresh;
  ArmillaSpinShape shape;
} ArmillaSpinArgs;

/* Buffers: 0 W table. */
extern ArmillaCodelet armilla_spin_table_cl;
/* Buffers: 0 R table, 1 R a_lm, 2 W prepared, 3 SCRATCH, 4 .. R a_lm of other skies. */
extern ArmillaCodelet armilla_spin_prepare_cl;
/* Buffers: 0 R table, 1 R prepared, 2 W (first) or RW a_lm, 3 SCRATCH, 4 .. the same of other
 * skies. */
extern ArmillaCodelet armilla_spin_finish_cl;
/* Buffers: 0 R table, 1 R prepared, 2 R pairs, 3 W (first) or RW tile, 4 SCRATCH. */
extern ArmillaCodelet armilla_spin_synthesis_cl;
/* Buffers: 0 R table, 1 R tile, 2 R pairs, 3 W (first) or RW prepared, 4 SCRATCH. */
extern ArmillaCodelet armilla_spin_adjoint_cl;

/* Both prepare and finish. */
ArmillaCost armilla_spin_prepare_cost (const ArmillaSpinShape *shape);
ArmillaCost armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs);

G_END_DECLS
