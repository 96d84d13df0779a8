/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/rotation/rotate.h"
#include "core/grids/block-tables.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* error latch of this rank */
  ArmillaRotateShape shape; /* the two blocks and the angles */
  ArmillaOrderParts parts;  /* division of the input block's orders for sums of the CUDA kernel */
} ArmillaRotateArgs;

/* Buffers: 0 R seeds, 1 R in, 2 W (first) or RW out, 3 SCRATCH (CUDA:
 * armilla_rotate_scratch_size()). */
extern ArmillaCodelet armilla_rotate_cl;

G_END_DECLS
