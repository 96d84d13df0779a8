/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/rings/redistribute.h"
#include "codelets/rings/ring-fft.h"
#include "codelets/rings/worker-plans.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;            /* error latch of this rank */
  ArmillaFftPlans *plans;         /* this rank's FFTW plans of the grid; tasks add to them */
  ArmillaWorkerPlans *cuda_plans; /* this rank's cuFFT plans */
  gint64 cuda_block;              /* number of the ring block in cuda_plans */
  ArmillaRingShape shape;
  int flags;                      /* ArmillaRingFlags, adjoint only */
  /* number of realisations (skies), which have equally many of the fields, each in its own map;
   * more than 1 only on CPUs */
  int n_skies;
  /* this rank's copy of the position of each field of the modes among the fields of all skies;
   * NULL: in order */
  const gint64 *place;
  /* pixels of each field of a whole map in memory that the worker can access, equally far apart on
   * a GPU; if set, the buffer of a map is R first_pixel of the block. One sky only; may be NULL */
  double *const *in_place;
  int n_tiles; /* number of pieces of the modes; 0: one. More than one only on CPUs */
  const gint64 *first_orders;     /* this rank's copy of the first order of each piece */
} ArmillaRingArgs;

typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
} ArmillaRingGateArgs;

typedef struct {
  ArmillaFault *fault;            /* error latch of this rank */
  ArmillaRedistributeShape shape;
} ArmillaRedistributeArgs;

/* Buffers: 0 R slots, 1 R modes or their first piece, 2 W map, 3 SCRATCH, 4 .. R other pieces, and
 * then W maps of other skies. */
extern ArmillaCodelet armilla_ring_synthesis_cl;
/* Buffers: 0 R slots, 1 R map, 2 W modes or their first piece, 3 SCRATCH, 4 .. W other pieces, and
 * then R maps of other skies. */
extern ArmillaCodelet armilla_ring_adjoint_cl;
/* Buffers: 0 R slots, 1 RW modes or their first piece, 2 SCRATCH, 3 .. RW other pieces. */
extern ArmillaCodelet armilla_ring_normal_cl;
/* Does nothing. Several tasks that write to disjoint parts of one tile at the same time are
 * declared as readers; a gate before and one after them, which write the tile, order them. Only in
 * processes whose workers are all CPUs and whose tiles stay in memory. Buffers: any number of W, or
 * of RW. */
extern ArmillaCodelet armilla_ring_gate_cl;
/* Buffers: 0 R slots, 1 R Delta tile, 2 W (first) or RW modes. */
extern ArmillaCodelet armilla_redistribute_forward_cl;
/* Buffers: 0 R slots, 1 R modes, 2 W Delta tile. */
extern ArmillaCodelet armilla_redistribute_backward_cl;

/* Returns the cost of a synthesis or adjoint. slots: [n_slots], or NULL. */
ArmillaCost armilla_ring_cost (const ArmillaRingShape *shape, const ArmillaRingSlot *slots);

G_END_DECLS
