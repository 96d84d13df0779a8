/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/butterfly/butterfly.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;         /* error latch of this rank */
  ArmillaButterflyShape shape; /* the order */
} ArmillaButterflyCompressArgs;

typedef struct {
  ArmillaFault *fault;         /* error latch of this rank */
  ArmillaButterflyBlock block;
} ArmillaButterflyArgs;

/* Buffers: 0 R pairs of the grid, 1 W compressed order, then the seconds of its computation, 2
 * SCRATCH. */
extern ArmillaCodelet armilla_butterfly_compress_cl;
/* Buffers: 0 R compressed orders, 1 R their positions, 2 R prepared, 3 W tile of all pairs, 4
 * SCRATCH. */
extern ArmillaCodelet armilla_butterfly_synthesis_cl;
/* Buffers: 0 R compressed orders, 1 R their positions, 2 R tile of all pairs, 3 W (first) or RW
 * prepared, 4 SCRATCH. */
extern ArmillaCodelet armilla_butterfly_adjoint_cl;

ArmillaCost armilla_butterfly_compress_cost (const ArmillaButterflyShape *shape);

G_END_DECLS
