/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis of two fields, as of a pair of some spin. It is compiled for AVX-512 alone, which has
 * the registers for the sums of both beside the recurrence of two vectors, so that q need not pass
 * through memory. */
#define FUSED 2

#include "codelets/legendre/delta-synthesis.h"

const ArmillaDeltaSynthesis SIMD_NAME (armilla_delta_synthesis_two) = delta_synthesis;
