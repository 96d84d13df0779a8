/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/legendre/delta-recurrence.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;     /* error latch of this rank */
  /* index of the shape's first field in tiles of Delta, which hold other fields too */
  int64_t first_field;
  /* number of realisations (skies), which have equally many of the fields, in sequence. Each has
   * its own tiles of a_lm, in which the fields of the shape begin at first_field / n_skies. More
   * than 1 only on CPUs */
  int n_skies;
  int fresh;               /* whether the prepared a_lm are uninitialised (adjoint) */
  const double *basis; /* basis from which CPU kernels compute coefficients; owned by the graph */
  ArmillaDeltaShape shape;
} ArmillaDeltaArgs;

/* Table buffers are present only in builds and runs with GPUs, whose kernels read them. */

/* Buffers: 0 W table. */
extern ArmillaCodelet armilla_delta_table_cl;
/* Buffers: 0 R a_lm, 1 W prepared, 2 R table, or 2 .. R a_lm of other skies. */
extern ArmillaCodelet armilla_delta_prepare_cl;
/* Buffers: 0 R prepared, 1 W (first) or RW a_lm, 2 R table, or 2 .. a_lm of other skies. */
extern ArmillaCodelet armilla_delta_finish_cl;
/* Buffers: 0 RW the result of an adjoint, which becomes a_lm. CPU only. */
extern ArmillaCodelet armilla_delta_finish_in_alm_cl;
/* Buffers: 0 R prepared, 1 R pairs, 2 W (first) or RW tile, 3 SCRATCH, 4 R table. With shape.in_alm
 * buffer 0 holds a_lm. */
extern ArmillaCodelet armilla_delta_synthesis_cl;
/* Buffers: 0 R tile, 1 R pairs, 2 W (first) or RW prepared, 3 SCRATCH, 4 R table. With shape.in_alm
 * buffer 2 holds a_lm. */
extern ArmillaCodelet armilla_delta_adjoint_cl;

/* Returns the number of steps k that contribute, summed over the orders and ring pairs of a block;
 * see the formula at its definition. pairs: [ARMILLA_PAIR_ROWS][n_pairs]; NULL: all steps
 * contribute. */
double armilla_delta_needed_steps (const ArmillaDeltaShape *shape, const double *pairs);
ArmillaCost armilla_delta_table_cost (const ArmillaDeltaShape *shape);
/* Returns the cost of prepare, which is also that of finish. */
ArmillaCost armilla_delta_prepare_cost (const ArmillaDeltaShape *shape);
ArmillaCost armilla_delta_synthesis_cost (const ArmillaDeltaShape *shape, const double *pairs);

G_END_DECLS
