/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/fields/order-parts.h"
#include "codelets/rotation/rotate.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* this rank's latch */
  ArmillaRotateShape shape; /* the two blocks and the angles */
  ArmillaOrderParts parts;  /* how the CUDA kernel sums over the orders of the input block */
} ArmillaRotateArgs;

/* Doubles of scratch: only the CUDA kernel needs any. */

/* Buffers: 0 R seeds, 1 R in, 2 W (first) or RW out, 3 SCRATCH (CUDA:
 * armilla_rotate_scratch_size()). */
extern ArmillaCodelet armilla_rotate_cl;

G_END_DECLS
