/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/points/points.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* latch of this rank */
  ArmillaPointsShape shape; /* of the fields that the task works on */
  int64_t first_field;      /* index of the first of them in the tiles and the values */
  ArmillaPointsTiles tiles; /* the tiles, or the bands, of the last buffers */
} ArmillaPointsArgs;

/* Buffers: 0 R places, 1 R start, 2 W (first) or RW values, 3.. R the grid's tiles. */
extern ArmillaCodelet armilla_points_interpolate_cl;
/* Buffers: 0 R places, 1 R start, 2 R values, 3 W the spread values of the fields. */
extern ArmillaCodelet armilla_points_spread_cl;
/* Buffers: 0 W (first) or RW tile of the grid, 1.. R the spread values of the bands. */
extern ArmillaCodelet armilla_points_gather_cl;

G_END_DECLS
