/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/legendre/delta-recurrence.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;     /* this rank's latch */
  /* where the fields of the shape begin in tiles of Delta, which hold others too */
  int64_t first_field;
  /* skies that have equal parts of the fields, one after the other, each in tiles of a_lm of its
   * own, which have other fields too: those of the shape begin at first_field / n_skies. More
   * than one where no GPU computes */
  int n_skies;
  int fresh;               /* whether the prepared a_lm have no contents yet (adjoint) */
  const double *basis;     /* what the CPU kernels make coefficients of; kept by the graph */
  ArmillaDeltaShape shape; /* what the task is about */
} ArmillaDeltaArgs;

/* Those that take a table have it where GPUs compute: it is the GPU's. */

/* Buffers: 0 W table. */
extern ArmillaCodelet armilla_delta_table_cl;
/* Buffers: 0 R a_lm, 1 W prepared, 2 R table, or 2 .. R a_lm of other skies. */
extern ArmillaCodelet armilla_delta_prepare_cl;
/* Buffers: 0 R prepared, 1 W (first) or RW a_lm, 2 R table, or 2 .. the same of other skies. */
extern ArmillaCodelet armilla_delta_finish_cl;
/* Buffers: 0 RW: the sum of an adjoint, which becomes a_lm. On a CPU. */
extern ArmillaCodelet armilla_delta_finish_in_alm_cl;
/* Buffers: 0 R prepared, 1 R pairs, 2 W (first) or RW tile, 3 SCRATCH, 4 R table. With shape.in_alm
 * the first is that of a_lm. */
extern ArmillaCodelet armilla_delta_synthesis_cl;
/* Buffers: 0 R tile, 1 R pairs, 2 W (first) or RW prepared, 3 SCRATCH, 4 R table. With shape.in_alm
 * the third is that of a_lm. */
extern ArmillaCodelet armilla_delta_adjoint_cl;

/* Pairs of degrees (k) that matter, summed over the orders and ring pairs of a block; see the
 * formula at its definition. pairs: [ARMILLA_PAIR_ROWS][n_pairs]; NULL: all degrees matter. */
double armilla_delta_needed_steps (const ArmillaDeltaShape *shape, const double *pairs);
ArmillaCost armilla_delta_table_cost (const ArmillaDeltaShape *shape);
/* Both prepare and finish. */
ArmillaCost armilla_delta_prepare_cost (const ArmillaDeltaShape *shape);
ArmillaCost armilla_delta_synthesis_cost (const ArmillaDeltaShape *shape, const double *pairs);

G_END_DECLS
