/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis of two fields, as for a field of nonzero spin. Compiled for AVX-512 only, which has
 * registers for the sums of both beside the recurrence of two vectors, so that q need not pass
 * through memory. */
#define FUSED 2

#include "codelets/legendre/delta-synthesis.h"

const ArmillaDeltaSynthesis SIMD_NAME (armilla_delta_synthesis_two) = delta_synthesis;
