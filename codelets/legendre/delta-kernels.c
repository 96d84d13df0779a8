/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis on the CPU: compiled once for each instruction set.
 *
 * For one field (two in the synthesis with AVX-512), the recurrence and the sums share a loop. For
 * several, q of a segment is stored in a buffer that every field reads. The terms of a lane are
 * added in the same order in both cases. */
#include "codelets/legendre/delta-synthesis.h"

const ArmillaDeltaKernels SIMD_NAME (armilla_delta_kernels)
  = { delta_synthesis, delta_factors };
