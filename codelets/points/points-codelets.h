/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/points/points-delta.h"
#include "codelets/points/points.h"
#include "codelets/rings/worker-plans.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* error latch of this rank */
  ArmillaPointsShape shape; /* shape of the fields that the task processes */
  int64_t first_field;      /* index of the first of these fields in the tiles and the values */
  ArmillaPointsTiles tiles; /* the tiles, or the bands, of the last buffers */
} ArmillaPointsArgs;

/* Buffers: 0 R places, 1 R start, 2 W (first) or RW values, 3.. R the grid's tiles. */
extern ArmillaCodelet armilla_points_interpolate_cl;
/* Buffers: 0 R places, 1 R start, 2 R values, 3 W the spread values of the fields. */
extern ArmillaCodelet armilla_points_spread_cl;
/* Buffers: 0 W (first) or RW tile of the grid, 1.. R the spread values of the bands. */
extern ArmillaCodelet armilla_points_gather_cl;

typedef struct {
  ArmillaFault *fault;    /* error latch of this rank */
  ArmillaFftPlans *plans; /* this rank's FFTW plans, with the lengths of both circles */
  ArmillaWorkerPlans *cuda_plans; /* cuFFT plans of the workers, for batches of both lengths */
  int64_t batch;                  /* number of sequences of a batch on GPUs */
  ArmillaPointsDeltaShape shape;
  int64_t first_field;    /* index of the shape's first field in the tiles, which hold others too */
} ArmillaPointsDeltaArgs;

/* Buffers: 0 R table, 1 R coarse tile, 2 W (first) or RW fine tile, 3 SCRATCH. */
extern ArmillaCodelet armilla_points_refine_cl;
/* Buffers: 0 R table, 1 R fine tile, 2 W (first) or RW coarse tile, 3 SCRATCH. */
extern ArmillaCodelet armilla_points_coarsen_cl;

G_END_DECLS
