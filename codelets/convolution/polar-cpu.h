/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to polar-*.c and
 * convolve.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/convolution/convolve.h"

/* fields that share kernel values */
#define ARMILLA_POLAR_FIELDS 16
/* doubles after a ring's pixels that vector loads may read */
#define ARMILLA_POLAR_PAD 8

typedef void ArmillaPolarKernel (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                                 const ArmillaRingSlot *slots_in, const double *pairs_out,
                                 const double *pairs_in, const double *terms, const double *in,
                                 double *out, double *scratch);
extern ArmillaPolarKernel ARMILLA_EACH_ISA (armilla_polar_sum);
