/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis on the CPU: compiled once for each instruction set.
 *
 * One field, and two in the synthesis with AVX-512: the recurrence and the sums share a loop.
 * Several: q of a segment goes into a buffer that every field reads. The order in which a lane's
 * terms are added is the same either way. */
#include "codelets/legendre/delta-synthesis.h"

const ArmillaDeltaKernels SIMD_NAME (armilla_delta_kernels)
  = { delta_synthesis, delta_factors };
