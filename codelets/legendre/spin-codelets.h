/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/legendre/spin-recurrence.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;    /* error latch of this rank */
  /* index of the shape's first field in tiles of Delta, which hold other fields too */
  int64_t first_field;
  /* number of realisations (skies), which have equally many of the fields, in sequence. Each has
   * its own tiles of a_lm, in which the fields of the shape begin at first_field / n_skies. More
   * than 1 only on CPUs */
  int n_skies;
  /* number of ring pairs near a pole, the first ones of the block (synthesis and adjoint) */
  int64_t n_polar;
  int fresh; /* uninitialised parts of the prepared a_lm (adjoint), ArmillaSpinPart */
  /* basis from which CPU kernels compute coefficients, for lmax + spin; owned by the graph */
  const double *basis;
  ArmillaSpinShape shape;
} ArmillaSpinArgs;

/* Table buffers are present only in runs with GPUs, whose kernels read them. */

/* Buffers: 0 W table. */
extern ArmillaCodelet armilla_spin_table_cl;
/* Buffers: 0 R a_lm, 1 W prepared, 2 SCRATCH, 3 R table, or 3 .. R a_lm of other skies. */
extern ArmillaCodelet armilla_spin_prepare_cl;
/* Buffers: 0 R prepared, 1 W (first) or RW a_lm, 2 SCRATCH, 3 R table, or 3 .. a_lm of other
 * skies. */
extern ArmillaCodelet armilla_spin_finish_cl;
/* Buffers: 0 R prepared, 1 R pairs, 2 W (first) or RW tile, 3 SCRATCH, 4 R table. */
extern ArmillaCodelet armilla_spin_synthesis_cl;
/* Buffers: 0 R tile, 1 R pairs, 2 W (first) or RW prepared, 3 SCRATCH, 4 R table. */
extern ArmillaCodelet armilla_spin_adjoint_cl;

/* Returns the cost of prepare, which is also that of finish. */
ArmillaCost armilla_spin_prepare_cost (const ArmillaSpinShape *shape);
ArmillaCost armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs);

G_END_DECLS
