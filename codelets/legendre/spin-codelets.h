/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/legendre/spin-recurrence.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;    /* this rank's latch */
  /* where the fields of the shape begin in tiles of Delta, which hold others too */
  int64_t first_field;
  /* skies that have equal parts of the fields, one after the other, each in tiles of a_lm of its
   * own, which have other fields too: those of the shape begin at first_field / n_skies. More
   * than one where no GPU computes */
  int n_skies;
  /* how many of the ring pairs, the first ones, are near a pole (synthesis and adjoint) */
  int64_t n_polar;
  int fresh; /* parts of the prepared a_lm that have no contents yet (adjoint), ArmillaSpinPart */
  /* what the CPU kernels make coefficients of, for lmax + spin; kept by the graph */
  const double *basis;
  ArmillaSpinShape shape; /* what the task is about */
} ArmillaSpinArgs;

/* Those that take a table have it where GPUs compute: it is the GPU's. */

/* Buffers: 0 W table. */
extern ArmillaCodelet armilla_spin_table_cl;
/* Buffers: 0 R a_lm, 1 W prepared, 2 SCRATCH, 3 R table, or 3 .. R a_lm of other skies. */
extern ArmillaCodelet armilla_spin_prepare_cl;
/* Buffers: 0 R prepared, 1 W (first) or RW a_lm, 2 SCRATCH, 3 R table, or 3 .. the same of other
 * skies. */
extern ArmillaCodelet armilla_spin_finish_cl;
/* Buffers: 0 R prepared, 1 R pairs, 2 W (first) or RW tile, 3 SCRATCH, 4 R table. */
extern ArmillaCodelet armilla_spin_synthesis_cl;
/* Buffers: 0 R tile, 1 R pairs, 2 W (first) or RW prepared, 3 SCRATCH, 4 R table. */
extern ArmillaCodelet armilla_spin_adjoint_cl;

/* Both prepare and finish. */
ArmillaCost armilla_spin_prepare_cost (const ArmillaSpinShape *shape);
ArmillaCost armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs);

G_END_DECLS
