/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to reduction-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/convolution/convolve.h"

typedef void ArmillaReductionKernel (const ArmillaReductionShape *shape,
                                     const ArmillaConvolveGroup *groups, const int32_t *first,
                                     const double *table, const double *values, const double *in,
                                     double *out);
extern ArmillaReductionKernel ARMILLA_EACH_ISA (armilla_theta_reduction);
