/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/rings/worker-plans.h"
#include "codelets/theta/theta-interpolation.h"
#include "codelets/theta/theta-resample.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;     /* error latch of this rank */
  /* bit i is set if the fields of the shape are uninitialised in tile i of the grid (adjoint) */
  int fresh;
  int64_t first_field; /* index of the shape's first field in the tiles, which hold other fields
                        * too */
  ArmillaThetaShape shape;
} ArmillaThetaArgs;

/* Buffers: 0 R weights, 1 W (first) or RW tile, 2 SCRATCH, 3.. R the grid's tiles. */
extern ArmillaCodelet armilla_theta_synthesis_cl;
/* Buffers: 0 R weights, 1 R tile, 2 SCRATCH, 3.. W (first) or RW the grid's tiles. */
extern ArmillaCodelet armilla_theta_adjoint_cl;

typedef struct {
  ArmillaFault *fault;    /* error latch of this rank */
  ArmillaFftPlans *plans; /* this rank's FFTW plans, with the length of the circle */
  ArmillaWorkerPlans *cuda_plans; /* this rank's cuFFT plans, with the length of the circle */
  gint64 batch;           /* number of sequences of a batch of the cuFFT plans; 0 without GPUs */
  int64_t first_field;    /* index of the shape's first field in the tiles, which hold others too */
  ArmillaResampleShape shape;
} ArmillaResampleArgs;

/* Buffers: 0 R table, 1 R tile, 2 W (first) or RW tile, 3 SCRATCH. */
extern ArmillaCodelet armilla_theta_resample_cl;

G_END_DECLS
