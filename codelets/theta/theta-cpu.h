/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to theta-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/theta/theta-interpolation.h"

/* Orders processed at a time: two cache lines of each hemisphere, so that weights loaded from the
 * second-level cache serve both. */
#define ARMILLA_THETA_CHUNK 8
#define ARMILLA_THETA_COLUMNS (4 * ARMILLA_THETA_CHUNK)
/* doubles stored per ring of the continued grid */
#define ARMILLA_THETA_ROW_DOUBLES 4

typedef struct {
  void (*synthesis) (const ArmillaThetaShape *shape, const double *weights,
                     const double *const *grid, double *tile, double *scratch);
  void (*adjoint) (const ArmillaThetaShape *shape, const double *weights, const double *tile,
                   int fresh, double *const *grid, double *scratch);
} ArmillaThetaKernels;

extern const ArmillaThetaKernels ARMILLA_EACH_ISA (armilla_theta_kernels);
