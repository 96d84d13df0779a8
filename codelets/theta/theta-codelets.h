/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/theta/theta-interpolation.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;     /* this rank's latch */
  /* bit i: the fields of the shape have no contents yet in tile i of the grid (adjoint) */
  int fresh;
  int64_t first_field; /* where the fields of the shape begin in the tiles, which hold others too */
  ArmillaThetaShape shape; /* what the task is about */
} ArmillaThetaArgs;

/* Buffers: 0 R weights, 1 W (first) or RW tile, 2 SCRATCH, 3.. R the grid's tiles. */
extern ArmillaCodelet armilla_theta_synthesis_cl;
/* Buffers: 0 R weights, 1 R tile, 2 SCRATCH, 3.. W (first) or RW the grid's tiles. */
extern ArmillaCodelet armilla_theta_adjoint_cl;

G_END_DECLS
